"""Reductions: hard problems as boards, with conversion of codes to certificates.

A module of this package has the reductions of related problems, and `MODULES` lists them. This
module also has the types of the whole package, linear systems, and readers of texts, equations and
certificates that report every fault.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self
from warnings import catch_warnings

from mmsat._util.arguments import (
    Rule,
    attempt,
    code_of_colors,
    items_of,
    whole_number,
    whole_number_from,
)
from mmsat._util.registry import UnknownName
from mmsat._util.text import quantity, whole_range
from mmsat.errors import Description, Fault, InputError, describe_found, found_argument
from mmsat.game.game import MAX_PEGS
from mmsat.limits import LIMITS

MODULES = {
    "boards": ("black-white-lift", "lies", "permutation-game"),
    "covers": (
        "consistent-exact-cover",
        "exact-cover",
        "three-dimensional-matching",
        "three-dimensional-matching-colors",
    ),
    "equations": ("k-permanent", "linear-system", "permanent"),
    "graphs": (
        "graph-coloring",
        "vertex-cover",
        "vertex-cover-regular",
        "vertex-cover-three-colors",
        "word-game",
    ),
    "satisfiability": (
        "another-solution",
        "certain-peg",
        "consistent-mastermind",
        "one-in-three-3sat",
        "regular-one-in-k",
        "sat",
    ),
}
"""The reductions in each module. Those with a file `game.toml` in their folder make a game and a
number of guesses instead of a board."""

REDUCTIONS_BY_PROBLEM = {
    "3-coloring": "graph-coloring",
    "3dm": "three-dimensional-matching",
    "3sat": "sat",
    "coloring": "graph-coloring",
    "cnf": "sat",
    "dominating-set": "word-game",
    "independent-set": "vertex-cover",
    "clique": "vertex-cover",
    "knapsack": "linear-system",
    "one-in-three-sat": "one-in-three-3sat",
    "subset-sum": "linear-system",
}
"""The reduction of each problem that is named differently. The independent sets of a graph are the
complements of its vertex covers, and the cliques those of the complement graph."""
LINK_SEPARATOR = "+"
"""The separator of the names of a chain in a command. The links of a chain, each of which converts
one problem to another (reduce.py), reduce a problem to a board."""

WORD = re.compile(r"\S+")
"""A word of a text."""
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
"""A whole number of at most 9 digits."""
MAX_NUMBER = 10**9 - 1
"""Maximum of the numbers in a text if no other limit is given."""


def unknown_reduction(name: str, names: Iterable[str], links: Collection[str]) -> UnknownName:
    """Return the fault of a name that is not in `names`, the names of reductions.

    If it is the name of a chain or one of `links`, the message suggests `mmsat.chain`. If it is the
    name of a problem, the message suggests the reduction of this problem.
    """
    if LINK_SEPARATOR in name or name in links:
        rule = f"Use mmsat.chain({name!r}, ...)."
        return UnknownName(rule, name, "", kind="reduction")
    near = [REDUCTIONS_BY_PROBLEM[name]] if name in REDUCTIONS_BY_PROBLEM else []
    return UnknownName.of("reduction", name, names, suggestions=near)


def is_file_name(text: str) -> bool:
    """Return whether a text is one word that ends like the name of a file."""
    return re.fullmatch(r"\S*\.[A-Za-z][A-Za-z0-9]*", text) is not None


class Sizes(NamedTuple):
    """The size of a board."""

    pegs: int
    """The number of pegs."""
    colors: int
    """The number of colors."""
    rows: int
    """The number of rows."""


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
    """The gadget and the name of each peg, such as ("variable 1", "x1 is true"). The gadget is the
    element of the source that the peg belongs to."""
    rows: tuple[tuple[str, str], ...]
    """The gadget and the meaning of each row, such as ("clause 2", "one of x1, -x2, x3")."""


class GameSizes(NamedTuple):
    """The size of a game."""

    pegs: int
    colors: int
    codes: int


class GameFormulas(NamedTuple):
    """The exact size of a game in terms of the source."""

    pegs: str
    colors: str
    codes: str


def require_whole(name: str, value: int, low: int, high: int | None = None) -> int:
    """Return `value`, a parameter from `low` to `high`. Raises InputError for other values."""
    number = attempt(whole_number, value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    fault = Fault("", value, whole_range(low, high), part=name)
    raise InputError([fault], "the parameters")


def truth_value(value: Any) -> bool:
    """Return True or 1 as True, and False or 0 as False; raise an exception for other objects."""
    number = value.tolist() if hasattr(value, "tolist") else value
    return {0: False, 1: True}[int(number) if isinstance(number, bool) else whole_number(number)]


TRUTH_VALUE = Rule("True or False", truth_value)
"""The rule for the truth value of a variable."""


def index_below(count: int) -> Rule:
    """Make a rule that accepts indices below `count`, from 0."""
    rule = whole_number_from(0, count - 1)
    return rule if count else rule._replace(expected="nothing")


def read_items(
    certificate: object, item: Rule, form: str, count: int | None = None
) -> tuple[Any, ...]:
    """Return the items of a certificate, converted by a rule.

    Raises InputError that lists every wrong item, and a number of items other than `count`. If
    `count` is None, any number is accepted, and also a set, whose converted items are sorted.

    - `form`: the form of the certificate, for error messages.
    """
    is_set = isinstance(certificate, AbstractSet) and count is None
    items = attempt(list if is_set else items_of, certificate)
    if items is None:
        raise InputError.of("the certificate", form, found_argument(certificate))
    if is_set:
        items.sort(key=describe_found)  # so that errors are in the same order in every process
    converted = [attempt(item.read, value) for value in items]
    faults = [
        Fault("", found_argument(value), item.expected, part="" if is_set else f"item {number}")
        for number, (value, result) in enumerate(zip(items, converted, strict=True), 1)
        if result is None
    ]
    if count is not None and len(items) != count:
        faults.append(Fault("", Description(quantity(len(items), "item")), form))
    InputError.refuse(faults, "the certificate")
    return tuple(sorted(converted) if is_set else converted)


def read_rows(source_class: "type[Source]", value: Any) -> list[tuple[int, ...]]:
    """Return sequences, arrays or sets of whole numbers as tuples, those of a set in order.

    Raises InputError that lists every fault. The numbers of a source have a limit, because the size
    of the board depends on them.
    """
    rows = attempt(items_of, value)
    if rows is None:
        raise wrong_source(source_class, value)
    rows_of_numbers = [attempt(_row_of_numbers, row) for row in rows]
    expected = f"whole numbers from -{MAX_PEGS:,} to {MAX_PEGS:,}"
    faults = [
        Fault("", found_argument(row), expected, part=f"item {number}")
        for number, (row, numbers) in enumerate(zip(rows, rows_of_numbers, strict=True), 1)
        if numbers is None or not all(abs(number) <= MAX_PEGS for number in numbers)
    ]
    InputError.refuse(faults, "the source")
    return [numbers for numbers in rows_of_numbers if numbers is not None]


def _row_of_numbers(row: Any) -> tuple[int, ...]:
    """Return a sequence, an array or a set of whole numbers as a tuple, that of a set in order."""
    return code_of_colors(sorted(row) if isinstance(row, AbstractSet) else row)


def wrong_source(source_class: "type[Source]", value: object) -> InputError:
    """Return the error about an object that is not a source of this kind."""
    expected = f"{source_class.sequence_form}, or text"
    rule = f"the source is a {source_class.name}"
    return InputError.of("the source", expected, found_argument(value), rule)


DISTINCT_KINDS = ("formula", "graph", "board")
"""The kinds of source whose texts can be recognized, so that messages name the kind of a text."""


def explain_source(
    error: InputError, text: str, kind: str, sources: Mapping[str, Any]
) -> InputError:
    """Return the error to report for a text that is not a source of a kind.

    It is `error`, the error of the reader, unless the text is the name of a file or a source of
    another kind. `sources` has the classes of sources by kind.
    """
    if is_file_name(text):
        rule = "give the content of the file, not its name"
        return InputError.of("the source", f"the text of a {kind}", text, rule)
    for other_kind in DISTINCT_KINDS:
        with suppress(InputError, Warning), catch_warnings(action="error"):
            sources[other_kind].parse(text)
            rule = f"`mmsat reductions` lists the reductions of a {other_kind}"
            if other_kind == "board":
                rule = "`mmsat check` reads a board"
            return InputError.of("the source", f"a {kind}", Description(f"a {other_kind}"), rule)
    return error


class Source(ABC):
    """An instance of a hard problem. In its text, all numbers start at 1."""

    name: ClassVar[str]
    """The name in the registry."""
    suffix: ClassVar[str]
    """The suffix of file names, such as ".cnf"."""
    sequence_form: ClassVar[str]
    """The form of the sequences that `of` accepts, for error messages."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """Read a text. Raises InputError that lists every fault with its line and column."""

    @classmethod
    @abstractmethod
    def of(cls, items: Any) -> Self:
        """Make a source from a sequence or an array. Raises InputError that lists every fault."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the text from which `parse` reads this source."""

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Return the sizes of the source by name."""


class Word(NamedTuple):
    """A word of a text with its line and column, from 1."""

    text: str
    line: int
    column: int

    def fault(self, rule: str, expected: str) -> Fault:
        """Return a fault at this word, which breaks the rule."""
        return Fault(rule, self.text, expected, self.line, self.column)


class Reader:
    """A text as lines of words, without comments and empty lines, and the faults found in it."""

    def __init__(self, text: str, comment: str) -> None:
        """Split the text.

        A line whose first word is `comment` is a comment. If `comment` is "#", it also starts a
        comment within a line.
        """
        self.faults: list[Fault] = []
        self.lines: list[tuple[Word, ...]] = []
        self.counts: tuple[Word, ...] = ()
        """The words of the counts in the header."""
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            content = line.partition("#")[0] if comment == "#" else line
            words = tuple(
                Word(match[0], number, match.start() + 1) for match in WORD.finditer(content)
            )
            if words and words[0].text != comment:
                self.lines.append(words)

    def number(self, word: Word, noun: str, low: int, high: int | None = None) -> int | None:
        """Return an integer from `low` to `high`, or None, with a fault that names the `noun`."""
        max_number = MAX_NUMBER if high is None else high
        if NUMBER.fullmatch(word.text) and low <= int(word.text) <= max_number:
            return int(word.text)
        span = f"from {low}" if high is None else f"{low} to {high}"
        expected = f"{noun}, a whole number {span}" if max_number >= low else "nothing"
        self.faults.append(word.fault("", expected))
        return None

    def header(
        self, kinds: tuple[str, ...], count_names: tuple[str, ...], min_count: int = 1
    ) -> tuple[int | None, ...]:
        """Remove the first line, `p KIND COUNT ...`, and return its counts; None if one is invalid.

        The first count is at least `min_count`, and at most the maximum number of pegs of a board.
        """
        expected = " ".join(("p", kinds[0], *count_names))
        no_counts = (None,) * len(count_names)
        if not self.lines:
            self.faults.append(Fault("the first line states the sizes", "", expected, 1, 1))
            return no_counts
        words = self.lines[0]
        if words[0].text != "p":
            self.faults.append(words[0].fault("the first line states the sizes", expected))
            # A line of numbers is data, and only its header is missing. Any other line is a wrong
            # header.
            if not NUMBER.fullmatch(words[0].text):
                del self.lines[0]
            return no_counts
        del self.lines[0]
        self.counts = words[2:]
        if len(words) != len(count_names) + 2 or words[1].text not in kinds:
            word = words[1] if len(words) > 1 else words[0]
            self.faults.append(word.fault("", expected))
            return no_counts
        return tuple(
            self.number(word, noun, *((min_count, MAX_PEGS) if noun == count_names[0] else (0,)))
            for word, noun in zip(words[2:], count_names, strict=True)
        )

    def check_count(self, stated: int | None, counts: Iterable[int], noun: str) -> None:
        """Add a fault if `stated`, the second count of the header, is not one of the `counts`.

        `counts` are the correct numbers of `noun` in the text. The message names the first one.
        """
        accepted = list(counts)
        if stated is not None and stated not in accepted:
            rule = f"the first line states the number of {noun}"
            change = "remove" if stated < accepted[0] else "add"
            self.faults.append(self.counts[1].fault(rule, f"{accepted[0]}, or {change} {noun}"))

    def finish(self, source: str) -> None:
        """Raise InputError if there are any faults."""
        InputError.refuse(self.faults, source)


PIECE = re.compile(
    r"(?P<sign>[+-])|(?P<number>[0-9]+)|(?P<star>\*)|(?P<variable>x[0-9]{1,6})|(?P<equals>=)|(?P<other>\S)"
)
"""A piece of the text of an equation, such as a sign or a variable."""
FOLLOWERS = {
    "start": ("sign", "number", "variable"),
    "sign": ("number", "variable"),
    "number": ("star", "variable"),
    "star": ("variable",),
    "variable": ("sign",),
}
"""The kinds of pieces that can follow a kind of piece on the left side of an equation."""
MAX_COEFFICIENT = 100_000
"""Maximum absolute value of a coefficient. The size of the board is proportional to the values of
the coefficients, not to their numbers of digits."""


class EquationParser:
    """Parses one equation."""

    def __init__(self, words: tuple[Word, ...], reader: Reader, variables: int | None) -> None:
        """Split the words of a line into pieces. Faults are added to the reader.

        `variables` is the number of variables of the system, or None if the text does not state it.
        """
        self.reader = reader
        self.variables = variables
        self.pieces = [
            (match, Word(match[0], word.line, word.column + match.start()))
            for word in words
            for match in PIECE.finditer(word.text)
        ]
        self.last_word = words[-1]

    def read(self) -> tuple[dict[int, int], int]:
        """Return the coefficients by variable, and the right side of the equation."""
        equals_signs = [n for n, (match, _) in enumerate(self.pieces) if match["equals"]]
        if len(equals_signs) != 1:
            rule = "an equation has one = sign"
            self.reader.faults.append(self.last_word.fault(rule, "x1 + x2 = 1"))
            return {}, 0
        terms: dict[int, int] = {}
        previous, sign, factor = "start", 1, 1
        for match, word in self.pieces[: equals_signs[0]]:
            kind = str(match.lastgroup)
            if kind not in FOLLOWERS[previous]:
                # the pieces that follow would only repeat this fault
                self._fault(word)
                return {}, self._total(equals_signs[0])
            # `sign` and `factor` are those of the current term until its variable is read.
            if kind == "sign":
                sign = -1 if match["sign"] == "-" else 1
            elif kind == "number":
                factor = self.reader.number(word, "a coefficient", 0, MAX_COEFFICIENT) or 0
            elif kind == "variable":
                number = Word(match[0][1:], word.line, word.column + 1)
                variable = (
                    self.reader.number(number, "a variable", 1, self.variables or MAX_PEGS) or 1
                )
                terms[variable] = terms.get(variable, 0) + sign * factor
                sign, factor = 1, 1
            previous = kind
        if previous != "variable":
            self._fault(self.pieces[equals_signs[0]][1])
        return terms, self._total(equals_signs[0])

    def _fault(self, word: Word) -> None:
        """Add a fault for a word that is not part of a term."""
        rule = "the left side is a sum of terms such as 2 x1"
        self.reader.faults.append(word.fault(rule, "2 x1 - x3 + x4 = 1"))

    def _total(self, equals_sign: int) -> int:
        """Return the integer after the equals sign."""
        pieces = self.pieces[equals_sign + 1 :]
        is_signed = [match.lastgroup for match, _ in pieces] == ["sign", "number"]
        text = ("" if is_signed else " ").join(word.text for _, word in pieces)
        first_word = self.pieces[min(equals_sign + 1, len(self.pieces) - 1)][1]
        word = Word(text, first_word.line, first_word.column)
        return self.reader.number(word, "the right side", -MAX_NUMBER, MAX_NUMBER) or 0


def print_rows(*rows: Iterable[object]) -> str:
    """Return rows of words as text, one row per line."""
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows)


class Equation(NamedTuple):
    """An equation: the sum of the variables times their coefficients equals `total`."""

    coefficients: tuple[int, ...]
    """One coefficient per variable of the system, 0 if the variable does not occur."""
    total: int

    def __str__(self) -> str:
        terms = [
            f"{'-' if factor < 0 else '+'} {f'{abs(factor)} ' if abs(factor) != 1 else ''}x{number}"
            for number, factor in enumerate(self.coefficients, 1)
            if factor
        ]
        return f"{' '.join(terms).removeprefix('+ ') or '0 x1'} = {self.total}"


@dataclass(frozen=True, slots=True)
class System01(Source):
    """A system: variables from 1, each 0 or 1, and equations with integer coefficients."""

    name = "system"
    suffix = ".system"
    sequence_form = "a list of pairs of coefficients and a total, such as ([2, 0, -1], 1)"

    variables: int
    equations: tuple[Equation, ...] = ()

    def __post_init__(self) -> None:
        equations = tuple(Equation(tuple(factors), total) for factors, total in self.equations)
        object.__setattr__(self, "equations", equations)
        num_variables = self.variables
        faults = [] if num_variables > 0 else [Fault("", num_variables, "1 or more variables")]
        faults += [
            Fault(
                "",
                equation,
                f"{num_variables} coefficients from -{MAX_COEFFICIENT} to {MAX_COEFFICIENT}",
                part=f"equation {number}",
            )
            for number, equation in enumerate(equations, 1)
            if len(equation.coefficients) != num_variables
            or max(map(abs, equation.coefficients), default=0) > MAX_COEFFICIENT
        ]
        InputError.refuse(faults, "the system")

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text, "#")
        variables: int | None = None
        stated: int | None = None
        if reader.lines and reader.lines[0][0].text == "p":
            variables, stated = reader.header(("system",), ("VARIABLES", "EQUATIONS"))
        elif not reader.lines:
            expected = "equations such as 2 x1 - x3 = 1"
            reader.faults.append(Fault("", "", expected, 1, 1))
        parsed = [EquationParser(words, reader, variables).read() for words in reader.lines]
        reader.check_count(stated, [len(parsed)], "equations")
        if variables is None:
            variables = max((max(terms, default=0) for terms, _ in parsed), default=0)
        if variables * len(parsed) > LIMITS.reduction_cells:
            sizes = f"{quantity(variables, 'variable')}, {quantity(len(parsed), 'equation')}"
            expected = f"at most {LIMITS.reduction_cells:,} for variables times equations"
            reader.faults.append(Fault("", Description(sizes), expected))
        reader.finish("the system")
        return cls(
            variables,
            tuple(
                Equation(tuple(terms.get(number, 0) for number in range(1, variables + 1)), total)
                for terms, total in parsed
            ),
        )

    @classmethod
    def of(cls, items: Any) -> Self:
        pairs = attempt(lambda value: [items_of(item) for item in items_of(value)], items)
        if pairs is None or any(len(pair) != 2 for pair in pairs):
            raise wrong_source(cls, items)
        rows = read_rows(cls, [factors for factors, _ in pairs])
        totals = [attempt(whole_number, total) for _, total in pairs]
        faults = [
            Fault("", found_argument(total), "a whole number", part=f"total {number}")
            for number, ((_, total), read_total) in enumerate(zip(pairs, totals, strict=True), 1)
            if read_total is None
        ]
        InputError.refuse(faults, "the source")
        equations = zip(rows, (total or 0 for total in totals), strict=True)
        return cls(max(map(len, rows), default=0), tuple(Equation(*pair) for pair in equations))

    def __str__(self) -> str:
        equations = ((str(equation),) for equation in self.equations)
        return print_rows(("p", "system", self.variables, len(self.equations)), *equations)

    def sizes(self) -> dict[str, int]:
        return {"variables": self.variables, "equations": len(self.equations)}

    def is_solution(self, values: Sequence[int]) -> bool:
        """Return whether values, 0 or 1 for each variable, satisfy every equation."""
        return (
            len(values) == self.variables
            and set(values) <= {0, 1}
            and all(
                sum(factor * value for factor, value in zip(factors, values, strict=True)) == total
                for factors, total in self.equations
            )
        )
