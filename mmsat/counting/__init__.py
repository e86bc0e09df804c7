"""Count, list, rank and sample the consistent codes, and compute the odds of their pegs."""
