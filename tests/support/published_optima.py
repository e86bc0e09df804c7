"""Published totals of optimal strategies: the sums of the numbers of guesses over all codes."""

from __future__ import annotations

REPEATS = {
    2: {2: (8, 3), 3: (21, 3), 4: (45, 4), 5: (81, 4), 6: (132, 5), 7: (198, 5), 8: (284, 6)},
    3: {2: (18, 3), 3: (73, 4), 4: (206, 4), 5: (451, 5), 6: (854, 5)},
    4: {2: (44, 4), 3: (246, 4), 4: (905, 4), 5: (2463, 5)},
}
"""By pegs and colors: the minimum total, and the minimum of the worst case."""
BLACK = {2: {2: 8, 3: 25, 4: 56, 5: 105, 6: 176}, 3: {2: 21, 3: 95, 4: 280}, 4: {2: 52, 3: 331}}
"""The minimum totals with black only."""
DISTINCT = {3: {3: 15, 4: 72, 5: 196}, 4: {5: 462, 6: 1446}}
"""The minimum totals without repeated colors."""
CONSISTENT = {"3x5": 455, "4x4": 908, "4x5": 2476, "4x6": 5660}
"""The minimum totals with consistent guesses only."""
PUBLISHED = [
    *((f"{p}x{c}", entry[0]) for p, by in REPEATS.items() for c, entry in by.items()),
    *((f"{p}x{c}b", total) for p, by in BLACK.items() for c, total in by.items()),
    *((f"{p}x{c}!", total) for p, by in DISTINCT.items() for c, total in by.items()),
    ("4x6", 5625),  # Koyama and Lai 1993
    ("4x7", 11228),
    ("5x4", 3954),
    ("3x10", 5242),
]


SLOW = [("5x5", 13496), ("bulls-and-cows", 26274), ("4x8", 20471)]
"""Games whose search takes minutes, with their minimum totals."""
