"""The system of a board: constraints about the code, kept apart row by row.

Over the literals of mmsat.game.literals (peg has color; at least so many pegs have a color) a board
says:

- each peg has exactly one color (left to the encoder, which knows the best way);
- `ground`: what is true of every code of the game, such as that no color repeats;
- `rows`: what each row's score says, a group of constraints a row, so that it can be switched off.

Where the codes of the game are a list, `table` has them too, in lexicographic order, for engines
that walk a list faster than they read the ground, which says the same.

A code satisfies the system exactly when it is consistent with the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mmsat.board import Board
    from mmsat.game.literals import CardinalityConstraint, VariableMap
    from mmsat.game.row import Code


@dataclass(frozen=True, slots=True)
class System:
    """The constraints of a board."""

    variables: VariableMap
    ground: tuple[CardinalityConstraint, ...]
    rows: tuple[tuple[CardinalityConstraint, ...], ...]
    table: tuple[Code, ...] | None = None

    @classmethod
    def of(cls, board: Board) -> System:
        """The system of a board, one group of constraints a row, in order."""
        game = board.game
        variables = game.variables
        constraints = game.scoring.constraints
        rows = tuple([tuple(constraints(variables, *row)) for row in board.rows])
        return cls(variables, tuple(game.constraints()), rows, game.space.table())

    @property
    def constraints(self) -> list[CardinalityConstraint]:
        """All constraints, ground first."""
        return [*self.ground, *(constraint for row in self.rows for constraint in row)]

    def depths(self) -> dict[int, int]:
        """For each color whose count matters, the highest count that a constraint asks about."""
        return depths(self.variables, self.constraints)

    def satisfies(self, code: Sequence[int]) -> bool:
        """Whether a code satisfies every constraint."""
        return all(self.variables.satisfies(code, constraint) for constraint in self.constraints)


def depths(variables: VariableMap, constraints: Iterable[CardinalityConstraint]) -> dict[int, int]:
    """For each color whose count matters, the highest count that some constraints ask about."""
    highest: dict[int, int] = {}
    for constraint in constraints:
        for literal in constraint.literals:
            for member in literal if isinstance(literal, tuple) else (literal,):
                if not variables.is_at(member):
                    color, count = variables.color_count(member)
                    highest[color] = max(count, highest.get(color, 0))
    return highest
