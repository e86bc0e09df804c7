"""Formulas in conjunctive normal form, in the DIMACS format of SAT solvers.

```
c a comment
p cnf 4 2
1 -2 3 0
2 3 -4 0
```
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.source import MAX_NUMBER, Reader, Source, Word, print_rows

Clause = tuple[int, ...]
Assignment = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Formula(Source):
    """A formula: variables from 1, and clauses of literals (3 is variable 3, -3 its negation)."""

    name = "formula"
    suffix = ".cnf"

    variables: int
    clauses: tuple[Clause, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "clauses", tuple(map(tuple, self.clauses)))
        faults = []
        if self.variables < 0:
            faults.append(Fault("", self.variables, "0 or more variables"))
        faults += [
            Fault("", literal, write, part=f"clause {number}")
            for number, clause in enumerate(self.clauses, 1)
            for literal in clause
            if not 1 <= abs(literal) <= self.variables
            for write in [f"1 to {self.variables}, or -1 to -{self.variables}"]
        ]
        InputError.refuse(faults, "the formula")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read DIMACS CNF; a clause ends with 0, and may span lines or share a line.

        A line `%`, which ends the files of a well-known collection (SATLIB), ends the text.
        """
        reader = Reader(text, "c")
        variables, stated = reader.header(("cnf",), ("VARIABLES", "CLAUSES"), 0)
        lines = takewhile(lambda words: words[0].text != "%", reader.lines)
        clauses: list[Clause] = []
        clause: list[int] = []
        opened: Word | None = None
        for word in (word for words in lines for word in words):
            if not word.text.strip("0"):
                clauses.append(tuple(clause))
                clause, opened = [], None
                continue
            opened = opened or word
            literal = reader.number(
                word, "a literal", -MAX_NUMBER if variables is None else -variables, variables
            )
            if literal == 0:
                reader.faults.append(word.fault("a literal is a variable or its negation", "0"))
            clause.append(literal or 1)  # 1 in place of a faulty literal, so that parsing continues
        if opened:
            reader.faults.append(opened.fault("a clause ends with 0", "0 after its last literal"))
            clauses.append(tuple(clause))
        reader.compare(stated, [len(clauses)], "clauses")
        reader.finish("the formula")
        return cls(variables or 0, tuple(clauses))

    def __str__(self) -> str:
        clauses = ((*clause, 0) for clause in self.clauses)
        return print_rows(("p", "cnf", self.variables, len(self.clauses)), *clauses)

    def sizes(self) -> dict[str, int]:
        return {
            "variables": self.variables,
            "clauses": len(self.clauses),
            "literals": sum(map(len, self.clauses)),
        }

    def plain(self) -> tuple[tuple[int, Clause], ...]:
        """Return the clauses, with their numbers from 1, without repeated literals.

        Clauses with a literal and its negation, which are always true, are omitted.
        """
        return tuple(
            (number, tuple(dict.fromkeys(clause)))
            for number, clause in enumerate(self.clauses, 1)
            for literals in [set(clause)]
            if not any(-literal in literals for literal in clause)
        )

    def true_literals(self, assignment: Sequence[bool]) -> tuple[int, ...]:
        """Return the number of true literals in each clause, counting repeats."""
        return tuple(
            sum(assignment[abs(literal) - 1] == (literal > 0) for literal in clause)
            for clause in self.clauses
        )

    def is_model(self, assignment: Sequence[bool]) -> bool:
        """Return whether an assignment, a truth value for each variable, satisfies every clause."""
        return len(assignment) == self.variables and all(self.true_literals(assignment))

    def has_one_true(self, assignment: Sequence[bool]) -> bool:
        """Return whether an assignment makes exactly one literal of every clause true."""
        return len(assignment) == self.variables and set(self.true_literals(assignment)) <= {1}


def spell_assignment(values: Iterable[bool]) -> str:
    """Return an assignment in the format of SAT solvers: `v 1 -2 0`."""
    signed = (number if value else -number for number, value in enumerate(values, 1))
    return " ".join(["v", *map(str, signed), "0"])


def spell(literal: int) -> str:
    """Return the printed name of a literal: x3, or -x3 for its negation."""
    return f"-x{-literal}" if literal < 0 else f"x{literal}"


def names(clause: Sequence[int]) -> str:
    """Return the printed literals of a clause: x1, -x2, x3."""
    return ", ".join(map(spell, clause)) or "nothing"
