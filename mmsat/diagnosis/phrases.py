"""Phrases: clauses and nouns for the literals, pegs and colors of one board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mmsat._util.text import (
    indefinite,
    join_words,
    noun_phrase,
    plural,
)
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.symbols import OMITTED_NOUNS


class Phrases:
    """Puts literals of one board into words."""

    def __init__(self, board: Board) -> None:
        """Look up the names of colors and places in the game."""
        self.board = board
        game = board.game
        self.variables = game.variables
        self.noun = game.spelled.noun
        self.omits_noun = self.noun in OMITTED_NOUNS
        self.is_ordered = bool(game.scoring.marks) and not game.scoring.are_colors_alike
        self.is_listed = game.space.table() is not None
        self.place = "place" if game.scoring.marks or self.is_listed else "peg"
        self.print_code = speller(game).print_code

    def literals(self, literals: Iterable[int]) -> str:
        """Return the clauses that state the literals, joined by "and"."""
        return join_words(self.clauses(literals))

    def clauses(self, literals: Iterable[int]) -> Iterator[str]:
        """Yield clauses that state the literals, first about pegs, then about counts of colors.

        Equal statements about several pegs or several colors are merged.
        """
        pegs_by_color: dict[int, list[int]] = {}
        excluded_by_peg: dict[int, list[int]] = {}
        bounds: dict[int, tuple[int, int]] = {}
        for literal in sorted(literals, key=abs):
            if self.variables.is_at(literal):
                peg, color = self.variables.peg_color(literal)
                (
                    pegs_by_color.setdefault(color, [])
                    if literal > 0
                    else excluded_by_peg.setdefault(peg, [])
                ).append(peg if literal > 0 else color)
            else:
                color, count = self.variables.color_count(literal)
                low, high = bounds.get(color, (0, self.variables.pegs))
                bounds[color] = (
                    (max(low, count), high) if literal > 0 else (low, min(high, count - 1))
                )
        for color, pegs in pegs_by_color.items():
            yield f"{self.places(pegs)} {be(pegs)} {self.colors([color])}"
        pegs_by_excluded: dict[tuple[int, ...], list[int]] = {}
        for peg, colors in excluded_by_peg.items():
            pegs_by_excluded.setdefault(tuple(colors), []).append(peg)
        for excluded, pegs in pegs_by_excluded.items():
            yield f"{self.places(pegs)} {self.exclusion(excluded, pegs)}"
        colors_by_bounds: dict[tuple[int, int], list[int]] = {}
        for color, color_bounds in sorted(bounds.items()):
            colors_by_bounds.setdefault(color_bounds, []).append(color)
        for (low, high), colors in colors_by_bounds.items():
            yield self.count_clause(colors, low, high)

    def exclusion(self, excluded: Sequence[int], pegs: Sequence[int]) -> str:
        """Return the predicate that pegs do not have some colors (ascending).

        If colors have an order, and the first or last several colors are excluded, the predicate is
        that the pegs come after, or before, a color.
        """
        last_color = self.variables.colors - 1
        come = "comes" if len(pegs) == 1 else "come"
        is_run = excluded[-1] - excluded[0] == len(excluded) - 1
        if self.is_ordered and len(excluded) > 1 and is_run:
            if excluded[0] == 0 and excluded[-1] < last_color:
                return f"{come} after {self.colors(excluded[-1:])}"
            if excluded[0] > 0 and excluded[-1] == last_color:
                return f"{come} before {self.colors(excluded[:1])}"
        return f"{be(pegs)} not {self.colors(excluded, 'or')}"

    def count_clause(self, colors: Sequence[int], low: int, high: int) -> str:
        """Return the clause that each of these colors has `low` to `high` pegs."""
        if not high:
            return f"there is no {self.colors(colors, 'or')}"
        is_unbounded = high == self.variables.pegs
        if low == 1 and is_unbounded:
            if self.omits_noun:
                return f"there is {join_words(map(indefinite, map(self.name, colors)))}"
            return f"{self.colors(colors)} {be(colors)} in the code"
        if low == high:
            amount = f"exactly {low:,}"
        elif is_unbounded:
            amount = f"at least {low:,}"
        else:
            amount = f"{low:,} to {high:,}" if low else f"at most {high:,}"
        last_number = low if is_unbounded else high
        if self.omits_noun:
            ending = "s" * (last_number != 1)
            names = join_words(f"{amount} {self.name(color)}{ending}" for color in colors)
            return f"there {'is' if last_number == 1 else 'are'} {names}"
        have = "has" if len(colors) == 1 else "have"
        suffix = " each" * (len(colors) > 1)
        pegs = plural(self.place, last_number)
        return f"{self.colors(colors)} {have} {amount} {pegs}{suffix}"

    def peg(self, literal: int) -> int | None:
        """Return the peg of a literal; None if the literal is about a number of pegs."""
        return self.variables.peg_color(literal)[0] if self.variables.is_at(literal) else None

    def places(self, pegs: Iterable[int]) -> str:
        """Return `peg 1`, or `places 1 and 3`."""
        return noun_phrase(self.place, [peg + 1 for peg in pegs])

    def colors(self, colors: Sequence[int], conjunction: str = "and") -> str:
        """Return `color 1`, `colors 1 and 2`, or `color 1 or 2`; without the noun `R or S`."""
        names = [self.name(color) for color in colors]
        if self.omits_noun:
            return join_words(names, conjunction)
        if conjunction == "and":
            return noun_phrase(self.noun, names)
        return f"{self.noun} {join_words(names, conjunction)}"

    def name(self, color: int) -> str:
        """Return the symbol of a color in the game."""
        return self.print_code((color,))


def be(things: Sequence[object]) -> str:
    """Return `is` or `are`."""
    return "is" if len(things) == 1 else "are"
