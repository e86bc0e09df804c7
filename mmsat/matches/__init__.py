"""Rounds and matches between players: rules, points, and saved games."""
