"""Reductions: hard problems as boards, with conversion of codes to certificates."""
