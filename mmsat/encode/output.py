"""What a solver printed: its words on the status, the values of variables, and where they stand.

Solvers are told apart by how they speak, line by line, so that a whole log can be read as it is:

    SAT, MaxSAT, OPB    s SATISFIABLE     v 1 -2 .. 0     v x1 -x2     v 0101     o 2
    minisat's file      SAT               1 -2 .. 0
    clingo              SATISFIABLE       code(1,3) code(2,1)
    MiniZinc            =====UNSATISFIABLE=====           code = [3, 1];
    SMT-LIB             sat               ((peg1color1 false) (peg1color2 true))
    glpsol, cbc         Status: INTEGER OPTIMAL           1 peg1color1 * 1 0 1

Everything else is talk and is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from mmsat.answers import Status
from mmsat.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.game import Game

YES, NO, MAYBE = Status.CONSISTENT, Status.INCONSISTENT, Status.UNKNOWN

WORDS = {
    "s SATISFIABLE": YES,
    "s OPTIMUM FOUND": YES,
    "s UNSATISFIABLE": NO,
    "s UNKNOWN": MAYBE,
    "SAT": YES,
    "UNSAT": NO,
    "INDET": MAYBE,
    "SATISFIABLE": YES,
    "OPTIMUM FOUND": YES,
    "UNSATISFIABLE": NO,
    "UNKNOWN": MAYBE,
    "INDETERMINATE": MAYBE,
    "=====UNSATISFIABLE=====": NO,
    "=====UNKNOWN=====": MAYBE,
    "sat": YES,
    "unsat": NO,
    "unknown": MAYBE,
    "timeout": MAYBE,
    "Status: OPTIMAL": YES,
    "Status: INTEGER OPTIMAL": YES,
    "Status: INTEGER NON-OPTIMAL": YES,
    "Status: INTEGER EMPTY": NO,
    "Status: INTEGER UNDEFINED": MAYBE,
    "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION": NO,
    "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION": NO,
}
"""The lines that tell the status, with single spaces."""

LINEAR = re.compile(r"(Optimal|Infeasible|Integer infeasible|Stopped on .*) - objective value .*")
"""The first line of cbc's solution file."""
LINEAR_WORDS = {"Optimal": YES, "Infeasible": NO, "Integer infeasible": NO}

LITERAL = re.compile(r"([-~]?)(x?)([0-9]+)")
LITERALS = re.compile(r"-?[0-9]+(?:\s+-?[0-9]+)*")
BITS = re.compile(r"[01]+")
ATOM = re.compile(r"\bcode\(\s*(-?[0-9]+)\s*,\s*(-?[0-9]+)\s*\)")
LIST = re.compile(r"code\s*=\s*\[([^\]]*)\]\s*;?")
NAMED = re.compile(r"\bpeg([0-9]+)color([0-9]+)\s+(?:\*\s+)?(true|false|[-+]?[0-9][-+0-9.eE]*)(?!\S)")
PAIR = re.compile(r"\(\s*peg([0-9]+)color([0-9]+)\s+(true|false)\s*\)")
NEAR = 1e-5
"""How far from 0 or 1 a linear solver's value may be."""


class Place(NamedTuple):
    """A line and a column, from 1."""

    line: int
    column: int

    def fault(self, rule: str, got: object, write: str) -> Fault:
        """A fault here."""
        return Fault(rule, got, write, self.line, self.column)


class Kind(StrEnum):
    """How completely values are told."""

    ALL = "all"
    """Every variable of the code has a value."""
    TRUE = "true"
    """Variables without a value are false."""
    LINEAR = "linear"
    """Likewise, and values mean nothing unless a solution was found."""


class Value(NamedTuple):
    """That a peg has a color, or has not (both from 0)."""

    place: Place
    peg: int
    color: int
    is_true: bool
    kind: Kind


