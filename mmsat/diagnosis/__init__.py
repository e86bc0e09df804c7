"""Why a board is inconsistent: minimal conflicts (MUS), cheapest corrections (MCS), steps."""
