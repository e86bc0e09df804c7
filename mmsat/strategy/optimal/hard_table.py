"""Hard mode in numbers: what each score of a guess leaves to be guessed; see game/hard_mode.py.

A guess is allowed after another by what it would score, were it the code. So the rule is a table
of scores for each kind of guess: those whose letters are repeated at the same places.
"""

from collections.abc import Sequence

from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.hard_mode import has_hints, use_row
from mmsat.game.row import Code, Row, Score


def tabulate_hard_mode(
    game: Game, guesses: Sequence[Code], answers: Array, scores: Sequence[Score]
) -> tuple[list[int], Array]:
    """The kind of each guess; and by kind, score and what another would score: 1 if it may follow.

    `answers` has for each guess (row) the number of what each guess would answer, were it the code.
    Costs a pass over these.
    """
    many = len(scores)
    if not has_hints(game):  # then it has to score the same
        return [0] * len(guesses), np.eye(many, dtype=np.uint8)
    kinds: dict[Code, dict[int, Code]] = {}
    for guess, row in zip(guesses, answers, strict=True):
        found = kinds.setdefault(tuple(map(guess.index, guess)), {})
        new, places = np.unique(row, return_index=True)
        for answer, first in zip(new.tolist(), places.tolist(), strict=True):
            if answer not in found:
                found[answer] = _rename(guesses[first], guess)
    follows = np.zeros((len(kinds), many, many), dtype=np.uint8)
    for table, (guess, found) in zip(follows, kinds.items(), strict=True):
        following = np.array([*found.values()])
        for told, score in enumerate(scores):
            table[told, [*found]] = use_row(game, following, Row(guess, score))
    order = {kind: number for number, kind in enumerate(kinds)}
    return [order[tuple(map(guess.index, guess))] for guess in guesses], follows.reshape(-1, many)


def _rename(word: Code, guess: Code) -> Code:
    """A word with each letter of a guess as its first place there, and all others alike."""
    return tuple(guess.index(letter) if letter in guess else len(guess) for letter in word)
