"""Puzzles: boards with exactly one code, graded by the steps that a person needs."""
