"""Check algebraic certificates and short sums: integer combinations of rows of two colors.

An algebraic certificate has rows of a two-color board whose combination contradicts every code. Let
N be the number of pegs, and K the *weight* of the code: the number of pegs at which it has the
second color. A guess has that color at the pegs S, and the code at t of these. Then black =
t + (N - |S| - (K - t)), and black and white together are N - |K - |S||. So t is determined by K and
a score in which black or white was read.

Count 1 for each peg in S and -1 for every other peg. Then the pegs at which the code has the second
color add up to t - (K - t) = 2t - K, the *signed sum* of the row. A combination of rows with
integer multipliers gives a coefficient v_p for each peg p, and a total: the sum of the v_p over the
pegs at which the code has the second color is the total. K itself can be included, with 1 for each
peg. There is no code if

- a modulus divides every v_p but not the total; or
- the total is out of reach: below the sum of the negative v_p, or above that of the positive ones.

In the file, `weighing` lists rows that exclude some values of K on their own, whatever t is. Each
other value of K has its line, unless there is a line for any K. Such a line uses rows in which
black was read, because then 2t - K = black - N + |S| for every K.

    weighing 2
    K 4: 1 x K + 1 x row 1 - 2 x row 3 modulus 2
    K any: 1 x row 1 + 1 x row 2 out of reach

The check shares no code with the algebra that finds such multipliers. Its cost is one step for
each peg of each row, and for each K at each row of `weighing`.

A proof by short sums is for boards whose rows do not add up to a contradiction. In addition to the
lines of a certificate, its section `sums` has combinations of another kind:

    K 38: 1 x K - 1 x row 3 divided by 2

The divisor divides every v_p and the total, and the quotients of the v_p are 1, -1 and 0. (If it
did not divide the total, there would be no code, and the line would have a modulus instead.) So
every code of the weight satisfies a sum of few pegs. The section `refutations` shows, in one of two
ways, that the sums of each weight have no common solution:

- `K 38 lrat totalizer`, followed by lemmas in LRAT. They refute the formula of the sums, and of the
  known codes, in this encoding. The variables of the code are those of `mmsat encode`.
- `K 38 parity`, followed by relations and parities. A relation is a set of values that some pegs
  can have. The sums are the relations 1, 2, ... in their order. A line `pegs 3 5 from 1 4` is the
  next relation: the values of pegs 3 and 5 in all values of the pegs of relations 1 and 4 that
  satisfy both. A line `parity 3 5 from 7` states that in relation 7, the number of ones among pegs
  3 and 5 is always even, or always odd. These parities add up to 0 = 1, or one of their relations
  has no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from mmsat._util.text import quantity
from mmsat.constraints import SoftRow, System, exclude_codes
from mmsat.encoding import ENCODINGS
from mmsat.encoding.writers import clause_formula
from mmsat.errors import MmsatError
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation
from mmsat.game.space import CardinalityConstraint
from mmsat.proof import TimeLimitReachedError, Verification, Watch
from mmsat.proof.bundle import (
    Bundle,
    Clauses,
    LemmaChecks,
    RejectedError,
    read_rows,
)


def check_algebra(
    board: Board, bundle: Bundle, verification: Verification, _watch: Watch
) -> Verification:
    """Check that the combinations of the certificate are contradictions."""
    refutation = read_refutation(bundle.sections["certificate"])
    if refutation is None:
        raise RejectedError("the section [certificate] has invalid lines")
    verification = _with_rows(verification, board, bundle, refutation.rows, "certificate")
    flaw = refutation_flaw(board, refutation)
    if flaw is not None:
        raise RejectedError(f"the certificate is invalid: {flaw}")
    return replace(verification, holds=True, reason="the rows add up to a contradiction")


def _with_rows(
    verification: Verification, board: Board, bundle: Bundle, used_rows: tuple[int, ...], name: str
) -> Verification:
    """Return the result with the rows of the head; raises RejectedError if others are used."""
    rows = read_rows(board, bundle.fields["rows"])
    if rows != used_rows:
        raise RejectedError(f"the rows of the {name} differ from those of the head")
    return replace(verification, rows=rows)


COMBINATION_LINE = re.compile(
    r"K (any|[0-9]{1,6}): (.*) (?:modulus ([0-9]{1,4000})|out of reach|divided by ([0-9]{1,4000}))"
)
COMBINATION_TERM = re.compile(r"([+-]) ([0-9]{1,4000}) x (K|row ([0-9]{1,9}))")
WEIGHING_LINE = re.compile(r"weighing((?: [0-9]{1,9})*)")
LINEAR_SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring of which two-color games have algebraic certificates."""


