"""From the constraints of a board to the languages of solvers."""
