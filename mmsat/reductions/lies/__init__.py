"""Mastermind with lies -> a board in which some rows may be wrong: see README.md."""

from collections.abc import Iterator, Sequence

from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import Tolerance
from mmsat.reductions.equations import BoardReduction
from mmsat.reductions.reduction import NamedRow, SizeFormulas, Sizes, require_whole
from mmsat.reductions.samples import BoardSamples


class Lies(BoardReduction):
    """Each row is repeated `lies` + 1 times; a certificate is a consistent code of the source."""

    name = "lies"
    title = "a board -> a board in which up to L rows may be wrong"
    theorem = "Mastermind with lies is NP-complete for any number of lies (this project's remark)"
    parameters = ("lies",)
    formula = SizeFormulas("N", "C", "(lies + 1) m")
    family = "random boards of six colors, every row twice for one lie"
    samples = BoardSamples("six-colors", size=8, min_size=1, parameters={"lies": 1})

    def __init__(self, source: Board, *, lies: int) -> None:
        super().__init__(source, lies=lies)
        self.lies = require_whole("lies", lies, 0)

    @property
    def game(self) -> Game:
        return self.source.game

    def rows(self) -> Iterator[NamedRow]:
        for number, row in enumerate(self.source.rows, 1):
            for copy in range(1, self.lies + 2):
                meaning = f"row {number}, copy {copy} of {self.lies + 1}"
                yield NamedRow(row, f"row {number}", meaning)

    def allows(self, code: Sequence[int]) -> bool:
        """Return whether a code misses at most `lies` rows of the board."""
        return Tolerance(self.lies).allows(self.board, code)

    def sizes(self) -> Sizes:
        game, rows = self.source.game, self.source.rows
        return Sizes(game.pegs, game.colors, (self.lies + 1) * len(rows))

    def encode(self, certificate: Code) -> Code:
        return tuple(certificate)

    def decode_colors(self, code: Sequence[int]) -> Code:
        return tuple(code)
