"""Strategies that no other beats, and the proof of it by a finished search."""
