"""From a system to CNF, by any encoding.

The variables of the code come first: 1 + peg * colors + color. Then come the helpers, all of them
defined by the code, and last the rows' selectors, where rows are to be switched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encode.encodings import ENCODINGS
from mmsat.encode.formula import Formula
from mmsat.encode.one_hot import at_most_one, exactly_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.constraints.system import System
    from mmsat.game.facts import Claim

DEFAULT = "totalizer"


def cnf(system: System, encoding: str = DEFAULT, *, switched: bool = False) -> Formula:
    """The formula whose models are the consistent codes, one each.

    With `switched`, each row holds only while its literal of `formula.selectors` is true.
    """
    return Builder(system, encoding, switched=switched).formula


class Builder:
    """Makes a formula step by step: pegs, color counters, ground claims, rows."""

    def __init__(self, system: System, encoding: str = DEFAULT, *, switched: bool = False) -> None:
        """Make the whole formula."""
        facts = system.facts
        self.facts = facts
        self.encoding = ENCODINGS[encoding]
        self.formula = Formula(facts.pegs * facts.colors, facts.pegs * facts.colors)
        for fact in range(1, self.formula.variables + 1):
            self.formula.names[fact] = facts.name(fact)
        for peg in range(facts.pegs):
            exactly_one([facts.at(peg, color) for color in range(facts.colors)], self.formula)
        self.literals: dict[int, int] = {}
        for color, depth in sorted(system.depths().items()):
            self.count_color(color, depth)
        for claim in system.ground:
            self.say(claim, None)
        if switched:
            self.formula.selectors = tuple(self.formula.new() for _ in system.rows)
            for number, selector in enumerate(self.formula.selectors, 1):
                self.formula.names[selector] = f"row{number}"
        for number, claims in enumerate(system.rows):
            for claim in claims:
                self.say(claim, self.formula.selectors[number] if switched else None)

    def count_color(self, color: int, depth: int) -> None:
        """One counter a color, shared by all rows."""
        facts = self.facts
        pegs = [facts.at(peg, color) for peg in range(facts.pegs)]
        for count, output in enumerate(self.encoding.count(pegs, depth, self.formula), 1):
            self.literals[facts.least(color, count)] = output
            self.formula.names.setdefault(output, facts.name(facts.least(color, count)))

    def literal(self, fact: int) -> int:
        """The literal of a fact or of its denial."""
        if self.facts.is_at(fact):
            return fact
        literal = self.literals[abs(fact)]
        return literal if fact > 0 else -literal

    def count(self, facts: Sequence[int]) -> list[int]:
        """Count facts in full: output t - 1 holds when at least t of them are true."""
        literals = [self.literal(fact) for fact in facts]
        return self.encoding.count(literals, len(literals), self.formula)

    def say(self, claim: Claim, selector: int | None) -> None:
        """One claim, counted on whichever side is shorter."""
        literals = [self.literal(fact) for fact in claim.facts]
        low, high = claim.low, claim.high
        guard = [] if selector is None else [-selector]
        if low <= 0 and high >= len(literals):
            return
        if low > len(literals) or high < 0 or low > high:
            self.formula.add(*guard)
        elif high == 0:
            for literal in literals:
                self.formula.add(*guard, -literal)
        elif low >= len(literals):
            for literal in literals:
                self.formula.add(*guard, literal)
        elif (low, high) == (0, 1):
            at_most_one(literals, self.formula, guard)
        elif (low, high) == (1, 1) and selector is None:
            exactly_one(literals, self.formula)
        else:
            if low + high > len(literals):
                literals = [-literal for literal in literals]
                low, high = len(literals) - high, len(literals) - low
            self.encoding.between(literals, max(low, 0), high, selector, self.formula)
