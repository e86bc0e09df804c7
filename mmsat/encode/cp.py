"""From a system to a CP-SAT model: 0/1 variables for pegs, whole numbers for color counts.

Not made from encode/linear.py: on dense boards (30x30, 58 rows) CP-SAT was measured to take three
times as long on that form, which writes the counts as chains of 0/1 variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmsat.constraints.system import System
from mmsat.encode.ortools import cp_model

if TYPE_CHECKING:
    from mmsat.constraints.lenient import Lenient, Rules
    from mmsat.game.facts import Claim, Fact


class CpBoard:
    """A CP-SAT model of a system, or of a board with lies, and its variables.

    With `switched`, row i of a system holds while `selectors[i]` is true.
    """

    def __init__(self, rules: Rules, *, switched: bool = False) -> None:
        """Build the model."""
        system = rules if isinstance(rules, System) else rules.strict
        facts = system.facts
        self.facts = facts
        self.model = cp_model().CpModel()
        new = self.model.new_bool_var
        self.places = [
            [new(facts.name(facts.at(peg, color))) for color in range(facts.colors)]
            for peg in range(facts.pegs)
        ]
        for peg in self.places:
            self.model.add_exactly_one(peg)
        self.counts: dict[int, Any] = {}
        self.conjunctions: dict[tuple[int, ...], Any] = {}
        for color, depth in sorted(rules.depths().items()):
            self._count(color, depth)
        for claim in system.ground:
            self._say(claim, [])
        self.selectors = []
        for number, claims in enumerate(system.rows, 1):
            guard = [self.model.new_bool_var(f"row{number}")] if switched else []
            self.selectors += guard
            for claim in claims:
                self._say(claim, guard)
        if not isinstance(rules, System):
            self._lie(rules)

    def _lie(self, lenient: Lenient) -> None:
        """Let wishes be missed, all in all by no more than the lies; each missed is a number."""
        spent = []
        for wish in lenient.open:
            if lenient.is_graded:
                missed = self.model.new_int_var(0, lenient.most(wish), "")
                for claim in wish.claims:
                    told = sum(self.literal(fact) for fact in claim.facts)
                    self.model.add(told + missed >= claim.low)
                    self.model.add(told - missed <= claim.high)
            else:
                missed = self.model.new_bool_var("")
                for claim in wish.claims:
                    self._say(claim, [~missed])
            spent.append(wish.weight * missed)
        self.model.add(sum(spent) <= lenient.lies)

    def _count(self, color: int, depth: int) -> None:
        """The pegs of a color as a number, and "at least t of them" for t up to the depth."""
        facts, model = self.facts, self.model
        pegs = [peg[color] for peg in self.places]
        if depth == 1:
            self.counts[facts.least(color, 1)] = least = model.new_bool_var("")
            model.add_max_equality(least, pegs)
            return
        total = model.new_int_var(0, facts.pegs, f"color{color + 1}")
        model.add(total == sum(pegs))
        for count in range(1, depth + 1):
            least = model.new_bool_var(facts.name(facts.least(color, count)))
            self.counts[facts.least(color, count)] = least
            model.add(total >= count).only_enforce_if(least)
            model.add(total <= count - 1).only_enforce_if(~least)

    def literal(self, fact: Fact) -> Any:
        """The literal of a fact, of its denial, or of a conjunction."""
        if isinstance(fact, tuple):
            return self._conjunction(fact)
        if self.facts.is_at(fact):
            peg, color = self.facts.peg_color(fact)
            literal = self.places[peg][color]
        else:
            literal = self.counts[abs(fact)]
        return literal if fact > 0 else ~literal

    def _conjunction(self, members: tuple[int, ...]) -> Any:
        """A literal that holds exactly when all members do; one member is its own."""
        if members not in self.conjunctions:
            literals = [self.literal(member) for member in members]
            if len(literals) == 1:
                return literals[0]
            self.conjunctions[members] = together = self.model.new_bool_var("")
            self.model.add_bool_and(literals).only_enforce_if(together)
            self.model.add_bool_or([together, *(~literal for literal in literals)])
        return self.conjunctions[members]

    def _say(self, claim: Claim, guard: list[Any]) -> None:
        literals = [self.literal(fact) for fact in claim.facts]
        said = self.model.add_linear_constraint(sum(literals), claim.low, claim.high)
        if guard:
            said.only_enforce_if(guard)
