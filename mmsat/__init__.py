"""mmsat: the Mastermind satisfiability toolkit.

Is there a code that gets exactly these scores? From that question: checking boards, naming scoring
errors, counting and listing the codes that remain.

    >>> import mmsat
    >>> board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    >>> mmsat.check(board).is_consistent
    True

Everything here loads when it is first used; importing mmsat loads no solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mmsat.errors import (
    InconsistentError,
    InputError,
    InternalError,
    MissingError,
    MmsatError,
    SizeError,
)
from mmsat.game.board import Board, Row
from mmsat.game.game import Game

if TYPE_CHECKING:
    from mmsat.codes.codes import Codes, codes
    from mmsat.codes.count import count
    from mmsat.explain.check import check, check_many
    from mmsat.explain.explain import explain
    from mmsat.explain.steps.steps import steps
    from mmsat.explain.suspect import suspect
    from mmsat.generate.generate import generate
    from mmsat.play.analyze import analyze
    from mmsat.play.optimal.optimal import optimal
    from mmsat.play.suggest import suggest
    from mmsat.play.value.value import game_value
    from mmsat.proof.prove import prove
    from mmsat.proof.verify import verify
    from mmsat.reduce.chain import chain
    from mmsat.reduce.reduce import reduce

__version__ = "0.1.0"

__all__ = [
    "Board",
    "Codes",
    "Game",
    "InconsistentError",
    "InputError",
    "InternalError",
    "MissingError",
    "MmsatError",
    "Row",
    "SizeError",
    "analyze",
    "chain",
    "check",
    "check_many",
    "codes",
    "count",
    "explain",
    "game_value",
    "generate",
    "optimal",
    "prove",
    "reduce",
    "steps",
    "suggest",
    "suspect",
    "verify",
]

LATER = {
    "Codes": "mmsat.codes.codes",
    "analyze": "mmsat.play.analyze",
    "chain": "mmsat.reduce.chain",
    "check": "mmsat.explain.check",
    "check_many": "mmsat.explain.check",
    "codes": "mmsat.codes",
    "count": "mmsat.codes.count",
    "explain": "mmsat.explain",
    "game_value": "mmsat.play.value.value",
    "generate": "mmsat.generate",
    "optimal": "mmsat.play.optimal.optimal",
    "prove": "mmsat.proof.prove",
    "reduce": "mmsat.reduce",
    "steps": "mmsat.explain.steps.steps",
    "suggest": "mmsat.play.suggest",
    "suspect": "mmsat.explain.suspect",
    "verify": "mmsat.proof.verify",
}


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module 'mmsat' has no attribute {name!r}")
    module = import_module(LATER[name])
    # A package that can be called is its own face; see mmsat.face.
    value = module if module.__name__ == f"mmsat.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
