"""Check proofs of a list of all codes of a board, and of their number, without any solver.

A list is checked by scoring each of its codes against every row; the codes are in ascending order.
The formula of the board without these codes is generated again, and must equal that of the file.
The lemmas refute it, so there is no other code.

The number of codes has a certificate: a formula of the board, and nodes that add up its models. The
formula is generated again from the board, and must equal that of the file. A certificate in the
format SCPOG defines nodes over the variables of the formula, and proves lemmas about them:

    201 p 70 1 -2 -3 0          node 70 is the product of three literals or nodes
    205 s 72 70 71 201 203 0    node 72 is the sum of two nodes; hints that they exclude each other
    r 72                        node 72 is the root
    209 a -5 72 0 202 207 0     a lemma, with the clauses that it follows from

A certificate is checked as follows, without any code of the model counter that made it:

1. The factors of a product have no variable in common, and the terms of a sum exclude each other by
   unit propagation along the hints, which are clauses of definitions. So sums and products of
   numbers count the models of the root.
2. Each lemma follows by unit propagation along its hints, and the last one is the root. So the
   models of the formula are models of the root.
3. The root implies each clause of the formula, and so its models are models of the formula.

If there is no code, the root is 0, and the last lemma is the empty clause.

**The formula** of a count (`CountingFormula`) has clauses whose models are exactly the codes. All
counters are carried from peg to peg in one order, so that the counters after some pegs are the
state of the decision diagram there.

- Each peg has exactly one color: one clause, and one clause for each pair of colors.
- An indicator of a peg is true if and only if its color is among several given ones.
- A counter has an input for each of some pegs: a code variable, an indicator, or the negation of
  one. Its outputs after each input state that at least 1, 2, ... of the inputs so far are true, up
  to a maximum. Each color whose count matters has a counter, and so has each constraint. The
  counter of a constraint on counts of colors has these as further inputs after the last peg.

Every variable besides the code variables is defined by the ones before it, so that each code
extends to exactly one model.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from mmsat._core import Check, LratChecker
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.encoding import Formula, exactly_one
from mmsat.errors import InputError, MmsatError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.space import CardinalityConstraint
from mmsat.limits import LIMITS
from mmsat.proof import TimeLimitReachedError, Verification, Watch
from mmsat.proof.bundle import (
    Bundle,
    RejectedError,
    check_refutation,
    describe_difference,
    read_code,
)

MAX_FORMULA_CLAUSES = 1_000_000
"""Maximum number of clauses of a formula, which then needs about 100 MB."""


class UnsupportedError(SizeError):
    """Raised for a board whose codes have no counting formula."""


class TailInput(NamedTuple):
    """An input of a counter that states whether a color has a certain count."""

    counter: int
    """The index of the color's counter."""
    threshold: int
    is_reached: bool
    """True for the input "the color has at least `threshold` pegs", False for its negation."""


@dataclass(slots=True)
class Counter:
    """A counter: the number of true inputs after each of its inputs, up to a maximum."""

    maximum: int
    """The highest count that is distinguished from lower ones."""
    places: list[int] = field(default_factory=list)
    """For each input from a peg, the index of the peg in the order, ascending."""
    inputs: list[int] = field(default_factory=list)
    """The literals that are counted: those of pegs, then those of `tail`."""
    outputs: list[list[int]] = field(default_factory=list)
    """After each input: the variables "at least t are true" for t = 1, 2, ... ."""
    tail: list[TailInput] = field(default_factory=list)
    """The inputs about counts of colors."""
    low: int = 0
    """Minimum number of true inputs, by the counter's constraint."""
    high: int | None = None
    """Maximum number of true inputs, by the counter's constraint; None for the counter of a color,
    which has no constraint."""


def require_supported(system: System) -> None:
    """Raise UnsupportedError if the game has a word list or scores pairs, or if pegs are unread."""
    if system.table is not None:
        raise UnsupportedError("counting proofs do not support word lists")
    if system.conjunctions:
        message = "counting proofs do not support unread pegs and the scoring of pairs"
        raise UnsupportedError(message)


