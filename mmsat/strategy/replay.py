"""Trees checked by playing every code, with no other help than the plain scorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.notation.speller import speller
from mmsat.strategy.listing import all_codes

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.game.row import Code, Score
    from mmsat.strategy.tree import StrategyTree

MOST_FAULTS = 5
"""Codes that are told where a tree fails."""
OFTEN = 10_000
"""Codes between two reports."""


def replay(
    tree: StrategyTree, on_progress: Callable[[int, int], None] | None = None
) -> dict[Code, int]:
    """The guesses that each code takes, in order of the codes.

    Sets the wins of the nodes to what they are. Raises InputError where the tree has no answer to a
    score that some code gets. Costs a score for each guess to each code.
    """
    game = tree.game
    full: dict[Code, Score] = {}  # what a guess scores when it is the code
    for _, node in tree.nodes():
        node.wins = 0
        full[node.guess] = game.score(node.guess, node.guess)
    turns: dict[Code, int] = {}
    faults: list[Fault] = []
    codes = all_codes(game)
    for done, code in enumerate(map(tuple, codes.tolist())):
        if on_progress and done % OFTEN == 0:
            on_progress(done, len(codes))
        node, turn = tree.root, 1
        while (score := game.score(code, node.guess)) != full[node.guess]:
            following = node.branches.get(score)
            if following is None:
                spell = speller(game)
                what = f"{spell.print_code(node.guess)}={spell.print_score(score)}"
                rule = f"there is a guess after each score that a code gets (guess {turn})"
                write = f"a branch for it, as {spell.print_code(code)} may be the code"
                faults.append(Fault(rule, what, write))
                break
            node, turn = following, turn + 1
        else:
            node.wins += 1
            turns[code] = turn
        if len(faults) == MOST_FAULTS:
            break
    if faults:
        raise InputError(faults, "the tree")
    return turns
