"""Optimal strategies, proven by complete search."""
