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

import re
from bisect import bisect
from collections.abc import Iterator
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from mmsat.english import quantity
from mmsat.errors import Fault, Place
from mmsat.game.game import Game
from mmsat.results.verdict import Status

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

LITERAL = re.compile(r"([-~]?)x?([0-9]{1,18})")
LITERALS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*")
BITS = re.compile(r"[01]{2,}")
COLOR = re.compile(r"-?[0-9]{1,9}")
COST = re.compile(r"[0-9]{1,18}")
ATOM = re.compile(r"\bcode\(\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*\)")
LIST = re.compile(r"\bcode\s*=\s*\[([^\[\]]*)\]")
PAIR = re.compile(r"\(\s*peg([0-9]{1,9})color([0-9]{1,9})\s+(true|false)\s*\)")
COLUMN = re.compile(
    r"\bpeg([0-9]{1,9})color([0-9]{1,9})\s+(?:\*\s+)?"
    r"([-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?)(?!\S)"
)
NEAR = 1e-5
"""How far from 0 or 1 a linear solver's value may be."""


class Kind(StrEnum):
    """How completely values are told."""

    ALL = "all"
    """Every variable of the code has a value."""
    TRUE = "true"
    """Variables without a value are false."""
    LINEAR = "linear"
    """Likewise, and values mean nothing unless a solution was found."""


class Value(NamedTuple):
    """Whether a peg has a color (both from 0)."""

    place: Place
    peg: int
    color: int
    is_true: bool | None
    """None where a linear solver left it in between."""
    kind: Kind


class SolverLog:
    """All that was understood of a solver's output."""

    def __init__(self, text: str, game: Game) -> None:
        self.text = text
        self.game = game
        self.statuses: list[tuple[Place, Status]] = []
        self.values: list[Value] = []
        self.costs: list[int] = []
        """The `o` lines of MaxSAT, in order."""
        self.is_optimum = False
        """Whether the last cost was said to be the least."""
        self.is_weighed = False
        """Whether this is the way of MaxSAT, so that there must be a cost."""
        self.faults: list[Fault] = []
        lines = text.split("\n")
        self.starts = list(accumulate([len(line) + 1 for line in lines], initial=0))
        words: list[tuple[Place, str]] = []  # of all `v` lines, or of minisat's second line
        bare = False  # whether minisat's second line may follow
        for number, line in enumerate(lines, 1):
            content = " ".join(line.split())
            start = Place(number, 1 + len(line) - len(line.lstrip()))
            if content == "v" or content.startswith("v "):
                words += _words(number, line, line.index("v") + 1)
            elif bare and LITERALS.fullmatch(content):
                words += _words(number, line, 0)
            else:
                self._status(start, content)
                bare |= content == "SAT"
        self._literals(words)
        self._atoms()
        self._list()
        self._columns()

    def _status(self, start: Place, content: str) -> None:
        """Read one line about the whole, if it is one."""
        if content in WORDS:
            self.statuses.append((start, WORDS[content]))
            self.is_optimum |= content.endswith("OPTIMUM FOUND")
        elif match := LINEAR.fullmatch(content):
            self.statuses.append((start, LINEAR_WORDS.get(match[1], MAYBE)))
        elif content.startswith("o "):
            if COST.fullmatch(content[2:]):
                self.costs.append(int(content[2:]))
            else:
                rule = "an `o` line tells how many rows are left out"
                self.faults.append(start.fault(rule, content, "a whole number"))
        elif content.startswith("s "):
            names = "s SATISFIABLE, s UNSATISFIABLE, s OPTIMUM FOUND or s UNKNOWN"
            self.faults.append(start.fault("a status is one of four", content, names))

    def _literals(self, words: list[tuple[Place, str]]) -> None:
        """Literals up to the first 0, or one word of bits."""
        places = self.game.pegs * self.game.colors
        if len(words) == 1 and BITS.fullmatch(words[0][1]):
            ((place, bits),) = words
            self.is_weighed = True
            for number, bit in enumerate(bits[:places]):
                here = Place(place.line, place.column + number)
                self._variable(here, number + 1, is_true=bit == "1")
            return
        for place, word in words:
            match = LITERAL.fullmatch(word)
            if match is None:
                write = "something like 3, -3, x3 or -x3"
                self.faults.append(place.fault("a value is a literal", word, write))
                continue
            variable = int(match[2])
            if variable == 0:
                return
            if variable <= places:  # the others are helpers
                self._variable(place, variable, is_true=not match[1])

    def _variable(self, place: Place, variable: int, *, is_true: bool) -> None:
        peg, color = divmod(variable - 1, self.game.colors)
        self.values.append(Value(place, peg, color, is_true, Kind.ALL))

    def _atoms(self) -> None:
        """The literals of clingo's answer; the first, where it was asked for more."""
        answers = [match.start() for match in re.finditer(r"^Answer:", self.text, re.MULTILINE)]
        end = answers[1] if len(answers) > 1 else len(self.text)
        for match in ATOM.finditer(self.text, 0, end):
            self._add_named(self._place(match.start()), match[1], match[2], Kind.TRUE, is_true=True)

    def _list(self) -> None:
        """The first code that MiniZinc printed."""
        match = LIST.search(self.text)
        if match is None:
            return
        pegs = self.game.pegs
        words = list(re.compile(r"[^\s,]+").finditer(self.text, match.start(1), match.end(1)))
        if len(words) != pegs:
            rule = f"a code of a {self.game} game has {quantity(pegs, 'peg')}"
            write = f"{pegs} colors, not {len(words)}"
            self.faults.append(self._place(match.start()).fault(rule, match[0], write))
            return
        for peg, word in enumerate(words, 1):
            place = self._place(word.start())
            if COLOR.fullmatch(word[0]):
                self._add_named(place, str(peg), word[0], Kind.TRUE, is_true=True)
            else:
                write = f"1 to {self.game.colors}"
                self.faults.append(place.fault("a color is a whole number", word[0], write))

    def _columns(self) -> None:
        """Values after names, which may stand in the next line."""
        for match in PAIR.finditer(self.text):
            is_true: bool | None = match[3] == "true"
            self._add_named(
                self._place(match.start()), match[1], match[2], Kind.ALL, is_true=is_true
            )
        for match in COLUMN.finditer(self.text):
            value = float(match[3])
            is_true = value > 0.5 if min(abs(value), abs(value - 1)) <= NEAR else None
            place = self._place(match.start())
            self._add_named(place, match[1], match[2], Kind.LINEAR, is_true=is_true)

    def _add_named(
        self, place: Place, peg: str, color: str, kind: Kind, *, is_true: bool | None
    ) -> None:
        """A value of a peg and a color that count from 1 and may not exist."""
        game = self.game
        if 1 <= int(peg) <= game.pegs and 1 <= int(color) <= game.colors:
            self.values.append(Value(place, int(peg) - 1, int(color) - 1, is_true, kind))
            return
        rule = f"a {game} game has pegs 1 to {game.pegs} and colors 1 to {game.colors}"
        got = f"peg {peg}, color {color}"
        self.faults.append(place.fault(rule, got, "the answer to a board of this game"))

    def _place(self, index: int) -> Place:
        line = bisect(self.starts, index)
        return Place(line, index - self.starts[line - 1] + 1)


def _words(number: int, line: str, start: int) -> Iterator[tuple[Place, str]]:
    for match in re.compile(r"\S+").finditer(line, start):
        yield Place(number, match.start() + 1), match[0]
