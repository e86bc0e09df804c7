"""Hard mode as a table: which guesses may follow each guess and score; see game/hard_mode.py.

Whether guess h may follow guess g with score s depends only on the kind of g, on s, and on the
score that g would get if h were the code. So the rule is a table of pairs of scores for each kind
of guess. Guesses are of one kind if equal letters are at the same places.
"""

from collections.abc import Sequence

from mmsat.arrays import Array, np
from mmsat.game.game import Game
from mmsat.game.hard_mode import has_hints, use_row
from mmsat.game.row import Code, Row, Score


def tabulate_hard_mode(
    game: Game, guesses: Sequence[Code], answers: Array, scores: Sequence[Score]
) -> tuple[list[int], Array]:
    """Return the kind of each guess (0 if scores have no hints), and a table of what may follow.

    Rows of the table are pairs of a kind and a score, columns are scores. An entry is 1 if a guess
    of this kind with the row's score may be followed by a guess that, as the code, would give it
    the column's score. `answers[g][h]` is the number of the score that guess g gets if guess h is
    the code. Its rows are read once, in order.
    """
    width = len(scores)
    if not has_hints(game):  # the next guess, as the code, must give the same score
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
