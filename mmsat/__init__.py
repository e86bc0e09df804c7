"""mmsat: the Mastermind satisfiability toolkit.

Is there a code that gets exactly these scores? mmsat answers this question and related ones: it
checks boards, finds scoring errors, and counts and lists the remaining codes.

    >>> import mmsat
    >>> board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    >>> mmsat.check(board).is_consistent
    True

The public API is `mmsat.__all__`; anything else may change. Each public name loads its module when
it is first used. The errors that calls document are MmsatErrors; InternalError reports a bug.

Whole numbers can be ints or numpy integers. Codes and guesses can be strings as in a board line
("1122"), or sequences or numpy arrays of colors, which are counted from 0.
"""

from importlib import import_module

__version__ = "0.1.0"

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
        "DiedError Fault GameWarning InconsistentError InputError InternalError LibraryError "
        "MissingError MmsatError SizeError TimeLimitError WordListWarning"
    ),
    "mmsat.game.game": "Game",
    "mmsat.game.literals": "VariableMap",
    "mmsat.game.row": "Row",
    "mmsat.game.scoring": "Mark Scoring",
    "mmsat.game.space": "Space",
    "mmsat.game.symbols": "Symbols",
    "mmsat.generators.family": "Generated",
    "mmsat.generators.generate": "generate generate_many",
    "mmsat.notation.alphabets": "Conventions",
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
    "mmsat.results.facts": "CommonFact LiteralsFact ScoreFact",
    "mmsat.results.review": "Move Review",
    "mmsat.results.several_suggestion": "BoardOutlook SeveralSuggestion",
    "mmsat.results.suggestion": "Prospect Suggestion",
    "mmsat.results.suspicion": "DiscriminatingGuess Reply Suspicion",
    "mmsat.results.verdict": "Change Combination Conflict Correction Refutation Status Verdict",
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
"""The modules of the public names; `__init__.pyi` has the same names for tools."""
HOMES = {name: module for module, names in MODULES.items() for name in names.split()}
__all__ = sorted(HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'mmsat' has no attribute {name!r}")
    value = getattr(import_module(HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