@dataclass(slots=True)
class Output:
    """All that was understood of a solver's output."""

    game: Game
    statuses: list[tuple[Place, Status]] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    costs: list[tuple[Place, int]] = field(default_factory=list)
    """The `o` lines of MaxSAT, in order."""
    is_optimum: bool = False
    """Whether the last cost was said to be the least."""
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def read(cls, text: str, game: Game) -> Output:
        """Understand what can be understood."""
        output = cls(game)
        words: list[tuple[Place, str]] = []  # of all `v` lines, or of minisat's second line
        answers = 0
        bare = False  # whether minisat's second line may follow
        for number, line in enumerate(text.splitlines(), 1):
            start = Place(number, 1 + len(line) - len(line.lstrip()))
            content = " ".join(line.split())
            answers += content.startswith("Answer:")
            if content in WORDS:
                output.statuses.append((start, WORDS[content]))
                output.is_optimum |= content.endswith("OPTIMUM FOUND")
                bare = content == "SAT"
            elif match := LINEAR.fullmatch(content):
                output.statuses.append((start, LINEAR_WORDS.get(match[1], MAYBE)))
            elif content == "v" or content.startswith("v "):
                words += _words(number, line, line.index("v") + 1)
            elif bare and LITERALS.fullmatch(content):
                words += _words(number, line, 0)
            elif content.startswith("o "):
                output._cost(start, content[2:])
            elif content.startswith("s "):
                names = "s SATISFIABLE, s UNSATISFIABLE, s OPTIMUM FOUND or s UNKNOWN"
                output.faults.append(start.fault("a status is one of four", content, names))
            elif answers < 2:  # clingo may have been asked for more answers than one
                output._atoms(number, line)
        output._words(words)
        output._list(text)
        output._named(text)
        return output

    def _cost(self, place: Place, text: str) -> None:
        if re.fullmatch(r"[0-9]+", text):
            self.costs.append((place, int(text)))
        else:
            rule = "an `o` line tells how many rows are left out"
            self.faults.append(place.fault(rule, text, "a whole number"))

    def _words(self, words: list[tuple[Place, str]]) -> None:
        """Literals up to the first 0, or one word of bits."""
        places = self.game.pegs * self.game.colors
        if len(words) == 1 and BITS.fullmatch(words[0][1]) and len(words[0][1]) > 1:
            ((place, bits),) = words
            for number, bit in enumerate(bits[:places]):
                here = Place(place.line, place.column + number)
                self._variable(here, number + 1, is_true=bit == "1")
            return
        for place, word in words:
            match = LITERAL.fullmatch(word)
            if match is None:
                rule = "a value is a literal"
                self.faults.append(place.fault(rule, word, "something like 3, -3, x3 or -x3"))
                continue
            variable = int(match[3])
            if variable == 0:
                return
            if variable <= places:  # the others are helpers
                self._variable(place, variable, is_true=not match[1])

    def _variable(self, place: Place, variable: int, *, is_true: bool) -> None:
        peg, color = divmod(variable - 1, self.game.colors)
        self.values.append(Value(place, peg, color, is_true, Kind.ALL))

    def _named_value(self, place: Place, peg: int, color: int, kind: Kind, *, is_true: bool) -> None:
        """A value of a peg and a color that count from 1 and may not exist."""
        game = self.game
        if 1 <= peg <= game.pegs and 1 <= color <= game.colors:
            self.values.append(Value(place, peg - 1, color - 1, is_true, kind))
            return
        rule = f"a {game} game has pegs 1 to {game.pegs} and colors 1 to {game.colors}"
        got = f"peg {peg}, color {color}"
        self.faults.append(place.fault(rule, got, "the answer to a board of this game"))

    def _atoms(self, number: int, line: str) -> None:
        """The facts of clingo's answer."""
        for match in ATOM.finditer(line):
            place = Place(number, match.start() + 1)
            peg, color = int(match[1]), int(match[2])
            self._named_value(place, peg, color, Kind.TRUE, is_true=True)

    def _list(self, text: str) -> None:
        """The first code that MiniZinc printed."""
        match = LIST.search(text)
        if match is None:
            return
        words = [(word.start(), word[0]) for word in re.finditer(r"[^\s,]+", match[1])]
        if len(words) != self.game.pegs:
            rule = f"a code of a {self.game} game has {self.game.pegs} pegs"
            fault = _place(text, match.start()).fault(rule, match[0], f"{self.game.pegs} colors")
            self.faults.append(fault)
            return
        for peg, (start, word) in enumerate(words, 1):
            place = _place(text, match.start(1) + start)
            if re.fullmatch(r"-?[0-9]+", word):
                self._named_value(place, peg, int(word), Kind.TRUE, is_true=True)
            else:
                fault = place.fault("a color is a whole number", word, f"1 to {self.game.colors}")
                self.faults.append(fault)

    def _named(self, text: str) -> None:
        """Values after names, which may stand in the next line."""
        for match in PAIR.finditer(text):
            place = _place(text, match.start())
            peg, color, is_true = int(match[1]), int(match[2]), match[3] == "true"
            self._named_value(place, peg, color, Kind.ALL, is_true=is_true)
        for match in COLUMN.finditer(text):
            place = _place(text, match.start())
            value = float(match[3])
            if min(abs(value), abs(value - 1)) > NEAR:
                self.faults.append(place.fault("a variable is 0 or 1", match[3], "a whole solution"))
            is_true = value > 0.5
            self._named_value(place, int(match[1]), int(match[2]), Kind.LINEAR, is_true=is_true)


def _words(number: int, line: str, start: int) -> Iterator[tuple[Place, str]]:
    for match in re.compile(r"\S+").finditer(line, start):
        yield Place(number, match.start() + 1), match[0]


def _place(text: str, index: int) -> Place:
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))
