"""What mmsat answers: frozen results that print honestly and turn into JSON.

Rows and colors count from 0 in these objects and from 1 in everything they print or export.
"""

from __future__ import annotations

from mmsat.game.row import Code, Score
from mmsat.results.count import Count
from mmsat.results.explanation import Explanation
from mmsat.results.suggestion import Prospect, Suggestion
from mmsat.results.suspicion import DiscriminatingGuess, Reply, Suspicion
from mmsat.results.verdict import (
    Change,
    Combination,
    Conflict,
    Correction,
    Refutation,
    Status,
    Verdict,
)

__all__ = [
    "Change",
    "Code",
    "Combination",
    "Conflict",
    "Correction",
    "Count",
    "DiscriminatingGuess",
    "Explanation",
    "Prospect",
    "Refutation",
    "Reply",
    "Score",
    "Status",
    "Suggestion",
    "Suspicion",
    "Verdict",
]
