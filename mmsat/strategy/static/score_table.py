"""Table of the classes that each guess makes; equivalent guesses and codes are merged."""

from collections.abc import Sequence

from mmsat._core import Separation
from mmsat.arrays import np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import compute_answers, kernel_form
from mmsat.strategy.code_list import all_codes

MAX_CODES = 1 << 13
"""Maximum number of codes. The table of scores needs two bytes per pair, and two copies."""
MAX_PEGS = MAX_COLORS = 254
"""Maximum numbers of pegs and colors of a game."""
GUESSES_PER_STEP = 64
"""Number of guesses that are scored at a time."""


class ScoreTable:
    """The scores of a game as numbers; only their equality is significant."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes; raise SizeError if the game exceeds the limits above."""
        if game.size > MAX_CODES or game.pegs > MAX_PEGS or game.colors > MAX_COLORS:
            raise SizeError.of(
                "sets of guesses",
                f"a game of up to {MAX_CODES:,} codes, {MAX_PEGS} pegs and {MAX_COLORS} colors",
                f"{game} with {game.size:,} codes",
            )
        self.game = game
        self.codes = all_codes(game)
        answers = np.empty((len(self.codes), len(self.codes)), dtype=np.uint16)
        for start in range(0, len(self.codes), GUESSES_PER_STEP):
            guesses = self.codes[start : start + GUESSES_PER_STEP].tolist()
            for row, scores in enumerate(compute_answers(game, self.codes, guesses), start):
                is_packed = kernel_form(game) is None  # packed scores may exceed 16 bits
                answers[row] = np.unique(scores, return_inverse=True)[1] if is_packed else scores
        full_separation = Separation(answers)
        self.first_guesses = np.array(full_separation.first_guesses)
        self.first_codes = np.array(full_separation.first_codes)
        del full_separation
        self.guesses = np.unique(self.first_guesses)
        """The first guess of each group of guesses that make the same classes, by number."""
        self.kinds = np.unique(self.first_codes)
        """The first code of each group of codes that no guess distinguishes, by number."""
        merged_answers = answers[np.ix_(self.guesses, self.kinds)]
        self.separation = Separation(np.ascontiguousarray(merged_answers))

    def spell(self, guesses: Sequence[int]) -> tuple[Code, ...]:
        """Return the guesses with the given numbers, in lexicographic order."""
        return tuple(sorted(map(tuple, self.codes[self.guesses[list(guesses)]].tolist())))
