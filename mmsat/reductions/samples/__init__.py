"""Random sources at their thresholds, with planted solutions or proofs of unsolvability."""
