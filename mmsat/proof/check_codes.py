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

The check of a certificate, which uses no code of the counter:

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
from mmsat.proof.bundle import Bundle, RejectedError, read_code
from mmsat.proof.verify import Verification, Watch, check_refutation, describe_difference

MAX_FORMULA_CLAUSES = 1_000_000
"""Maximum number of clauses of a formula."""


class UnsupportedError(SizeError):
    """Raised for a board whose codes have no counting formula."""


class TailInput(NamedTuple):
    """An input about the count of a color."""

    counter: int
    """The index of the color's counter."""
    level: int
    """The count."""
    is_reached: bool
    """Whether the input is that the count is reached; otherwise, that it is not reached."""


@dataclass(slots=True)
class Counter:
    """The number of true inputs after each input, up to a maximum."""

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
    """Minimum number of true inputs."""
    high: int | None = None
    """Maximum number of true inputs; None for the count of a color."""


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
        """For each place of the order and each color: the counters that count this color there."""
        self.indicators: list[dict[frozenset[int], int]] = [{} for _ in order]
        """The indicators of each peg by their colors."""
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
        for color, depth in sorted(system.highest_counts().items()):
            color_counters[color] = len(self.counters)
            only = frozenset([color])
            self._add_counter(Counter(depth), [only] * pegs, is_negated=False)
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
        gains = [[0] * colors for _ in range(pegs)]  # true literals by peg and its color
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
        if any(max(gain) > min(gain) + 1 for gain in gains):  # a peg is one input of the counter
            raise UnsupportedError("counting proofs do not support this constraint")
        constant = sum(map(min, gains))
        members = [
            frozenset(color for color in range(colors) if gain[color] > min(gain)) for gain in gains
        ]
        low, high = constraint.low - constant, constraint.high - constant
        size = sum(map(bool, members)) + len(tail)
        if low <= 0 and high >= size:
            return
        if low > size or high < 0 or low > high:
            self.formula.add()
            return
        low, high = max(low, 0), min(high, size)
        is_negated = depth(size - high, size - low, size) < depth(low, high, size)
        if is_negated:  # counting the false literals needs fewer outputs
            low, high = size - high, size - low
            tail = [entry._replace(is_reached=not entry.is_reached) for entry in tail]
        counter = Counter(depth(low, high, size), low=low, high=high)
        self._add_counter(counter, members, is_negated=is_negated)
        counter.tail = tail
        for color_counter, count, is_reached in tail:
            reached = self.counters[color_counter].outputs[-1][count - 1]
            self._add_input(counter, reached if is_reached else -reached)
        if low > 0:
            self.formula.add(counter.outputs[-1][low - 1])
        if high < size:
            self.formula.add(-counter.outputs[-1][high])

    def _add_counter(
        self, counter: Counter, members: Sequence[frozenset[int]], *, is_negated: bool
    ) -> None:
        """Count the pegs whose color is among the members of the peg, or is not."""
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
        """Define the outputs after one more input."""
        before = counter.outputs[-1] if counter.outputs else []
        after = [self.formula.new() for _ in range(min(len(before) + 1, counter.maximum))]
        self._require_few_clauses(5 * len(after))
        add = self.formula.add
        for count, output in enumerate(after, 1):
            same = before[count - 1 : count]  # at least `count` of the earlier inputs; may be empty
            less = before[count - 2 : count - 1] if count > 1 else []
            add(-literal, *(-earlier for earlier in less), output)
            for earlier in same:
                add(-earlier, output)
            add(-output, literal, *same)
            for earlier in less:
                add(-output, earlier)
            if count > 1:  # implied by the others, and shortens the proof
                add(-output, after[count - 2])
        counter.inputs.append(literal)
        counter.outputs.append(after)


def depth(low: int, high: int, size: int) -> int:
    """Return the highest count that matters if between `low` and `high` of `size` must be true."""
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
"""Codes that are scored between two looks at the clock."""


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
    excluded = replace(board, known=(*board.known, *codes))
    checked = check_refutation(excluded, bundle, verification, watch)
    if not checked.holds:
        return checked
    return replace(checked, reason=describe(len(codes), checked.lemmas), count=len(codes))


def find_fault(board: Board, code: Code | None, codes: list[Code]) -> str | None:
    """Return why a code is not the next code of a list, or None."""
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
    """Return a description of the check."""
    lemmas = f"{quantity(num_lemmas, 'lemma')} {'shows' if num_lemmas == 1 else 'show'}"
    if not num_codes:
        return f"{lemmas} that there is none"
    subject = "it" if num_codes == 1 else "each of them"
    return f"{subject} gets every score, and {lemmas} that there is no other"


NUMBER = r"(?:0|-?[1-9][0-9]{0,9})"
NODE_LINE = re.compile(rf"([1-9][0-9]{{0,9}}) ([ps]) ([1-9][0-9]{{0,9}})((?: {NUMBER})*) 0")
ROOT_LINE = re.compile(r"r (0|[1-9][0-9]{0,9})")
WRONG_LEMMA_LINE = re.compile(rb"(?m)^(?![1-9][0-9]* a [-0-9 ]*$).+$")
NODES_PER_REPORT = 1 << 10
"""Nodes that are checked between two looks at the clock."""
CLAUSES_PER_PASS = 1 << 11
"""Clauses of the formula that are checked at once, with a bit for each clause and node."""


class OutOfTimeError(Exception):
    """Raised when the time limit of a check is reached."""


class Node(NamedTuple):
    """A product or a sum."""

    is_sum: bool
    arguments: tuple[int, ...]
    """Literals of the formula, and earlier nodes."""


