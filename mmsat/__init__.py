"""mmsat: the Mastermind satisfiability toolkit.

Is there a code that gets exactly these scores? From that question: checking boards, naming scoring
errors, counting and listing the codes that remain.

    >>> import mmsat
    >>> board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    >>> mmsat.check(board).is_consistent
    True

Public are the functions and types that are named here, with what their docstrings say; all else may
change. Each loads when it is first used; importing mmsat loads nothing else.
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers know the name; typing takes as long to load as all of Python

if TYPE_CHECKING:  # they read these names, and know no others
    from mmsat.auditing.arrays import check_arrays, count_arrays
    from mmsat.auditing.audit import audit
    from mmsat.auditing.generate_log import generate_log
    from mmsat.auditing.summary import Summary
    from mmsat.board import Board
    from mmsat.diagnosis.check import check, check_many
    from mmsat.diagnosis.explain import explain
    from mmsat.diagnosis.steps.difficulty import Difficulty
    from mmsat.diagnosis.steps.step import Step, Way
    from mmsat.diagnosis.steps.steps import Steps
    from mmsat.diagnosis.steps.stepwise import steps
    from mmsat.diagnosis.suspect import suspect
    from mmsat.enumeration.codes import Codes, codes
    from mmsat.enumeration.count import count
    from mmsat.enumeration.odds import Odds
    from mmsat.enumeration.ranking import Ranking
    from mmsat.errors import (
        Fault,
        GameWarning,
        InconsistentError,
        InputError,
        InternalError,
        MissingError,
        MmsatError,
        SizeError,
        WordListWarning,
    )
    from mmsat.game.game import Game
    from mmsat.game.literals import VariableMap
    from mmsat.game.row import Row
    from mmsat.game.scoring import Mark, Scoring
    from mmsat.game.space import Space
    from mmsat.game.symbols import Symbols
    from mmsat.generators.family import Generated
    from mmsat.generators.generate import generate, generate_many
    from mmsat.matches.several_match import SeveralMatch, match_several
    from mmsat.proof.prove import Proof, prove
    from mmsat.proof.verify import Verification, verify
    from mmsat.puzzles.extreme import extreme_puzzle
    from mmsat.puzzles.make import puzzle
    from mmsat.puzzles.puzzle import Puzzle
    from mmsat.reductions.chain import Chain, chain
    from mmsat.reductions.reduce import reduce
    from mmsat.reductions.reduction import Reduction, SizeFormulas
    from mmsat.results.count import Count
    from mmsat.results.explanation import Explanation
    from mmsat.results.review import Move, Review
    from mmsat.results.several_suggestion import BoardOutlook, SeveralSuggestion
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
    from mmsat.reviewing.review import review
    from mmsat.several_boards import SeveralBoards
    from mmsat.solving.encode import decode, encode
    from mmsat.strategy.analysis import Analysis, CodeKind
    from mmsat.strategy.analyze import analyze
    from mmsat.strategy.game_value import GameValue, HiddenKind, PlayedTree, game_value
    from mmsat.strategy.optimal.optimum import Optimum
    from mmsat.strategy.optimal.search import optimal
    from mmsat.strategy.several import suggest_several
    from mmsat.strategy.static.search import static
    from mmsat.strategy.static.static_set import StaticSet
    from mmsat.strategy.strategy import Strategy
    from mmsat.strategy.suggest import suggest
    from mmsat.strategy.tree import Node, StrategyTree
    from mmsat.tolerance import Miss, Tolerance
    from mmsat.weights import Weights

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Board",
    "BoardOutlook",
    "Chain",
    "Change",
    "CodeKind",
    "Codes",
    "Combination",
    "Conflict",
    "Correction",
    "Count",
    "Difficulty",
    "DiscriminatingGuess",
    "Explanation",
    "Fault",
    "Game",
    "GameValue",
    "GameWarning",
    "Generated",
    "HiddenKind",
    "InconsistentError",
    "InputError",
    "InternalError",
    "Mark",
    "Miss",
    "MissingError",
    "MmsatError",
    "Move",
    "Node",
    "Odds",
    "Optimum",
    "PlayedTree",
    "Proof",
    "Prospect",
    "Puzzle",
    "Ranking",
    "Reduction",
    "Refutation",
    "Reply",
    "Review",
    "Row",
    "Scoring",
    "SeveralBoards",
    "SeveralMatch",
    "SeveralSuggestion",
    "SizeError",
    "SizeFormulas",
    "Space",
    "StaticSet",
    "Status",
    "Step",
    "Steps",
    "Strategy",
    "StrategyTree",
    "Suggestion",
    "Summary",
    "Suspicion",
    "Symbols",
    "Tolerance",
    "VariableMap",
    "Verdict",
    "Verification",
    "Way",
    "Weights",
    "WordListWarning",
    "analyze",
    "audit",
    "chain",
    "check",
    "check_arrays",
    "check_many",
    "codes",
    "count",
    "count_arrays",
    "decode",
    "encode",
    "explain",
    "extreme_puzzle",
    "game_value",
    "generate",
    "generate_log",
    "generate_many",
    "match_several",
    "optimal",
    "prove",
    "puzzle",
    "reduce",
    "review",
    "static",
    "steps",
    "suggest",
    "suggest_several",
    "suspect",
    "verify",
]

MODULES = {
    "mmsat.auditing.arrays": "check_arrays count_arrays",
    "mmsat.auditing.audit": "audit",
    "mmsat.auditing.generate_log": "generate_log",
    "mmsat.auditing.summary": "Summary",
    "mmsat.board": "Board",
    "mmsat.diagnosis.check": "check check_many",
    "mmsat.diagnosis.explain": "explain",
    "mmsat.diagnosis.steps.difficulty": "Difficulty",
    "mmsat.diagnosis.steps.step": "Step Way",
    "mmsat.diagnosis.steps.steps": "Steps",
    "mmsat.diagnosis.steps.stepwise": "steps",
    "mmsat.diagnosis.suspect": "suspect",
    "mmsat.solving.encode": "decode encode",
    "mmsat.enumeration.codes": "Codes codes",
    "mmsat.enumeration.count": "count",
    "mmsat.enumeration.odds": "Odds",
    "mmsat.enumeration.ranking": "Ranking",
    "mmsat.errors": (
        "Fault GameWarning InconsistentError InputError InternalError MissingError MmsatError "
        "SizeError WordListWarning"
    ),
    "mmsat.game.game": "Game",
    "mmsat.game.literals": "VariableMap",
    "mmsat.game.row": "Row",
    "mmsat.game.scoring": "Mark Scoring",
    "mmsat.game.space": "Space",
    "mmsat.game.symbols": "Symbols",
    "mmsat.generators.family": "Generated",
    "mmsat.generators.generate": "generate generate_many",
    "mmsat.proof.prove": "Proof prove",
    "mmsat.proof.verify": "Verification verify",
    "mmsat.puzzles.extreme": "extreme_puzzle",
    "mmsat.puzzles.make": "puzzle",
    "mmsat.puzzles.puzzle": "Puzzle",
    "mmsat.reductions.chain": "Chain chain",
    "mmsat.reductions.reduce": "reduce",
    "mmsat.reductions.reduction": "Reduction SizeFormulas",
    "mmsat.results.count": "Count",
    "mmsat.results.explanation": "Explanation",
    "mmsat.results.review": "Move Review",
    "mmsat.results.several_suggestion": "BoardOutlook SeveralSuggestion",
    "mmsat.results.suggestion": "Prospect Suggestion",
    "mmsat.results.suspicion": "DiscriminatingGuess Reply Suspicion",
    "mmsat.results.verdict": ("Change Combination Conflict Correction Refutation Status Verdict"),
    "mmsat.reviewing.review": "review",
    "mmsat.strategy.analysis": "Analysis CodeKind",
    "mmsat.strategy.analyze": "analyze",
    "mmsat.strategy.optimal.search": "optimal",
    "mmsat.strategy.optimal.optimum": "Optimum",
    "mmsat.several_boards": "SeveralBoards",
    "mmsat.matches.several_match": "SeveralMatch match_several",
    "mmsat.strategy.several": "suggest_several",
    "mmsat.strategy.static.search": "static",
    "mmsat.strategy.static.static_set": "StaticSet",
    "mmsat.strategy.strategy": "Strategy",
    "mmsat.strategy.suggest": "suggest",
    "mmsat.strategy.tree": "Node StrategyTree",
    "mmsat.strategy.game_value": "GameValue HiddenKind PlayedTree game_value",
    "mmsat.tolerance": "Miss Tolerance",
    "mmsat.weights": "Weights",
}
"""Where the public names live, a module's names in one string."""
HOMES = {name: module for module, names in MODULES.items() for name in names.split()}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in HOMES:
            raise AttributeError(f"module 'mmsat' has no attribute {name!r}")
        value = getattr(import_module(HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
