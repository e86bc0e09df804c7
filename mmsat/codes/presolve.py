"""What a board's claims come down to: the colors each peg may have, and shorter claims.

A fact that is decided goes from every claim; a claim that nothing can break goes altogether; a
claim that only one choice meets decides its facts. That again and again, until nothing changes.
The codes stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.constraints.system import System
    from mmsat.game.facts import Facts


class Plain(NamedTuple):
    """A claim without conjunctions: between `low` and `high` of these facts are true."""

    facts: tuple[int, ...]
    low: int
    high: int


class ContradictionError(Exception):
    """No code satisfies the claims."""


@dataclass(frozen=True, slots=True)
class Presolved:
    """Claims about what is still open."""

    facts: Facts
    colors: tuple[frozenset[int], ...]
    """The colors that each peg may have."""
    claims: tuple[Plain, ...]


def plain_claims(system: System) -> list[Plain] | None:
    """The claims of a system; None if some speak of facts that are true together."""
    found = []
    for claim in system.claims:
        facts = tuple(fact for fact in claim.facts if isinstance(fact, int))
        if len(facts) < len(claim.facts):
            return None
        found.append(Plain(facts, claim.low, claim.high))
    return found


def presolve(facts: Facts, claims: list[Plain]) -> Presolved | None:
    """The claims, made shorter; None if no code satisfies them."""
    work = _Work(facts)
    try:
        while True:
            work.changed = False
            claims = list(work.shortened(claims))
            work.settle()
            if not work.changed:
                break
    except ContradictionError:
        return None
    colors = tuple(frozenset(colors) for colors in work.colors)
    return Presolved(facts, colors, (*claims, *work.limits()))


class _Work:
    """What is known so far."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.colors = [set(range(facts.colors)) for _ in range(facts.pegs)]
        self.fixed = [0] * facts.colors  # pegs that have the color
        self.possible = [facts.pegs] * facts.colors  # pegs that have it or may have it
        self.least = [0] * facts.colors  # what claims say of the counts
        self.most = [facts.pegs] * facts.colors
        self.told_least = [0] * facts.colors  # what single facts about counts said, ...
        self.told_most = [facts.pegs] * facts.colors  # ... which no claim repeats
        self.changed = False
        if facts.colors == 1:
            self.fixed[0] = facts.pegs

    def shortened(self, claims: Iterable[Plain]) -> Iterable[Plain]:
        """The claims without decided facts; those that decide facts do so and are gone."""
        for claim in claims:
            true = 0
            left: list[int] = []
            for fact in claim.facts:
                value = self.value(fact)
                if value is None:
                    left.append(fact)
                else:
                    true += value
            low, high = claim.low - true, claim.high - true
            if low > len(left) or high < 0 or low > high:
                raise ContradictionError
            if low <= 0 and high >= len(left):
                continue
            if high == 0 or low == len(left):
                for fact in left:
                    self.decide(fact, is_true=high > 0)
                continue
            short = Plain(tuple(left), max(low, 0), min(high, len(left)))
            self.learn(short)
            yield short

    def value(self, fact: int) -> bool | None:
        """Whether a fact is true, if that is known."""
        if self.facts.is_at(fact):
            peg, color = self.facts.peg_color(fact)
            colors = self.colors[peg]
            known = None if color in colors and len(colors) > 1 else color in colors
        else:
            color, count = self.facts.color_count(fact)
            if count <= max(self.fixed[color], self.least[color]):
                known = True
            else:
                known = False if count > min(self.possible[color], self.most[color]) else None
        return known if known is None else known == (fact > 0)

    def decide(self, fact: int, *, is_true: bool) -> None:
        """Note what a claim decides."""
        holds = is_true == (fact > 0)
        if self.facts.is_at(fact):
            peg, color = self.facts.peg_color(fact)
            self.keep(peg, {color} if holds else self.colors[peg] - {color})
            return
        color, count = self.facts.color_count(fact)
        self.changed = True
        if holds:
            self.told_least[color] = max(self.told_least[color], count)
            self.least[color] = max(self.least[color], count)
        else:
            self.told_most[color] = min(self.told_most[color], count - 1)
            self.most[color] = min(self.most[color], count - 1)

    def keep(self, peg: int, colors: set[int]) -> None:
        """Leave a peg only some of its colors."""
        before = self.colors[peg]
        after = before & colors
        if after == before:
            return
        if not after:
            raise ContradictionError
        self.changed = True
        for color in before - after:
            self.possible[color] -= 1
        if len(after) == 1:
            self.fixed[next(iter(after))] += 1
        self.colors[peg] = after

    def learn(self, claim: Plain) -> None:
        """What a claim about places of one color says of the color's count."""
        if not all(fact > 0 and self.facts.is_at(fact) for fact in claim.facts):
            return
        colors = {self.facts.peg_color(fact)[1] for fact in claim.facts}
        if len(colors) == 1:
            (color,) = colors
            least = self.fixed[color] + claim.low
            most = self.possible[color] - len(claim.facts) + claim.high
            if least > self.least[color] or most < self.most[color]:
                self.changed = True
                self.least[color] = max(self.least[color], least)
                self.most[color] = min(self.most[color], most)

    def settle(self) -> None:
        """Where a color's count is as high as it may be, or as low, its pegs are known."""
        for color in range(self.facts.colors):
            least = max(self.least[color], self.fixed[color])
            most = min(self.most[color], self.possible[color])
            if least > most:
                raise ContradictionError
            if self.fixed[color] == self.possible[color]:
                continue
            if self.fixed[color] == most:
                for peg, colors in enumerate(self.colors):
                    if color in colors and len(colors) > 1:
                        self.keep(peg, colors - {color})
            elif self.possible[color] == least:
                for peg, colors in enumerate(self.colors):
                    if color in colors:
                        self.keep(peg, {color})

    def limits(self) -> Iterable[Plain]:
        """What is said of counts and follows from no claim."""
        for color in range(self.facts.colors):
            if self.told_least[color] > self.fixed[color]:
                yield Plain((self.facts.least(color, self.told_least[color]),), 1, 1)
            if self.told_most[color] < self.possible[color]:
                yield Plain((self.facts.least(color, self.told_most[color] + 1),), 0, 0)
