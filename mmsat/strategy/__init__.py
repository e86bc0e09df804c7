"""Playing: what the codebreaker knows, strategies, and the trees that they grow."""
