"""What can be told before any search: a system made smaller, or the proof that it has no code."""
