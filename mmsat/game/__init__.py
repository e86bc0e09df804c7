"""The rules of the game: codes, scoring, rows, boards and their notation. Knows no solver."""
