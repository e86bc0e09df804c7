"""Make proofs of verdicts that can be checked without trust in any solver.

An *attempt* refutes a set of rows, such as those of a conflict or all rows, by a solver that logs
its proof. Several attempts take turns with growing budgets until one of them succeeds. The formulas
of this module consist of clauses. Those of `prove_veripb.py` consist of inequalities, which it
translates into clauses for the solver.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from mmsat._core import Check, Trimmer
from mmsat._util.arguments import NAME, RULES, check_arguments
from mmsat._util.registry import require_name
from mmsat._util.results import Displayable
from mmsat._util.text import quantity
from mmsat.constraints.parities import (
    MAX_RELATION_PEGS,
    ParityRefutation,
    find_parity_refutation,
    read_relation,
)
from mmsat.constraints.presolve_steps import is_algebraic
from mmsat.diagnosis import Verdict
from mmsat.diagnosis.check import check
from mmsat.encoding import ENCODINGS
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.game.board import Board, Status
from mmsat.game.notation.board_reader import speller
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof import ProofJson
from mmsat.proof.bundle import Bundle, Clauses, Dimacs, canonical_board, write_dimacs
from mmsat.proof.check_algebra import (
    DerivedSum,
    print_refutation,
    print_sums,
    read_refutation,
    refutation_flaw,
    short_sum,
    sum_rows,
    sums_formula,
)
from mmsat.proof.verify import verify_new
from mmsat.solving import Engine, growing_budgets
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.refutation import refute, shorten_sums, sum_combination
from mmsat.solving.sat import pysat

Progress = Callable[[str], None]

SOLVER = "glucose4"
"""The solver of python-sat whose proofs were measured to be short. They consist of resolution steps
only."""
FIRST_PROPAGATIONS = 1_000_000
"""The first budget of each attempt in propagations: about a second. It doubles in each round."""
MAX_PROOF_BYTES = 1 << 29
"""Size in bytes of a solver's proof at which an attempt ends without a result. A proof of this size
is trimmed in memory."""
LITERALS_PER_REPORT = 1 << 24
"""Number of literals that the trimmer processes between two reports of progress."""


class SatisfiableError(InternalError):
    """Raised if a solver finds a code of a board that must be inconsistent."""


class Attempt(ABC):
    """An attempt to refute some rows of a board by a solver that logs its proof."""

    def __init__(self, board: Board, rows: tuple[int, ...]) -> None:
        self.board = board
        self.rows = rows
        self._solver: Any = None

    @abstractmethod
    def clauses(self) -> Sequence[Sequence[int]]:
        """Return the clauses that the solver refutes; if one is empty, no solver is needed."""

    @abstractmethod
    def finish(self) -> Iterator[Any]:
        """Yield progress messages, and finally the proof, which is not a string."""

    def step(self, budget: int) -> bool:
        """Search with a budget of propagations, and return whether the rows are refuted."""
        if self._solver is None:
            clauses = self.clauses()
            if not all(clauses):
                return True
            self._solver = pysat().Solver(SOLVER, bootstrap_with=clauses, with_proof=True)
        self._solver.prop_budget(budget)
        answer = self._solver.solve_limited()
        if answer:
            board = self.board.only(self.rows)
            raise SatisfiableError(f"a solver found a code of an inconsistent board: {board}")
        return answer is False

    @property
    def size(self) -> int:
        """The number of bytes that the solver has written to its proof."""
        return 0 if self._solver is None else os.fstat(self._solver.solver.prfile.fileno()).st_size

    def take_lemmas(self) -> list[str]:
        """Return the lines of the solver's proof, and release the solver."""
        if self._solver is None:
            return []
        lemmas: list[str] = self._solver.get_proof()
        self.release()
        return lemmas

    def release(self) -> None:
        """Delete the solver, if it exists, with its memory and its file."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None


def finish_first(
    attempts: Sequence[Attempt],
    *,
    max_bytes: int = MAX_PROOF_BYTES,
    propagations: int = FIRST_PROPAGATIONS,
) -> Iterator[Any]:
    """Yield progress messages, and finally the proof of the first attempt that succeeds.

    Raises SizeError as soon as every proof has more than `max_bytes` bytes. The first budget of
    each attempt is `propagations`.
    """
    remaining = list(attempts)
    for budget in growing_budgets():
        for attempt in list(remaining):
            rows = quantity(len(attempt.rows), "row")
            yield f"looking for a proof from {rows}, {budget}M propagations"
            if attempt.step(propagations * budget):
                for other in attempts:
                    if other is not attempt:
                        other.release()
                yield from attempt.finish()
                return
            if attempt.size > max_bytes:
                attempt.release()
                remaining.remove(attempt)
        if not remaining:
            message = (
                f"all proofs exceed {max_bytes >> 20} MiB; a board with fewer rows has a smaller "
                "formula, and one with more rows may have a shorter proof"
            )
            raise SizeError(message)


def run_prover(
    deadline: Deadline,
    on_progress: Progress | None,
    prover: Callable[..., Iterator[Any]],
    *args: object,
) -> Any:
    """Run a prover, which yields progress messages and finally its result.

    Return the result, or None if the time is up.
    """
    with suppress(TimeUpError):
        for item in stream(deadline, prover, *args):
            if not isinstance(item, str):
                return item
            if on_progress is not None:
                on_progress(item)
    return None


def make_trimmer(variables: int, literals: array[int], proof_lines: list[str]) -> Trimmer:
    """Return a trimmer for the proof of a solver. In `literals`, each clause ends with 0."""
    return Trimmer(variables, literals, "".join(f"{line}\n" for line in proof_lines).encode())


def trim(trimmer: Trimmer) -> Iterator[str]:
    """Run a trimmer to its end, and yield progress messages."""
    while (state := trimmer.advance(LITERALS_PER_REPORT)) == Check.UNFINISHED:
        share = trimmer.done / max(1, trimmer.steps)
        yield f"trimming a proof of {quantity(trimmer.lemmas, 'lemma')}, {share:.0%}"
    if state == Check.FAILS:
        raise InternalError(f"the proof by {SOLVER} is invalid: {trimmer.fault}")


MAX_TOTALIZER_PEGS = 100
"""Maximum number of pegs for the encoding by totalizers. The counters of modulo totalizers are
shorter for more pegs."""


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Displayable):
    """A proof that was verified after it was made."""

    board: Board
    """The board that the proof is about."""
    status: Status
    """The verdict that it proves."""
    method: str
    """The kind of proof, such as "witness", "lrat" or "list"."""
    rows: tuple[int, ...]
    """The rows, from 0, that have no code in common; empty for other proofs."""
    text: str
    """The content of the file."""
    count: int | None = None
    """The number of codes that it proves; None if it is not about a count."""

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> ProofJson:
        """Return stable JSON keys, with rows from 1. The text is not included."""
        rows = [row + 1 for row in self.rows]
        return {"method": self.method, "rows": rows, "bytes": len(self.text.encode())}


RULES["prove.encoding"] = NAME


@check_arguments
def prove(
    board: Board | str,
    *,
    verdict: Verdict | None = None,
    encoding: str | None = None,
    engine: str | Engine | type[Engine] = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Proof | None:
    """Prove a verdict by a text that can be checked without trust in any solver.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    verdict : Verdict, optional
        The result of `check` for this board, if it is already known. By default, `check` is called.
    encoding : str, optional
        Name of the encoding of the refuted formula, which must consist of clauses only. By default,
        one is chosen for the board.
    engine : str, Engine or type, default "auto"
        Engine for `check`, its class or its name, if no verdict is given.
    timeout : float, optional
        Time limit in seconds. By default, there is no limit.
    seed : int, optional
        Seed for `check`, if no verdict is given.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the encoding does not consist of clauses only, if the verdict is about another board, or
        if another argument is invalid.
    SizeError
        If the proof gets too long.

    Notes
    -----
    A consistent board is proved by a code. An inconsistent board is proved by an algebraic
    certificate if its game has two colors and its rows add up to a contradiction. Other boards of
    two colors are proved by short sums that their rows imply, unless `encoding` is given. All other
    boards are proved by clause learning in the LRAT format [1]_, from the rows of the conflict of
    the verdict or from all rows, whichever finishes first.

    References
    ----------
    .. [1] L. Cruz-Filipe, M. J. H. Heule, W. A. Hunt, M. Kaufmann and P. Schneider-Kamp, "Efficient
       certified RAT verification", CADE 2017.

    Examples
    --------
    >>> proof = mmsat.prove("4x6/1122=1.1/1122=0.2")
    >>> proof.method, proof.rows
    ('lrat', (0, 1))
    >>> mmsat.verify(proof).holds
    True
    """
    board = Board.of(board)
    if encoding is not None:
        _require_clauses(encoding)
    deadline = Deadline(timeout)
    if verdict is not None and verdict.board != board:
        raise InputError.of("the verdict", "a verdict of this board", str(verdict.board))
    if verdict is None:
        verdict = check(board, engine=engine, timeout=timeout, seed=seed)
    if verdict.status is Status.UNKNOWN:
        return None
    text, board = canonical_board(board)
    if verdict.witness is not None:
        code = speller(board.game).print_code(verdict.witness)
        bundle = Bundle(text, "consistent", "witness", {"witness": code})
        return verify_own(board, Status.CONSISTENT, (), bundle)
    refutation = find_certificate(board, verdict)
    if refutation is not None:
        fields = {"rows": rows_text(refutation.rows)}
        sections = {"certificate": print_refutation(refutation)}
        bundle = Bundle(text, "inconsistent", "algebra", fields, sections)
        return verify_own(board, Status.INCONSISTENT, refutation.rows, bundle)
    # Fewer rows have a smaller formula, but more rows may have a shorter refutation.
    all_rows = tuple(range(len(board.rows)))
    choices = [all_rows] if verdict.conflict is None else [verdict.conflict.rows, all_rows]
    refuted: SatRefutation | None = run_prover(
        deadline, on_progress, refute_rows, board, list(dict.fromkeys(choices)), encoding
    )
    if refuted is None:
        return None
    rows, fields, sections = refuted
    method = "lrat" if "lrat" in sections else "sums"
    bundle = Bundle(text, "inconsistent", method, fields, sections)
    return verify_own(board, Status.INCONSISTENT, rows, bundle)


def _require_clauses(encoding: str) -> None:
    """Raise InputError unless an encoding is built in and consists of clauses only."""
    # A checker has to trust the encoding, and so plug-ins are refused.
    require_name("encoding", encoding, ENCODINGS.built_in)
    if ENCODINGS[encoding].is_native:
        names = ", ".join(sorted(name for name, kind in ENCODINGS.items() if not kind.is_native))
        rule = "a proof needs an encoding that consists of clauses"
        raise InputError.of("the encoding", f"one of {names}", encoding, rule)


def verify_own(
    board: Board,
    status: Status,
    rows: tuple[int, ...],
    bundle: Bundle,
    count: int | None = None,
) -> Proof:
    """Return the proof in a new bundle after verifying it.

    Raises InternalError if it does not hold.
    """
    text = str(bundle)
    verify_new(text, bundle.verdict, board=board)
    return Proof(board, status, bundle.method, rows, text, count)


def find_certificate(board: Board, verdict: Verdict) -> Refutation | None:
    """Return an algebraic refutation if the verdict has one or one is found quickly, else None."""
    refutation = None if verdict.conflict is None else verdict.conflict.refutation
    refutation = refutation or refute(board, thorough=True)
    # The certificate is dropped, rather than reported, if the independent check rejects it.
    if refutation is None or refutation_flaw(board, refutation) is not None:
        return None
    return refutation if read_refutation(print_refutation(refutation)) == refutation else None


def rows_text(rows: tuple[int, ...]) -> str:
    """Return rows as they are written in the head, counted from 1."""
    return " ".join(str(row + 1) for row in rows) or "none"


SatRefutation = tuple[tuple[int, ...], dict[str, str], dict[str, str]]
"""The rows, the fields and the sections of a proof file."""


def refute_rows(
    board: Board, choices: list[tuple[int, ...]], encoding: str | None
) -> Iterator[str | SatRefutation]:
    """Yield progress messages, and finally the proof of the first choice of rows that is refuted.

    Boards of two colors are refuted by short sums unless an encoding is given. Their formula is
    smaller than that of the rows, each of which has a sum of all pegs. Raises SizeError if all
    proofs are too long.
    """
    if encoding is None and is_algebraic(board):
        yield from finish_first([SumsAttempt(board, rows) for rows in choices])
    else:
        yield from refute_by_sat(board, choices, encoding)


def refute_by_sat(
    board: Board, choices: list[tuple[int, ...]], encoding: str | None, **limits: int
) -> Iterator[str | SatRefutation]:
    """Yield progress messages, and finally the proof of the first choice of rows that is refuted.

    `limits` are those of `finish_first`. Raises SizeError if all proofs are too long.
    """
    encoding = encoding or select_proof_encoding(board)
    yield from finish_first([SatAttempt(board, rows, encoding) for rows in choices], **limits)


def select_proof_encoding(board: Board) -> str:
    """Return the encoding with which rows of this length are refuted fastest."""
    return "modulo-totalizer" if board.game.pegs > MAX_TOTALIZER_PEGS else "totalizer"


class SatAttempt(Attempt):
    """An attempt to refute the formula of some rows in an encoding."""

    def __init__(self, board: Board, rows: tuple[int, ...], encoding: str) -> None:
        super().__init__(board, rows)
        self.encoding = encoding

    @cached_property
    def dimacs(self) -> Dimacs:
        """The formula."""
        return write_dimacs(self.board.only(self.rows), self.encoding)

    def clauses(self) -> Sequence[Sequence[int]]:
        """Return the clauses of the formula."""
        return self.dimacs.formula.clauses

    def finish(self) -> Iterator[str | SatRefutation]:
        """Yield progress messages, and finally the proof without its unnecessary lemmas."""
        variables, literals = self.dimacs.formula.variables, self.dimacs.formula.literals
        trimmer = make_trimmer(variables, literals, self.take_lemmas())
        yield from trim(trimmer)
        fields = {"rows": rows_text(self.rows), "encoding": self.encoding}
        sections = {"cnf": self.dimacs.text, "lrat": trimmer.lrat.decode()}
        yield self.rows, fields, sections


class DerivedSums(NamedTuple):
    """Short sums that some rows of a two-color board imply, for each weight of the code.

    The weight is the number of pegs of the second color.
    """

    refutation: Refutation
    """The rows that exclude some weights, and contradictions for some of the remaining weights."""
    sums: dict[int | None, list[DerivedSum]]
    """The sums for each weight that `refutation` does not refute; the key None stands for all
    weights."""


def shorten_rows(board: Board, rows: tuple[int, ...]) -> DerivedSums:
    """Return the short sums that some rows imply, as combinations of the rows of the board."""

    def renumber(combination: Combination) -> Combination:
        """Replace indices into `rows` by rows of the board."""
        numbered = tuple((rows[row], times) for row, times in combination.rows)
        return replace(combination, rows=numbered)

    shortened = shorten_sums(board.only(rows))
    return DerivedSums(
        shortened.refutation.renumber(rows),
        {
            weight: [
                DerivedSum(renumber(sum_combination(entry, equations)), entry.factor)
                for entry in signed_sums
            ]
            for weight, (equations, signed_sums) in shortened.sums.items()
        },
    )


class WeightAttempt(Attempt):
    """An attempt to refute the short sums of some rows for one weight of the code."""

    def __init__(self, board: Board, rows: tuple[int, ...], sums: list[DerivedSum]) -> None:
        super().__init__(board, rows)
        self.peg_sums = [short_sum(board, derived) for derived in sums]
        self.encoding = select_proof_encoding(board)

    @cached_property
    def formula(self) -> Clauses:
        """The formula."""
        return sums_formula(self.board, self.peg_sums, self.encoding)

    def clauses(self) -> Sequence[Sequence[int]]:
        """Return the clauses of the formula."""
        return self.formula.clauses

    def finish(self) -> Iterator[str | bytes]:
        """Yield progress messages, and finally the lemmas."""
        trimmer = make_trimmer(self.formula.variables, self.formula.literals, self.take_lemmas())
        yield from trim(trimmer)
        yield trimmer.lrat


class SumsAttempt(Attempt):
    """An attempt to refute the short sums that some rows of two colors imply.

    The sums of a weight are refuted by parities, as in presolve, or else by clause learning.
    """

    def __init__(self, board: Board, rows: tuple[int, ...]) -> None:
        super().__init__(board, rows)
        self._attempts: dict[int | None, WeightAttempt] | None = None
        """The attempts for the weights that parities do not refute; None before the first step."""
        self._open: list[int | None] = []
        """The weights whose attempts have not succeeded."""

    def clauses(self) -> Sequence[Sequence[int]]:
        """Return no clauses, because each weight has its own formula."""
        return ()

    def step(self, budget: int) -> bool:
        """Search with a budget of propagations for each weight; return whether all are refuted."""
        if self._attempts is None:
            self._derive()
        attempts = self._attempts or {}
        self._open = [weight for weight in self._open if not attempts[weight].step(budget)]
        return not self._open

    def _derive(self) -> None:
        """Derive the sums, and refute those of some weights by parities."""
        shortened = shorten_rows(self.board, self.rows)
        self.refutation = shortened.refutation
        self.sums: dict[int | None, list[DerivedSum]] = {}
        self.parities: dict[int | None, str] = {}
        """The text of the refutation by parities, for each weight that has one."""
        self._attempts = {}
        for weight, sums in shortened.sums.items():
            refuted = refute_by_parities(self.board, sums)
            if refuted is None:
                self.sums[weight] = sums
                self._attempts[weight] = WeightAttempt(self.board, self.rows, sums)
            else:
                self.sums[weight] = refuted[0]
                self.parities[weight] = print_parities(refuted[1])
        self._open += self._attempts

    @property
    def size(self) -> int:
        """The number of bytes that the solvers have written to their proofs."""
        return sum(attempt.size for attempt in (self._attempts or {}).values())

    def release(self) -> None:
        """Delete the solvers."""
        for attempt in (self._attempts or {}).values():
            attempt.release()

    def finish(self) -> Iterator[str | SatRefutation]:
        """Yield progress messages, and finally the proof."""
        text = ""
        for weight in self.sums:
            name = "any" if weight is None else str(weight)
            if weight in self.parities:
                text += f"K {name} parity\n{self.parities[weight]}"
                continue
            attempt = (self._attempts or {})[weight]
            for item in attempt.finish():
                if isinstance(item, str):
                    yield item
                else:
                    text += f"K {name} lrat {attempt.encoding}\n{item.decode()}"
        sums = [derived for weight_sums in self.sums.values() for derived in weight_sums]
        rows = sum_rows(self.refutation, sums)
        sections = {"sums": print_sums(self.refutation, sums), "refutations": text}
        yield rows, {"rows": rows_text(rows)}, sections


def refute_by_parities(
    board: Board, sums: list[DerivedSum]
) -> tuple[list[DerivedSum], ParityRefutation] | None:
    """Return the sums that a refutation by parities uses, and the refutation, or None.

    In the refutation, the returned sums are the relations 1, 2, ...
    """
    relations, indices = [], []  # the index of the sum of each relation
    for index, derived in enumerate(sums):
        literals, low, high = short_sum(board, derived).constraint(board)
        pegs = [literal for literal in literals if isinstance(literal, int)]
        if len(pegs) <= MAX_RELATION_PEGS:
            relations.append(read_relation(board.game.variables, pegs, low, high))
            indices.append(index)
    refutation = find_parity_refutation(relations)
    if refutation is None:
        return None
    # Number the used sums from 1, and the relations of the steps after them.
    sources = [source for step in refutation.steps for source in step.sources]
    sources += [number for number, _ in refutation.parities]
    used = sorted({number for number in sources if number <= len(relations)})
    new_numbers = {number: new_number for new_number, number in enumerate(used, 1)}
    for step_number in range(1, len(refutation.steps) + 1):
        new_numbers[len(relations) + step_number] = len(used) + step_number
    renumbered = ParityRefutation(
        tuple(
            step._replace(sources=tuple(new_numbers[source] for source in step.sources))
            for step in refutation.steps
        ),
        tuple((new_numbers[number], pegs) for number, pegs in refutation.parities),
    )
    return [sums[indices[number - 1]] for number in used], renumbered


def print_parities(refutation: ParityRefutation) -> str:
    """Return the lines of a refutation by parities."""
    lines = [("pegs", pegs, sources) for pegs, sources in refutation.steps]
    lines += [("parity", pegs, (number,)) for number, pegs in refutation.parities]
    return "".join(
        f"{kind}{''.join(f' {peg + 1}' for peg in pegs)} from {' '.join(map(str, sources))}\n"
        for kind, pegs, sources in lines
    )
