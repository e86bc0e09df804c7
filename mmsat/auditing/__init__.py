"""Logs of games: read as a stream, judged in bulk, one flat record a game."""
