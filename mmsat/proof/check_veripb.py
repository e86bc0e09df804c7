"""Check proofs in the format of VeriPB, version 3, against the linear constraints of a board.

The constraints of the board are generated again; the proof contains none of them. A proof may use
these rules, one per line:

    f N ;                     the board has N constraints
    solx LITERALS ;           logs a solution of all constraints, and adds the clause that excludes
                              its code; precedes all other steps
    pol A B + ... ;           reverse Polish notation: + adds, N * multiplies, N d divides, s
                              saturates; xN and ~xN are the constraints that a literal is >= 0
    rup C : A B ~ ... ;       unit propagation of these constraints violates one of them; ~ is the
                              negation of C
    red C : x -> 0 ;          the first half of a definition: K ~x + S >= K, with a new variable x
    red C : x -> 1 ;          directly after it, the second half: M x + T >= M, where T is S with
                              negated literals, and M = (sum of the coefficients of S) - K + 1.
                              So x holds if and only if S >= K, and no code is lost
    del id A B ... ;          deletes derived constraints
    output NONE ;             the proof does not define another formula
    conclusion UNSAT : A ;    constraint A is a contradiction; or SAT : LITERALS, a solution; or,
                              after N solutions, ENUMERATION_COMPLETE N : A
    end pseudo-Boolean proof ;

The rules solx, pol, rup and red add the constraint with the next number. All rules have the same
meaning as in VeriPB, and all other rules are refused. The preserved variables of VeriPB, whose
assignments are enumerated, are those of the code.

A constraint is a sum of literals with positive coefficients that is at least a degree, with each
variable once: 2 x1 + 1 ~x3 >= 2. This is the normal form of the proof format of VeriPB, in which a
negative coefficient is written with the negated literal: -2 x = 2 ~x - 2. The constraints of a
board have the numbers that VeriPB gives to the lines of `mmsat encode --to opb`: an equation is two
constraints, first `>=` and then `<=`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator
from dataclasses import replace
from itertools import count as natural_numbers
from typing import NamedTuple

from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.encoding.integer_models import LinearConstraint, LinearSystem
from mmsat.errors import MmsatError
from mmsat.game.board import Board
from mmsat.proof import Verification, Watch
from mmsat.proof.bundle import RejectedError

HEADER = "pseudo-Boolean proof version 3.0"
"""The first line of a proof."""


class PbConstraint(NamedTuple):
    """A sum of literals that is at least a degree."""

    terms: dict[int, int]
    """The positive coefficient of each literal; -v is the negation of variable v."""
    degree: int

    def __str__(self) -> str:
        terms = "".join(
            f"{number} {print_literal(literal)} " for literal, number in self.terms.items()
        )
        return f"{terms}>= {self.degree}"

    @property
    def is_contradiction(self) -> bool:
        """Whether no assignment satisfies the constraint."""
        return sum(self.terms.values()) < self.degree

    def plus(self, *others: PbConstraint) -> PbConstraint:
        """Return the sum, in which x and ~x cancel to 1."""
        terms, degree = dict(self.terms), self.degree
        for other in others:
            degree += add_terms(terms, other)
        return PbConstraint(terms, degree)

    def items(self) -> ItemsView[int, int]:
        """Return the pairs of a literal and its coefficient."""
        return self.terms.items()

    def times(self, factor: int) -> PbConstraint:
        """Return the constraint with all numbers multiplied by a factor, at least 0."""
        terms = {literal: number * factor for literal, number in self.items() if factor}
        return PbConstraint(terms, self.degree * factor)

    def divided(self, divisor: int) -> PbConstraint:
        """Return the constraint with all numbers divided by a positive divisor and rounded up."""
        terms = {literal: -(-number // divisor) for literal, number in self.items()}
        return PbConstraint(terms, -(-self.degree // divisor))

    def saturated(self) -> PbConstraint:
        """Return the constraint with coefficients cut at the degree."""
        degree = max(0, self.degree)
        terms = {literal: min(number, degree) for literal, number in self.items() if degree}
        return PbConstraint(terms, degree)

    def negated(self) -> PbConstraint:
        """Return the negation: the sum is at most the degree minus 1, in normal form."""
        terms = {-literal: number for literal, number in self.items()}
        return PbConstraint(terms, sum(self.terms.values()) - self.degree + 1)


def add_terms(terms: dict[int, int], constraint: PbConstraint) -> int:
    """Add the terms of a constraint to a sum, and return the change of its degree.

    The cost depends on the length of the constraint only, so that a long sum of short constraints
    needs linear time.
    """
    degree = constraint.degree
    for literal, number in constraint.items():
        opposite = terms.pop(-literal, 0)
        cancelled = min(opposite, number)
        degree -= cancelled
        if opposite > cancelled:
            terms[-literal] = opposite - cancelled
        elif number > cancelled:
            terms[literal] = terms.get(literal, 0) + number - cancelled
    return degree


def clause(literals: Iterable[int]) -> PbConstraint:
    """Return the constraint that one of the literals is true."""
    return PbConstraint(dict.fromkeys(literals, 1), 1)


def print_literal(literal: int) -> str:
    """Return a literal as text, such as ~x3."""
    return f"{'~' * (literal < 0)}x{abs(literal)}"


def print_literals(literals: Iterable[int]) -> str:
    """Return literals as text, separated by spaces."""
    return " ".join(map(print_literal, literals))


def halves(constraint: LinearConstraint) -> Iterator[PbConstraint]:
    """Yield the one or two constraints of a linear constraint in OPB: `>=`, then `<=`."""
    # each variable is in one term, so that no terms need to be added up
    if constraint.low is not None:
        terms = {v if number > 0 else -v: abs(number) for number, v in constraint.terms}
        negative_sum = sum([number for number, _ in constraint.terms if number < 0])
        yield PbConstraint(terms, constraint.low - negative_sum)
    if constraint.high is not None:
        terms = {-v if number > 0 else v: abs(number) for number, v in constraint.terms}
        positive_sum = sum([number for number, _ in constraint.terms if number > 0])
        yield PbConstraint(terms, positive_sum - constraint.high)


def constraints_of(system: LinearSystem) -> list[PbConstraint]:
    """Return the constraints of a board in the order of their numbers in a proof."""
    return [half for constraint in system.constraints for half in halves(constraint)]


def propagate(constraints: Iterable[PbConstraint], true: set[int]) -> bool:
    """Add implied literals to `true`, and return whether a constraint is violated.

    The constraints are visited in order, and again until nothing is added.
    """
    pending = list(constraints)
    has_changed = True
    while has_changed:
        has_changed = False
        for constraint in pending:
            open_terms = [
                (literal, number) for literal, number in constraint.items() if -literal not in true
            ]
            slack = sum(number for _, number in open_terms) - constraint.degree
            if slack < 0:
                return True
            for literal, number in open_terms:
                if number > slack and literal not in true:
                    true.add(literal)
                    has_changed = True
    return False


MAX_DIGITS = 4000
"""Maximum number of digits of a number in a proof. Python converts up to 4,300 digits."""
MAX_BITS = 1 << 16
"""Maximum number of bits of a degree, so that a short proof cannot need much time."""
LINES_PER_REPORT = 256
"""Number of lines between two reports of progress and checks of the time limit."""
NUMBER = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}")
LITERAL = re.compile(r"(~?)x([1-9][0-9]{0,8})")


class VeriPbChecker:
    """The state of a check: the constraints so far, by their numbers."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.system = LinearSystem.of(System.of(board))
        self.board_constraints = constraints_of(self.system)
        self.constraints: dict[int, PbConstraint] = dict(enumerate(self.board_constraints, 1))
        """The constraints by number, without deleted ones."""
        self.last_number = len(self.constraints)
        """The number of the constraint that was added last."""
        self.variables = self.system.variables
        """The number of variables so far; a definition adds the next one."""
        self.open_definition: tuple[int, PbConstraint] | None = None
        """The variable and the constraint of a definition whose second half is missing."""
        self.verdict: str | None = None
        """The verdict that the conclusion states; None before the conclusion."""
        self.solutions: dict[tuple[int, ...], int] = {}
        """For each logged solution, by the literals of its code: the number of the clause that
        excludes the code."""
        self.steps = 0
        """The number of constraints that were added."""

    def run(self, text: str) -> Iterator[float]:
        """Check a proof, and yield the checked fraction; raise RejectedError if it is invalid."""
        if not text.startswith(f"{HEADER}\n"):
            first = text[:60].partition("\n")[0]
            raise RejectedError(f"line 1: expected {HEADER!r}, found {first!r}")
        is_complete = False
        start = len(HEADER) + 1
        for number in natural_numbers(2):
            end = text.find("\n", start)
            line = text[start : end if end >= 0 else None]
            if is_complete and line:
                raise RejectedError(f"line {number}: the proof continues after its end")
            if line and not line.startswith("%"):
                try:
                    is_complete = self.step(line)
                except RejectedError as error:
                    raise RejectedError(f"line {number}: {error}") from None
            if not number % LINES_PER_REPORT:
                yield start / len(text)
            if end < 0:
                break
            start = end + 1
        if not is_complete:
            raise RejectedError("the end of the proof is missing; the file may be cut off")

    def step(self, line: str) -> bool:
        """Check a line, and return whether it is the end of the proof."""
        if not line.endswith(";"):
            raise RejectedError("the line does not end with ';'")
        rule, _, content = line[:-1].rstrip(" ").partition(" ")
        if self.verdict is not None:
            if f"{rule} {content}" == "end pseudo-Boolean proof":
                return True
            raise RejectedError("the end of the proof is missing")
        if self.open_definition is not None and rule != "red":
            raise RejectedError("the second half of a definition is missing")
        rules: dict[str, Callable[[str], None]] = {
            "f": self._formula,
            "solx": self._log_solution,
            "pol": self._polish_notation,
            "rup": self._propagation,
            "red": self._definition,
            "del": self._deletion,
            "output": self._output,
            "conclusion": self._conclusion,
        }
        if rule not in rules:
            raise RejectedError(f"unknown rule {rule[:20]!r}")
        rules[rule](content)
        return False

    def add(self, constraint: PbConstraint) -> None:
        """Add a constraint with the next number."""
        self.last_number += 1
        self.steps += 1
        self.constraints[self.last_number] = constraint

    def constraint(self, word: str) -> PbConstraint:
        """Return the constraint with a number."""
        number = read_number(word)
        if number not in self.constraints:
            raise RejectedError(f"there is no constraint {word[:20]}")
        return self.constraints[number]

    def literal(self, word: str) -> int:
        """Return a literal over a known variable."""
        match = LITERAL.fullmatch(word)
        if match is None or int(match[2]) > self.variables:
            raise RejectedError(f"expected a literal, found {word[:20]!r}")
        return -int(match[2]) if match[1] else int(match[2])

    def read(self, words: list[str]) -> PbConstraint:
        """Parse a constraint such as `1 x1 2 ~x2 >= 2`, which has each variable at most once."""
        if len(words) < 2 or words[-2] != ">=" or len(words) % 2:
            raise RejectedError("expected a constraint such as 1 x1 2 ~x2 >= 2")
        numbers = [read_number(word) for word in words[:-2:2]]
        literals = [self.literal(word) for word in words[1:-2:2]]
        if 0 in numbers or len({abs(literal) for literal in literals}) < len(literals):
            raise RejectedError("a coefficient is 0, or a variable is repeated")
        return PbConstraint(dict(zip(literals, numbers, strict=True)), read_number(words[-1]))

    def _formula(self, content: str) -> None:
        """Check the rule f: the number of constraints of the board."""
        stated, actual = read_number(content), len(self.board_constraints)
        if stated != actual:
            reason = "the proof is about another board"
            raise RejectedError(f"{reason}, with {stated} constraints; {self.board} has {actual}")
        if self.steps:
            raise RejectedError("the rule f precedes all steps")

    def _log_solution(self, content: str) -> None:
        """Check the rule solx: log a solution, and exclude its code."""
        if self.steps != len(self.solutions):
            raise RejectedError("a solution follows other steps")
        literals = sorted(self._assignment(content), key=abs)
        code = tuple(literals[: self.system.code_variables])
        if code in self.solutions:
            raise RejectedError(f"the assignment violates constraint {self.solutions[code]}")
        self.add(clause(-literal for literal in code))
        self.solutions[code] = self.last_number

    def _polish_notation(self, content: str) -> None:
        """Check the rule pol: add the constraint that the operations leave on the stack."""
        stack: list[PbConstraint] = []
        words = content.split(" ")
        position = 0
        while position < len(words):
            word = words[position]
            following = words[position + 1] if position + 1 < len(words) else ""
            if word == "+" and len(stack) > 1:
                last, first = stack.pop(), stack.pop()
                # In place: entries of the stack are copies, whose terms nothing else refers to.
                degree = first.degree + add_terms(first.terms, last)
                stack.append(PbConstraint(first.terms, degree))
            elif word == "s" and stack:
                stack[-1] = stack[-1].saturated()
            elif stack and following in ("*", "d"):
                number = read_number(word)
                if following == "d" and not number:
                    raise RejectedError("division by 0")
                top = stack[-1]
                stack[-1] = top.times(number) if following == "*" else top.divided(number)
                if abs(stack[-1].degree).bit_length() > MAX_BITS:
                    raise RejectedError("a number is too large")
                position += 1
            elif "x" in word:
                stack.append(PbConstraint({self.literal(word): 1}, 0))
            else:
                constraint = self.constraint(word)
                stack.append(PbConstraint(dict(constraint.terms), constraint.degree))
            position += 1
        if len(stack) != 1:
            raise RejectedError("the operations do not leave one constraint")
        self.add(stack[0])

    def _propagation(self, content: str) -> None:
        """Check the rule rup: add a constraint that follows by unit propagation."""
        text, separator, hints = content.partition(" : ")
        derived = self.read(text.split(" "))
        if not separator:
            raise RejectedError("expected the numbers of constraints after ':'")
        premises = [
            derived.negated() if word == "~" else self.constraint(word) for word in hints.split(" ")
        ]
        if not propagate(premises, set()):
            raise RejectedError("unit propagation violates none of the constraints")
        self.add(derived)

    def _definition(self, content: str) -> None:
        """Check the rule red: add the first or the second half of a definition."""
        text, _, witness = content.partition(" : ")
        match = re.fullmatch(r"x([1-9][0-9]{0,8}) -> ([01])", witness)
        if match is None:
            raise RejectedError("expected a definition such as 2 ~x9 1 x1 1 x2 >= 2 : x9 -> 0")
        variable, value = int(match[1]), int(match[2])
        if self.open_definition is None:
            self._first_half(variable, value, text)
        else:
            self._second_half(variable, value, text)

    def _first_half(self, variable: int, value: int, text: str) -> None:
        """Check the half `K ~x + S >= K`."""
        if value or variable != self.variables + 1:
            raise RejectedError(f"expected a definition of the variable x{self.variables + 1}")
        self.variables = variable
        defined = self.read(text.split(" "))
        if defined.degree < 1 or defined.terms.get(-variable) != defined.degree:
            raise RejectedError("the first half of the definition has another form")
        self.add(defined)
        self.open_definition = variable, defined

    def _second_half(self, variable: int, value: int, text: str) -> None:
        """Check the half `M x + T >= M`, which the first half determines."""
        defined_variable, first = self.open_definition or (0, PbConstraint({}, 0))
        others = {literal: number for literal, number in first.items() if literal != -variable}
        degree = sum(others.values()) - first.degree + 1
        second = {variable: degree, **{-literal: number for literal, number in others.items()}}
        is_valid = value == 1 and variable == defined_variable and degree >= 1
        if not is_valid or self.read(text.split(" ")) != PbConstraint(second, degree):
            raise RejectedError("the second half of the definition has another form")
        self.add(PbConstraint(second, degree))
        self.open_definition = None

    def _assignment(self, text: str) -> list[int]:
        """Return an assignment; raises RejectedError unless it is a solution of the board."""
        literals = [self.literal(word) for word in text.split(" ")]
        true = {*literals}
        variables = [abs(literal) for literal in literals]
        if sorted(variables) != [*range(1, self.system.variables + 1)]:
            raise RejectedError("the assignment does not have each variable of the board once")
        for number, constraint in enumerate(self.board_constraints, 1):
            total = sum(n for literal, n in constraint.items() if literal in true)
            if total < constraint.degree:
                raise RejectedError(f"the assignment violates constraint {number}")
        return literals

    @property
    def num_permanent(self) -> int:
        """The number of constraints that cannot be deleted: those of the board and of solutions."""
        return len(self.board_constraints) + len(self.solutions)

    def _deletion(self, content: str) -> None:
        """Check the rule del: delete derived constraints."""
        kind, _, numbers = content.partition(" ")
        if kind != "id":
            raise RejectedError("expected del id and numbers of constraints")
        for word in numbers.split(" "):
            self.constraint(word)
            if read_number(word) <= self.num_permanent:
                raise RejectedError(f"constraint {word} belongs to the board")
            del self.constraints[read_number(word)]

    def _output(self, content: str) -> None:
        """Check the rule output."""
        if content != "NONE":
            raise RejectedError("expected output NONE")

    def _conclusion(self, content: str) -> None:
        """Check the rule conclusion, and set the verdict."""
        claim, separator, argument = content.partition(" : ")
        complete = f"ENUMERATION_COMPLETE {len(self.solutions)}"
        if claim not in ("SAT", "UNSAT", complete) or not separator:
            expected = f"SAT, UNSAT or {complete}"
            raise RejectedError(f"expected the conclusion {expected}, with its reason after ':'")
        if claim == "UNSAT" and self.solutions:
            raise RejectedError("the conclusion UNSAT cannot follow solutions")
        if claim == "SAT":
            self._assignment(argument)
            self.verdict = "consistent"
            return
        if not self.constraint(argument).is_contradiction:
            raise RejectedError(f"constraint {argument} is not a contradiction")
        self.verdict = "listed" if claim == complete else "inconsistent"


