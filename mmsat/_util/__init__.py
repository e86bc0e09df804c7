"""Helpers without knowledge of Mastermind: files, processes, text, JSON fields and registries."""
