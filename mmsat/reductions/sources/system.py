"""Linear equations over variables that are 0 or 1; a single equation is a subset sum problem.

```
# two equations
2 x1 - x3 + x4 = 1
x1 + x2 + x3 = 2
```

An optional first line `p system VARIABLES EQUATIONS` allows variables that are in no equation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from mmsat.english import quantity
from mmsat.errors import Description, Fault, InputError
from mmsat.game.game import MAX_PEGS
from mmsat.limits import LIMITS
from mmsat.reductions.sources.source import Reader, Source, Word, print_rows

PIECE = re.compile(r"([+-])|([0-9]+)|(\*)|x([0-9]{1,6})|(=)|([^\s])")
MAX_COEFFICIENT = 100_000
"""Maximum size of coefficients: the board grows with their values, not with their digits."""


class Equation(NamedTuple):
    """The coefficients of the variables, and the total."""

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
            or max(map(abs, equation.coefficients)) > MAX_COEFFICIENT
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
            write = "equations such as 2 x1 - x3 = 1"
            reader.faults.append(Fault("", "", write, 1, 1))
        parsed = [_Line(words, reader, variables).read() for words in reader.lines]
        reader.compare(stated, [len(parsed)], "equations")
        if variables is None:
            variables = max((max(terms, default=0) for terms, _ in parsed), default=0)
        if variables * len(parsed) > LIMITS.board_places:
            sizes = f"{quantity(variables, 'variable')}, {quantity(len(parsed), 'equation')}"
            write = f"at most {LIMITS.board_places:,} for variables times equations"
            reader.faults.append(Fault("", Description(sizes), write))
        reader.finish("the system")
        return cls(
            variables,
            tuple(
                Equation(tuple(terms.get(number, 0) for number in range(1, variables + 1)), total)
                for terms, total in parsed
            ),
        )

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


class _Line:
    """The words of one equation, split into signs, numbers and variables."""

    def __init__(self, words: tuple[Word, ...], reader: Reader, variables: int | None) -> None:
        self.reader = reader
        self.variables = variables
        self.pieces = [
            (match, Word(match[0], word.line, word.column + match.start()))
            for word in words
            for match in PIECE.finditer(word.text)
        ]
        self.end = words[-1]

    def read(self) -> tuple[dict[int, int], int]:
        """Return the coefficients by variable, and the total; add faults to the reader."""
        sides = [piece for piece, (match, _) in enumerate(self.pieces) if match[5]]
        if len(sides) != 1:
            rule = "an equation has one = sign"
            self.reader.faults.append(self.end.fault(rule, "x1 + x2 = 1"))
            return {}, 0
        terms: dict[int, int] = {}
        max_variable = self.variables or MAX_PEGS
        sign, factor = 1, None
        # A term is a sign, which the first term can omit, an optional coefficient with an optional
        # `*`, and a variable. `factor` is a coefficient whose variable has not been read yet.
        ready = True  # whether a term may start: at the front, or after a sign
        for match, word in self.pieces[: sides[0]]:
            if match[1] and factor is None and (ready is False or not terms):
                sign, ready = (-1 if match[1] == "-" else 1), True
            elif match[2] and ready and factor is None:
                factor = self.reader.number(word, "a coefficient", 0, MAX_COEFFICIENT) or 0
            elif match[3] and factor is not None:
                continue
            elif match[4] and ready:
                number = self.reader.number(
                    Word(match[4], word.line, word.column + 1), "a variable", 1, max_variable
                )
                terms[number or 1] = terms.get(number or 1, 0) + sign * (
                    1 if factor is None else factor
                )
                sign, factor, ready = 1, None, False
            else:
                self._fault(word)
        if ready or factor is not None:
            self._fault(self.pieces[sides[0]][1])
        return terms, self._total(sides[0])

    def _fault(self, word: Word) -> None:
        rule = "the left side is a sum of terms such as 2 x1"
        self.reader.faults.append(word.fault(rule, "2 x1 - x3 + x4 = 1"))

    def _total(self, side: int) -> int:
        """Return the integer on the right side."""
        text = "".join(word.text for _, word in self.pieces[side + 1 :])
        place = self.pieces[min(side + 1, len(self.pieces) - 1)][1]
        word = Word(text, place.line, place.column)
        return self.reader.number(word, "the right side", -(10**9), 10**9) or 0
