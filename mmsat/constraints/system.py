"""The system of a board: claims about the code, kept apart row by row.

Over the facts of mmsat.game.facts (peg has color; at least so many pegs have a color) a board says:

- each peg has exactly one color (left to the encoder, which knows the best way);
- `ground`: what is true of every code of the game, such as that no color repeats;
- `rows`: what each row's score says, one group of claims a row, so that a row can be switched off.

Where the codes of the game are a list, `table` has them too, in lexicographic order, for engines
that walk a list faster than they read the ground, which says the same.

A code satisfies the system exactly when it is consistent with the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mmsat.answers import Code
    from mmsat.game.board import Board
    from mmsat.game.facts import Claim, Facts


@dataclass(frozen=True, slots=True)
class System:
    """The claims of a board."""

    facts: Facts
    ground: tuple[Claim, ...]
    rows: tuple[tuple[Claim, ...], ...]
    table: tuple[Code, ...] | None = None

    @classmethod
    def of(cls, board: Board) -> System:
        """The system of a board, one group of claims a row, in order."""
        game = board.game
        facts = game.facts
        claims = game.scoring.claims
        rows = tuple([tuple(claims(facts, *row)) for row in board.rows])
        return cls(facts, tuple(game.claims()), rows, game.space.table())

    @property
    def claims(self) -> list[Claim]:
        """All claims, ground first."""
        return [*self.ground, *(claim for row in self.rows for claim in row)]

    def depths(self) -> dict[int, int]:
        """For each color whose count matters, the highest count that a claim asks about."""
        return depths(self.facts, self.claims)

    def satisfies(self, code: Sequence[int]) -> bool:
        """Whether a code satisfies every claim."""
        return all(self.facts.satisfies(code, claim) for claim in self.claims)


def depths(facts: Facts, claims: Iterable[Claim]) -> dict[int, int]:
    """For each color whose count matters, the highest count that some claims ask about."""
    highest: dict[int, int] = {}
    for claim in claims:
        for fact in claim.facts:
            for member in fact if isinstance(fact, tuple) else (fact,):
                if not facts.is_at(member):
                    color, count = facts.color_count(member)
                    highest[color] = max(count, highest.get(color, 0))
    return highest