def check_veripb(board: Board, text: str, verification: Verification, watch: Watch) -> Verification:
    """Check a proof about a board, and complete the result.

    At the time limit, `holds` of the result is None. Raises RejectedError if the proof is invalid.
    """
    try:
        checker = VeriPbChecker(board)
    except MmsatError as error:
        raise RejectedError(f"the board has no linear constraints: {error}") from None
    for fraction in checker.run(text):
        watch.report(fraction)
        if watch.is_over:
            return replace(verification, holds=None, reason="undecided: time limit reached")
    verb = "derives" if checker.steps == 1 else "derive"
    reason = f"{quantity(checker.steps, 'step')} {verb} a contradiction"
    count = None
    if checker.verdict == "consistent":
        reason = "the assignment satisfies all constraints"
    elif checker.verdict == "listed":
        count = len(checker.solutions)
        steps = checker.steps - count
        excluded = f"{quantity(steps, 'step')} {'excludes' if steps == 1 else 'exclude'} others"
        reason = f"the listed assignments satisfy all constraints, and {excluded}"
    return replace(
        verification,
        holds=True,
        verdict=checker.verdict,
        reason=reason,
        lemmas=checker.steps,
        count=count,
    )


def read_number(word: str) -> int:
    """Return a number without a sign."""
    if not NUMBER.fullmatch(word):
        raise RejectedError(f"expected a number, found {word[:20]!r}")
    return int(word)
