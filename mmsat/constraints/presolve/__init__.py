"""Presolve: reduces a system before any search, or proves that it has no code."""
