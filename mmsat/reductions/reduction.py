"""The base classes of reductions of a hard problem to a board, with certificates both ways.

The constructions were designed for this project: they prove the theorems of the papers that they
name, but can differ from the constructions in the papers. The README.md of each reduction has its
problem, construction, proof and source.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypedDict

from mmsat.arguments import attempt, whole_number
from mmsat.board import Board
from mmsat.english import noun_phrase, quantities, whole_range
from mmsat.errors import Description, Fault, InputError, InternalError
from mmsat.game.game import MAX_COLORS, MAX_PEGS, MAX_PLACES, Game
from mmsat.game.row import Code, Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.json_types import NonEmpty, NonNegative, Positive
from mmsat.limits import LIMITS
from mmsat.notation.speller import speller
from mmsat.reductions.link import Certificate, Link, Source
from mmsat.reductions.samples.sample import BoardSamples, Samples
from mmsat.reductions.sources import measures
from mmsat.shown import Shown


class ReductionJson(TypedDict):
    """The board of a source."""

    name: NonEmpty
    """Name of the reduction; for a chain, of its links."""
    pegs: Positive
    colors: Positive
    rows: NonNegative
    """Number of rows."""
    ratio: Positive
    """Number of consistent codes per certificate."""
    known: NonNegative
    """Number of consistent codes that are known beforehand and stand for no certificate."""


class Sizes(NamedTuple):
    """The size of a board."""

    pegs: int
    colors: int
    rows: int


class SizeFormulas(NamedTuple):
    """The exact size of a board in terms of the source, such as ("2n", "2", "1 + n")."""

    pegs: str
    """The number of pegs."""
    colors: str
    """The number of colors."""
    rows: str
    """The number of rows."""


class Gadgets(NamedTuple):
    """The meaning of the pegs and rows of a board, in terms of the source."""

    pegs: tuple[tuple[str, str], ...]
    """The gadget and the name of each peg, such as ("variable 1", "x1 is true")."""
    rows: tuple[tuple[str, str], ...]
    """The gadget and the meaning of each row, such as ("clause 2", "one of x1, -x2, x3")."""


class Reduction(Shown, Link[Source, Certificate]):
    """A problem (the source) reduced to a board, with conversion of certificates both ways.

    A certificate is a solution of the problem, such as an assignment or a set of nodes.
    `mmsat.reduce` makes reductions.

    Parameters
    ----------
    source : object
        The problem, as an object of the kind `source_kind`.
    **parameters : int
        The parameters of the reduction, such as `k`.
    """

    target_kind = "board"
    formula: SizeFormulas
    """The size of the board as formulas for readers; `sizes` computes it."""
    has_black_twin = False
    """Whether the board has the same codes if it is scored with black only."""
    family: str
    """One-line description of the boards that `mmsat generate` makes."""
    samples: ClassVar[Samples | BoardSamples]
    """Random sources from which `mmsat generate` makes boards."""

    def __repr__(self) -> str:
        sizes = self.sizes()
        return f"<{self.name}: {quantities(peg=sizes.pegs, color=sizes.colors, row=sizes.rows)}>"

    @cached_property
    def board(self) -> Board:
        """The board, which is consistent if and only if the source has a certificate.

        Raises
        ------
        InputError
            If the board would be too large. It is not built then.
        """
        self.require_size()
        return self.build()

    @abstractmethod
    def build(self) -> Board:
        """Build the board."""

    def require_size(self) -> None:
        """Check the size of the board, which is computed without building it.

        Raises
        ------
        InputError
            If the board would be too large.
        """
        sizes = self.sizes()
        limits = (
            ("pegs", sizes.pegs, MAX_PEGS),
            ("colors", sizes.colors, MAX_COLORS),
            ("pegs times colors", sizes.pegs * sizes.colors, MAX_PLACES),
            ("pegs times rows", sizes.pegs * sizes.rows, LIMITS.board_places),
        )
        actual_size = quantities(peg=sizes.pegs, color=sizes.colors, row=sizes.rows)
        faults = [
            Fault(
                f"the board of {self.name} is too large",
                Description(actual_size),
                f"at most {limit:,} {quantity}",
            )
            for quantity, number, limit in limits
            if number > limit
        ]
        InputError.refuse(faults, "the board")

    @property
    def target(self) -> Board:
        return self.board

    @abstractmethod
    def sizes(self) -> Sizes:
        """Return the size of the board by its formula, without building it."""

    @abstractmethod
    def encode(self, certificate: Certificate) -> Code:
        """Return the code for a certificate.

        Parameters
        ----------
        certificate : object
            A certificate of the source.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """

    def decode(self, code: Sequence[int] | str) -> Certificate:
        """Return the certificate of a consistent code.

        Parameters
        ----------
        code : sequence of int or str
            The code, as colors from 0 or as text. It is not scored; see `lift`.

        Returns
        -------
        object
            The certificate.

        Raises
        ------
        InputError
            If `code` does not have one color of the game for each peg.
        """
        return self.decode_colors(*self.board.game.require(code=code))

    @abstractmethod
    def decode_colors(self, code: Sequence[int]) -> Certificate:
        """Return the certificate of a consistent code.

        Parameters
        ----------
        code : sequence of int
            The code, with colors from 0. It is not scored.

        Returns
        -------
        object
            The certificate.
        """

    def lift(self, code: Sequence[int] | str) -> Certificate:
        """Convert a code of the board to a certificate of the source, and check both.

        The code is scored, and the certificate is checked by the definition of the problem.

        Parameters
        ----------
        code : sequence of int or str
            The code, as colors from 0 or as text.

        Returns
        -------
        object
            The certificate.

        Raises
        ------
        InputError
            If the code does not get the score of some row, or is not a code.
        """
        spell = speller(self.board.game)
        (code,) = self.board.game.require(code=code)
        if not self.board.is_consistent(code):
            missed = noun_phrase("row", [row + 1 for row in self.board.missed(code)])
            is_known = code in self.board.known
            rule = (
                "it is a known code, and another one is needed"
                if is_known
                else f"it contradicts {missed}"
            )
            expected = "a code that matches all scores of the board"
            raise InputError.of("the code", expected, spell.print_code(code), rule)
        certificate = self.decode_colors(code)
        if not self.is_certificate(certificate):
            raise InternalError(f"{self.name}: the code {code} decodes to {certificate}")
        return certificate

    @abstractmethod
    def gadgets(self) -> Gadgets:
        """Return the meaning of the pegs and rows."""

    @property
    def is_parsimonious(self) -> bool:
        """Whether codes and certificates correspond one to one."""
        return self.ratio == 1 and not self.known

    def count(self, certificates: int) -> int:
        """Return the number of consistent codes.

        Parameters
        ----------
        certificates : int
            The number of certificates of the source.

        Returns
        -------
        int
            The number of codes.
        """
        return self.ratio * certificates + len(self.known)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the sizes of the source and of the board; a chain has intermediate stages."""
        source: Any = self.source
        return (self.source_kind, measures(source)), (self.name, self.sizes()._asdict())

    def to_dict(self) -> ReductionJson:
        """Return the name, sizes and numbers of codes of the reduction, for JSON."""
        sizes = self.sizes()
        return {
            "name": self.name,
            "pegs": sizes.pegs,
            "colors": sizes.colors,
            "rows": sizes.rows,
            "ratio": self.ratio,
            "known": len(self.board.known or self.known),
        }


