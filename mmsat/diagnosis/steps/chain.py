"""Chains of steps, in which each step uses the easiest rule and the fewest premises.

The rules are ordered by how hard they are for people (`Rules.ways`). After each step, the search
restarts with the easiest rule. Every rule is monotone (more premises never lead to fewer
conclusions), so the chain has no harder step than the board needs. If no rule applies, a
supposition (an assumed literal) is refuted by a chain nested in the step. The chains of several
suppositions are compared, and the cheapest is used. A chain built like this has superfluous
conclusions. It is therefore shortened: steps are removed, the most expensive first, as long as the
end of the chain still follows, and every step gets the fewest premises.

The fewest literals that suffice for a conclusion are found by implicit hitting sets
(`smallest_premises`). An insufficient set of literals is grown to a maximal insufficient set. Every
sufficient set has a literal of its complement, which is recorded. A smallest hitting set of all
recorded complements is tried next. If it is sufficient, no smaller set is. The algorithm was
introduced for smallest unsatisfiable subsets [1] and applied to explanations [2].

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
from functools import partial
from itertools import combinations
from typing import NamedTuple

from mmsat.diagnosis.explanation import Trial
from mmsat.diagnosis.steps import Step, Way, grade_without_supposition, total_cost
from mmsat.diagnosis.steps.rules import RowIndices, Rules, State, holds
from mmsat.errors import InternalError

IsEnough = Callable[[Sequence[int]], bool]
"""A function that returns whether literals suffice for a conclusion."""

MAX_HITTING_SETS = 60
"""Maximum number of hitting sets that are tried. If more are needed, the result is only minimal."""
MAX_HITTING_SET_SIZE = 4
"""Maximum number of literals of the hitting sets that are tried, because larger ones are found by a
search of exponential time."""


class Premises(NamedTuple):
    """A minimal sufficient set of literals."""

    literals: tuple[int, ...]
    is_smallest: bool
    """Whether no smaller set suffices. If False, the set is only minimal."""


def minimize(literals: Sequence[int], is_enough: IsEnough) -> tuple[int, ...]:
    """Return a minimal sufficient subset of sufficient literals. The last are removed first."""
    remaining = list(literals)
    # Remove blocks of half of the literals, then of a quarter, and so on down to single literals.
    # The blocks are counted from the end, so the one at the beginning may be shorter.
    size = max(1, len(remaining) // 2)
    while size:
        for start in range(len(remaining) - size, -size, -size):
            fewer = remaining[: max(0, start)] + remaining[start + size :]
            if is_enough(fewer):
                remaining = fewer
        size //= 2
    return tuple(remaining)


def smallest_premises(
    literals: Sequence[int], is_enough: IsEnough, max_hitting_sets: int = MAX_HITTING_SETS
) -> Premises:
    """Return a smallest sufficient subset of sufficient literals, if the limits allow.

    `is_enough` must be monotone. Ties are broken by the order of the literals.
    """
    best = minimize(literals, is_enough)
    complements: list[frozenset[int]] = []
    for _ in range(max_hitting_sets):
        candidate = hitting_set(complements, literals, min(MAX_HITTING_SET_SIZE, len(best) - 1))
        if candidate is None:
            # All sets smaller than `best` and within the size limit are insufficient.
            return Premises(best, is_smallest=len(best) <= MAX_HITTING_SET_SIZE + 1)
        if is_enough(candidate):
            return Premises(candidate, is_smallest=True)
        complements.append(frozenset(literals) - grow_literals(candidate, literals, is_enough))
    return Premises(best, is_smallest=False)


def grow_literals(
    start: Sequence[int], literals: Sequence[int], is_enough: IsEnough
) -> frozenset[int]:
    """Return a maximal insufficient set that contains `start`, by adding halves of the others."""
    kept_literals = list(start)
    # A stack of blocks of literals that may still be added.
    blocks = [[literal for literal in literals if literal not in set(start)]]
    while blocks:
        block = blocks.pop()
        if block and not is_enough([*kept_literals, *block]):
            kept_literals += block
        elif len(block) > 1:
            half = len(block) // 2
            blocks += [block[half:], block[:half]]
    return frozenset(kept_literals)


def hitting_set(
    sets: Sequence[frozenset[int]], literals: Sequence[int], max_size: int
) -> tuple[int, ...] | None:
    """Return a smallest hitting set of at most `max_size` literals, or None."""
    for size in range(max_size + 1):
        hitting = first_hitting_set(sets, literals, size)
        if hitting is not None:
            return tuple(literal for literal in literals if literal in hitting)
    return None


def first_hitting_set(
    sets: Sequence[frozenset[int]], literals: Sequence[int], size: int
) -> set[int] | None:
    """Return the first hitting set of at most `size` literals in their order, or None."""
    if not sets or not size:
        return None if sets else set()
    smallest = min(sets, key=len)
    for literal in literals:
        if literal in smallest:
            other_sets = [other_set for other_set in sets if literal not in other_set]
            further_literals = first_hitting_set(other_sets, literals, size - 1)
            if further_literals is not None:
                return {literal, *further_literals}
    return None


MAX_COMPARED_SUPPOSITIONS = (4, 1)
"""Maximum number of suppositions whose chains are compared: at the top level, and inside another
supposition, where each chain may need further chains."""


Goals = Collection[int] | None
"""The literals to derive; None if the chain ends in a contradiction."""


class ChainBuilder:
    """Build a chain from rows and given literals to all goals, or to a contradiction."""

    def __init__(
        self,
        rules: Rules,
        rows: RowIndices,
        goals: Goals,
        given: Sequence[int] = (),
        depth: int = 0,
    ) -> None:
        """Start from the given literals, inside of `depth` suppositions.

        If `goals` is None, the chain ends in a contradiction.
        """
        self.rules = rules
        self.propagator = rules.propagator
        self.rows = rows
        self.given = tuple(given)
        self.literals = list(given)
        self.goals = goals
        self.steps: list[Step] = []
        self.known_state = self.propagator.propagate(self.literals)
        self.depth = depth
        self.negated_goals = [-goal for goal in goals or ()]
        # Inside a supposition, other literals than negated backbone literals may be refuted, too.
        self.literals_to_try = rules.suppositions.order if depth else rules.literals_to_try

    @property
    def is_done(self) -> bool:
        """Whether the last step was a contradiction or, with goals, all of them are derived."""
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

    def learn(self, conclusions: Sequence[int]) -> None:
        """Add conclusions to the known literals and propagate them."""
        self.literals += conclusions
        self.known_state = self.propagator.propagate(self.literals)

    def shorten(self) -> list[Step]:
        """Return the chain without superfluous steps, conclusions and premises."""
        return shorten_chain(self.rules, self.steps, self.given, self.goals)

    def find_step(self) -> Step | None:
        """Return the next step: by the rules of the game, by the easiest rule, or by a supposition.

        Returns None if nothing follows.
        """
        if not self.known_state.is_possible:
            return self.step((), Way.RULES, ())
        due_goals = self.goals_by_rules()
        if due_goals:
            return self.step((), Way.RULES, due_goals)
        easiest = self.conclude_easiest()
        return self.refute_supposition() if easiest is None else self.step(*easiest)

    def conclude_easiest(self) -> tuple[RowIndices, Way, tuple[int, ...]] | None:
        """Return rows, rule and conclusions of the easiest rule with new conclusions, or None."""
        candidates = [*self.negated_goals, *self.literals_to_try]
        for way, size in self.rules.ways(len(self.rows)):
            for rows in combinations(self.rows, size):
                conclusions = self.rules.conclude(
                    rows, way, self.literals, self.known_state, candidates
                )
                if conclusions is not None:
                    return rows, way, conclusions
        return None

    def find_grade(self) -> int | None:
        """Return the grade of the chain to its goals, or None if it needs suppositions.

        This computes only conclusions, and creates no steps.
        """
        grade = 1
        while not all(holds(self.known_state, goal) for goal in self.goals or ()):
            easiest = self.conclude_easiest()
            if easiest is None:
                return None
            rows, way, conclusions = easiest
            grade = max(grade, grade_without_supposition(len(rows), way))
            self.learn(conclusions)
        return grade

    def goals_by_rules(self) -> tuple[int, ...]:
        """Return goals for the next step by the rules of the game alone; empty if none follows.

        Each color of a peg is a separate step, because it has its own premises. All other goals
        that follow are one step.
        """
        open_goals = set(self.goals or ()) - set(self.literals)
        literals = self.propagator.literals(self.known_state)
        due = tuple(literal for literal in literals if literal in open_goals)
        is_at = self.propagator.variables.is_at
        colors = [literal for literal in due if literal > 0 and is_at(literal)]
        return tuple(colors[:1]) or due

    def step(self, rows: RowIndices, way: Way, conclusions: tuple[int, ...]) -> Step:
        """Return a step whose premises are a minimal subset of the earlier literals."""
        follows = self.rules.follows
        premises = minimize(
            self.literals, lambda literals: follows(rows, way, literals, conclusions)
        )
        return Step(rows, premises, conclusions, way, is_optimal=False)

    def refute_supposition(self) -> Step | None:
        """Return the cheapest of several refutations of suppositions, or None."""
        max_suppositions = MAX_COMPARED_SUPPOSITIONS[
            min(self.depth, len(MAX_COMPARED_SUPPOSITIONS) - 1)
        ]
        candidate_groups = [self.negated_goals, self.literals_to_try]
        refuted_suppositions = self.rules.suppositions.find(
            self.rows, self.literals, max_suppositions, candidate_groups
        )
        chains = [self.refute(*supposition) for supposition in refuted_suppositions]
        if not chains:
            return None
        best = min(chains, key=lambda chain: total_cost(prune(chain.steps, goals=None)))
        return Step.refutation(best.given[-1], best.shorten(), self.literals)

    def refute(self, supposed: int, rows: RowIndices) -> ChainBuilder:
        """Return a chain to a contradiction; its last given literal is the supposition."""
        given_literals = [*self.literals, supposed]
        chain = ChainBuilder(
            self.rules, rows, goals=None, given=given_literals, depth=self.depth + 1
        )
        for _ in chain.build():
            pass
        return chain


def shorten_chain(
    rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals
) -> list[Step]:
    """Return a minimal subset of the steps that still reaches the goals, or the contradiction."""
    kept = prune(steps, goals, given, rules)
    while True:
        for step in sorted(kept, key=lambda step: -step.cost):
            other_steps = [kept_step for kept_step in kept if kept_step != step]
            shorter = replay_steps(rules, other_steps, given, goals)
            kept = kept if shorter is None else shorter
        previous, kept = kept, prune(kept, goals, given, rules)
        if len(kept) == len(previous):
            return kept


def replay_steps(
    rules: Rules, steps: Sequence[Step], given: Sequence[int], goals: Goals
) -> list[Step] | None:
    """Return the steps with the conclusions that still follow; None if the end does not follow."""
    literals = list(given)
    kept: list[Step] = []
    for step in steps:
        replayed_step = conclude_again(rules, step, literals)
        if replayed_step is not None:
            kept.append(replayed_step)
            literals += replayed_step.found
            if not replayed_step.found:
                return kept
    return kept if goals is not None and set(goals) <= set(literals) else None


def conclude_again(rules: Rules, step: Step, literals: Sequence[int]) -> Step | None:
    """Return a step with the conclusions that still follow from `literals`, or None."""
    if step.supposed is not None:
        nested = replay_steps(rules, step.steps, [*literals, step.supposed], goals=None)
        return None if nested is None else replace(step, steps=tuple(nested))
    if rules.follows(step.rows, step.way, literals, ()):
        return replace(step, found=())
    conclusions = tuple(
        literal
        for literal in step.found
        if rules.follows(step.rows, step.way, literals, (literal,))
    )
    return replace(step, found=conclusions) if conclusions else None


def prune(
    steps: Sequence[Step], goals: Goals, given: Sequence[int] = (), rules: Rules | None = None
) -> list[Step]:
    """Return the steps that the end of the chain depends on, with the conclusions that are used.

    If `rules` are given, each step also gets the fewest premises among the literals before it.
    Literals that the goals or later steps use are preferred.
    """
    used = set(goals or ())
    earlier = [*given, *(literal for step in steps for literal in step.found)]
    kept: list[Step] = []
    for step in reversed(steps):
        del earlier[len(earlier) - len(step.found) :]  # only the literals before this step remain
        conclusions = tuple(literal for literal in step.found if literal in used)
        if conclusions or not step.found:
            needed = replace(step, found=conclusions)
            if rules is not None:
                needed = with_premises(rules, needed, earlier, used)
            kept.append(needed)
            used.update(needed.literals)
    kept.reverse()
    return kept


def with_premises(
    rules: Rules, step: Step, earlier: Sequence[int], preferred: Collection[int]
) -> Step:
    """Return a step with the fewest premises among the earlier literals."""
    if step.supposed is not None:
        nested = prune(step.steps, goals=None, given=[*earlier, step.supposed], rules=rules)
        return Step.refutation(step.supposed, nested, earlier)

    def is_enough(literals: Sequence[int]) -> bool:
        """Return whether the conclusions of the step still follow from these literals."""
        return rules.follows(step.rows, step.way, literals, step.found)

    ordered = sorted(earlier, key=lambda literal: literal not in preferred)
    premises = smallest_premises(ordered, is_enough)
    literals = tuple(literal for literal in earlier if literal in premises.literals)
    return replace(step, literals=literals, is_optimal=premises.is_smallest)


def explain_trials(rules: Rules, step: Step) -> tuple[Trial, ...]:
    """Return why the negations of a step's new literals are refuted; empty if none was tried."""
    if step.way is not Way.FAILED_LITERAL:
        return ()
    trials = (explain_trial(rules, step.rows, step.literals, -literal) for literal in step.found)
    return tuple(trial for trial in trials if trial is not None)


