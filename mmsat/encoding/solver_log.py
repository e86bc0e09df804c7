"""The statuses and the values of variables in a solver's output.

Each line is recognized by its form, so that a whole log can be read as it is:

    SAT, MaxSAT, OPB    s SATISFIABLE     v 1 -2 .. 0     v x1 -x2     v 0101     o 2
    MiniSat's file      SAT               1 -2 .. 0
    clingo              SATISFIABLE       code(1,3) code(2,1)
    MiniZinc            =====UNSATISFIABLE=====           code = [3, 1];
    SMT-LIB             sat               ((peg1color1 false) (peg1color2 true))
    HiGHS, SCIP, CBC    Model status: Infeasible          peg1color2 1
    GLPK                Status: INTEGER OPTIMAL           1 peg1color1 * 1 0 1
    glpsol --write      s mip 8 8 o 0                     j 1 0

mmsat.encoding.solver_status has the words for a status, mmsat.encoding.solver_documents rewrites
JSON and XML to lines such as these. Other lines are ignored.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from enum import StrEnum
from itertools import accumulate, islice
from typing import NamedTuple

from mmsat.encoding.solver_documents import rewrite_documents
from mmsat.encoding.solver_status import read_status
from mmsat.english import quantity
from mmsat.errors import Description, Fault, Place
from mmsat.game.game import Game
from mmsat.results.verdict import Status

LITERAL = re.compile(r"([-~]?)x?([0-9]{1,18})")
LITERALS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*")
BEFORE_LITERALS = {"SAT", "sat", "SATISFIABLE"}
"""Lines after which MiniSat's file and Z3 have literals without a `v`. The file of Glucose has only
the literals, which end with 0."""
BITS = re.compile(r"[01]{2,}")
COLOR = re.compile(r"-?[0-9]{1,9}")
OTHER_BOARD = "is this the output for another board?"
"""Advice for values that do not fit the game."""
COST = re.compile(r"[0-9]{1,18}")
ANSWER = re.compile(r"^(?:Answer:.*|(?:% Answer:.*\n)?ANSWER$)", re.MULTILINE)
"""The beginning of one of clingo's answers, also with --outf=1."""
ATOM = re.compile(r"\bcode\(\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*\)")
LIST = re.compile(r"\bcode\s*=\s*(?:array1d\([^\[\]]*,\s*)?\[([^\[\]]*)\]")
_NAME = r"peg([0-9]{1,9})color([0-9]{1,9})"
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?"
PAIR = re.compile(
    rf"\(\s*(?:=\s+)?\|?{_NAME}\|?\s+(true|false)\s*\)"
    rf"|\(\s*define-fun\s+\|?{_NAME}\|?\s+\(\s*\)\s+Bool\s+(true|false)\s*\)"
)
"""A value in SMT-LIB, as `get-value` and `get-model` print it, or in the format of Yices."""
COLUMN = re.compile(
    rf"^[ \t]*(?:\*\*[ \t]+)?(?:[0-9]+[ \t]+)?{_NAME}\s+"
    rf"(?:(?:\*|[A-Z*]{{1,2}})\s+)?({_NUMBER})(?!\S)",
    re.MULTILINE,
)
"""A number, a name, perhaps a state, and the value, which may be in the next line."""
ASSIGNMENT = re.compile(
    rf"(?:^|[{{,;])[ \t]*['\"]?{_NAME}['\"]?[ \t]*[=:][ \t]*({_NUMBER})(?![^\s,;}}])", re.MULTILINE
)
NUMBERED = re.compile(
    rf"^[ \t]*j[ \t]+([0-9]{{1,18}})(?:[ \t]+[a-z])?[ \t]+({_NUMBER})(?!\S)", re.MULTILINE
)
"""The value of a column by its number, as `glpsol --write` prints it."""
NO_VALUES = re.compile(
    r"^(?:# Dual solution values|# Primal solution values\n+Infeasible"  # HiGHS
    r"|Objective function limits:|Dual value)",  # lp_solve
    re.MULTILINE,
)
"""Headings of tables that use the same names but do not list a solution."""
POINT_HEADINGS = ("# Primal solution values", "# Dual solution values")
"""Headings of HiGHS. The next line is the feasibility of this point, not of the problem."""
ROUNDING_TOLERANCE = 1e-5
"""Tolerance of the values of linear solvers: how far they may be from 0 or 1."""


