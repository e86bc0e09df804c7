"""Refute boards of two colors in the format of VeriPB, from their algebraic certificates."""

from __future__ import annotations

from mmsat.constraints import System
from mmsat.encoding.integer_models import LinearSystem
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof.algebraic_certificate import shared_pegs
from mmsat.proof.pseudo_boolean import clause, propagate
from mmsat.proof.veripb_writer import Definition, Derivation, ProofWriter


class AlgebraicWriter:
    """Refutes a board of two colors by the combinations of its algebraic certificate."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.pegs = board.game.pegs
        self.writer = ProofWriter(LinearSystem.of(System.of(board)))
        self.second = tuple(2 * peg + 2 for peg in range(self.pegs))
        """The variables "peg p has the second color"."""
        self.at_least: list[Definition] = []
        """For t from 1, "at least t pegs have the second color"."""

    def refute(self, refutation: Refutation) -> str | None:
        """Return the proof, or None if some step of the certificate is not supported."""
        by_weight = {combination.weight: combination for combination in refutation.combinations}
        if None in by_weight:
            contradiction = self._contradict(by_weight[None])
            return None if contradiction is None else self._text(contradiction)
        if self.board.game.space.name != "repeats":
            return None
        bounds = range(1, self.pegs + 1)
        self.at_least = [self.writer.define(self.second, bound) for bound in bounds]
        excluded = []
        for weight in range(self.pegs + 1):
            step = (
                self._contradict(by_weight[weight])
                if weight in by_weight
                else self._exclude(refutation.weighing, weight)
            )
            if step is None:
                return None
            excluded.append(step)
        return self._text(self.writer.propagated(clause(()), excluded))

    def _text(self, contradiction: Derivation) -> str:
        return self.writer.text(f"UNSAT : {contradiction.text}")

    def _weight(self, weight: int, *, is_lower: bool) -> Derivation:
        """Return that the weight of the code is at least, or at most, a number, if it is equal."""
        if is_lower and weight:
            derivation = self.at_least[weight - 1].if_true
        elif not is_lower and weight < self.pegs:
            derivation = self.at_least[weight].if_false
        else:
            derivation = Derivation.axiom(self.second[0] if is_lower else -self.second[0])
            for variable in self.second[1:]:
                derivation = derivation.plus(Derivation.axiom(variable if is_lower else -variable))
        return derivation or Derivation.axiom(self.second[0])

    def _black(self, row: int) -> list[Derivation] | None:
        """Return the two constraints of the black pegs of a row, or None if there is none."""
        guess = self.board.rows[row].guess
        terms = {(1, 2 * peg + 1 + color) for peg, color in enumerate(guess)}
        for linear in self.writer.system.rows[row]:
            sides = self.writer.inputs[linear.name]
            if {*linear.terms} == terms and len(sides) == 2:
                return sides
        return None

    def _combined(self, combination: Combination, *, is_lower: bool) -> Derivation | None:
        """Return one side of a sum of equations, over the second color only."""
        parts = []
        for row, times in combination.rows:
            sides = self._black(row)
            if sides is None:
                return None
            parts.append(sides[(times > 0) != is_lower].times(abs(times)))
        if times := combination.times_weight:
            side = self._weight(combination.weight or 0, is_lower=(times > 0) == is_lower)
            parts.append(side.times(abs(times)))
        if not parts:
            return None
        derivation = parts[0]
        for part in parts[1:]:
            derivation = derivation.plus(part)
        return self._without_first_color(derivation)

    def _without_first_color(self, derivation: Derivation) -> Derivation:
        """Replace the first color at each peg by the negation of the second."""
        for peg in range(self.pegs):
            for literal, side in ((2 * peg + 1, 1), (-2 * peg - 1, 0)):
                if times := derivation.constraint.terms.get(literal):
                    equation = self.writer.inputs[f"peg{peg + 1}"][side]
                    derivation = derivation.plus(equation.times(times))
        return derivation

    def _contradict(self, combination: Combination) -> Derivation | None:
        """Derive that the code does not have the weight of a combination; None if this fails."""
        lower = self._combined(combination, is_lower=True)
        upper = self._combined(combination, is_lower=False)
        if lower is None or upper is None:
            return None
        if combination.modulus is not None:
            modulus = combination.modulus
            candidates = [lower.divided(modulus).plus(upper.divided(modulus))]
        else:
            candidates = [lower, upper]
        for candidate in candidates:
            bounded = candidate.without(self.second).saturated()
            if bounded.constraint.degree > 0:
                return self.writer.derive(bounded)
        return None

    def _exclude(self, rows: tuple[int, ...], weight: int) -> Derivation | None:
        """Derive that the code does not have a weight that the score of one row rules out."""
        for row in rows:
            if shared_pegs(self.board, row, weight):
                continue
            for times_weight, modulus in ((1, 2), (1, None), (-1, None)):
                combination = Combination(weight, ((row, 1),), times_weight, modulus)
                step = self._contradict(combination)
                if step is not None:
                    return step
            return self._exclude_by_common_pegs(row, weight)
        return None

    def _exclude_by_common_pegs(self, row: int, weight: int) -> Derivation | None:
        """Derive that the pegs in common contradict a weight: the counts of both colors follow."""
        names = self.writer.system.names
        for linear in self.writer.system.rows[row]:
            counts = {variable: names[variable] for _, variable in linear.terms}
            if not all("least" in name for name in counts.values()):
                continue
            lemmas = [self._count_lemma(variable, weight) for variable in counts]
            literals = [-definition.literal for definition in self.at_least[:weight][-1:]]
            literals += [definition.literal for definition in self.at_least[weight : weight + 1]]
            wanted = clause(literals)
            premises = [*lemmas, *self.writer.inputs[linear.name]]
            negated = wanted.negated()
            if propagate([negated, *(premise.constraint for premise in premises)], set()):
                return self.writer.propagated(wanted, premises)
        return None

    def _count_lemma(self, variable: int, weight: int) -> Derivation:
        """Derive the value of "at least t pegs have the color" for a weight of the code."""
        name, _, bound = self.writer.system.names[variable].partition("least")
        color, t = int(name.removeprefix("color")) - 1, int(bound)
        low, high, orders, _ = self.writer.color_constraints(color)
        first = variable - t + 1
        number = weight if color else self.pegs - weight
        is_true = t <= number
        if is_true:
            lemma = self.writer.at_most(high, orders, first, t)
        else:
            lemma = self.writer.at_least(low, orders, first, t)
        # At least `number` pegs of the second color are at most the others of the first one.
        is_lower = is_true == (color == 1)
        lemma = self._without_first_color(lemma).plus(self._weight(weight, is_lower=is_lower))
        return self.writer.derive(lemma.saturated())


def refute_by_algebra(board: Board, refutation: Refutation) -> str | None:
    """Return a proof by cutting planes from a valid certificate, or None if this fails."""
    return AlgebraicWriter(board).refute(refutation)