def print_refutation(refutation: Refutation) -> str:
    """Return the text of a refutation, in which rows count from 1."""
    weighing = "".join(f" {row + 1}" for row in refutation.weighing)
    return f"weighing{weighing}\n" + "".join(
        f"K {'any' if combination.weight is None else combination.weight}: {_terms(combination)} "
        f"{'out of reach' if combination.modulus is None else f'modulus {combination.modulus}'}\n"
        for combination in refutation.combinations
    )


def _terms(combination: Combination) -> str:
    """Return the multipliers and their rows as text."""
    terms = [(combination.times_weight, "K")] if combination.times_weight else []
    terms += [(times, f"row {row + 1}") for row, times in combination.rows]
    text = " ".join(f"{'-' if times < 0 else '+'} {abs(times)} x {name}" for times, name in terms)
    return text.removeprefix("+ ")


def read_refutation(text: str) -> Refutation | None:
    """Return the refutation with this text, or None if it is not in the canonical form."""
    first, *lines = text.split("\n")
    weighing = WEIGHING_LINE.fullmatch(first)
    parsed_lines = [_read_combination(line) for line in lines[:-1]]
    combinations = tuple(combination for combination in parsed_lines if combination is not None)
    if weighing is None or len(combinations) < len(parsed_lines):
        return None
    refutation = Refutation(tuple(int(n) - 1 for n in weighing[1].split()), combinations)
    return refutation if print_refutation(refutation) == text else None


def _read_combination(line: str) -> Combination | None:
    """Return the combination of a line of a refutation, or None if the line is malformed."""
    match = COMBINATION_LINE.fullmatch(line)
    if match is None or match[4] is not None:
        return None
    modulus = None if match[3] is None else int(match[3])
    return _combination(match, modulus)


def _combination(match: re.Match[str], modulus: int | None) -> Combination:
    """Return the combination of a matched line, with this modulus."""
    terms = match[2] if match[2].startswith("- ") else f"+ {match[2]}"
    times_weight, rows = 0, []
    for term in COMBINATION_TERM.finditer(terms):
        times = int(term[1] + term[2])
        if term[4] is None:
            times_weight = times
        else:
            rows.append((int(term[4]) - 1, times))
    weight = None if match[1] == "any" else int(match[1])
    return Combination(weight, tuple(rows), times_weight, modulus)


def refutation_flaw(
    board: Board, refutation: Refutation, other_weights: Iterable[int | None] = ()
) -> str | None:
    """Return why a refutation does not prove that a board has no code, or None if it does.

    Codes with a weight in `other_weights` need not be refuted.
    """
    game = board.game
    if game.colors != 2 or game.scoring.name not in LINEAR_SCORINGS:
        return f"{game} is not a game of two colors with the scoring black-white, black or color"
    if game.space.name not in ("repeats", "distinct"):
        return f"the codes of {game} are a list"
    row_count = len(board.rows)
    if not all(0 <= row < row_count for row in refutation.rows):
        return f"it uses rows beyond row {row_count}"
    weights = {combination.weight for combination in refutation.combinations} | {*other_weights}
    for weight in () if None in weights else all_weights(board):
        is_excluded = any(not shared_pegs(board, row, weight) for row in refutation.weighing)
        if not is_excluded and weight not in weights:
            return f"codes with {quantity(weight, 'peg')} of the second color are not refuted"
    for combination in refutation.combinations:
        flaw = _combination_flaw(board, combination)
        if flaw is not None:
            condition = "any K" if combination.weight is None else f"K = {combination.weight}"
            return f"for {condition}, {flaw}"
    return None


def all_weights(board: Board) -> Iterable[int]:
    """Return the possible weights of codes."""
    pegs = board.game.pegs
    if board.game.space.name == "repeats":
        return range(pegs + 1)
    return [weight for weight in (0, 1) if pegs - weight <= 1]  # no color repeats


