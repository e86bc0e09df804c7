"""Hard mode as a table: which guesses may follow each guess and score; see game/hard_mode.py.

Whether one guess may follow another depends only on the score that it would get from it if it were
the code. So the rule is a table of scores for each kind of guess. Guesses are of one kind if their
letters are repeated at the same places.
"""

from collections.abc import Sequence

from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.hard_mode import has_hints, use_row
from mmsat.game.row import Code, Row, Score


def tabulate_hard_mode(
    game: Game, guesses: Sequence[Code], answers: Array, scores: Sequence[Score]
) -> tuple[list[int], Array]:
    """Return the kind of each guess, and a table of the answers that may follow.

    Rows of the table are pairs of a kind and a score. An entry is 1 if a guess with this kind and
    score may be followed by a guess that would get this answer if it were the code. `answers` has
    for each guess (row) the number of each guess's answer. It is read once.
    """
    width = len(scores)
    if not has_hints(game):  # a guess must get the same score
        return [0] * len(guesses), np.eye(width, dtype=np.uint8)
    kinds: dict[Code, dict[int, Code]] = {}
    for guess, row in zip(guesses, answers, strict=True):
        examples = kinds.setdefault(tuple(map(guess.index, guess)), {})
        new_answers, places = np.unique(row, return_index=True)
        for answer, first in zip(new_answers.tolist(), places.tolist(), strict=True):
            if answer not in examples:
                examples[answer] = _rename(guesses[first], guess)
    follows = np.zeros((len(kinds), width, width), dtype=np.uint8)
    for table, (guess, examples) in zip(follows, kinds.items(), strict=True):
        following = np.array([*examples.values()])
        for score_number, score in enumerate(scores):
            table[score_number, [*examples]] = use_row(game, following, Row(guess, score))
    order = {kind: number for number, kind in enumerate(kinds)}
    return [order[tuple(map(guess.index, guess))] for guess in guesses], follows.reshape(-1, width)


def _rename(word: Code, guess: Code) -> Code:
    """Return the first place in a guess for each letter of a word.

    Letters that are not in the guess all get the length of the guess.
    """
    return tuple(guess.index(letter) if letter in guess else len(guess) for letter in word)
