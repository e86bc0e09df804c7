"""Chains of steps: all that an easy way tells before a harder one is asked.

The ways stand in the order of how hard they are for people (Rules.ways), and after each step the
easiest is asked again; so no chain has a harder step than the board takes, as every way is
monotone. Where these end, a supposition is refuted by a chain of its own, the cheapest of a few. A
chain made like this tells more than it needs; shortening.py leaves out what it can do without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from mmsat.diagnosis.steps.premises import minimize
from mmsat.diagnosis.steps.rules import Rules
from mmsat.diagnosis.steps.shortening import prune, shorten
from mmsat.diagnosis.steps.step import Step, Way, total_cost
from mmsat.errors import InternalError

Rows = tuple[int, ...]

FEW = (4, 1)
"""Suppositions whose chains are made, to take the cheapest: outside, and inside another."""


class ChainBuilder:
    """Builds a chain from rows and given literals to all goals, or to a contradiction (None)."""

    def __init__(
        self,
        rules: Rules,
        rows: Rows,
        goals: Collection[int] | None,
        given: Sequence[int] = (),
        inside: int = 0,
    ) -> None:
        """Nothing but the given literals is known; so many suppositions are around the chain."""
        self.rules = rules
        self.counting = rules.counting
        self.rows = rows
        self.given = tuple(given)
        self.literals = list(given)
        self.goals = goals
        self.steps: list[Step] = []
        self.known = self.counting.propagate(self.literals)
        self.inside = inside
        self.denials = [-goal for goal in goals or ()]
        self.candidates = rules.suppositions.order if inside else rules.candidates

    @property
    def is_done(self) -> bool:
        """Whether the last step was the contradiction, or all goals are told."""
        if self.goals is None:
            return bool(self.steps) and not self.steps[-1].found
        return set(self.goals) <= set(self.literals)

    def build(self) -> Iterator[Step]:
        """Make step after step; raises InternalError where there is none, as there always is."""
        while not self.is_done:
            step = self.find_step()
            if step is None:
                message = f"no step follows from rows {self.rows} and {self.literals}"
                raise InternalError(message)
            self.steps.append(step)
            self.literals += step.found
            self.known = self.counting.propagate(self.literals)
            yield step

    def shorten(self) -> list[Step]:
        """The chain without what it can do without."""
        return shorten(self.rules, self.steps, self.given, self.goals)

    def find_step(self) -> Step | None:
        """The next step: by the rules of the game, by the easiest way, or by a supposition."""
        if not self.known.is_possible:
            return self.step((), Way.RULES, ())
        due = self.due_goals()
        if due:
            return self.step((), Way.RULES, due)
        tried = [*self.denials, *self.candidates]
        for way, size in self.rules.ways(len(self.rows)):
            for rows in combinations(self.rows, size):
                found = self.rules.conclude(rows, way, self.literals, self.known, tried)
                if found is not None:
                    return self.step(rows, way, found)
        return self.by_supposing()

    def due_goals(self) -> tuple[int, ...]:
        """Goals that follow by the rules of the game, and are not yet told."""
        told = set(self.literals)
        wanted = set(self.goals or ()) - told
        return tuple(each for each in self.counting.literals(self.known) if each in wanted)

    def step(self, rows: Rows, way: Way, found: tuple[int, ...]) -> Step:
        """A step with what it needs of the earlier literals."""
        follows = self.rules.follows
        used = minimize(self.literals, lambda some: follows(rows, way, some, found))
        return Step(rows, used, found, way, is_optimal=False)

    def by_supposing(self) -> Step | None:
        """The denial of something that leads to a contradiction; the cheapest of a few."""
        few = FEW[min(self.inside, len(FEW) - 1)]
        candidates = [self.denials, self.candidates]
        refuted = self.rules.suppositions.find(self.rows, self.literals, few, candidates)
        chains = [self.refute(*each) for each in refuted]
        if not chains:
            return None
        best = min(chains, key=lambda chain: total_cost(prune(chain.steps, None)))
        return Step.refutation(best.given[-1], best.shorten(), self.literals)

    def refute(self, supposed: int, rows: Rows) -> ChainBuilder:
        """A chain from a supposition, which is the last that it is given, to a contradiction."""
        given = [*self.literals, supposed]
        chain = ChainBuilder(self.rules, rows, None, given, self.inside + 1)
        for _ in chain.build():
            pass
        return chain