def explain_trial(
    rules: Rules, rows: RowIndices, literals: Sequence[int], supposed: int
) -> Trial | None:
    """Return how counting with rows refutes a literal; None if no trial is needed.

    The implied literals are a minimal set that the rules of the game, or one sum of the rows,
    contradict without further conclusions from the rows.
    """
    propagator = rules.propagator
    if holds(rules.state(rows, Way.FAILED_LITERAL, literals), -supposed):
        return None
    start = propagator.state([*literals, supposed])
    end = propagator.close(start, rows)
    hidden = ~propagator.statable  # the values of conjunctions, which no sentence can state

    def is_contradicted(implied: Sequence[int], *, by_rules: bool = True) -> bool:
        """Return whether a rule or one sum of the rows contradicts these literals directly.

        If `by_rules`, the rules of the game may first derive further literals.
        """
        true, false, _ = propagator.state([*literals, supposed, *implied])
        state = State(true | end.true & hidden, false | end.false & hidden)
        state = propagator.close(state) if by_rules else state
        return propagator.contradicts_directly(state, rows)

    new_literals = [
        *propagator.literals(State(end.true & ~start.true, 0)),
        *propagator.literals(State(0, end.false & ~start.false)),
    ]
    new_literals.sort(key=rules.conclusion_order)
    implied = minimize(new_literals, is_contradicted)
    if not implied and is_contradicted(new_literals, by_rules=False):
        # The rules of the game suffice, so their conclusions are named, too.
        implied = minimize(new_literals, partial(is_contradicted, by_rules=False))
    stated = [*literals, supposed, *implied]
    # The rules of the game alone, or a single row, may suffice.
    for used_rows in ((), *((row,) for row in rows)):
        if not propagator.propagate(stated, used_rows).is_possible:
            return Trial(supposed, implied, used_rows)
    return Trial(supposed, implied, rows)
