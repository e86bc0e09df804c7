"""What a reduction must provide: a hard problem made a board, and answers carried both ways.

The constructions are this project's own: they prove the theorems of the papers that they name, and
need not be the papers' constructions. The page README.md beside each reduction has its problem,
construction, proof and source.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from mmsat.arguments import attempt, whole_number
from mmsat.board import Board
from mmsat.english import noun_phrase, quantities
from mmsat.errors import Fault, InputError, InternalError
from mmsat.game.game import MAX_COLORS, MAX_PEGS, MAX_PLACES, Game
from mmsat.game.row import Code, Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.limits import LIMITS
from mmsat.notation.speller import speller
from mmsat.reductions.link import Certificate, Link, Source
from mmsat.reductions.samples.sample import BoardSamples, Samples
from mmsat.reductions.sources import measures
from mmsat.shown import Shown


class Sizes(NamedTuple):
    """The size of a board."""

    pegs: int
    colors: int
    rows: int


class SizeFormulas(NamedTuple):
    """The exact size of a board in terms of the source: ("2n", "2", "1 + n")."""

    pegs: str
    colors: str
    rows: str


class Gadgets(NamedTuple):
    """What the parts of a board stand for, in the words of the source."""

    pegs: tuple[tuple[str, str], ...]
    """For each peg its gadget and its name: ("variable 1", "x1 is true")."""
    rows: tuple[tuple[str, str], ...]
    """For each row its gadget and what it says: ("clause 2", "one of x1, -x2, x3")."""


class Reduction(Shown, Link[Source, Certificate]):
    """One source on its way to a board."""

    target_kind = "board"
    formula: SizeFormulas
    """The size of the board, for people; `sizes` computes it."""
    has_black_twin = False
    """Whether the board has the same codes when it is scored with black only."""
    family: str
    """What the boards of `mmsat generate` are, in a line."""
    samples: ClassVar[Samples | BoardSamples]
    """Random sources, of which `mmsat generate` makes boards."""

    def __repr__(self) -> str:
        sizes = self.sizes()
        return f"<{self.name}: {quantities(peg=sizes.pegs, color=sizes.colors, row=sizes.rows)}>"

    @cached_property
    def board(self) -> Board:
        """The board: consistent just when the source has a certificate.

        Raises InputError, before anything is built, where it is too large.
        """
        self.require_size()
        return self.build()

    @abstractmethod
    def build(self) -> Board:
        """Build the board."""

    def require_size(self) -> None:
        """Raise InputError where the board would be too large; costs no more than its formula."""
        sizes = self.sizes()
        limits = (
            ("pegs", sizes.pegs, MAX_PEGS),
            ("colors", sizes.colors, MAX_COLORS),
            ("pegs times colors", sizes.pegs * sizes.colors, MAX_PLACES),
            ("pegs times rows", sizes.pegs * sizes.rows, LIMITS.board_places),
        )
        found = quantities(peg=sizes.pegs, color=sizes.colors, row=sizes.rows)
        faults = [
            Fault(
                f"{what} of the board of {self.name} are at most {most:,}", found, "a smaller one"
            )
            for what, number, most in limits
            if number > most
        ]
        InputError.refuse(faults, "the board")

    @property
    def target(self) -> Board:
        return self.board

    @abstractmethod
    def sizes(self) -> Sizes:
        """Compute the size of the board by its formula, without building it."""

    @abstractmethod
    def encode(self, certificate: Certificate) -> Code:
        """Give the code of a certificate."""

    def decode(self, code: Sequence[int] | str) -> Certificate:
        """Return the certificate of a consistent code, given as text or as colors from 0.

        The code is not scored; see `lift`. Raises InputError for objects that are not codes.
        """
        return self.decode_colors(*self.board.game.require(code=code))

    @abstractmethod
    def decode_colors(self, code: Sequence[int]) -> Certificate:
        """Return the certificate of a consistent code (colors from 0)."""

    def lift(self, code: Sequence[int] | str) -> Certificate:
        """Turn a code of the board into an answer to the problem, as `mmsat lift` does.

        - `code`: text, or colors from 0.

        The code is scored and the answer checked by the problem's own definition; raises InputError
        for a code that misses a row.
        """
        spell = speller(self.board.game)
        (code,) = self.board.game.require(code=code)
        if not self.board.is_consistent(code):
            missed = noun_phrase("row", [row + 1 for row in self.board.missed(code)])
            is_known = code in self.board.known
            rule = "it is known, and another is asked for" if is_known else f"it misses {missed}"
            expected = "a code that gets every score of the board"
            raise InputError.of("the code", expected, spell.print_code(code), rule)
        certificate = self.decode_colors(code)
        if not self.is_certificate(certificate):
            raise InternalError(f"{self.name}: the code {code} decodes to {certificate}")
        return certificate

    @abstractmethod
    def gadgets(self) -> Gadgets:
        """Tell what pegs and rows stand for."""

    @property
    def is_parsimonious(self) -> bool:
        """Whether codes and certificates are one to one."""
        return self.ratio == 1 and not self.known

    def count(self, certificates: int) -> int:
        """How many consistent codes there are, for so many certificates."""
        return self.ratio * certificates + len(self.known)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """The sizes of the source and of the board; a chain has more between them."""
        source: Any = self.source
        return (self.source_kind, measures(source)), (self.name, self.sizes()._asdict())

    def to_dict(self) -> dict[str, Any]:
        """What there is to say about it, for JSON."""
        sizes = self.sizes()._asdict()
        known = len(self.board.known or self.known)
        return {"name": self.name, **sizes, "ratio": self.ratio, "known": known}


class NamedRow(NamedTuple):
    """A row of a board, its gadget, and what it says."""

    row: Row
    gadget: str
    says: str


class RowReduction(Reduction[Source, Certificate]):
    """A reduction that writes the rows of its board one by one, each with what it says."""

    scoring = "black-white"
    space = "repeats"

    @property
    def game(self) -> Game:
        """The game of the board."""
        size = self.sizes()
        return Game(size.pegs, size.colors, SPACES[self.space], SCORINGS[self.scoring])

    @abstractmethod
    def rows(self) -> Iterator[NamedRow]:
        """Write the rows."""

    @abstractmethod
    def pegs(self) -> Iterable[tuple[str, str]]:
        """Give for each peg its gadget and its name."""

    def build(self) -> Board:
        return Board(self.game, tuple(named.row for named in self.rows()))

    def gadgets(self) -> Gadgets:
        rows = ((named.gadget, named.says) for named in self.rows())
        return Gadgets(tuple(self.pegs()), tuple(rows))


def require_whole(value: int, rule: str, low: int, high: int | None = None) -> int:
    """Return a parameter that is a whole number from `low` to `high`; else raise InputError."""
    number = attempt(whole_number, value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    write = f"{low} or more" if high is None else f"{low} to {high}"
    raise InputError.of("the parameters", write, value, rule)
