"""What a step may conclude, by the way in which it does.

Every way is monotone: who knows more, concludes more. So a step may be asked again with fewer
literals (what does it need?) or without an earlier step (does it still follow?).
"""

from collections.abc import Collection, Sequence

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.counting import IMPOSSIBLE, CountingPropagator, State, holds
from mmsat.diagnosis.steps.step import Way
from mmsat.diagnosis.steps.suppositions import Suppositions, open_literals

Rows = tuple[int, ...]


class Rules:
    """Concludes from literals and rows of one board, and tells whether a conclusion follows."""

    def __init__(self, board: Board, system: System, backbone: Collection[int] | None) -> None:
        """The backbone is the literals true of every code, None where there is no code."""
        game = board.game
        self.flawed = {
            number
            for number, row in enumerate(board.rows)
            if game.scoring.flaw(game.pegs, row.score) is not None
        }
        """Rows with a score that no guess ever gets."""
        self.counting = CountingPropagator(system)
        self.variables = self.counting.variables
        self.suppositions = Suppositions(self.counting, system)
        order = self.suppositions.order
        self.candidates = [each for each in order if backbone is None or -each in backbone]
        """What may be supposed: where it is known what is refuted, only that."""

    def ways(self, rows: int) -> list[tuple[Way, int]]:
        """How a step concludes and from how many rows, the easiest first.

        A list of words is looked through, and then nothing needs to be tried.
        """
        if self.counting.words is None:
            return [(way, size) for way in (Way.COUNTING, Way.FAILED_LITERAL) for size in (1, 2)]
        return [(Way.COUNTING, 1), *((Way.LISTING, size) for size in range(1, rows + 1))]

    def state(self, rows: Rows, way: Way, literals: Sequence[int]) -> State:
        """What follows: from the words that fit, or by counting from what is known without rows."""
        if not self.flawed.isdisjoint(rows):
            return IMPOSSIBLE
        if self.counting.words is None or way is not Way.COUNTING:
            return self.counting.propagate(literals, rows)
        known = self.counting.propagate(literals)
        return self.counting.close(known, rows, has_words=False) if known.is_possible else known

    def follows(
        self, rows: Rows, way: Way, literals: Sequence[int], found: Collection[int]
    ) -> bool:
        """Whether all that is found (a contradiction if nothing is) follows, in one of the ways."""
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return True
        if way is Way.FAILED_LITERAL:
            return bool(found) and all(
                holds(state, each) or self.refutes(state, rows, -each) for each in found
            )
        return bool(found) and all(holds(state, each) for each in found)

    def refutes(self, state: State, rows: Rows, literal: int) -> bool:
        """Whether a state and rows leave no room for a literal, by counting."""
        supposed = self.suppositions.suppose(state, literal)
        return not self.counting.close(supposed, rows).is_possible

    def conclude(
        self, rows: Rows, way: Way, literals: Sequence[int], known: State, tried: Sequence[int]
    ) -> tuple[int, ...] | None:
        """All that is new, less what then follows by the rules of the game; None if nothing is.

        Nothing is found where this is a contradiction. `tried` is what may be refuted.
        """
        counting = self.counting
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return ()
        if way is Way.FAILED_LITERAL:
            open_ones = open_literals(state, tried)
            new = [-each for each in open_ones if self.refutes(state, rows, each)]
        else:
            fresh = (state.true & ~known.true) | (state.false & ~known.false)
            if not fresh & counting.tellable:
                return None
            new = [each for each in counting.literals(state) if not holds(known, each)]
        new.sort(key=self.strength)
        return self.essential(new, literals, known) or None

    def essential(
        self, new: Sequence[int], literals: Sequence[int], known: State
    ) -> tuple[int, ...]:
        """New literals, less those that follow from earlier ones by the rules of the game."""
        derived: list[int] = []
        for each in new:
            if not holds(known, each):
                derived.append(each)
                known = self.counting.propagate([*literals, *derived])
        return tuple(derived)

    def strength(self, literal: int) -> tuple[int, int]:
        """What is said first: the color of a peg, many or few of a color, what a peg is not."""
        if self.variables.is_at(literal):
            return (0 if literal > 0 else 3), abs(literal)
        _, count = self.variables.color_count(literal)
        return (1, -count) if literal > 0 else (2, count)
