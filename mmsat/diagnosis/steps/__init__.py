"""Deductions: how a contradiction or a certain fact follows from a board in small steps."""
