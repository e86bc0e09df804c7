"""Random sources at their thresholds, with planted answers or proofs that there are none."""