@dataclass(slots=True)
class Certificate:
    """The parsed nodes of a certificate, and its lemmas as text."""

    variables: int
    """The number of variables of the formula; nodes have higher numbers."""
    num_clauses: int
    """The number of clauses of the formula."""
    nodes: list[Node] = field(default_factory=list)
    clauses: list[tuple[int, ...]] = field(default_factory=list)
    """The clauses that define the nodes; their numbers follow those of the formula."""
    root: int = 0
    lemmas: bytes = b""
    """The lemmas in the format LRAT."""
    num_node_lines: int = 0
    """The number of lines before the lemmas."""


def check_count(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check the certificate of a count."""
    formula = _formula(board, bundle)
    try:
        certificate = read_nodes(
            formula.formula.variables, len(formula.formula.clauses), bundle.sections["scpog"], watch
        )
        count = _evaluate(certificate, watch)
        lemma_count = _check_lemmas(formula, certificate, watch)
        _check_clauses(formula.formula.clauses, certificate, watch)
    except OutOfTimeError:
        return replace(verification, holds=None, reason="undecided: time limit reached")
    if bundle.fields["count"] != str(count):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"the certificate counts {quantity(count, 'code')}, not {stated!r}")
    nodes = quantity(len(certificate.nodes), "node")
    reason = (
        f"the formula matches the board, {nodes} add up to {quantity(count, 'model')}, and "
        f"{quantity(lemma_count, 'lemma')} show that there is no other"
    )
    return replace(verification, holds=True, reason=reason, lemmas=lemma_count, count=count)


def _formula(board: Board, bundle: Bundle) -> CountingFormula:
    """Return the formula of the board, which must be that of the file."""
    try:
        formula = CountingFormula(board, read_order(bundle.fields["order"], board.game.pegs))
    except MmsatError as error:
        raise RejectedError(f"the board has no counting formula like this: {error}") from None
    text = formula.text
    if text != bundle.sections["cnf"]:
        raise RejectedError(describe_difference(text, bundle.sections["cnf"]))
    return formula


def read_nodes(variables: int, num_clauses: int, text: str, watch: Watch) -> Certificate:
    """Return the nodes and the lemmas of a certificate after checking all sums."""
    certificate = Certificate(variables, num_clauses)
    position = 0
    for line_number, line in enumerate(_lines(text), 1):
        position += len(line) + 1
        if line_number % NODES_PER_REPORT == 0:
            watch.report(0.3 * position / len(text))
            _look_at_clock(watch)
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
    arguments = numbers[:2] if is_sum else numbers
    if len(arguments) < 1 + is_sum:
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


def _evaluate(certificate: Certificate, watch: Watch) -> int:
    """Return the number of models of the root; raises RejectedError if factors share a variable."""
    supports: list[int] = []
    counts: list[int] = []
    first = certificate.variables + 1

    def support(argument: int) -> int:
        return supports[argument - first] if argument >= first else 1 << abs(argument)

    for index, node in enumerate(certificate.nodes):
        if index % NODES_PER_REPORT == 0:
            _look_at_clock(watch)
        union, count = 0, 0 if node.is_sum else 1
        for argument in node.arguments:
            variables = support(argument)
            factor = counts[argument - first] if argument >= first else 1
            if not node.is_sum:
                if union & variables:
                    raise RejectedError(f"the factors of node {first + index} share a variable")
                count *= factor
            union |= variables
        if node.is_sum:  # the variables that a term does not have are free in it
            for argument in node.arguments:
                factor = counts[argument - first] if argument >= first else 1
                count += factor << (union & ~support(argument)).bit_count()
        supports.append(union)
        counts.append(count)
    if not certificate.root:
        return 0
    free = certificate.variables - supports[certificate.root - first].bit_count()
    return counts[certificate.root - first] << free


def _check_lemmas(formula: CountingFormula, certificate: Certificate, watch: Watch) -> int:
    """Check all lemmas, and return their number; raises RejectedError if one does not follow."""
    literals = array("i")
    for clause in (*formula.formula.clauses, *certificate.clauses):
        literals.extend(clause)
        literals.append(0)
    if (wrong := WRONG_LEMMA_LINE.search(certificate.lemmas)) is not None:
        line = certificate.num_node_lines + certificate.lemmas.count(b"\n", 0, wrong.start()) + 1
        raise RejectedError(f"line {line} of [scpog]: expected a lemma, found {wrong[0][:40]!r}")
    lemmas = certificate.lemmas.replace(b" a ", b" ")
    count = lemmas.count(b"\n")
    variables = certificate.variables + len(certificate.nodes)
    checker = LratChecker(variables, literals, lemmas, certificate.root)
    while (state := checker.advance(LIMITS.lemma_slice)) == Check.GOING_ON:
        watch.report(0.3 + 0.5 * checker.position / max(1, len(lemmas)))
        _look_at_clock(watch)
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
        part = clauses[start : start + CLAUSES_PER_PASS]
        implied: dict[int, int] = {}
        """By literal or node, a bit set of the clauses that it implies."""
        for index, clause in enumerate(part):
            for literal in clause:
                implied[literal] = implied.get(literal, 0) | 1 << index
        for number, node in enumerate(certificate.nodes, certificate.variables + 1):
            if number % NODES_PER_REPORT == 0:
                _look_at_clock(watch)
            sets = [implied.get(argument, 0) for argument in node.arguments]
            bits = sets[0]
            for other_bits in sets[1:]:
                bits = bits & other_bits if node.is_sum else bits | other_bits
            implied[number] = bits
        missing = ~implied[certificate.root] & ((1 << len(part)) - 1)
        if missing:
            clause_number = start + (missing & -missing).bit_length()
            raise RejectedError(f"the root does not imply clause {clause_number} of the formula")


def _look_at_clock(watch: Watch) -> None:
    """Raise OutOfTimeError if the time limit is reached."""
    if watch.is_over:
        raise OutOfTimeError
