"""Translate the constraints of a board to the languages of solvers, and their answers back."""
