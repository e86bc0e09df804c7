"""Machine-checkable proofs: files that certify a verdict without trust in any solver.

`prove` runs solvers and writes a proof. `verify` checks a proof and loads no solver.
"""

from typing import Annotated, TypedDict

from mmsat._util.results import Positive, RowNumbers, Schema

PROOF_METHODS = (
    "witness",
    "lrat",
    "algebra",
    "explanation",
    "count",
    "layers",
    "list",
    "strategy",
    "value",
    "veripb",
)
"""The kinds of proofs that commands write."""


class ProofJson(TypedDict):
    """A proof of a verdict."""

    method: Annotated[str, Schema(enum=PROOF_METHODS)]
    """The kind of proof."""
    rows: RowNumbers
    """Rows that no code satisfies together, from 1; empty for other proofs."""
    bytes: Positive
    """Size of the proof."""
