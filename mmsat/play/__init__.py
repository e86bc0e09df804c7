"""Play matches, review played games, and make puzzles."""
