"""Guesses that hard mode allows; the rule is in game/hard_mode.py."""

from mmsat.arrays import Array
from mmsat.errors import InputError
from mmsat.game.hard_mode import find_breach, has_hints, list_allowed
from mmsat.game.row import Row
from mmsat.notation.speller import speller
from mmsat.strategy.code_list import all_codes, is_listed
from mmsat.strategy.state import State
from mmsat.strategy.tree import Node, StrategyTree

MAX_PAIRS = 100_000_000
"""Maximum number of pairs of a guess and a code that are scored in hard mode: some seconds."""


def allowed_guesses(state: State, codes: Array) -> Array:
    """Return the codes of the game that hard mode allows as guesses; an even selection if too many.

    `codes` are the codes that guesses are evaluated against, shape (codes, pegs). If the game has
    more than 20 million codes, or hard mode allows only guesses that fit all scores, then only
    `codes` are considered as guesses.
    """
    is_free = has_hints(state.game) and is_listed(state.game)
    allowed = list_allowed(state.game, state.rows, all_codes(state.game) if is_free else codes)
    return allowed[:: max(1, -(-len(allowed) * len(codes) // MAX_PAIRS))]


def require_hard_mode(tree: StrategyTree) -> None:
    """Raise InputError for a tree with a guess that ignores hints of the guesses before it.

    Checks every guess against each row before it.
    """
    tasks: list[tuple[Node, tuple[Row, ...]]] = [(tree.root, ())]
    while tasks:
        node, rows = tasks.pop()
        if find_breach(tree.game, rows, node.guess) is not None:
            spelled = f"{speller(tree.game).print_code(node.guess)}, guess {len(rows) + 1}"
            rule = "the guess does not use all revealed information"
            raise InputError.of("the strategy", "a hard-mode tree", spelled, rule)
        for score, after in node.branches.items():
            tasks.append((after, (*rows, Row(node.guess, score))))
