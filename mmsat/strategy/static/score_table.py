"""What every guess of a game tells apart, alike guesses and alike codes taken once."""

from collections.abc import Sequence

from mmsat._core import Separation
from mmsat.arrays import np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import compute_answers, kernel_form
from mmsat.strategy.code_list import all_codes

MOST_CODES = 1 << 13
"""Codes of a game; the table of their scores takes two bytes a pair, and is kept twice."""
MOST_PEGS = MOST_COLORS = 254
STEP = 64
"""Guesses that are scored at a time."""


class ScoreTable:
    """The scores of a game as numbers, of which only counts which are equal."""

    def __init__(self, game: Game) -> None:
        """Score all pairs; raises SizeError for a game beyond the limits above."""
        if game.size > MOST_CODES or game.pegs > MOST_PEGS or game.colors > MOST_COLORS:
            raise SizeError.of(
                "sets of guesses",
                f"a game of up to {MOST_CODES:,} codes, {MOST_PEGS} pegs and {MOST_COLORS} colors",
                f"{game} with {game.size:,}, {game.pegs:,} and {game.colors:,}",
            )
        self.game = game
        self.codes = all_codes(game)
        answers = np.empty((len(self.codes), len(self.codes)), dtype=np.uint16)
        for start in range(0, len(self.codes), STEP):
            guesses = self.codes[start : start + STEP].tolist()
            for row, scores in enumerate(compute_answers(game, self.codes, guesses), start):
                is_packed = kernel_form(game) is None  # then numbers may be large
                answers[row] = np.unique(scores, return_inverse=True)[1] if is_packed else scores
        every = Separation(answers)
        self.first_guesses = np.array(every.first_guesses)
        self.first_codes = np.array(every.first_codes)
        del every
        self.guesses = np.unique(self.first_guesses)
        """By number, the first of the guesses that tell the same codes apart."""
        self.kinds = np.unique(self.first_codes)
        """By number, the first of the codes that no guess tells apart."""
        kept = answers[np.ix_(self.guesses, self.kinds)]
        self.separation = Separation(np.ascontiguousarray(kept))

    def spell(self, guesses: Sequence[int]) -> tuple[Code, ...]:
        """The guesses of some numbers, in order."""
        return tuple(sorted(map(tuple, self.codes[self.guesses[list(guesses)]].tolist())))
