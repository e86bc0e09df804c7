"""Strategies that follow a plan: the code is computed from the scores, without any search."""

from __future__ import annotations

import random
from abc import abstractmethod
from typing import TYPE_CHECKING, TypeAlias

from mmsat.errors import Description, Fault, InputError
from mmsat.strategy.pool import no_code_error
from mmsat.strategy.strategy import SeededStrategy

if TYPE_CHECKING:
    from collections.abc import Generator

    from mmsat.game.game import Game
    from mmsat.game.row import Code, Row
    from mmsat.strategy.state import State

Plan: TypeAlias = "Generator[Code, int, Code]"
"""A generator that yields guesses, is sent the black pegs of each, and returns the code."""


class ContradictionError(Exception):
    """No code gets the scores that a plan received."""


class Planned(SeededStrategy):
    """A strategy with a proven bound on the number of guesses, for black pegs in games of any size.

    Its guesses are seldom possible codes. Rows with unplanned guesses are ignored, and so are white
    pegs. The order of pegs and colors is drawn by the seed, so that no particular code is a worst
    case.
    """

    _plan: Plan | None = None
    _game: Game
    _rows: tuple[Row, ...]
    """The rows that the plan has processed."""
    _black_pegs: dict[Code, int]
    """Guesses and their black pegs."""
    _next: Code

    @abstractmethod
    def plan(self, game: Game, source: random.Random) -> Plan:
        """Return the plan for a whole game."""

    def choose(self, state: State) -> Code:
        """Resume the plan; restart it if the processed rows are not the first rows of the state."""
        rows = state.rows
        try:
            if (
                self._plan is None
                or self._game != state.game
                or self._rows != rows[: len(self._rows)]
            ):
                self._game, self._rows, self._black_pegs = state.game, (), {}
                self._plan = self.plan(state.game, random.Random(f"{self.seed} {state.game}"))
                self._next = next(self._plan)
            for guess, (black, *_) in rows[len(self._rows) :]:
                if black is not None:
                    self._black_pegs[guess] = black
            self._rows = rows
            while self._next in self._black_pegs:
                self._next = self._plan.send(self._black_pegs[self._next])
        except StopIteration as end:
            self._plan, self._next = None, end.value
            if not state.allows(self._next):
                raise no_code_error(state.board) from None
        except ContradictionError:
            self._plan = None
            raise no_code_error(state.board) from None
        return self._next

    def __getstate__(self) -> dict[str, object]:
        """Return the options, without the running plan, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name[0] != "_"}

    def check(self, game: Game) -> None:
        """Raise InputError if codes are not arbitrary sequences, or if scores have no black pegs.

        Also if consistent guesses only are required.
        """
        faults = []
        if game.scoring.name not in ("black-white", "black"):
            rule = f"{self.name} uses black pegs"
            faults.append(
                Fault(rule, str(game), "a game scored by black and white, or by black only")
            )
        if game.space.name != "repeats":
            rule = f"{self.name} guesses any sequence of colors"
            faults.append(Fault(rule, str(game), "a game with repeated colors"))
        if self.consistent_only:
            rule = f"{self.name} also guesses codes that are ruled out"
            faults.append(Fault(rule, Description("consistent guesses only"), "all guesses"))
        InputError.refuse(faults, "the strategy")
        super().check(game)
