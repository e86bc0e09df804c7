"""Translate the constraints of a board to the languages of solvers, and read solver output."""
