"""Chains of steps: all that an easy way tells before a harder one is asked.

The ways stand in the order of how hard they are for people (Rules.ways), and after each step the
easiest is asked again; so no chain has a harder step than the board takes, as every way is
monotone. Where these end, a supposition is refuted by a chain of its own, the cheapest of a few. A
chain made like this tells more than it needs; then each step is left out in turn, the
costliest first: where all later ones that matter still follow from what else is told before them,
it was not needed; and every step gets the fewest premises.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from mmsat.diagnosis.steps.counting import holds
from mmsat.diagnosis.steps.difficulty import plain_kind
from mmsat.diagnosis.steps.premises import minimize, smallest_premises
from mmsat.diagnosis.steps.rules import Rules
from mmsat.diagnosis.steps.step import Step, Way, total_cost
from mmsat.errors import InternalError

Rows = tuple[int, ...]

FEW = (4, 1)
"""Suppositions whose chains are made, to take the cheapest: outside, and inside another."""


Goals = Collection[int] | None


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
            self.learn(step.found)
            yield step

    def learn(self, found: Sequence[int]) -> None:
        """Know some literals more."""
        self.literals += found
        self.known = self.counting.propagate(self.literals)

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
        easiest = self.conclude_easiest()
        return self.by_supposing() if easiest is None else self.step(*easiest)

    def conclude_easiest(self) -> tuple[Rows, Way, tuple[int, ...]] | None:
        """What the easiest way tells that tells anything new, with its rows."""
        tried = [*self.denials, *self.candidates]
        for way, size in self.rules.ways(len(self.rows)):
            for rows in combinations(self.rows, size):
                found = self.rules.conclude(rows, way, self.literals, self.known, tried)
                if found is not None:
                    return rows, way, found
        return None

    def find_grade(self) -> int | None:
        """The grade of the chain to its goals, which is not made; None where one has to suppose."""
        grade = 1
        while not all(holds(self.known, goal) for goal in self.goals or ()):
            easiest = self.conclude_easiest()
            if easiest is None:
                return None
            rows, way, found = easiest
            grade = max(grade, plain_kind(len(rows), way))
            self.learn(found)
        return grade

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


def shorten(rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals) -> list[Step]:
    """A chain from given literals to its goals (None: a contradiction), with as few as it takes."""
    kept = prune(steps, goals, given, rules)
    while True:
        for step in sorted(kept, key=lambda each: -each.cost):
            rest = replay(rules, [each for each in kept if each != step], given, goals)
            kept = kept if rest is None else rest
        before, kept = kept, prune(kept, goals, given, rules)
        if len(kept) == len(before):
            return kept


def replay(
    rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals
) -> list[Step] | None:
    """The steps with what still follows of their conclusions; None if that is not the end."""
    literals = list(given)
    kept: list[Step] = []
    for step in steps:
        again = conclude_again(rules, step, literals)
        if again is not None:
            kept.append(again)
            literals += again.found
            if not again.found:
                return kept
    return kept if goals is not None and set(goals) <= set(literals) else None


def conclude_again(rules: Rules, step: Step, literals: Sequence[int]) -> Step | None:
    """A step with what still follows from these literals of all that it found, or None."""
    if step.supposed is not None:
        inside = replay(rules, step.steps, [*literals, step.supposed], None)
        return None if inside is None else replace(step, steps=tuple(inside))
    if rules.follows(step.rows, step.way, literals, ()):
        return replace(step, found=())
    found = tuple(
        each for each in step.found if rules.follows(step.rows, step.way, literals, (each,))
    )
    return replace(step, found=found) if found else None


def prune(
    steps: Sequence[Step], goals: Goals, told: Sequence[int] = (), rules: Rules | None = None
) -> list[Step]:
    """The steps that the end rests on, with what is used of their conclusions.

    With rules, each gets the fewest premises of what is told before it, what is used anyway first.
    """
    wanted = set(goals or ())
    known = [*told, *(literal for step in steps for literal in step.found)]
    kept: list[Step] = []
    for step in reversed(steps):
        del known[len(known) - len(step.found) :]
        found = tuple(each for each in step.found if each in wanted)
        if found or not step.found:
            needed = replace(step, found=found)
            if rules is not None:
                needed = with_premises(rules, needed, known, wanted)
            kept.append(needed)
            wanted.update(needed.literals)
    kept.reverse()
    return kept


def with_premises(rules: Rules, step: Step, told: Sequence[int], wanted: Collection[int]) -> Step:
    """A step with the fewest of some literals that it can do with, those that are wanted first."""
    if step.supposed is not None:
        inside = prune(step.steps, None, [*told, step.supposed], rules)
        return Step.refutation(step.supposed, inside, told)

    def is_enough(some: Sequence[int]) -> bool:
        return rules.follows(step.rows, step.way, some, step.found)

    known = sorted(told, key=lambda each: each not in wanted)
    premises = smallest_premises(known, is_enough)
    used = tuple(each for each in told if each in premises.literals)
    return replace(step, literals=used, is_optimal=premises.is_smallest)
