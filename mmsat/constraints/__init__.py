"""The constraints of a board, in the form that all encoders and engines read."""