class Kind(StrEnum):
    """How completely a format lists values."""

    ALL = "all"
    """Every variable of the code has a value."""
    TRUE = "true"
    """Variables without a value are false."""
    LINEAR = "linear"
    """Likewise, and the values are meaningless unless the solver found a solution."""


class Value(NamedTuple):
    """The truth value of "a peg has a color" (both count from 0)."""

    place: Place
    peg: int
    color: int
    is_true: bool | None
    """None if a linear solver printed a fraction."""
    kind: Kind


class SolverLog:
    """The statuses and values of a solver's output, and every error in it."""

    def __init__(self, text: str, game: Game) -> None:
        self.game = game
        self.statuses: list[tuple[Place, Status]] = []
        self.values: list[Value] = []
        self.costs: list[int] = []
        """The `o` lines of MaxSAT, in order."""
        self.is_optimum = False
        """Whether the last cost is stated to be optimal."""
        self.needs_cost = False
        """Whether the output is that of a MaxSAT solver, so that there must be a cost."""
        self.faults: list[Fault] = []
        numbered = rewrite_documents(text)
        self.numbers = [number for number, _ in numbered]
        lines = [line for _, line in numbered]
        self.text = "\n".join(lines)
        self.starts = list(accumulate([len(line) + 1 for line in lines], initial=0))
        self._read_lines(numbered)
        self._read_atoms()
        self._read_code()
        self._read_names()
        self._read_numbers()

    def _read_lines(self, numbered: list[tuple[int, str]]) -> None:
        """Read the lines that have a status, a cost or literals."""
        words: list[tuple[Place, str]] = []
        before = ""  # the last line with content
        has_literals = False  # whether that line has literals without a `v`
        for number, line in numbered:
            content = " ".join(line.split())
            start = Place(number, 1 + len(line) - len(line.lstrip()))
            if content == "v" or content.startswith("v "):
                words += _words(number, line, line.index("v") + 1)
            elif LITERALS.fullmatch(content) and (
                has_literals or before in BEFORE_LITERALS or (not before and content[-2:] == " 0")
            ):
                words += _words(number, line, 0)
                has_literals = not content.endswith(" 0")
            elif before not in POINT_HEADINGS:
                self._read_status(start, content)
            if content and not content.startswith("c "):
                before = content
        self._read_literals(words)

    def _read_status(self, start: Place, content: str) -> None:
        """Read one line with a status or a cost, if it is one."""
        status = read_status(content)
        if status is not None:
            self.statuses.append((start, status))
            self.is_optimum |= content.endswith("OPTIMUM FOUND")
        elif content.startswith("o "):
            if COST.fullmatch(content[2:]):
                self.costs.append(int(content[2:]))
            else:
                rule = "an `o` line has the number of violated rows"
                self.faults.append(start.fault(rule, content, "a whole number"))
        elif content.startswith("s "):
            names = "s SATISFIABLE, s UNSATISFIABLE, s OPTIMUM FOUND or s UNKNOWN"
            self.faults.append(start.fault("", content, names))

    def _read_literals(self, words: list[tuple[Place, str]]) -> None:
        """Read literals up to the first 0, or one word of bits."""
        places = self.game.pegs * self.game.colors
        if len(words) == 1 and BITS.fullmatch(words[0][1]):
            ((place, bits),) = words
            self.needs_cost = True
            for number, bit in enumerate(bits[:places]):
                here = Place(place.line, place.column + number)
                self._add_variable(here, number + 1, is_true=bit == "1")
            return
        # The formulas of pseudo-Boolean solvers (x1 -x2) have no objective.
        self.needs_cost = self.is_optimum and not any("x" in word for _, word in words)
        for place, word in words:
            match = LITERAL.fullmatch(word)
            if match is None:
                write = "a literal such as 3, -3, x3 or -x3"
                self.faults.append(place.fault("", word, write))
                continue
            variable = int(match[2])
            if variable == 0:
                return
            if variable <= places:  # the others are helpers
                self._add_variable(place, variable, is_true=not match[1])

    def _add_variable(
        self, place: Place, variable: int, *, is_true: bool | None, kind: Kind = Kind.ALL
    ) -> None:
        """Add the value of a variable of the code, by its number from 1."""
        peg, color = divmod(variable - 1, self.game.colors)
        self.values.append(Value(place, peg, color, is_true, kind))

    def _read_atoms(self) -> None:
        """Read the atoms of clingo's first answer."""
        answers = [match.start() for match in islice(ANSWER.finditer(self.text), 2)]
        end = answers[1] if len(answers) > 1 else len(self.text)
        if not answers and (first := ATOM.search(self.text)):  # --verbose=0: an answer per line
            end = self.starts[bisect(self.starts, first.start())]
        for match in ATOM.finditer(self.text, 0, end):
            self._add_named(self._place(match.start()), match[1], match[2], Kind.TRUE, is_true=True)

    def _read_code(self) -> None:
        """Read the first code that MiniZinc printed."""
        match = LIST.search(self.text)
        if match is None:
            return
        pegs = self.game.pegs
        words = list(re.compile(r"[^\s,]+").finditer(self.text, match.start(1), match.end(1)))
        if len(words) != pegs:
            rule = f"a code of a {self.game} game has {quantity(pegs, 'peg')}"
            write = f"{quantity(pegs, 'color')}, not {len(words)}"
            self.faults.append(self._place(match.start()).fault(rule, match[0], write))
            return
        for peg, word in enumerate(words, 1):
            place = self._place(word.start())
            if COLOR.fullmatch(word[0]):
                self._add_named(place, str(peg), word[0], Kind.TRUE, is_true=True)
            else:
                write = f"a color from 1 to {self.game.colors}"
                self.faults.append(place.fault("", word[0], write))

    def _read_names(self) -> None:
        """Read values by the names of variables."""
        for match in PAIR.finditer(self.text):
            peg, color, value = filter(None, match.groups())
            place = self._place(match.start())
            self._add_named(place, peg, color, Kind.ALL, is_true=value == "true")
        end = NO_VALUES.search(self.text)
        for pattern in (COLUMN, ASSIGNMENT):
            for match in pattern.finditer(self.text, 0, end.start() if end else len(self.text)):
                place = self._place(match.start(1) - len("peg"))
                is_true = _is_one(match[3])
                self._add_named(place, match[1], match[2], Kind.LINEAR, is_true=is_true)

    def _read_numbers(self) -> None:
        """Read values by the numbers of columns, which are the code's variables first."""
        places = self.game.pegs * self.game.colors
        for match in NUMBERED.finditer(self.text):
            if 1 <= int(match[1]) <= places:
                place = self._place(match.start())
                is_true = _is_one(match[2])
                self._add_variable(place, int(match[1]), is_true=is_true, kind=Kind.LINEAR)

    def _add_named(
        self, place: Place, peg: str, color: str, kind: Kind, *, is_true: bool | None
    ) -> None:
        """Add the value of a peg and a color (from 1), or a fault if they are out of range."""
        game = self.game
        if 1 <= int(peg) <= game.pegs and 1 <= int(color) <= game.colors:
            self.values.append(Value(place, int(peg) - 1, int(color) - 1, is_true, kind))
            return
        write = f"pegs 1 to {game.pegs} and colors 1 to {game.colors}"
        found = Description(f"peg {peg}, color {color}")
        self.faults.append(place.fault(OTHER_BOARD, found, write))

    def _place(self, index: int) -> Place:
        line = bisect(self.starts, index)
        return Place(self.numbers[line - 1], index - self.starts[line - 1] + 1)


def _is_one(number: str) -> bool | None:
    """Read the value of a 0/1 variable; None for a fraction."""
    value = float(number)
    return value > 0.5 if min(abs(value), abs(value - 1)) <= ROUNDING_TOLERANCE else None


def _words(number: int, line: str, start: int) -> Iterator[tuple[Place, str]]:
    for match in re.compile(r"\S+").finditer(line, start):
        yield Place(number, match.start() + 1), match[0]
