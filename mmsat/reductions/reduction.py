"""Base classes of reductions from hard problems to boards or games.

A *link* converts a source problem to a target, and certificates (solutions) in both directions. It
is a transformation of formulas (reduce.py) or a reduction.

The target of a `Reduction` is a board, and the certificates of the target are the consistent codes.
The constructions were designed for this project: they prove the theorems of the papers that they
name, but can differ from the constructions in the papers. The README.md of each reduction has its
problem, construction, proof and source.

The target of a `GameReduction` is a game and a number of guesses: is there a strategy that finds
every code within this number? The certificate of the target is a line of such a strategy: its
guesses as long as the code has no color of any of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypedDict, TypeVar, cast

from mmsat._util.results import Displayable, NonEmpty, NonNegative, Positive, Schema
from mmsat._util.text import noun_phrase, quantities, quantity
from mmsat.errors import Description, Fault, InputError, InternalError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import MAX_CODE_VARIABLES, MAX_COLORS, MAX_PEGS, Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.limits import LIMITS
from mmsat.reductions import Gadgets, GameFormulas, GameSizes, SizeFormulas, Sizes
from mmsat.reductions.samples import BoardSamples, Samples
from mmsat.reductions.sources import source_sizes

Source = TypeVar("Source")
Certificate = TypeVar("Certificate")


class Link(ABC, Generic[Source, Certificate]):
    """A source problem, and a target with `ratio` certificates for each one of the source."""

    name: str
    """Name in the registry, on the command line and in the catalogue."""
    title: str
    """The source and the target problem, in one line."""
    theorem: str
    """The theorem that the link proves, with author and year."""
    source_kind: str
    """The kind of the source: a key of `sources.SOURCES`."""
    target_kind: str
    """The kind of the target: a key of `sources.SOURCES`, or "game"."""
    parameters: tuple[str, ...] = ()
    """Names of the integer parameters of the link, such as ("k",)."""

    def __init__(self, source: Source, **parameters: int) -> None:
        """Store the source. Subclasses raise InputError for a source that they do not support."""
        self.source = source
        self.settings = parameters

    @property
    @abstractmethod
    def target(self) -> Any:
        """The target, which has a certificate if and only if the source has one."""

    @property
    def expected_certificate(self) -> str:
        """Description of a certificate of the source, for error messages."""
        return "a certificate of the source"

    def encode(self, certificate: Any) -> Any:
        """Convert a certificate of the source to one of the target.

        Parameters
        ----------
        certificate : object
            A certificate of the source.

        Returns
        -------
        object
            The certificate of the target; for a board, a code with colors from 0.

        Raises
        ------
        InputError
            If `certificate` has another form, or is not a certificate of the source.
        """
        solution = self.read_certificate(certificate)
        if not self.is_solution(solution):
            description = Description(self.spell_solution(solution))
            raise InputError.of("the certificate", self.expected_certificate, description)
        return self.encode_solution(solution)

    def read_certificate(self, certificate: Any) -> Certificate:
        """Return a candidate in the form of a certificate; the default returns it unchanged.

        Parameters
        ----------
        certificate : object
            The candidate.

        Returns
        -------
        object
            The candidate in the form that `encode_solution` and `is_solution` accept.

        Raises
        ------
        InputError
            If the candidate has another form. The error lists every fault.
        """
        return cast("Certificate", certificate)

    @abstractmethod
    def encode_solution(self, certificate: Certificate) -> Any:
        """Convert a certificate of the source to one of the target.

        Parameters
        ----------
        certificate : object
            A certificate of the source, as `read_certificate` returns it.

        Returns
        -------
        object
            The certificate of the target; for a board, a code with colors from 0.
        """

    @abstractmethod
    def decode(self, certificate: Any) -> Certificate:
        """Convert a certificate of the target to one of the source.

        Parameters
        ----------
        certificate : object
            A certificate of the target. It is not checked.

        Returns
        -------
        object
            The certificate of the source.
        """

    def is_certificate(self, certificate: Any) -> bool:
        """Return whether a candidate is a certificate of the source, by the problem's definition.

        Parameters
        ----------
        certificate : object
            The candidate.

        Returns
        -------
        bool
            True if the candidate is a certificate; False also if it has another form.
        """
        try:
            solution = self.read_certificate(certificate)
        except InputError:
            return False
        return self.is_solution(solution)

    @abstractmethod
    def is_solution(self, certificate: Certificate) -> bool:
        """Return whether a candidate of the right form is a certificate of the source.

        Parameters
        ----------
        certificate : object
            The candidate, as `read_certificate` returns it.

        Returns
        -------
        bool
            True if the candidate is a certificate, by the problem's definition.
        """

    def spell(self, certificate: Any) -> str:
        """Return a certificate of the source as text in its format.

        Parameters
        ----------
        certificate : object
            A certificate of the source, or a candidate of the same form.

        Returns
        -------
        str
            The text, in which numbers start at 1.

        Raises
        ------
        InputError
            If `certificate` has another form.
        """
        return self.spell_solution(self.read_certificate(certificate))

    def spell_solution(self, certificate: Certificate) -> str:
        """Return a certificate of the source as text in its format.

        Parameters
        ----------
        certificate : object
            A certificate of the source, as `read_certificate` returns it.

        Returns
        -------
        str
            The text, in which numbers start at 1.
        """
        values: Any = certificate
        return " ".join(str(value + 1) for value in values)

    @property
    def ratio(self) -> int:
        """The number of certificates of the target for each certificate of the source."""
        return 1

    @property
    def known(self) -> tuple[Any, ...]:
        """Known certificates of the target that do not come from a certificate of the source."""
        return ()

    @property
    def note(self) -> str:
        """A sentence about an unusual source, such as a parameter beyond its range; else empty."""
        return ""

    @property
    def question(self) -> str:
        """The question about the target, and what its answer means for the source.

        It is empty if the question is whether the target has a certificate.
        """
        return ""


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
    """Number of known codes, which do not come from a certificate."""
    question: str
    """The question about the board, if it is not whether the board is consistent; else empty."""


class Reduction(Displayable, Link[Source, Certificate]):
    """A problem (the source) reduced to a board, with conversion of certificates both ways.

    A certificate is a solution of the problem, such as an assignment or a set of nodes.
    `mmsat.reduce` returns reductions.

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
    black_suffices = False
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
            If the board would be too large. In this case, it is not built.
        """
        self.require_size()
        return self.build()

    @abstractmethod
    def build(self) -> Board:
        """Build the board."""

    def require_size(self) -> None:
        """Check the size of the board without building it.

        Raises
        ------
        InputError
            If the board would be too large.
        """
        sizes = self.sizes()
        limits = (
            ("pegs", sizes.pegs, MAX_PEGS),
            ("colors", sizes.colors, MAX_COLORS),
            ("pegs times colors", sizes.pegs * sizes.colors, MAX_CODE_VARIABLES),
            ("pegs times rows", sizes.pegs * sizes.rows, LIMITS.reduction_cells),
        )
        actual_size = quantities(peg=sizes.pegs, color=sizes.colors, row=sizes.rows)
        faults = [
            Fault(
                f"the board of {self.name} is too large",
                Description(actual_size),
                f"at most {limit:,} {measure}",
            )
            for measure, value, limit in limits
            if value > limit
        ]
        InputError.refuse(faults, "the board")

    @property
    def target(self) -> Board:
        return self.board

    @abstractmethod
    def sizes(self) -> Sizes:
        """Compute the size of the board without building it."""

    @abstractmethod
    def encode_solution(self, certificate: Certificate) -> Code:
        """Return the code for a certificate.

        Parameters
        ----------
        certificate : object
            A certificate of the source, as `read_certificate` returns it.

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
            The code, as colors from 0 or as text. It is not scored, unlike in `lift`.

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
            If `code` is not a code of the game, is a known code, or gives some row another score.
        """
        spell = speller(self.board.game)
        (code,) = self.board.game.require(code=code)
        if not self.board.is_consistent(code):
            contradicted_rows = noun_phrase("row", [row + 1 for row in self.board.missed(code)])
            is_known = code in self.board.known
            rule = (
                "it is a known code, and another one is needed"
                if is_known
                else f"it contradicts {contradicted_rows}"
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
        """Return the sizes of the source and the board. A chain also has intermediate stages."""
        source: Any = self.source
        return (self.source_kind, source_sizes(source)), (self.name, self.sizes()._asdict())

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
            "question": self.question,
        }


class NamedRow(NamedTuple):
    """A row of a board, its gadget, and its meaning."""

    row: Row
    gadget: str
    meaning: str


class RowReduction(Reduction[Source, Certificate]):
    """A reduction that yields the rows of its board one by one, each with its meaning."""

    scoring = "black-white"
    """The name of the scoring of the board, a key of `SCORINGS`."""
    space = "repeats"
    """The name of the code space of the board, a key of `SPACES`."""

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


Line = tuple[Code, ...]
"""The guesses of a strategy as long as the code has no color of any guess."""

ReductionName = Annotated[str, Schema(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]


class GameReductionJson(TypedDict):
    """The game of a source."""

    name: ReductionName
    pegs: Positive
    colors: Positive
    codes: Positive
    """Number of codes."""
    guesses: Positive
    """The number of guesses within which every code must be found."""


class GameReduction(Link[Source, Certificate]):
    """A source reduced to a game that can be won within `guesses` if there is a certificate."""

    target_kind = "game"
    formula: GameFormulas
    """The size of the game as formulas for readers; `sizes` computes it."""

    def __repr__(self) -> str:
        sizes = self.sizes()
        return f"<{self.name}: {quantities(peg=sizes.pegs, color=sizes.colors, code=sizes.codes)}>"

    @property
    @abstractmethod
    def guesses(self) -> int:
        """The maximum number of guesses of the strategy."""

    @property
    @abstractmethod
    def letters(self) -> int:
        """The number of letters, which are the colors, computed without building the game."""

    @abstractmethod
    def sizes(self) -> GameSizes:
        """Compute the size of the game without building it."""

    @property
    @abstractmethod
    def target(self) -> Game:
        """The game of the reduction."""

    @abstractmethod
    def meanings(self) -> Iterator[tuple[Code, str]]:
        """Yield each code of the game with its meaning."""

    def require_size(self) -> None:
        """Raise InputError if the game would be too large, before it is built."""
        if self.letters > MAX_COLORS:
            description = Description(f"{self.letters:,}")
            raise InputError.of("the game", f"at most {MAX_COLORS:,} letters", description)

    def decode(self, line: Iterable[Sequence[int] | str]) -> Certificate:
        """Return the certificate of the line of a strategy. Raises InputError for wrong words."""
        return self.decode_line(self.target.require_guesses(line, "the line"))

    @abstractmethod
    def decode_line(self, line: Line) -> Certificate:
        """Return the certificate of the line of a strategy. The words are in the list."""

    def lift(self, line: Iterable[Sequence[int] | str]) -> Certificate:
        """Convert the line of a strategy that wins within `guesses` to a certificate of the source.

        The certificate is checked by the definition of the problem. Raises InputError if it fails,
        which means that the line is not from such a strategy.
        """
        words = self.target.require_guesses(line, "the line")
        certificate = self.decode_line(words)
        if not self.is_certificate(certificate):
            guesses = quantity(self.guesses, "guess")
            expected = f"a line of a strategy that finds every code within {guesses}"
            description = Description(f"another line of {quantity(len(words), 'guess')}")
            raise InputError.of("the line", expected, description)
        return certificate

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the size of the game and the maximum number of guesses."""
        return ((self.name, {**self.sizes()._asdict(), "guesses": self.guesses}),)

    def to_dict(self) -> GameReductionJson:
        """Return the name and the size of the game, for JSON."""
        sizes = self.sizes()
        return {
            "name": self.name,
            "pegs": sizes.pegs,
            "colors": sizes.colors,
            "codes": sizes.codes,
            "guesses": self.guesses,
        }
