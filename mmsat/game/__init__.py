"""The rules of the game: codes, scoring, rows and published games. Independent of all solvers."""
