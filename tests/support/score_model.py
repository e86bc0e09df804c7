"""The rules of every kind of score as a separate CP-SAT model, for boards of any size.

It shares no code with mmsat's encodings: a code is a list of integers, and scores are computed from
them as a player does, by minima, comparisons and passes over the guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from mmsat.encoding.integer_models import cp_solver
from mmsat.game.words import Words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mmsat.game import Row
    from mmsat.game.board import Board

KINDS = {"black", "black-white", "color", "order", "pairs", "pairs-one-key", "places"}
"""The kinds of scores that are modeled."""


class ScoreModel:
    """A model of the codes of a game that have some scores."""

    def __init__(self, board: Board, rows: Iterable[int]) -> None:
        """Write the rules of the game and the scores of these rows as constraints."""
        self.board = board
        self.variables = board.game.variables
        pegs, colors = board.game.pegs, board.game.colors
        self.model = model = cp_model.CpModel()
        self.code = [model.NewIntVar(0, colors - 1, "") for _ in range(pegs)]
        self.has = [[model.NewBoolVar("") for _ in range(colors)] for _ in range(pegs)]
        for number, has in zip(self.code, self.has, strict=True):
            model.AddExactlyOne(has)
            model.Add(number == sum(color * one for color, one in enumerate(has)))
        self.number = [sum(has[color] for has in self.has) for color in range(colors)]
        if isinstance(board.game.space, Words):
            model.AddAllowedAssignments(self.code, board.game.space.codes)
        elif board.game.space.name == "distinct":
            model.AddAllDifferent(self.code)
        for row in rows:
            self.add(board.rows[row])

    def add(self, row: Row) -> None:
        """Add the constraints of a row, one for each part of its score."""
        for part, read in zip(self.parts(row.guess), row.score, strict=True):
            if read is not None:
                self.model.Add(part == read)

    def parts(self, guess):
        """Return the parts of the score of a guess, as expressions."""
        black = sum(has[guessed] for has, guessed in zip(self.has, guess, strict=True))
        common = sum(
            self.minimum(self.number[color], guess.count(color)) for color in sorted(set(guess))
        )
        elsewhere = [self.is_elsewhere(guess, place) for place in range(len(guess))]
        kind = self.board.game.scoring.name
        if kind == "black":
            return [black]
        if kind == "color":
            return [common]
        if kind == "black-white":
            return [black, common - black]
        if kind == "places":
            hits = (has[guessed] for has, guessed in zip(self.has, guess, strict=True))
            return [2 * hit + other for hit, other in zip(hits, elsewhere, strict=True)]
        if kind == "order":
            later = (
                self.is_nonnegative(self.code[place] - guessed - 1, self.board.game.colors)
                for place, guessed in enumerate(guess)
            )
            hits = (has[guessed] for has, guessed in zip(self.has, guess, strict=True))
            return [2 * hit + after for hit, after in zip(hits, later, strict=True)]
        halves = [self.is_half(place, guessed) for place, guessed in enumerate(guess)]
        if kind == "pairs":
            return [black, common - black, sum(halves)]
        assert kind == "pairs-one-key", f"no model of {kind}"
        blue = [
            self.is_nonnegative(half - other - 1, 3)
            for half, other in zip(halves, elsewhere, strict=True)
        ]
        return [black, common - black, sum(blue)]

    def minimum(self, number, bound):
        """Return the minimum of an expression and a constant."""
        result = self.model.NewIntVar(0, bound, "")
        self.model.AddMinEquality(result, [number, bound])
        return result

    def is_nonnegative(self, number, max_distance):
        """Return whether an expression is 0 or more; it is at most `max_distance` from 0."""
        result = self.model.NewBoolVar("")
        self.model.Add(number >= -max_distance * (1 - result) - (1 - result))
        self.model.Add(number <= max_distance * result - (1 - result))
        return result

    def is_elsewhere(self, guess, place):
        """Return whether a peg of the guess is marked "elsewhere".

        Its color is not in place. The code has more copies of the color that are not hit than there
        are such copies in the guess before this place.
        """
        color = guess[place]
        copies = [other for other in range(len(guess)) if guess[other] == color]
        free = self.number[color] - sum(self.has[other][color] for other in copies)
        earlier = sum(1 - self.has[other][color] for other in copies if other < place)
        has_free_copy = self.is_nonnegative(free - earlier - 1, 2 * len(guess) + 1)
        both = self.model.NewBoolVar("")
        self.model.AddMinEquality(both, [has_free_copy, 1 - self.has[place][color]])
        return both

    def is_half(self, place, guessed):
        """Return whether exactly one of color and shape is right at a place."""
        shapes = self.board.game.scoring.shapes
        return sum(
            one
            for color, one in enumerate(self.has[place])
            if (color // shapes == guessed // shapes) != (color % shapes == guessed % shapes)
        )

    def truth(self, literal: int):
        """Return an expression that is 1 if a literal is true, else 0."""
        if self.variables.is_at(literal):
            peg, color = self.variables.peg_color(literal)
            true = self.has[peg][color]
        else:
            color, count = self.variables.color_count(literal)
            true = self.is_nonnegative(self.number[color] - count, self.board.game.pegs)
        return true if literal > 0 else 1 - true


def has_code(
    board: Board, rows: Iterable[int], literals: Iterable[int] = (), denied: Collection[int] = ()
) -> bool:
    """Return whether a code gets the scores of these rows and satisfies all `literals`.

    If there are literals `denied`, the code must violate at least one of them.
    """
    query = ScoreModel(board, rows)
    for literal in literals:
        query.model.Add(query.truth(literal) == 1)
    if denied:
        query.model.Add(sum(query.truth(literal) for literal in denied) < len(denied))
    solver = cp_solver()
    status = solver.Solve(query.model)
    assert status in {cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE}
    return status != cp_model.INFEASIBLE
