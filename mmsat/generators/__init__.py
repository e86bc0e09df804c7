"""Random boards of any size with a known answer, the same ones for the same seed."""
