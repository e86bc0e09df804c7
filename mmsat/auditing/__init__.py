"""Logs of games: read as a stream and judged in bulk, with one flat record per game."""
