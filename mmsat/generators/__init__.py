"""Random boards of any size with a known answer, reproducible by seed."""
