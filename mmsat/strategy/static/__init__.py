"""Static sets: guesses that are all made before any score is seen."""
