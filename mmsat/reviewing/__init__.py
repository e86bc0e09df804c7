"""Reviews of played games, guess by guess: skill, luck, and the best guess instead."""
