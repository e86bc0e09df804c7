"""Chains of steps: always the cheapest next one, and at the end only those that were needed.

The method is step-wise explanation (Bogaerts, Gamba and Guns 2021): of all steps that tell
something new, take one of least cost, and go on with what it tells. Here a step concludes by the
rules, by counting or by trying, from one row or two, and the cheapest is found by smallest premises
(premises.py), so that each such step is optimal among these at its time. The chain as a whole is
not: the sequence is greedy, as theirs is. Where these ways end, a supposition is refuted by a chain
of its own, the cheapest of a few. A contradiction that could have ended the chain earlier does so
if that is cheaper in all.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

from mmsat.diagnosis.steps.counting import CountingPropagator
from mmsat.diagnosis.steps.premises import Premises
from mmsat.diagnosis.steps.step import LITERAL, ROW, TRY, Step, Way
from mmsat.diagnosis.steps.suppositions import Suppositions
from mmsat.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from mmsat.constraints.system import System
    from mmsat.diagnosis.steps.counting import State
    from mmsat.diagnosis.steps.premises import IsEnough

    Rows = tuple[int, ...]

WAYS = ((Way.COUNTING, 1), (Way.FAILED_LITERAL, 1), (Way.COUNTING, 2), (Way.FAILED_LITERAL, 2))
"""How a step concludes and from how many rows, the cheapest first."""
TRIED = 6
"""Literals that are tried with a few rows where words are looked up, which takes long."""
FEW = (4, 1)
"""Suppositions whose chains are made, to take the cheapest: outside, and inside another."""


class ChainContext:
    """What all chains on one board share."""

    def __init__(self, system: System, backbone: Collection[int] | None) -> None:
        """The backbone is the literals true of every code, None where there is no code."""
        self.counting = CountingPropagator(system)
        self.backbone = backbone
        self.suppositions = Suppositions(self.counting, system)


class ChainBuilder:
    """Builds a chain from rows and given literals to all goals, or to a contradiction (None)."""

    def __init__(
        self,
        context: ChainContext,
        rows: Rows,
        given: Sequence[int] = (),
        goals: Collection[int] | None = None,
        inside: int = 0,
    ) -> None:
        """Nothing but the given literals is known; so many suppositions are around the chain."""
        self.context = context
        self.counting = context.counting
        self.rows = rows
        self.literals = list(given)
        self.goals = goals
        self.steps: list[Step] = []
        self.ends: list[list[Step]] = []
        """Chains that could have ended earlier."""
        self.known = self.counting.propagate(self.literals)
        self.premises: dict[tuple[object, ...], Premises] = {}
        self.inside = inside
        self.most_tried = None if self.counting.words is None else TRIED
        self.backbone = None if inside else context.backbone

    def is_done(self) -> bool:
        """Whether the last step was the contradiction, or all goals are told."""
        if self.goals is None:
            return bool(self.steps) and not self.steps[-1].found
        return set(self.goals) <= set(self.literals)

    def build(self) -> list[Step]:
        """Build the whole chain; raises InternalError."""
        while not self.is_done():
            self.advance()
        return self.prune()

    def prune(self) -> list[Step]:
        """The steps that the end of the chain rests on; the cheapest end, if it has several."""
        return min([*self.ends, prune(self.steps, self.goals)], key=total_cost)

    def note_end(self) -> None:
        """Remember the chain that ends here by the cheapest contradiction, if counting sees one."""
        best: Step | None = None
        for size in (1, 2):
            if best is not None and best.cost <= ROW * size:
                break
            for rows in combinations(self.rows, size):
                step = self.by_contradiction(rows)
                if step is not None and (best is None or step.cost < best.cost):
                    best = step
        if best is not None:
            self.ends.append(prune([*self.steps, best], None))

    def by_contradiction(self, rows: Rows) -> Step | None:
        """The fewest earlier literals that contradict some rows by counting, or None."""

        def is_enough(literals: Sequence[int]) -> bool:
            return not self.counting.propagate(literals, rows).is_possible

        premises = self.premises.setdefault(("end", rows), Premises())
        used = premises.smallest(self.literals, len(self.literals), is_enough)
        return None if used is None else Step(rows, used, (), Way.COUNTING, premises.is_optimal)

    def advance(self) -> Step:
        """Make the next step; raises InternalError where there is none, as there always is one."""
        if self.goals is None:
            self.note_end()
        step = self.find_step()
        if step is None:
            raise InternalError(f"no step follows from rows {self.rows} and {self.literals}")
        self.take(step)
        return step

    def take(self, step: Step) -> None:
        """Go on from a step."""
        self.steps.append(step)
        self.literals += step.found
        self.known = self.counting.propagate(self.literals)

    def find_step(self) -> Step | None:
        """The next step: by the rules alone, the cheapest by counting, or by a supposition."""
        if not self.known.is_possible:
            return self.by_rules(None)
        plain_steps = [step for literal in self.news() if (step := self.by_rules(literal))]
        plain = min(plain_steps, key=lambda step: step.cost, default=None)
        if plain is not None and plain.cost <= ROW:
            return plain
        step = self.by_rows()
        if plain is not None and (step is None or plain.cost <= step.cost):
            return plain
        if step is None:
            return self.by_supposing()
        is_over = self.goals is None and step.found and not self.is_possible_with(step.found)
        return (self.by_contradiction(step.rows) or step) if is_over else step

    def is_possible_with(self, found: Sequence[int]) -> bool:
        """Whether new literals do not deny what is known."""
        return self.counting.propagate([*self.literals, *found]).is_possible

    def news(self) -> list[int]:
        """Literals that follow by the rules and are not yet told: goals, colors of pegs."""
        variables = self.counting.variables
        last = variables.pegs * variables.colors
        goals = set(self.goals or ())
        derived = set(self.literals)
        return [
            each
            for each in self.counting.literals(self.known)
            if each not in derived and (each in goals or 0 < each <= last)
        ]

    def by_rules(self, literal: int | None) -> Step | None:
        """A literal (None: a contradiction) that follows from earlier ones without any row.

        None where it is no news: one earlier literal alone says it, and it is no goal.
        """

        def is_enough(literals: Sequence[int]) -> bool:
            state = self.counting.propagate(literals)
            return not state.is_possible if literal is None else holds(state, literal)

        premises = self.premises.setdefault(("rules", literal), Premises())
        used = premises.smallest(self.literals, len(self.literals), is_enough)
        if used is None:
            return None
        if literal is None:
            return Step((), used, (), Way.RULES, premises.is_optimal)
        if len(used) < 2 and literal not in (self.goals or ()):
            return None
        state = self.counting.propagate(used)
        found = tuple(each for each in self.news() if holds(state, each))
        return Step((), used, found, Way.RULES, premises.is_optimal)

    def by_rows(self) -> Step | None:
        """The cheapest step from one row or two, by counting or trying; of several, the first."""
        best: Step | None = None
        is_optimal = True
        for way, size in WAYS:
            base = ROW * size + TRY * (way is Way.FAILED_LITERAL)
            for rows in combinations(self.rows, size):
                most = len(self.literals)
                if best is not None:
                    most = min(most, (best.cost - base - 1) // LITERAL)
                if most < 0:
                    break
                is_enough = self.is_news(rows) if way is Way.COUNTING else self.is_refutable(rows)
                if is_enough is None:
                    continue
                premises = self.premises.setdefault((way, rows), Premises())
                used = premises.smallest(self.literals, most, is_enough)
                is_optimal &= premises.is_optimal
                is_optimal &= way is Way.COUNTING or self.most_tried is None
                if used is not None:
                    best = Step(rows, used, self.conclude(rows, used, way), way, is_optimal)
        return None if best is None else replace(best, is_optimal=is_optimal)

    def is_news(self, rows: Rows) -> IsEnough:
        """Whether literals and these rows tell something that is not known."""
        counting, known = self.counting, self.known

        def is_enough(literals: Sequence[int]) -> bool:
            state = counting.propagate(literals, rows)
            new = (state.true & ~known.true) | (state.false & ~known.false)
            return not state.is_possible or bool(new & counting.tellable)

        return is_enough

    def is_refutable(self, rows: Rows) -> IsEnough | None:
        """Whether literals and these rows refute something that is open; None where nothing is."""
        counting = self.counting
        whole = counting.propagate(self.literals, rows)
        suppositions = self.context.suppositions
        refuted = (
            each
            for each in suppositions.candidates(whole, self.backbone)
            if self.refutes(whole, rows, each)
        )
        tried = list(islice(refuted, self.most_tried))
        if not tried:
            return None

        def is_enough(literals: Sequence[int]) -> bool:
            state = counting.propagate(literals, rows)
            return any(self.refutes(state, rows, each) for each in tried)

        return is_enough

    def refutes(self, state: State, rows: Rows, literal: int) -> bool:
        """Whether a state and rows leave no room for a literal, by counting."""
        supposed = self.context.suppositions.suppose(state, literal)
        return not self.counting.close(supposed, rows).is_possible

    def conclude(self, rows: Rows, used: Sequence[int], way: Way) -> tuple[int, ...]:
        """What is new by these rows and literals, less what then follows by the rules."""
        counting = self.counting
        state = counting.propagate(used, rows)
        if not state.is_possible:
            return ()
        if way is Way.FAILED_LITERAL:
            open_literals = self.context.suppositions.candidates(self.known, self.backbone)
            new = [-each for each in open_literals if self.refutes(state, rows, each)]
            new.sort(key=self.strength)
        else:
            plain = counting.close(counting.state(used), rows, has_words=False)
            new = [each for each in counting.literals(state) if not holds(self.known, each)]
            new.sort(key=lambda each: (not holds(plain, each), *self.strength(each)))
        derived: list[int] = []
        known = self.known
        for each in new:
            if not holds(known, each):
                derived.append(each)
                known = counting.propagate([*self.literals, *derived])
        return tuple(derived)

    def strength(self, literal: int) -> tuple[int, int]:
        """What is said first: the color of a peg, many or few of a color, what a peg is not."""
        variables = self.counting.variables
        if variables.is_at(literal):
            return (0 if literal > 0 else 3), abs(literal)
        _, count = variables.color_count(literal)
        return (1, -count) if literal > 0 else (2, count)

    def by_supposing(self) -> Step | None:
        """The denial of something that leads to a contradiction; the cheapest of a few."""
        few = FEW[min(self.inside, len(FEW) - 1)]
        found = self.context.suppositions.find(self.rows, self.literals, few, self.backbone)
        return min(
            (self.suppose(*each) for each in found), key=lambda step: step.cost, default=None
        )

    def suppose(self, supposed: int, rows: Rows) -> Step:
        """The denial of a supposition, which leads to a contradiction with some rows."""
        given = [*self.literals, supposed]
        steps = ChainBuilder(self.context, rows, given, None, self.inside + 1).build()
        inside = {literal for step in steps for literal in step.literals}
        return Step(
            tuple(sorted({row for step in steps for row in step.rows})),
            tuple(literal for literal in self.literals if literal in inside),
            (-supposed,),
            Way.SUPPOSING,
            is_optimal=False,
            supposed=supposed,
            steps=tuple(steps),
        )


def total_cost(steps: Iterable[Step]) -> int:
    """The cost of a chain."""
    return sum(step.cost for step in steps)


def holds(state: State, literal: int) -> bool:
    """Whether a literal or a denial is known."""
    return bool((state.true if literal > 0 else state.false) >> (abs(literal) - 1) & 1)


def prune(steps: Iterable[Step], goals: Collection[int] | None) -> list[Step]:
    """Of a chain, the steps that the goals (None: the contradiction at its end) rest on."""
    wanted = set(goals or ())
    kept: list[Step] = []
    for step in reversed(list(steps)):
        found = tuple(each for each in step.found if each in wanted)
        if found or not step.found:
            kept.append(replace(step, found=found))
            wanted.update(step.literals)
    kept.reverse()
    return kept
