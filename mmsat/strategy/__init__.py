"""Play as the codebreaker: states of a game, strategies, and strategy trees."""