class CountingFormula:
    """The formula of a board, with the pegs in a given order."""

    def __init__(self, board: Board, order: Sequence[int]) -> None:
        """Build the formula.

        Raises UnsupportedError if the game has a word list or scores pairs, if a guess has unread
        pegs, or if the formula would be too large.
        """
        system = System.of(board)
        require_supported(system)
        self.board = board
        self.variables = system.variables
        self.order = tuple(order)
        self.formula = Formula(board.game.pegs * board.game.colors)
        self.counters: list[Counter] = []
        """The counters of colors, then those of constraints."""
        self.effects: list[list[dict[int, int]]] = []
        """For each place in the order and each color, the effect on each counter that has an input
        there, by its index: 1 if a peg of this color makes the input true, else 0."""
        self.indicators: list[dict[frozenset[int], int]] = [{} for _ in order]
        """For each peg, the variables "the color of the peg is among these", by the colors."""
        self._build(system)

    @property
    def text(self) -> str:
        """The formula in DIMACS."""
        clauses = (" ".join(map(str, [*clause, 0])) for clause in self.formula.clauses)
        order = " ".join(str(peg + 1) for peg in self.order)
        head = (
            "c t mc",
            f"c mmsat {self.board}",
            f"c order {order}",
            f"p cnf {self.formula.variables} {len(self.formula.clauses)}",
        )
        return "".join(f"{line}\n" for line in (*head, *clauses))

    def _build(self, system: System) -> None:
        """Add all clauses."""
        colors, at = range(self.variables.colors), self.variables.at
        pegs = self.variables.pegs
        self._require_few_clauses(pegs * len(colors) ** 2 // 2)
        for peg in range(pegs):
            exactly_one([at(peg, color) for color in colors], self.formula, (), len(colors))
        self.effects = [[{} for _ in colors] for _ in self.order]
        color_counters = {}
        for color, highest_count in sorted(system.highest_counts().items()):
            color_counters[color] = len(self.counters)
            this_color = frozenset([color])
            self._add_counter(Counter(highest_count), [this_color] * pegs, is_negated=False)
        for constraint in system.constraints:
            self._add_constraint(constraint, color_counters)

    def _require_few_clauses(self, added: int) -> None:
        """Raise UnsupportedError if the formula would get too large."""
        if len(self.formula.clauses) + added > MAX_FORMULA_CLAUSES:
            message = f"the formula of a counting proof has over {MAX_FORMULA_CLAUSES:,} clauses"
            raise UnsupportedError(message)

    def _add_constraint(
        self, constraint: CardinalityConstraint, color_counters: dict[int, int]
    ) -> None:
        """Count the true literals of a constraint, and require its bounds."""
        pegs, colors = self.variables.pegs, self.variables.colors
        # For each peg and color: the number of literals of the constraint that are true if the peg
        # has the color.
        gains = [[0] * colors for _ in range(pegs)]
        tail: list[TailInput] = []
        for literal in constraint.literals:
            if not isinstance(literal, int):
                raise UnsupportedError("counting proofs do not support conjunctions")
            if self.variables.is_at(literal):
                peg, guessed = self.variables.peg_color(literal)
                for color in range(colors):
                    gains[peg][color] += (color == guessed) == (literal > 0)
            else:
                color, count = self.variables.color_count(literal)
                tail.append(TailInput(color_counters[color], count, literal > 0))
        # A peg is one input of the counter, so its colors may differ by one true literal only.
        if any(max(gain) > min(gain) + 1 for gain in gains):
            raise UnsupportedError("counting proofs do not support this constraint")
        always_true = sum(map(min, gains))  # the number of literals that hold for any code
        members = [
            frozenset(color for color in range(colors) if gain[color] > min(gain)) for gain in gains
        ]
        low, high = constraint.low - always_true, constraint.high - always_true
        size = sum(map(bool, members)) + len(tail)
        if low <= 0 and high >= size:  # every code satisfies the constraint
            return
        if low > size or high < 0 or low > high:
            self.formula.add()  # the empty clause
            return
        low, high = max(low, 0), min(high, size)
        is_negated = num_outputs(size - high, size - low, size) < num_outputs(low, high, size)
        if is_negated:  # counting the false literals needs fewer outputs
            low, high = size - high, size - low
            tail = [entry._replace(is_reached=not entry.is_reached) for entry in tail]
        counter = Counter(num_outputs(low, high, size), low=low, high=high)
        self._add_counter(counter, members, is_negated=is_negated)
        counter.tail = tail
        for color_counter, count, is_reached in tail:
            output = self.counters[color_counter].outputs[-1][count - 1]
            self._add_input(counter, output if is_reached else -output)
        if low > 0:
            self.formula.add(counter.outputs[-1][low - 1])
        if high < size:
            self.formula.add(-counter.outputs[-1][high])

    def _add_counter(
        self, counter: Counter, members: Sequence[frozenset[int]], *, is_negated: bool
    ) -> None:
        """Add a counter of the pegs whose color is among `members[peg]` or, if negated, is not."""
        number = len(self.counters)
        self.counters.append(counter)
        for place, peg in enumerate(self.order):
            if not members[peg]:
                continue
            indicator = self._indicator(peg, members[peg])
            counter.places.append(place)
            self._add_input(counter, -indicator if is_negated else indicator)
            for color, effect in enumerate(self.effects[place]):
                effect[number] = int((color in members[peg]) != is_negated)

    def _indicator(self, peg: int, colors: frozenset[int]) -> int:
        """Return the variable "the color of the peg is among these", which is defined if needed."""
        literals = [self.variables.at(peg, color) for color in sorted(colors)]
        if len(literals) == 1:
            return literals[0]
        if colors not in self.indicators[peg]:
            indicator = self.indicators[peg][colors] = self.formula.new()
            for literal in literals:
                self.formula.add(-literal, indicator)
            self.formula.add(-indicator, *literals)
        return self.indicators[peg][colors]

    def _add_input(self, counter: Counter, literal: int) -> None:
        """Add an input to a counter, and define its outputs after this input."""
        before = counter.outputs[-1] if counter.outputs else []
        after = [self.formula.new() for _ in range(min(len(before) + 1, counter.maximum))]
        self._require_few_clauses(5 * len(after))
        add = self.formula.add
        for count, output in enumerate(after, 1):
            # "At least `count`" and "at least `count` - 1" of the earlier inputs are true. A list
            # is empty if there is no such output.
            same = before[count - 1 : count]
            less = before[count - 2 : count - 1] if count > 1 else []
            add(-literal, *(-earlier for earlier in less), output)
            for earlier in same:
                add(-earlier, output)
            add(-output, literal, *same)
            for earlier in less:
                add(-output, earlier)
            if count > 1:  # this clause is redundant, but shortens the proof
                add(-output, after[count - 2])
        counter.inputs.append(literal)
        counter.outputs.append(after)


def num_outputs(low: int, high: int, size: int) -> int:
    """Return how far a counter of `size` inputs must count for the bounds `low` and `high`."""
    return high + 1 if high < size else low


def read_order(text: str, pegs: int) -> tuple[int, ...]:
    """Return the order of the pegs, from 0, that a text lists from 1; raises InputError."""
    order = tuple(int(word) - 1 for word in text.split(" ") if word.isdecimal() and len(word) < 10)
    if print_order(order) != text or sorted(order) != list(range(pegs)):
        raise InputError.of("the order", f"each peg from 1 to {pegs} once", text[:40])
    return order


def print_order(order: Iterable[int]) -> str:
    """Return the order of the pegs as text, with pegs from 1."""
    return " ".join(str(peg + 1) for peg in order)


CODES_PER_REPORT = 1 << 8
"""Number of codes that are scored between two checks of the time limit."""


def check_codes(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the listed codes get every score, and that there is no other code."""
    lines = bundle.sections["codes"].split("\n")[:-1]
    if bundle.fields["count"] != str(len(lines)):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"[codes] has {quantity(len(lines), 'code')}, not {stated!r}")
    if len(lines) > LIMITS.proof_codes:
        raise RejectedError(f"[codes] has more than {LIMITS.proof_codes:,} codes")
    codes: list[Code] = []
    spell = speller(board.game)
    for number, line in enumerate(lines, 1):
        code = read_code(spell, line)
        fault = find_fault(board, code, codes)
        if code is None or fault is not None:
            raise RejectedError(f"line {number} of [codes]: {line[:40]!r} {fault}")
        codes.append(code)
        if number % CODES_PER_REPORT == 0 and watch.is_over:
            reason = f"undecided: time limit reached at line {number} of [codes]"
            return replace(verification, holds=None, reason=reason)
    checked = check_refutation(exclude(board, codes), bundle, verification, watch)
    if not checked.holds:
        return checked
    return replace(checked, reason=describe(len(codes), checked.lemmas), count=len(codes))


def exclude(board: Board, codes: Iterable[Code]) -> Board:
    """Return the board without some of its codes."""
    return replace(board, known=(*board.known, *codes))


def find_fault(board: Board, code: Code | None, codes: list[Code]) -> str | None:
    """Return why a code cannot follow `codes` in a list of the codes of a board, or None."""
    if code is None or not board.game.contains(code):
        return f"is not a code of {board.game}"
    if missed := board.missed(code):
        return f"does not get the score of row {missed[0] + 1}"
    if code in board.known:
        return "is a known code"
    if codes and code <= codes[-1]:
        return "is not in ascending order"
    return None


def describe(num_codes: int, num_lemmas: int) -> str:
    """Return a summary of the check of a list."""
    lemmas = f"{quantity(num_lemmas, 'lemma')} {'shows' if num_lemmas == 1 else 'show'}"
    if not num_codes:
        return f"{lemmas} that there is no code"
    subject = "it" if num_codes == 1 else "each of them"
    return f"{subject} gets every score, and {lemmas} that there is no other"


NUMBER = r"(?:0|-?[1-9][0-9]{0,9})"
NODE_LINE = re.compile(rf"([1-9][0-9]{{0,9}}) ([ps]) ([1-9][0-9]{{0,9}})((?: {NUMBER})*) 0")
ROOT_LINE = re.compile(r"r (0|[1-9][0-9]{0,9})")
WRONG_LEMMA_LINE = re.compile(rb"(?m)^(?![1-9][0-9]* a [-0-9 ]*$).+$")
"""Matches a nonempty line that is not a number, the letter a, and numbers."""
NODES_PER_REPORT = 1 << 10
"""Number of nodes that are read or evaluated between two checks of the time limit."""
CLAUSES_PER_PASS = 1 << 11
"""Number of clauses of the formula that are checked at once. Each node has a bit for each of them,
so this limits the memory."""


class Node(NamedTuple):
    """A node of a certificate: a product or a sum."""

    is_sum: bool
    arguments: tuple[int, ...]
    """The factors or terms: literals of the formula, and earlier nodes."""


@dataclass(slots=True)
class Certificate:
    """The parsed nodes of a certificate, and its lemmas as text."""

    variables: int
    """The number of variables of the formula. A node is numbered like a further variable."""
    num_clauses: int
    """The number of clauses of the formula."""
    nodes: list[Node] = field(default_factory=list)
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    """The clauses that define the nodes; their numbers follow those of the formula."""
    root: int = 0
    """The number of the root; 0 if there is no code."""
    lemmas: bytes = b""
    """The lemmas in the format LRAT."""
    num_node_lines: int = 0
    """The number of lines before the lemmas."""


def check_count(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check the certificate of a count, and complete the result."""
    formula = _regenerate_formula(board, bundle)
    try:
        certificate = read_nodes(
            formula.formula.variables, len(formula.formula.clauses), bundle.sections["scpog"], watch
        )
        count = _count_models(certificate, watch)
        lemma_count = _check_lemmas(formula, certificate, watch)
        _check_clauses(formula.formula.clauses, certificate, watch)
    except TimeLimitReachedError as error:
        return replace(verification, holds=None, reason=f"undecided: {error}")
    if bundle.fields["count"] != str(count):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"the certificate counts {quantity(count, 'code')}, not {stated!r}")
    nodes = quantity(len(certificate.nodes), "node")
    reason = (
        f"the formula matches the board, {nodes} add up to {quantity(count, 'model')}, and "
        f"{quantity(lemma_count, 'lemma')} show that there is no other"
    )
    return replace(verification, holds=True, reason=reason, lemmas=lemma_count, count=count)


def _regenerate_formula(board: Board, bundle: Bundle) -> CountingFormula:
    """Return the formula of the board; raises RejectedError if that of the file differs."""
    try:
        formula = CountingFormula(board, read_order(bundle.fields["order"], board.game.pegs))
    except MmsatError as error:
        raise RejectedError(f"the board has no counting formula like this: {error}") from None
    text = formula.text
    if text != bundle.sections["cnf"]:
        raise RejectedError(describe_difference(text, bundle.sections["cnf"]))
    return formula


def read_nodes(variables: int, num_clauses: int, text: str, watch: Watch) -> Certificate:
    """Return the nodes and the lemmas of a certificate after checking all sums.

    The formula of the board has `variables` and `num_clauses`.
    """
    certificate = Certificate(variables, num_clauses)
    position = 0
    for line_number, line in enumerate(_lines(text), 1):
        position += len(line) + 1
        if line_number % NODES_PER_REPORT == 0:
            # Progress: the nodes count as 30%, the lemmas as 50%, and the last check as 20%.
            watch.report(0.3 * position / len(text))
            watch.require_time()
        try:
            is_root = _add_line(certificate, line)
        except RejectedError as error:
            raise RejectedError(f"line {line_number} of [scpog]: {error}") from None
        if is_root:
            certificate.num_node_lines = line_number
            certificate.lemmas = text[position:].encode()
            return certificate
    raise RejectedError("the section [scpog] ends before the root")


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without their ends."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1


def _add_line(certificate: Certificate, line: str) -> bool:
    """Add the node of a line, or set the root; return whether it is the root."""
    match = ROOT_LINE.fullmatch(line)
    if match is None:
        _add_node(certificate, line)
        return False
    certificate.root = int(match[1])
    highest = certificate.variables + len(certificate.nodes)
    if certificate.root and not certificate.variables < certificate.root <= highest:
        raise RejectedError(f"there is no node {certificate.root}")
    return True


def _add_node(certificate: Certificate, line: str) -> None:
    """Add the node that a line defines; raises RejectedError if it is not valid."""
    match = NODE_LINE.fullmatch(line)
    if match is None:
        raise RejectedError(f"expected a product, a sum or the root, found {line[:40]!r}")
    number = certificate.num_clauses + len(certificate.clauses) + 1
    variable = certificate.variables + len(certificate.nodes) + 1
    if (int(match[1]), int(match[3])) != (number, variable):
        raise RejectedError(
            f"expected clause {number} and node {variable}, found {match[1]} and {match[3]}"
        )
    numbers = tuple(map(int, match[4].split()))
    is_sum = match[2] == "s"
    arguments = numbers[:2] if is_sum else numbers  # the other numbers of a sum are its hints
    if len(arguments) < (2 if is_sum else 1):
        raise RejectedError("a node needs arguments")
    for argument in arguments:
        if not argument or not -certificate.variables <= argument < variable:
            message = f"{argument} is neither a literal of the formula nor an earlier node"
            raise RejectedError(message)
    certificate.nodes.append(Node(is_sum, arguments))
    if len(certificate.nodes) * certificate.variables > LIMITS.proof_support_bits:
        raise RejectedError("there are too many nodes")
    if is_sum:
        one, other = arguments
        _check_exclusion(certificate, one, other, numbers[2:])
        certificate.clauses += [(-variable, one, other), (variable, -one), (variable, -other)]
    else:
        certificate.clauses.append((variable, *(-argument for argument in arguments)))
        certificate.clauses += [(-variable, argument) for argument in arguments]


def _check_exclusion(certificate: Certificate, one: int, other: int, hints: Iterable[int]) -> None:
    """Raise RejectedError unless unit propagation along the hints refutes both terms together."""
    true = {one, other}
    is_refuted = -one in true
    for hint in hints:
        index = hint - certificate.num_clauses - 1
        if not 0 <= index < len(certificate.clauses):
            raise RejectedError(f"the hint {hint} is not a clause of an earlier definition")
        open_literals = [literal for literal in certificate.clauses[index] if -literal not in true]
        if is_refuted or len(open_literals) > 1 or not true.isdisjoint(open_literals):
            raise RejectedError(f"the hint {hint} implies nothing here")
        is_refuted = not open_literals
        true.update(open_literals)
    if not is_refuted:
        raise RejectedError("the hints do not show that the terms of the sum exclude each other")


def _count_models(certificate: Certificate, watch: Watch) -> int:
    """Return the number of models of the root; raises RejectedError if factors share a variable."""
    supports: list[int] = []  # for each node, a bit set of the variables below it
    counts: list[int] = []  # for each node, the number of its models over these variables
    first = certificate.variables + 1

    def support(argument: int) -> int:
        return supports[argument - first] if argument >= first else 1 << abs(argument)

    for index, node in enumerate(certificate.nodes):
        if index % NODES_PER_REPORT == 0:
            watch.require_time()
        union, count = 0, 0 if node.is_sum else 1
        for argument in node.arguments:
            variables = support(argument)
            factor = counts[argument - first] if argument >= first else 1
            if not node.is_sum:
                if union & variables:
                    raise RejectedError(f"the factors of node {first + index} share a variable")
                count *= factor
            union |= variables
        # A variable below the other term only can have any value in a model of this term.
        if node.is_sum:
            for argument in node.arguments:
                factor = counts[argument - first] if argument >= first else 1
                count += factor << (union & ~support(argument)).bit_count()
        supports.append(union)
        counts.append(count)
    if not certificate.root:
        return 0
    num_free = certificate.variables - supports[certificate.root - first].bit_count()
    return counts[certificate.root - first] << num_free  # variables that are not below the root


def _check_lemmas(formula: CountingFormula, certificate: Certificate, watch: Watch) -> int:
    """Check all lemmas, and return their number; raises RejectedError if one is not implied."""
    literals = array("i")
    for clause in (*formula.formula.clauses, *certificate.clauses):
        literals.extend(clause)
        literals.append(0)
    if (wrong := WRONG_LEMMA_LINE.search(certificate.lemmas)) is not None:
        line = certificate.num_node_lines + certificate.lemmas.count(b"\n", 0, wrong.start()) + 1
        raise RejectedError(f"line {line} of [scpog]: expected a lemma, found {wrong[0][:40]!r}")
    lemmas = certificate.lemmas.replace(b" a ", b" ")  # to LRAT
    count = lemmas.count(b"\n")
    variables = certificate.variables + len(certificate.nodes)
    checker = LratChecker(variables, literals, lemmas, certificate.root)
    while (state := checker.advance(LIMITS.lemma_slice)) == Check.UNFINISHED:
        watch.report(0.3 + 0.5 * checker.position / max(1, len(lemmas)))
        watch.require_time()
    if state == Check.FAILS:
        if checker.line > count:
            raise RejectedError("the last lemma of [scpog] is not the root")
        line = certificate.num_node_lines + checker.line
        raise RejectedError(f"line {line} of [scpog]: {checker.fault}")
    return count


def _check_clauses(clauses: list[list[int]], certificate: Certificate, watch: Watch) -> None:
    """Raise RejectedError unless the root implies each clause of the formula."""
    if not certificate.root:
        return
    for start in range(0, len(clauses), CLAUSES_PER_PASS):
        batch = clauses[start : start + CLAUSES_PER_PASS]
        implied: dict[int, int] = {}  # by literal or node, a bit set of the clauses it implies
        for index, clause in enumerate(batch):
            for literal in clause:
                implied[literal] = implied.get(literal, 0) | 1 << index
        for number, node in enumerate(certificate.nodes, certificate.variables + 1):
            if number % NODES_PER_REPORT == 0:
                watch.require_time()
            # A product implies the clauses of each factor, and a sum those of all its terms.
            sets = [implied.get(argument, 0) for argument in node.arguments]
            implied[number] = reduce(and_ if node.is_sum else or_, sets)
        missing = ~implied[certificate.root] & ((1 << len(batch)) - 1)
        if missing:
            clause_number = start + (missing & -missing).bit_length()
            raise RejectedError(f"the root does not imply clause {clause_number} of the formula")
