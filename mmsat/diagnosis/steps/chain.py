"""Chains of steps, in which each step uses the easiest rule and the fewest premises.

The rules are ordered by how hard they are for people (`Rules.ways`). After each step, the search
restarts with the easiest one. Every rule is monotone, so no chain has a harder step than the board
needs. If no rule applies, a supposition (an assumed literal) is refuted by a chain nested in the
step: the cheapest of several. A chain built like this has superfluous conclusions. It is therefore
shortened: steps are removed, the most expensive ones first, as long as the end of the chain still
follows, and every step gets the fewest premises.

The fewest literals that suffice for a conclusion are found by implicit hitting sets
(`smallest_premises`). If a set of literals is insufficient, one of the literals outside of it is
needed. The set is grown to a maximal insufficient one, and its complement is recorded. A smallest
hitting set of all recorded complements is tried next. If it is sufficient, no smaller set is. The
algorithm was introduced for smallest unsatisfiable subsets [1] and applied to explanations [2].

References
----------
[1] Ignatiev, Previti, Liffiton and Marques-Silva (2015), "Smallest MUS extraction with minimal
    hitting set dualization", CP 2015.
[2] Gamba, Bogaerts and Guns (2021), "Efficiently explaining CSPs with unsatisfiable subset
    optimization", IJCAI 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from mmsat.diagnosis.steps.propagation import holds
from mmsat.diagnosis.steps.rules import Rules
from mmsat.diagnosis.steps.step import Step, Way, plain_kind, total_cost
from mmsat.errors import InternalError

IsEnough = Callable[[Sequence[int]], bool]

MAX_HITTING_SETS = 60
"""Maximum number of hitting sets that are tried. After that, the result may not be smallest."""
MAX_HITTING_SET_SIZE = 4
"""Maximum number of literals of the hitting sets that are tried."""


class Premises(NamedTuple):
    """A sufficient set of literals."""

    literals: tuple[int, ...]
    is_smallest: bool
    """Whether no smaller set suffices. If False, the set is only minimal."""


def minimize(known: Sequence[int], is_enough: IsEnough) -> tuple[int, ...]:
    """Return a minimal sufficient subset of sufficient literals, removing the last ones first."""
    remaining = list(known)
    size = max(1, len(remaining) // 2)
    while size:
        for start in range(len(remaining) - size, -size, -size):
            fewer = remaining[: max(0, start)] + remaining[start + size :]
            if is_enough(fewer):
                remaining = fewer
        size //= 2
    return tuple(remaining)


def smallest_premises(
    known: Sequence[int], is_enough: IsEnough, patience: int = MAX_HITTING_SETS
) -> Premises:
    """Return a smallest sufficient subset of `known`, which is sufficient.

    `is_enough` must be monotone. Ties are broken by the order of `known`.
    """
    best = minimize(known, is_enough)
    complements: list[frozenset[int]] = []
    for _ in range(patience):
        candidate = hitting_set(complements, known, min(MAX_HITTING_SET_SIZE, len(best) - 1))
        if candidate is None:
            return Premises(best, is_smallest=len(best) <= MAX_HITTING_SET_SIZE + 1)
        if is_enough(candidate):
            return Premises(candidate, is_smallest=True)
        complements.append(frozenset(known) - grow(candidate, known, is_enough))
    return Premises(best, is_smallest=False)


def grow(few: Sequence[int], known: Sequence[int], is_enough: IsEnough) -> frozenset[int]:
    """Return a maximal insufficient set that contains `few`, by adding halves of the others."""
    kept = list(few)
    open_parts = [[literal for literal in known if literal not in set(few)]]
    while open_parts:
        part = open_parts.pop()
        if part and not is_enough([*kept, *part]):
            kept += part
        elif len(part) > 1:
            half = len(part) // 2
            open_parts += [part[half:], part[:half]]
    return frozenset(kept)


def hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], most: int
) -> tuple[int, ...] | None:
    """Return a smallest hitting set of at most `most` literals, or None."""
    for size in range(most + 1):
        hit = first_hitting_set(sets, known, size)
        if hit is not None:
            return tuple(literal for literal in known if literal in hit)
    return None


def first_hitting_set(
    sets: Sequence[frozenset[int]], known: Sequence[int], size: int
) -> set[int] | None:
    """Return the first hitting set of at most `size` literals, or None."""
    if not sets or not size:
        return None if sets else set()
    smallest = min(sets, key=len)
    for literal in known:
        if literal in smallest:
            unhit = [other_set for other_set in sets if literal not in other_set]
            further = first_hitting_set(unhit, known, size - 1)
            if further is not None:
                return {literal, *further}
    return None


Rows = tuple[int, ...]

MAX_COMPARED_SUPPOSITIONS = (4, 1)
"""Maximum number of suppositions whose chains are compared, by nesting: at the top level, and
inside of another supposition."""


Goals = Collection[int] | None


class ChainBuilder:
    """Builds a chain from rows and given literals to all goals, or to a contradiction."""

    def __init__(
        self,
        rules: Rules,
        rows: Rows,
        goals: Collection[int] | None,
        given: Sequence[int] = (),
        inside: int = 0,
    ) -> None:
        """Start from the given literals, with `inside` suppositions around the chain.

        If `goals` is None, the chain ends in a contradiction.
        """
        self.rules = rules
        self.counting = rules.counting
        self.rows = rows
        self.given = tuple(given)
        self.literals = list(given)
        self.goals = goals
        self.steps: list[Step] = []
        self.known = self.counting.propagate(self.literals)
        self.inside = inside
        self.negated_goals = [-goal for goal in goals or ()]
        self.candidates = rules.suppositions.order if inside else rules.candidates

    @property
    def is_done(self) -> bool:
        """Whether the last step was the contradiction, or all goals are derived."""
        if self.goals is None:
            return bool(self.steps) and not self.steps[-1].found
        return set(self.goals) <= set(self.literals)

    def build(self) -> Iterator[Step]:
        """Yield steps until the chain is done; raise InternalError if no step follows."""
        while not self.is_done:
            step = self.find_step()
            if step is None:
                message = f"no step follows from rows {self.rows} and {self.literals}"
                raise InternalError(message)
            self.steps.append(step)
            self.learn(step.found)
            yield step

    def learn(self, found: Sequence[int]) -> None:
        """Add literals to the known ones and propagate them."""
        self.literals += found
        self.known = self.counting.propagate(self.literals)

    def shorten(self) -> list[Step]:
        """Return the chain without superfluous steps, conclusions and premises."""
        return shorten(self.rules, self.steps, self.given, self.goals)

    def find_step(self) -> Step | None:
        """Return the next step: by the rules of the game, the easiest rule, or a supposition.

        Returns None if nothing follows.
        """
        if not self.known.is_possible:
            return self.step((), Way.RULES, ())
        due_goals = self.due_goals()
        if due_goals:
            return self.step((), Way.RULES, due_goals)
        easiest = self.conclude_easiest()
        return self.refute_supposition() if easiest is None else self.step(*easiest)

    def conclude_easiest(self) -> tuple[Rows, Way, tuple[int, ...]] | None:
        """Return rows, rule and new conclusions of the easiest rule that has any, or None."""
        candidates = [*self.negated_goals, *self.candidates]
        for way, size in self.rules.ways(len(self.rows)):
            for rows in combinations(self.rows, size):
                conclusions = self.rules.conclude(rows, way, self.literals, self.known, candidates)
                if conclusions is not None:
                    return rows, way, conclusions
        return None

    def find_grade(self) -> int | None:
        """Return the grade of the chain to its goals, or None if it needs suppositions.

        Only the conclusions are computed, and no steps are stored.
        """
        grade = 1
        while not all(holds(self.known, goal) for goal in self.goals or ()):
            easiest = self.conclude_easiest()
            if easiest is None:
                return None
            rows, way, conclusions = easiest
            grade = max(grade, plain_kind(len(rows), way))
            self.learn(conclusions)
        return grade

    def due_goals(self) -> tuple[int, ...]:
        """Return the goals that follow by the rules of the game and are not derived yet."""
        derived = set(self.literals)
        wanted = set(self.goals or ()) - derived
        return tuple(literal for literal in self.counting.literals(self.known) if literal in wanted)

    def step(self, rows: Rows, way: Way, found: tuple[int, ...]) -> Step:
        """Return a step whose premises are a minimal set of the earlier literals."""
        follows = self.rules.follows
        premises = minimize(self.literals, lambda literals: follows(rows, way, literals, found))
        return Step(rows, premises, found, way, is_optimal=False)

    def refute_supposition(self) -> Step | None:
        """Return the cheapest of several refutations of suppositions, or None."""
        max_suppositions = MAX_COMPARED_SUPPOSITIONS[
            min(self.inside, len(MAX_COMPARED_SUPPOSITIONS) - 1)
        ]
        candidate_groups = [self.negated_goals, self.candidates]
        refuted_suppositions = self.rules.suppositions.find(
            self.rows, self.literals, max_suppositions, candidate_groups
        )
        chains = [self.refute(*supposition) for supposition in refuted_suppositions]
        if not chains:
            return None
        best = min(chains, key=lambda chain: total_cost(prune(chain.steps, None)))
        return Step.refutation(best.given[-1], best.shorten(), self.literals)

    def refute(self, supposed: int, rows: Rows) -> ChainBuilder:
        """Return a chain from a supposition, its last given literal, to a contradiction."""
        given = [*self.literals, supposed]
        chain = ChainBuilder(self.rules, rows, None, given, self.inside + 1)
        for _ in chain.build():
            pass
        return chain


def shorten(rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals) -> list[Step]:
    """Return a minimal part of a chain that still reaches its goals (None: a contradiction)."""
    kept = prune(steps, goals, given, rules)
    while True:
        for step in sorted(kept, key=lambda each: -each.cost):
            shorter = replay(rules, [each for each in kept if each != step], given, goals)
            kept = kept if shorter is None else shorter
        previous, kept = kept, prune(kept, goals, given, rules)
        if len(kept) == len(previous):
            return kept


def replay(
    rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals
) -> list[Step] | None:
    """Return the steps with their conclusions that still follow; None if they miss the goals."""
    literals = list(given)
    kept: list[Step] = []
    for step in steps:
        remaining_step = conclude_again(rules, step, literals)
        if remaining_step is not None:
            kept.append(remaining_step)
            literals += remaining_step.found
            if not remaining_step.found:
                return kept
    return kept if goals is not None and set(goals) <= set(literals) else None


def conclude_again(rules: Rules, step: Step, literals: Sequence[int]) -> Step | None:
    """Return a step with the conclusions that still follow from `literals`, or None."""
    if step.supposed is not None:
        inside = replay(rules, step.steps, [*literals, step.supposed], None)
        return None if inside is None else replace(step, steps=tuple(inside))
    if rules.follows(step.rows, step.way, literals, ()):
        return replace(step, found=())
    remaining = tuple(
        literal
        for literal in step.found
        if rules.follows(step.rows, step.way, literals, (literal,))
    )
    return replace(step, found=remaining) if remaining else None


def prune(
    steps: Sequence[Step], goals: Goals, told: Sequence[int] = (), rules: Rules | None = None
) -> list[Step]:
    """Return the steps that the end of the chain depends on, with the conclusions that are used.

    If `rules` are given, each step also gets the fewest premises among the literals before it.
    Literals that are used anyway are preferred.
    """
    wanted = set(goals or ())
    earlier = [*told, *(literal for step in steps for literal in step.found)]
    kept: list[Step] = []
    for step in reversed(steps):
        del earlier[len(earlier) - len(step.found) :]
        conclusions = tuple(literal for literal in step.found if literal in wanted)
        if conclusions or not step.found:
            needed = replace(step, found=conclusions)
            if rules is not None:
                needed = with_premises(rules, needed, earlier, wanted)
            kept.append(needed)
            wanted.update(needed.literals)
    kept.reverse()
    return kept


def with_premises(rules: Rules, step: Step, told: Sequence[int], wanted: Collection[int]) -> Step:
    """Return a step with the fewest premises among `told`, preferring those in `wanted`."""
    if step.supposed is not None:
        inside = prune(step.steps, None, [*told, step.supposed], rules)
        return Step.refutation(step.supposed, inside, told)

    def is_enough(literals: Sequence[int]) -> bool:
        return rules.follows(step.rows, step.way, literals, step.found)

    ordered = sorted(told, key=lambda literal: literal not in wanted)
    premises = smallest_premises(ordered, is_enough)
    used = tuple(literal for literal in told if literal in premises.literals)
    return replace(step, literals=used, is_optimal=premises.is_smallest)