class NamedRow(NamedTuple):
    """A row of a board, its gadget, and its meaning."""

    row: Row
    gadget: str
    meaning: str


class RowReduction(Reduction[Source, Certificate]):
    """A reduction that writes the rows of its board one by one, each with its meaning."""

    scoring = "black-white"
    space = "repeats"

    @property
    def game(self) -> Game:
        """The game of the board."""
        size = self.sizes()
        return Game(size.pegs, size.colors, SPACES[self.space], SCORINGS[self.scoring])

    @abstractmethod
    def rows(self) -> Iterator[NamedRow]:
        """Yield the rows of the board."""

    @abstractmethod
    def pegs(self) -> Iterable[tuple[str, str]]:
        """Return the gadget and the name of each peg."""

    def build(self) -> Board:
        return Board(self.game, tuple(named.row for named in self.rows()))

    def gadgets(self) -> Gadgets:
        rows = ((named.gadget, named.meaning) for named in self.rows())
        return Gadgets(tuple(self.pegs()), tuple(rows))


def require_whole(name: str, value: int, low: int, high: int | None = None) -> int:
    """Return an integer parameter from `low` to `high`; raise InputError for other values."""
    number = attempt(whole_number, value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    fault = Fault("", value, whole_range(low, high), part=name)
    raise InputError([fault], "the parameters")
