"""The algebra of two-color boards: equations, which are shortened or refuted without search."""
