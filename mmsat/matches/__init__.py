"""Games and matches between players: rounds, players, points, saved games."""
