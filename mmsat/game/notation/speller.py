"""Reading and printing the codes, scores and rows of one game.

To read a single code, use `Speller.parse_code`. To read the guesses and scores of a board, which
share one notation, use `BoardReader`.
"""

from functools import lru_cache

from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import BoardReader
from mmsat.game.notation.spelling import Spelling
from mmsat.game.row import Code, Row, Score


class Speller(Spelling):
    """Reads and prints the codes, scores and rows of one game.

    Each text is read independently. If a text has errors, the methods append them to `faults` and
    return None.
    """

    def parse_code(
        self, text: str, source: str = "the code", *, allow_unread: bool = False
    ) -> Code:
        """Return the code that a text in any alphabet means.

        - `source`: the name of the text in error messages.
        - `allow_unread`: pegs may be `?`, as in a guess.

        Raises InputError for a text that is not a code or is ambiguous.
        """
        faults: list[Fault] = []
        code = BoardReader(self).read_code(
            text.strip(), Place(1, 1), faults, allow_unread=allow_unread
        )
        if code is None:
            raise InputError(faults, source)
        return code

    def read_guess(self, text: str, place: Place, faults: list[Fault]) -> Code | None:
        """Read a guess, in which pegs may be `?`."""
        return BoardReader(self).read_code(text, place, faults, allow_unread=True)

    def read_code(self, text: str, place: Place, faults: list[Fault]) -> Code | None:
        """Read a code."""
        return BoardReader(self).read_code(text, place, faults)

    def read_score(self, text: str, place: Place, faults: list[Fault]) -> Score | None:
        """Read a score."""
        return BoardReader(self).read_score(text, place, faults)

    def read_row(self, text: str, place: Place, faults: list[Fault]) -> Row | None:
        """Read a row, such as `1122=1.1`, `1122 1 1`, `1 1 2 2: bw` or `1122,1,1`."""
        (row,) = BoardReader(self).read_rows([(text, place)], faults)
        return row


@lru_cache(maxsize=64)
def speller(game: Game) -> Speller:
    """Return the cached speller of a game."""
    return Speller(game)
