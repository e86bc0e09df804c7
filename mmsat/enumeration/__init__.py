"""The set of consistent codes: its size, its elements in order, and ranks of codes."""
