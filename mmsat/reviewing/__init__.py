"""Played games, judged guess by guess: skill, luck, and the best guess instead."""
