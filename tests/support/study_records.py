"""Records of the study with made-up measurements that follow known laws."""

from __future__ import annotations

import numpy as np

from mmsat.studies import Point, Record, entropy_rows

NUM_BOARDS = 100
"""Number of boards of each point of a synthetic record."""


def synthetic_record(path, shift=0.0, spread=0.0):
    """Return a record of random boards of two colors whose verdicts follow the law of the estimate.

    The true logarithms of the expected numbers of codes are the recorded ones plus `shift` and an
    error with the standard deviation `spread`. Boards without a code need a quarter of the steps.
    """
    record = Record(path)
    rng = np.random.default_rng(11)
    for size in (16, 24, 32, 40):
        scale = entropy_rows(2, size)
        for rows in range(round(0.5 * scale), round(1.5 * scale)):
            point = Point("transition", "random-two-color", "any", "any", size, rows)
            log_counts = (scale - rows) * 1.5 + rng.normal(0, 1, NUM_BOARDS)
            true = log_counts + shift + spread * rng.normal(0, 1, NUM_BOARDS)
            chances = 1 - np.exp(-np.exp(true))
            status = "".join("ic"[int(entry)] for entry in rng.random(NUM_BOARDS) < chances)
            peak = np.exp(-(((rows - scale) / 3) ** 2))
            effort = peak * 2 ** (0.1 * size) * rng.exponential(1000, NUM_BOARDS)
            steps = [int(n) // (4 if s == "i" else 1) for n, s in zip(effort, status, strict=True)]
            texts = {"cp steps": steps, "status": status, "degenerate": "0" * NUM_BOARDS}
            texts |= {"pegs": size, "log count": [float(number) for number in log_counts]}
            noise = rng.normal(0, 2, NUM_BOARDS)
            texts["independent log count"] = [float(number) for number in log_counts + noise]
            header = point._asdict() | {"first": 0, "boards": NUM_BOARDS}
            record.add(header | {"on": {"processor": "none"}} | texts)
    return record
