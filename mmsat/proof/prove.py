"""Prove a verdict: a file that shows it to whoever trusts no solver."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mmsat._core import Check, Trimmer
from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.check import check
from mmsat.encoding.encodings import ENCODINGS
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.notation.speller import speller
from mmsat.proof.algebraic_certificate import flaw, print_certificate, read_certificate
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.formats import write_dimacs
from mmsat.proof.verify import verify
from mmsat.registry import require_name
from mmsat.results.verdict import Refutation, Status, Verdict
from mmsat.shown import Shown
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import stream
from mmsat.solving.portfolio import growing_budgets
from mmsat.solving.refutation import refute
from mmsat.solving.sat import pysat

Progress = Callable[[str], None]

SOLVER = "glucose4"
"""Of python-sat's solvers the one whose proofs are short and hold resolution only; measured."""
LONG = 100
"""Pegs from which quotient and remainder are the shorter way to count."""
PROPAGATIONS = 1_000_000
"""The first budget of each way to a proof, a second or so; it doubles."""
MOST = 1 << 29
"""Bytes of a solver's proof, beyond which it is given up."""
SLICE = 1 << 24
"""Literals that are looked at between two reports of progress."""


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Shown):
    """A proof, checked once more after it was made."""

    board: Board
    status: Status
    """What it shows."""
    method: str
    """witness, lrat or algebra."""
    rows: tuple[int, ...]
    """The rows, from 0, that have no code in common; none for a witness."""
    text: str
    """The file."""

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys, rows from 1; the text itself goes to a file."""
        rows = [row + 1 for row in self.rows]
        return {"method": self.method, "rows": rows, "bytes": len(self.text.encode())}


@check_arguments
def prove(
    board: Board | str,
    *,
    verdict: Verdict | None = None,
    encoding: str | None = None,
    engine: str = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Proof | None:
    """Make a proof of whether a code gets exactly the board's scores, or None if none came in time.

    A consistent board is proven by a code. Else by numbers, where rows of a two-color board add up
    to a contradiction; or by clause learning, from the rows of the verdict's conflict or from all,
    whichever is done first.

    - `board`: the game and its scored rows.
    - `verdict`: that of `check`, where it is known; it spares the work to find it.
    - `encoding`: the encoding made of clauses that is refuted, by name; None for the one that
      suits.
    - `engine`, `seed`: those of `check`, where there is no verdict.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with what is done, in words.

    Raises SizeError where the proof gets too long, InputError for an encoding that is not made of
    clauses.
    """
    board = Board.of(board)
    if encoding is not None:
        require_name("encoding", encoding, ENCODINGS)
    if encoding is not None and ENCODINGS[encoding].is_native:
        names = ", ".join(sorted(name for name, kind in ENCODINGS.items() if not kind.is_native))
        raise InputError.of(
            "the encoding", f"one of {names}", encoding, "a proof needs an encoding made of clauses"
        )
    deadline = Deadline(timeout)
    if verdict is not None and verdict.board != board:
        raise InputError.of("the verdict", "a verdict of this board", str(verdict.board))
    if verdict is None:
        verdict = check(board, engine=engine, timeout=timeout, seed=seed)
    if verdict.status is Status.UNKNOWN:
        return None
    text = board_text(board)
    board = read_board(text)  # games from files lose nothing but the file
    if verdict.witness is not None:
        code = speller(board.game).print_code(verdict.witness)
        bundle = Bundle(text, "consistent", "witness", {"witness": code})
        return _verify_own(board, Status.CONSISTENT, (), bundle)
    found = _by_algebra(board, verdict)
    if found is not None:
        fields = {"rows": rows_text(found.rows)}
        sections = {"certificate": print_certificate(found)}
        bundle = Bundle(text, "inconsistent", "algebra", fields, sections)
        return _verify_own(board, Status.INCONSISTENT, found.rows, bundle)
    everything = tuple(range(len(board.rows)))
    choices = [everything] if verdict.conflict is None else [verdict.conflict.rows, everything]
    try:
        for item in stream(deadline, refute_by_sat, board, list(dict.fromkeys(choices)), encoding):
            if not isinstance(item, str):
                rows, fields, sections = item
                bundle = Bundle(text, "inconsistent", "lrat", fields, sections)
                return _verify_own(board, Status.INCONSISTENT, rows, bundle)
            if on_progress is not None:
                on_progress(item)
    except TimeUpError:
        pass
    return None


def _verify_own(board: Board, status: Status, rows: tuple[int, ...], bundle: Bundle) -> Proof:
    """The proof, which must hold."""
    text = str(bundle)
    verified = verify(text, board=board)
    if not verified.holds:
        raise InternalError(f"a proof does not hold: {verified.reason}")
    return Proof(board, status, bundle.method, rows, text)


def _by_algebra(board: Board, verdict: Verdict) -> Refutation | None:
    """Numbers by which rows add up to a contradiction, if they are known or found at once."""
    found = None if verdict.conflict is None else verdict.conflict.refutation
    found = found or refute(board, thorough=True)
    if found is None or flaw(board, found) is not None:
        return None
    return found if read_certificate(print_certificate(found)) == found else None


def rows_text(rows: tuple[int, ...]) -> str:
    """Rows as the head has them, from 1."""
    return " ".join(str(row + 1) for row in rows) or "none"


SatRefutation = tuple[tuple[int, ...], dict[str, str], dict[str, str]]
"""The rows, and the fields and sections of the file."""


def refute_by_sat(
    board: Board,
    choices: list[tuple[int, ...]],
    encoding: str | None,
    *,
    most: int = MOST,
    propagations: int = PROPAGATIONS,
) -> Iterator[str | SatRefutation]:
    """Yield what goes on, and at last the proof of the first choice of rows that is refuted.

    Raises SizeError once each proof has so many bytes. The budgets begin with the propagations.
    """
    ways = [SatAttempt(board, rows, encoding or select_encoding(board)) for rows in choices]
    for budget in growing_budgets():
        for way in list(ways):
            yield f"looking for a proof from {len(way.rows)} rows, {budget}M propagations"
            if way.step(propagations * budget):
                yield from way.trim()
                return
            if way.size > most:
                ways.remove(way)
        if not ways:
            message = f"no proof is below {most >> 20} MiB; take fewer rows, or more of them"
            raise SizeError(message)


def select_encoding(board: Board) -> str:
    """The encoding with which rows of this length are refuted soonest."""
    return "modulo-totalizer" if board.game.pegs > LONG else "totalizer"


class SatAttempt:
    """A solver at work on some rows, which writes down what it learns."""

    def __init__(self, board: Board, rows: tuple[int, ...], encoding: str) -> None:
        self.board = board
        self.rows = rows
        self.encoding = encoding
        self.dimacs: Any = None
        self.solver: Any = None

    def step(self, budget: int) -> bool:
        """Whether it refutes the rows within so many more propagations."""
        if self.dimacs is None:
            self.dimacs = write_dimacs(self.board.only(self.rows), self.encoding)
            clauses = self.dimacs.formula.clauses
            if [] in clauses:  # refuted before any solver is asked
                return True
            self.solver = pysat().Solver(SOLVER, bootstrap_with=clauses, with_proof=True)
        self.solver.prop_budget(budget)
        answer = self.solver.solve_limited()
        if answer:
            message = f"a solver finds a code where there is none: {self.board.only(self.rows)}"
            raise InternalError(message)
        return answer is False

    @property
    def size(self) -> int:
        """Bytes of what was written down so far."""
        return 0 if self.solver is None else os.fstat(self.solver.solver.prfile.fileno()).st_size

    def trim(self) -> Iterator[str | SatRefutation]:
        """The proof, with nothing left in it that is not needed."""
        lines = [] if self.solver is None else self.solver.get_proof()
        if self.solver is not None:
            self.solver.delete()
        drup = "".join(f"{line}\n" for line in lines).encode()
        del lines
        trimmer = Trimmer(self.dimacs.formula.variables, self.dimacs.literals, drup)
        while (state := trimmer.advance(SLICE)) == Check.GOING_ON:
            share = trimmer.done / max(1, trimmer.steps)
            yield f"trimming a proof of {trimmer.lemmas} lemmas, {share:.0%}"
        if state == Check.FAILS:
            raise InternalError(f"{SOLVER} gave no proof: {trimmer.fault}")
        fields = {"rows": rows_text(self.rows), "encoding": self.encoding}
        sections = {"cnf": self.dimacs.text, "lrat": trimmer.lrat.decode()}
        yield self.rows, fields, sections
