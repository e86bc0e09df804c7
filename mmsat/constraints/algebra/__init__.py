"""The algebra of two-color boards: equations, made short, refuted or simplified without search."""