def shared_pegs(board: Board, row: int, weight: int) -> range:
    """Return the possible t: the number of pegs with the second color in the code and the guess.

    The code has this weight and gets the score of the row. If the score determines t, the range has
    one number. It is empty if no code of this weight gets the score.
    """
    guess, score = board.rows[row]
    pegs, ones = board.game.pegs, sum(guess)
    common = pegs - abs(weight - ones)
    black, white = None, None
    match board.game.scoring.name:
        case "black-white":
            black, white = score
        case "black":
            (black,) = score
        case _:
            (stated_common,) = score
            if stated_common is not None and stated_common != common:
                return range(0)
    if white is not None:
        if black is not None and black + white != common:
            return range(0)
        black = common - white
    lowest, highest = max(0, weight + ones - pegs), min(weight, ones)
    if black is None:
        return range(lowest, highest + 1)
    shared, remainder = divmod(black - pegs + ones + weight, 2)
    is_possible = lowest <= shared <= highest and not remainder
    return range(shared, shared + 1) if is_possible else range(0)


def _combination_flaw(board: Board, combination: Combination) -> str | None:
    """Return why a combination is not a contradiction, or None if it is one."""
    modulus = combination.modulus
    try:
        coefficients, total = _add_up(board, combination)
    except RejectedError as error:
        return str(error)
    if modulus is not None:
        if modulus > 1 and not any(number % modulus for number in coefficients) and total % modulus:
            return None
        return f"the total {total} is not a contradiction modulo {modulus}"
    lowest, highest = sum(n for n in coefficients if n < 0), sum(n for n in coefficients if n > 0)
    if lowest <= total <= highest:
        return f"the total {total} is possible, because the sum is between {lowest} and {highest}"
    return None


def _add_up(board: Board, combination: Combination) -> tuple[list[int], int]:
    """Return the coefficient of each peg, and the total of a combination.

    Raises RejectedError if they are not determined.
    """
    weight = combination.weight
    if weight is None and combination.times_weight:
        raise RejectedError("K is added, but its value is not given")
    coefficients = [combination.times_weight] * board.game.pegs
    total = combination.times_weight * (weight or 0)
    for row, times in combination.rows:
        guess = board.rows[row].guess
        row_sum = signed_sum(board, row, weight)
        if row_sum is None:
            raise RejectedError(f"the sum of row {row + 1} is not determined")
        total += times * row_sum
        coefficients = [
            coefficient + (times if color else -times)
            for coefficient, color in zip(coefficients, guess, strict=True)
        ]
    return coefficients, total


def signed_sum(board: Board, row: int, weight: int | None) -> int | None:
    """Return the signed sum 2t - K of a row for a weight K; None if it is not determined.

    If `weight` is None, return the sum that holds for every weight.
    """
    guess, score = board.rows[row]
    if weight is None:
        has_black = board.game.scoring.name != "color"
        black = score[0] if has_black else None
        return None if black is None else black - board.game.pegs + sum(guess)
    shared = shared_pegs(board, row, weight)
    return 2 * shared[0] - weight if len(shared) == 1 else None


class DerivedSum(NamedTuple):
    """A combination of rows, divided by a number: a sum of few pegs."""

    combination: Combination
    """The combined rows. It has no modulus."""
    divisor: int

    def __str__(self) -> str:
        combination = self.combination
        weight = "any" if combination.weight is None else combination.weight
        return f"K {weight}: {_terms(combination)} divided by {self.divisor}"


class PegSum(NamedTuple):
    """The sum of the values of some pegs, minus the sum of others, is `total`.

    The value of a peg is 1 if the code has the second color there, and otherwise 0.
    """

    plus: tuple[int, ...]
    minus: tuple[int, ...]
    total: int

    def constraint(self, board: Board) -> CardinalityConstraint:
        """Return the sum as a constraint, which counts the pegs of `minus` whose value is 0."""
        at = board.game.variables.at
        literals = (*(at(peg, 1) for peg in self.plus), *(at(peg, 0) for peg in self.minus))
        count = self.total + len(self.minus)
        return CardinalityConstraint(literals, count, count)


def print_sums(refutation: Refutation, sums: Iterable[DerivedSum]) -> str:
    """Return the text of the section sums."""
    return print_refutation(refutation) + "".join(f"{derived}\n" for derived in sums)


def read_sums(text: str) -> tuple[Refutation, list[DerivedSum]] | None:
    """Return the content of the section sums, or None if it is not in the canonical form."""
    lines = text.split("\n")
    sums = []
    while len(lines) > 2 and (match := COMBINATION_LINE.fullmatch(lines[-2])) and match[4]:
        sums.append(DerivedSum(_combination(match, None), int(match[4])))
        del lines[-2]
    refutation = read_refutation("\n".join(lines))
    sums.reverse()
    if refutation is None or print_sums(refutation, sums) != text:
        return None
    return refutation, sums


