"""The class Game: size, code space and scoring of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, SupportsIndex

from mmsat._util.arguments import attempt, code_of_colors, is_iterable, refusing_text, whole_number
from mmsat._util.text import quantity, whole_range
from mmsat.errors import Description, Fault, InputError, Place, found_argument
from mmsat.game import Code, Conventions
from mmsat.game.scoring import SCORINGS, Pairs, Scoring
from mmsat.game.space import SPACES, CardinalityConstraint, Space, VariableMap
from mmsat.game.symbols import Symbols, default_symbols

PARSE_HINT = "use mmsat.Game.parse to create a game by size or name"
MAX_COLORS = 1000
"""The maximum number of colors. With 1,000 colors, `MAX_CODE_VARIABLES` allows 1,000 pegs."""
MAX_PEGS = 100_000
"""The maximum number of pegs."""
MAX_CODE_VARIABLES = 1_000_000
"""The maximum of pegs times colors, which is the number of code variables (see `VariableMap`)."""
SIZE_EXAMPLES = (
    "4x10d without repeats, 4x6b black only, 4x6w color only, 5x26p marks by place, 4x26o earlier "
    "and later, 4x5x5 colors and shapes"
)
"""Examples of sizes for error messages."""
SIZE_PATTERN = r"([0-9]{1,9})[xX\u00d7]([0-9]{1,9})(?:[xX\u00d7]([0-9]{1,9}))?([!d]?)([a-z]*)"
"""A size: the numbers of pegs and colors; in games of pairs (of a color and a shape), the number of
shapes; `!` or `d` if colors do not repeat in a code; and the suffix of the scoring."""


@refusing_text("the game", "numbers of pegs and colors", PARSE_HINT)
@dataclass(frozen=True)
class Game:
    """Rules of a game: size, code space and scoring."""

    pegs: int
    """Number of pegs, 1 to 100,000."""
    colors: int
    """Number of colors, 1 to 1,000. Pegs times colors is at most 1,000,000."""
    space: Space = SPACES["repeats"]
    """The codes that the game allows."""
    scoring: Scoring = SCORINGS["black-white"]
    """How guesses are scored."""
    symbols: Symbols | None = None
    """Symbols of the colors; None for the default symbols."""
    name: str = ""
    """Name used in place of the size; empty if the size alone determines the game."""
    printed_symbols: tuple[str, ...] = field(default=(), compare=False, repr=False, kw_only=True)
    """The symbols in which the board was typed, if they differ from those of the game. Output for
    people prints codes in them; board lines and documents do not."""

    def __post_init__(self) -> None:
        faults = []
        for name, max_value in (("pegs", MAX_PEGS), ("colors", MAX_COLORS)):
            value = getattr(self, name)
            number = attempt(whole_number, value)
            if number is None or not 1 <= number <= max_value:
                faults.append(Fault("", value, whole_range(1, max_value), part=name))
            elif type(value) is not int:
                object.__setattr__(self, name, number)
        for name, kind, expected in (
            ("space", Space, "a Space"),
            ("scoring", Scoring, "a Scoring"),
            ("symbols", Symbols | None, "Symbols, or None"),
            ("name", str, "text"),
            ("printed_symbols", tuple, "a tuple of texts"),
        ):
            if not isinstance(getattr(self, name), kind):
                faults.append(Fault(PARSE_HINT, getattr(self, name), expected, part=name))
        if not faults and self.pegs * self.colors > MAX_CODE_VARIABLES:
            size = f"{self.pegs}x{self.colors}"
            faults.append(Fault("", size, f"at most {MAX_CODE_VARIABLES:,} for pegs times colors"))
        if not faults:
            size = f"{self.pegs}x{self.colors}"
            if flaw := self.scoring.unfit(self.pegs, self.colors):
                faults.append(Fault(flaw, size, "another size"))
            if flaw := self.space.unfit(self.pegs, self.colors):
                faults.append(Fault(flaw, size, "another size"))
            if self.symbols and len(self.symbols.names) not in (0, self.colors):
                symbol_count = len(self.symbols.names)
                description = Description(quantity(symbol_count, "symbol"))
                faults.append(Fault("", description, f"{self.colors} symbols, one per color"))
        InputError.refuse(faults, "the game")
        # Set fields that repeat the default to it, so that games with equal rules are equal.
        if self.symbols == default_symbols(self.colors, self.scoring):
            object.__setattr__(self, "symbols", None)
        if self.symbols is None and self.space.table() is None:  # the size determines the game
            object.__setattr__(self, "name", "")

    @classmethod
    def parse(cls, text: str) -> Game:
        """Return the game with a size or a name.

        Parameters
        ----------
        text : str
            A size as in a board line, the name of a published game such as "mastermind", or
            `game:FILE` or `word:FILE`. Sizes are "4x6"; "4x10d" (or "4x10!") without repeats;
            "4x6b", "4x6w", "5x26p" and "5x26o" for other kinds of scoring; "4x5x5" and "4x5x5k" for
            pairs of a color and a shape.

        Returns
        -------
        Game
            The game.

        Raises
        ------
        InputError
            If no game has this size or name.

        Examples
        --------
        >>> game = mmsat.Game.parse("4x10d")
        >>> game.pegs, game.colors, game.size
        (4, 10, 5040)
        """
        if not isinstance(text, str):
            raise InputError.of("the game", "text", found_argument(text))
        if re.fullmatch(SIZE_PATTERN, text):  # sizes need no import of `names`
            return cls.of_size(text)
        from mmsat.game.names import find_game

        return find_game(text)

    @classmethod
    def of(cls, game: Game | str) -> Game:
        """Return a game, parsing it if it is a string. All functions that take a game do this.

        Parameters
        ----------
        game : Game or str
            A game, or its size or name.

        Returns
        -------
        Game
            The same game, or the parsed one.

        Raises
        ------
        InputError
            If `game` is neither a Game nor the size or name of a game.
        """
        if isinstance(game, cls):
            return game
        if isinstance(game, str):
            return cls.parse(game)
        raise InputError.of(
            "the game", "a Game, or its size or name, such as '4x6'", found_argument(game)
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Pickle a published game by its name, because its word list may be long."""
        from mmsat.game.names import find_game, published_names

        is_published = self.name in published_names() and find_game(self.name) == self
        if is_published and not self.printed_symbols:
            return find_game, (self.name,)
        return super().__reduce_ex__(protocol)

    @classmethod
    def of_size(cls, text: str) -> Game:
        """Return the game of a size.

        Parameters
        ----------
        text : str
            The size, such as "4x6".

        Returns
        -------
        Game
            The game.

        Raises
        ------
        InputError
            If the text is not a size.
        """
        match = re.fullmatch(SIZE_PATTERN, text)
        if not match and re.fullmatch(SIZE_PATTERN, game := text.partition("/")[0]):
            raise InputError.of("the game", f"only the game, {game}", text, "this is a board")
        if not match:
            raise InputError.of("the game", "PEGSxCOLORS such as 4x6", text, SIZE_EXAMPLES)
        pegs, colors, shapes, no_repeats, suffix = match.groups()
        scoring = _find_scoring(suffix, SCORINGS.values(), of_pairs=bool(shapes))
        if scoring is None:
            plugins, _ = SCORINGS.plugins()
            plugin_scorings = [plugin.value for plugin in plugins]
            scoring = _find_scoring(suffix, plugin_scorings, of_pairs=bool(shapes))
        if scoring is None:
            raise InputError.of("the game", "PEGSxCOLORS such as 4x6", text, SIZE_EXAMPLES)
        space = SPACES["distinct" if no_repeats else "repeats"]
        num_colors = int(colors)
        if isinstance(scoring, Pairs):
            scoring = type(scoring)(int(shapes))
            num_colors *= int(shapes)
        return cls(int(pegs), num_colors, space, scoring)

    def __str__(self) -> str:
        if self.name:
            return self.name
        sizes = (self.pegs, *self.scoring.factors(self.colors))
        return f"{'x'.join(map(str, sizes))}{self.space.suffix}{self.scoring.suffix}"

    def __repr__(self) -> str:
        if self.is_nameless:
            symbols = "".join(self.color_symbols.names) if self.symbols else "words"
            return f"<Game {self} of {symbols}>"
        return f"<Game {self}>" if self.name else f"Game.parse({str(self)!r})"

    @property
    def is_nameless(self) -> bool:
        """Whether the game has custom symbols or words, but no name.

        Its boards are printed as JSON with the definition of the game, because neither a size nor a
        name in a board line defines it.
        """
        return not self.name and (self.symbols is not None or self.space.table() is not None)

    @property
    def color_symbols(self) -> Symbols:
        """The symbols of the colors: `symbols`, or the default symbols if it is None."""
        return self.symbols or default_symbols(self.colors, self.scoring)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts of a score, in order."""
        return self.scoring.parts(self.pegs)

    @property
    def part_values(self) -> int:
        """The number of values that each part of a score can have.

        It is the number of marks, or `pegs` + 1 if the parts count key pegs.
        """
        return len(self.scoring.marks) or self.pegs + 1

    @property
    def variables(self) -> VariableMap:
        """The numbering of the literals of the game."""
        return VariableMap(self.pegs, self.colors)

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.space.size(self.pegs, self.colors)

    def codes(self) -> Iterator[Code]:
        """Return an iterator over all codes in lexicographic order."""
        return self.space.iterate(self.pegs, self.colors)

    @property
    def expected_sequence(self) -> str:
        """A description of the sequences that are codes or guesses, for error messages."""
        return f"{quantity(self.pegs, 'color')} from 0 to {self.colors - 1}"

    def read_code(
        self,
        code: Sequence[int] | str,
        part: str = "code",
        conventions: Conventions | None = None,
    ) -> Code:
        """Return a code or guess as a tuple of integers.

        Only text is checked against the size of the game. A sequence may have any length and any
        integers.

        Parameters
        ----------
        code : sequence of int or str
            A sequence or an array of colors from 0, or text as in a board line.
        part : str, default "code"
            Name of the argument in error messages.
        conventions : Conventions, optional
            The notation of the text: `Board.conventions` for a code of a board, in which letters
            mean the same colors as in its guesses. By default, any notation.

        Returns
        -------
        tuple of int
            The colors, from 0.

        Raises
        ------
        InputError
            If `code` is neither a sequence of whole numbers nor the text of a code of this size.
        """
        colors = None if isinstance(code, str) else attempt(code_of_colors, code)
        if colors is None:
            faults: list[Fault] = []
            (colors,) = self.read_codes({part: code}, conventions, faults)
            if colors is None:
                raise InputError(faults, "the arguments")
        return colors

    def read_codes(
        self,
        codes: Mapping[str, Sequence[int] | str],
        conventions: Conventions | None,
        faults: list[Fault],
    ) -> list[Code | None]:
        """Return codes or guesses as tuples of integers, and add their errors to a list.

        Texts are read together, so that a letter means the same color in all of them.

        Parameters
        ----------
        codes : mapping from str to sequence of int or str
            The codes, as for `read_code`, by the names of the arguments.
        conventions : Conventions or None
            The notation of texts; None for any notation.
        faults : list of Fault
            The list to which the errors are added.

        Returns
        -------
        list of tuple of int or None
            The codes, in the same order; None for each code with errors.
        """
        read_codes: list[Code | None] = [
            None if isinstance(code, str) else attempt(code_of_colors, code)
            for code in codes.values()
        ]
        if None not in read_codes:
            return read_codes
        from mmsat.game.notation.board_reader import (
            NO_CONVENTIONS,
            BoardReader,
            PlacedText,
            speller,
        )

        texts, parts = [], [*codes]  # the line number of a text is the index of its argument
        for index, (part, code) in enumerate(codes.items()):
            if isinstance(code, str):
                texts.append(PlacedText(code.strip(), Place(index, 1)))
            elif read_codes[index] is None:
                expected = f"a code as text, or {self.expected_sequence}"
                faults.append(Fault("", found_argument(code), expected, part=part))
        reader = BoardReader(speller(self), conventions or NO_CONVENTIONS)
        text_faults: list[Fault] = []
        for text, colors in zip(texts, reader.read_codes(texts, text_faults), strict=True):
            read_codes[text.place.line] = colors
        for fault in text_faults:
            part = parts[fault.line or 0]
            is_whole = fault.found == codes[part]  # the fault is not about a single symbol
            place = part if is_whole else f"{part}, column {fault.column}"
            faults.append(replace(fault, line=None, column=None, part=place))
        return read_codes

    def is_sequence(self, code: Sequence[int] | str) -> bool:
        """Return whether an object is a sequence of one color of the game for each peg.

        The sequence need not be in the code space of the game.

        Parameters
        ----------
        code : sequence of int or str
            Colors from 0, or text. For any other object, the result is False.

        Returns
        -------
        bool
            True if there is one color of the game for each peg.
        """
        colors = attempt(self.read_code, code)
        return colors is not None and self._is_filled(colors)

    def _is_filled(self, colors: Code) -> bool:
        """Return whether `colors` has one color of the game, from 0, for each peg."""
        return len(colors) == self.pegs and 0 <= min(colors) <= max(colors) < self.colors

    def parse_code(self, text: str) -> tuple[int, ...]:
        """Return the code that a text means.

        Parameters
        ----------
        text : str
            A code as in a board line, such as "1122".

        Returns
        -------
        tuple of int
            The colors, from 0.

        Raises
        ------
        InputError
            If the text is not a code of the size of the game.

        Examples
        --------
        >>> mmsat.Game.parse("4x6").parse_code("1122")
        (0, 0, 1, 1)
        """
        if not isinstance(text, str):
            raise InputError.of("the code", "text", found_argument(text))
        return self.read_code(text)

    def format_code(self, code: Sequence[int] | str) -> str:
        """Return a code as text of the game.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        str
            The text, as in a board line.

        Raises
        ------
        InputError
            If `code` does not have one color of the game for each peg.

        Examples
        --------
        >>> mmsat.Game.parse("4x6").format_code([0, 0, 1, 1])
        '1122'
        """
        from mmsat.game.notation.board_reader import speller

        (colors,) = self.require(code=code)
        return speller(self).print_code(colors)

    def contains(self, code: Sequence[int] | str) -> bool:
        """Return whether a sequence or text is a code of the game.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        bool
            True if the code has the size of the game and is in its space.

        Raises
        ------
        InputError
            If `code` is not a sequence of whole numbers or the text of a code.
        """
        colors = self.read_code(code)
        return self._is_filled(colors) and self.space.contains(colors)

    def score(self, code: Sequence[int] | str, guess: Sequence[int] | str) -> tuple[int, ...]:
        """Return the score of a guess against a code.

        Parameters
        ----------
        code, guess : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        tuple of int
            One number for each name in `parts`: a count, or an index into `scoring.marks`.

        Raises
        ------
        InputError
            If `code` or `guess` does not have one color of the game for each peg.

        Examples
        --------
        >>> mmsat.Game.parse("4x6").score("1233", "1122")
        (1, 1)
        """
        return self.scoring.score(*self.require(code=code, guess=guess))

    def require(
        self, conventions: Conventions | None = None, /, **codes: Sequence[int] | str
    ) -> tuple[Code, ...]:
        """Return codes or guesses as tuples of colors from 0.

        Parameters
        ----------
        conventions : Conventions, optional
            The notation of texts: `Board.conventions` for codes of a board. By default, any
            notation. A letter means the same color in all texts.
        **codes : sequence of int or str
            Codes or guesses. The keywords name them in error messages.

        Returns
        -------
        tuple of tuple of int
            The codes, in the order of the keywords.

        Raises
        ------
        InputError
            If a code does not have one color of the game for each peg; the error lists every fault.
        """
        faults: list[Fault] = []
        read_codes = self.read_codes(codes, conventions, faults)
        for (part, code), colors in zip(codes.items(), read_codes, strict=True):
            if colors is not None and not self._is_filled(colors):
                faults.append(Fault("", code, self.expected_sequence, part=part))
        InputError.refuse(faults, "the arguments")
        return tuple(colors for colors in read_codes if colors is not None)

    def require_guesses(
        self,
        guesses: Iterable[Sequence[int] | str],
        source: str,
        conventions: Conventions | None = None,
    ) -> tuple[Code, ...]:
        """Return guesses as tuples of colors from 0.

        Parameters
        ----------
        guesses : iterable of guesses
            Guesses, each as text or as colors from 0.
        source : str
            Name of the guesses in error messages.
        conventions : Conventions, optional
            The notation of texts, as for `require`.

        Returns
        -------
        tuple of tuple of int
            The guesses, in the same order.

        Raises
        ------
        InputError
            If the game does not allow a guess; the error lists every fault.
        """
        if not is_iterable(guesses):
            raise InputError.of(source, "a list of guesses", found_argument(guesses))
        faults: list[Fault] = []
        named_guesses = {f"guess {number}": guess for number, guess in enumerate(guesses, 1)}
        read_guesses = self.read_codes(named_guesses, conventions, faults)
        for (part, guess), colors in zip(named_guesses.items(), read_guesses, strict=True):
            if colors is None:
                continue
            if not self._is_filled(colors):
                faults.append(Fault("", guess, self.expected_sequence, part=part))
            elif not self.space.allows(colors):
                faults.append(Fault("", guess, f"a guess that {self} allows", part=part))
        InputError.refuse(faults, source)
        return tuple(colors for colors in read_guesses if colors is not None)

    def constraints(self) -> Iterator[CardinalityConstraint]:
        """Return an iterator over the constraints of the code space.

        The constraints that each peg has exactly one color are not included.
        """
        return self.space.constraints(self.variables)


def score(
    game: Game | str, code: Sequence[int] | str, guess: Sequence[int] | str
) -> tuple[int, ...]:
    """Return the score of a guess against a code.

    Parameters
    ----------
    game : Game or str
        The game, or its size or name, such as "4x6" or "mastermind".
    code, guess : sequence of int or str
        One color from 0 for each peg, or text such as "1122".

    Returns
    -------
    tuple of int
        One number for each name in `Game.parts`: a count, or an index into `scoring.marks`.

    Raises
    ------
    InputError
        If the game is unknown, if `code` or `guess` does not have one color for each peg, or if
        `code` is not a code of the game.

    Examples
    --------
    >>> mmsat.score("4x6", "1233", "1122")
    (1, 1)
    """
    game = Game.of(game)
    result = game.score(code, guess)
    if not game.contains(code):
        raise InputError.of("the code", f"a code of {game}", code, game.space.summary)
    return result


def _find_scoring(suffix: str, scorings: Iterable[Scoring], *, of_pairs: bool) -> Scoring | None:
    """Return the first scoring with a suffix, of those (or with `of_pairs=False`, not) of pairs."""
    candidates = (scoring for scoring in scorings if isinstance(scoring, Pairs) == of_pairs)
    return next((scoring for scoring in candidates if scoring.suffix == suffix), None)
