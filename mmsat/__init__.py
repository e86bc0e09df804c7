"""mmsat: the Mastermind satisfiability toolkit.

Is there a code that gets exactly these scores? From that question: checking boards, naming scoring
errors, counting and listing the codes that remain.

    >>> import mmsat
    >>> board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    >>> mmsat.check(board).is_consistent
    True

Everything here loads when it is first used; importing mmsat loads nothing else.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers know the name; typing takes as long to load as all of Python

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.diagnosis.check import check, check_many
    from mmsat.diagnosis.explain import explain
    from mmsat.diagnosis.steps.stepwise import steps
    from mmsat.diagnosis.suspect import suspect
    from mmsat.enumeration.codes import Codes, codes
    from mmsat.enumeration.count import count
    from mmsat.errors import (
        InconsistentError,
        InputError,
        InternalError,
        MissingError,
        MmsatError,
        SizeError,
    )
    from mmsat.game.game import Game
    from mmsat.game.row import Row
    from mmsat.generators.generate import generate
    from mmsat.proof.prove import prove
    from mmsat.proof.verify import verify
    from mmsat.reductions.chain import chain
    from mmsat.reductions.reduce import reduce
    from mmsat.strategy.analyze import analyze
    from mmsat.strategy.optimal.optimal import optimal
    from mmsat.strategy.suggest import suggest
    from mmsat.strategy.value.value import game_value

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
    "Board": "mmsat.board",
    "Codes": "mmsat.enumeration.codes",
    "Game": "mmsat.game.game",
    "InconsistentError": "mmsat.errors",
    "InputError": "mmsat.errors",
    "InternalError": "mmsat.errors",
    "MissingError": "mmsat.errors",
    "MmsatError": "mmsat.errors",
    "Row": "mmsat.game.row",
    "SizeError": "mmsat.errors",
    "analyze": "mmsat.strategy.analyze",
    "chain": "mmsat.reductions.chain",
    "check": "mmsat.diagnosis.check",
    "check_many": "mmsat.diagnosis.check",
    "codes": "mmsat.enumeration.codes",
    "count": "mmsat.enumeration.count",
    "explain": "mmsat.diagnosis.explain",
    "game_value": "mmsat.strategy.value.value",
    "generate": "mmsat.generators.generate",
    "optimal": "mmsat.strategy.optimal.optimal",
    "prove": "mmsat.proof.prove",
    "reduce": "mmsat.reductions.reduce",
    "steps": "mmsat.diagnosis.steps.stepwise",
    "suggest": "mmsat.strategy.suggest",
    "suspect": "mmsat.diagnosis.suspect",
    "verify": "mmsat.proof.verify",
}


if not TYPE_CHECKING:  # type checkers read the names above, and know no others

    def __getattr__(name: str) -> object:
        if name not in LATER:
            raise AttributeError(f"module 'mmsat' has no attribute {name!r}")
        value = getattr(import_module(LATER[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