def short_sum(board: Board, derived: DerivedSum) -> PegSum:
    """Return the sum of few pegs, or raise RejectedError if the combination does not imply one."""
    coefficients, total = _add_up(board, derived.combination)
    if derived.divisor < 1 or any(n % derived.divisor for n in (*coefficients, total)):
        raise RejectedError(f"{derived.divisor} does not divide the sum")
    quotients = [coefficient // derived.divisor for coefficient in coefficients]
    if not all(-1 <= quotient <= 1 for quotient in quotients):
        raise RejectedError("a coefficient of the sum is not 1 or -1")
    plus, minus = (
        tuple(peg for peg, quotient in enumerate(quotients) if quotient == sign) for sign in (1, -1)
    )
    total //= derived.divisor
    if not -len(minus) <= total <= len(plus):
        raise RejectedError("the sum is out of reach")
    return PegSum(plus, minus, total)


def sums_formula(board: Board, sums: Iterable[PegSum], encoding: str) -> Clauses:
    """Return a formula whose models are the solutions of the sums, without known codes."""
    variables = board.game.variables
    rows = tuple(SoftRow((peg_sum.constraint(board),)) for peg_sum in sums)
    system = System(variables, exclude_codes(variables, board.known), rows)
    formula = clause_formula(board, encoding, system=system)
    return Clauses(formula.variables, formula.clauses)


def check_sums(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the rows imply the sums, and that those of each weight are refuted."""
    content = read_sums(bundle.sections["sums"])
    if content is None:
        raise RejectedError("the section [sums] has invalid lines")
    refutation, derived_sums = content
    used_rows = sum_rows(refutation, derived_sums)
    verification = _with_rows(verification, board, bundle, used_rows, "sums")
    sums: dict[int | None, list[PegSum]] = {}
    weights = {derived.combination.weight for derived in derived_sums}
    flaw = refutation_flaw(board, refutation, weights)
    if flaw is not None:
        raise RejectedError(f"the section [sums] is invalid: {flaw}")
    lemmas = LemmaChecks(watch, len(bundle.sections["refutations"]))
    first_line = bundle.sections["sums"].count("\n") - len(derived_sums) + 1
    try:
        for line, derived in enumerate(derived_sums, first_line):
            lemmas.require_time("sums", line)
            try:
                peg_sum = short_sum(board, derived)
            except RejectedError as error:
                raise RejectedError(f"line {line} of [sums]: {error}") from None
            sums.setdefault(derived.combination.weight, []).append(peg_sum)
        _check_refutations(board, sums, bundle.sections["refutations"], lemmas)
    except TimeLimitReachedError as error:
        return lemmas.undecided(verification, error)
    number = quantity(len(derived_sums), "short sum")
    reason = f"the rows imply {number}, which contradict each other"
    return replace(verification, holds=True, reason=reason, lemmas=lemmas.num_lemmas)


def sum_rows(refutation: Refutation, sums: Iterable[DerivedSum]) -> tuple[int, ...]:
    """Return the rows that a refutation and sums use, ascending."""
    rows = (row for derived in sums for row, _ in derived.combination.rows)
    return tuple(sorted({*refutation.rows, *rows}))


REFUTED_WEIGHT = re.compile(r"K (any|[0-9]{1,6}) (?:parity|lrat ([a-z-]{1,40}))")


def _check_refutations(
    board: Board, sums: dict[int | None, list[PegSum]], text: str, lemmas: LemmaChecks
) -> None:
    """Check that the section refutes the sums of each weight, in their order."""
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if line.startswith("K ")]
    if len(starts) != len(sums) or (lines and starts[:1] != [0]):
        raise RejectedError("[refutations] does not refute the sums of each weight once")
    ends = [*starts, len(lines)][1:]
    for (weight, weight_sums), start, end in zip(sums.items(), starts, ends, strict=True):
        place = f"line {start + 1} of [refutations]"
        match = REFUTED_WEIGHT.fullmatch(lines[start].removesuffix("\n"))
        if match is None or match[1] != ("any" if weight is None else str(weight)):
            raise RejectedError(f"{place}: expected a refutation for K {weight}")
        lemmas.require_time("refutations", start + 1)
        if match[2] is None:
            ParityCheck(weight_sums).run(lines[start + 1 : end], lemmas, start + 2)
            continue
        if match[2] not in ENCODINGS.built_in:
            raise RejectedError(f"{place}: unknown encoding {match[2]!r}")
        try:
            formula = sums_formula(board, weight_sums, match[2])
        except MmsatError as error:
            raise RejectedError(f"{place}: the encoding does not support it: {error}") from None
        lemmas.check(formula, "".join(lines[start + 1 : end]), "refutations", start + 2)


MAX_RELATION_PEGS = 9
"""Maximum number of pegs whose values are tried for one line of a refutation by parity: 512 values
at most, so that a short proof cannot need much time."""
PARITY_LINE = re.compile(r"(pegs|parity)((?: [1-9][0-9]{0,6})*) from((?: [1-9][0-9]{0,6})+)\n")
PegValues = tuple[int, ...]
"""The values, 0 or 1, of some pegs."""


class ParityCheck:
    """The relations of a refutation by parity."""

    def __init__(self, sums: Sequence[PegSum]) -> None:
        self.sums = sums
        self.relations: dict[int, tuple[tuple[int, ...], set[PegValues]]] = {}
        """The pegs of each relation, from 1, and their possible values."""

    def run(self, lines: Sequence[str], lemmas: LemmaChecks, first_line: int) -> None:
        """Raise RejectedError unless the lines refute the sums; they begin at `first_line`."""
        # The parities are added up: the sum of the values of `odd_pegs` is `total` modulo 2.
        odd_pegs: set[int] = set()
        total, last_kind, number = 0, "pegs", len(self.sums)
        for line_number, line in enumerate(lines, first_line):
            lemmas.require_time("refutations", line_number)
            place = f"line {line_number} of [refutations]"
            match = PARITY_LINE.fullmatch(line)
            if match is None or (last_kind == "parity" and match[1] == "pegs"):
                raise RejectedError(f"{place}: invalid line")
            pegs = tuple(int(word) for word in match[2].split())
            sources = [int(word) for word in match[3].split()]  # the numbers of earlier relations
            last_kind = match[1]
            is_ascending = list(pegs) == sorted({*pegs}) and sources == sorted({*sources})
            if not is_ascending or sources[-1] > number:
                raise RejectedError(f"{place}: the pegs or the relations are not ascending")
            try:
                values = self.project(pegs, sources)
            except RejectedError as error:
                raise RejectedError(f"{place}: {error}") from None
            lemmas.num_lemmas += 1
            if last_kind == "pegs":
                number += 1
                self.relations[number] = pegs, values
                continue
            if not values:
                return  # the relation is a contradiction
            parities = {sum(entry) % 2 for entry in values}
            if len(parities) > 1 or len(sources) > 1:
                raise RejectedError(f"{place}: the pegs have no parity")
            odd_pegs ^= {*pegs}
            total ^= parities.pop()
        if odd_pegs or not total:
            raise RejectedError("the parities in [refutations] do not add up to a contradiction")

    def relation(self, number: int) -> tuple[tuple[int, ...], set[PegValues]]:
        """Return the pegs of a relation and their possible values."""
        if number not in self.relations:
            plus, minus, total = self.sums[number - 1]
            if len(plus) + len(minus) > MAX_RELATION_PEGS:
                raise RejectedError(f"sum {number} has more than {MAX_RELATION_PEGS} pegs")
            values = product((0, 1), repeat=len(plus) + len(minus))
            self.relations[number] = (
                tuple(peg + 1 for peg in (*plus, *minus)),
                {v for v in values if sum(v[: len(plus)]) - sum(v[len(plus) :]) == total},
            )
        return self.relations[number]

    def project(self, pegs: tuple[int, ...], sources: Iterable[int]) -> set[PegValues]:
        """Return the values that `pegs` can have if all relations of `sources` hold."""
        joined = [self.relation(number) for number in sources]
        all_pegs = sorted({peg for relation_pegs, _ in joined for peg in relation_pegs})
        if len(all_pegs) > MAX_RELATION_PEGS or not {*pegs} <= {*all_pegs}:
            raise RejectedError(f"the relations have other pegs, or more than {MAX_RELATION_PEGS}")
        index_of = {peg: index for index, peg in enumerate(all_pegs)}
        kept = [index_of[peg] for peg in pegs]
        conditions = [
            ([index_of[peg] for peg in relation_pegs], allowed) for relation_pegs, allowed in joined
        ]
        return {
            tuple([values[index] for index in kept])
            for values in product((0, 1), repeat=len(all_pegs))
            if all(
                tuple([values[index] for index in indices]) in allowed
                for indices, allowed in conditions
            )
        }
