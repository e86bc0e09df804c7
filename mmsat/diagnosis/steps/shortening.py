"""Chains of steps made short: without steps, conclusions and premises that nothing needs.

Each step is left out in turn, the costliest first: where all later ones that matter still follow
from what else is told before them, it was not needed. Then every step gets the fewest premises.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mmsat.diagnosis.steps.premises import smallest_premises
from mmsat.diagnosis.steps.rules import Rules
from mmsat.diagnosis.steps.step import Step

Goals = Collection[int] | None


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
