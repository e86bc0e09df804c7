"""Check a proof against its board without any solver: codes, lemmas, and algebraic certificates.

The board is read, and its formula is generated again and compared line by line. A small kernel
(_core/proof/lrat.cpp) checks that each lemma follows from the clauses that it names. An algebraic
certificate is checked in integer arithmetic. A witness is scored. No proof shows that the formula
represents the board; the tests check this by counting all models of all tiny boards.

**Algebraic certificates** are rows of a two-color board whose combination contradicts every code.
Let N be the number of pegs and K the number of pegs at which the code has the second color. A guess
has that color at the pegs S, and the code at t of these. Then black = t + (N - |S| - (K - t)), and
black and white together are N - |K - |S||. So t follows from K and a score in which black or white
was read.

Count 1 for each peg in S and -1 for every other peg. Then the pegs at which the code has the second
color add up to t - (K - t) = 2t - K. A combination of rows with integer multipliers gives a number
v_p for each peg and a total. K itself can be included, with 1 for each peg. There is no code if

- a modulus divides every v_p but not the total; or
- the total is below the sum of the negative v_p, or above the sum of the positive ones.

In the file, `weighing` lists rows that exclude some values of K on their own, whatever t is. Each
other value of K has its line, unless there is a line for any K. Such a line uses rows in which
black was read, because then 2t - K = black - N + |S| for every K.

    weighing 2
    K 4: 1 x K + 1 x row 1 - 2 x row 3 modulus 2
    K any: 1 x row 1 + 1 x row 2 out of reach

The check shares no code with the algebra that finds such multipliers. Its cost is one step for
each peg of each row, and for each K at each row of `weighing`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import zip_longest
from time import monotonic
from typing import Annotated, NamedTuple, TypedDict

from mmsat._core import Check, LratChecker
from mmsat._util.arguments import check_arguments
from mmsat._util.results import (
    BoardLine,
    Digits,
    NonEmpty,
    NonNegative,
    RowNumbers,
    Schema,
    Seconds,
    Shown,
)
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import formula_size
from mmsat.errors import InputError, InternalError, MmsatError
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.refutation import Combination, Refutation
from mmsat.limits import LIMITS
from mmsat.proof.bundle import METHODS, Bundle, RejectedError, read_board, read_code, write_dimacs

Progress = Callable[[float], None]
VERIPB, VERIPB_START = "veripb", "pseudo-Boolean proof"
"""The method of proofs in the format of VeriPB, and the beginning of their files."""


class Watch(NamedTuple):
    """The time limit of a check, and its report of progress."""

    end: float | None
    """The time by `monotonic` at which the check stops; None if there is no limit."""
    on_progress: Progress | None

    def report(self, fraction: float) -> None:
        """Report the checked fraction, from 0 to 1."""
        if self.on_progress is not None:
            self.on_progress(fraction)

    @property
    def is_over(self) -> bool:
        """Whether the time limit is reached."""
        return self.end is not None and monotonic() >= self.end


class VerificationJson(TypedDict):
    """Result of checking a proof."""

    board: BoardLine | None
    """The board of the proof; null if it cannot be read."""
    verdict: str | None
    """The verdict that the proof claims."""
    method: Annotated[str, Schema(enum=(*METHODS, VERIPB))] | None
    """The kind of proof."""
    rows: RowNumbers
    """Rows that no code satisfies together, from 1."""
    holds: bool | None
    """Whether the proof proves its verdict; null if the time was up before."""
    reason: NonEmpty
    """Why the proof does not hold, or a summary of the check."""
    lemmas: NonNegative
    """Number of lemmas that were checked."""
    count: Digits | None
    """Number of codes that the proof certifies; null if it is not about a count."""
    seconds: Seconds


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Shown):
    """Result of checking a proof."""

    holds: bool | None
    """Whether the proof proves its verdict; None if the time was up before the check was
    complete."""
    reason: str
    """Why the proof does not hold, or a summary of the check."""
    board: Board | None = None
    """The board of the proof, if it can be read."""
    verdict: str | None = None
    """The verdict that it claims."""
    method: str | None = None
    """The kind of proof: a key of `METHODS` in mmsat/proof/bundle.py."""
    rows: tuple[int, ...] = ()
    """The rows, from 0, that have no code in common."""
    lemmas: int = 0
    """The number of lemmas that were checked."""
    count: int | None = None
    """The number of codes that the proof certifies; None if it is not about a count."""
    seconds: float = field(default=0.0, compare=False)
    """Wall-clock time in seconds."""

    def to_dict(self) -> VerificationJson:
        """Return stable JSON keys, with rows from 1; see schemas/verify.json."""
        return {
            "board": None if self.board is None else str(self.board),
            "verdict": self.verdict,
            "method": self.method,
            "rows": [row + 1 for row in self.rows],
            "holds": self.holds,
            "reason": self.reason,
            "lemmas": self.lemmas,
            "count": None if self.count is None else str(self.count),
            "seconds": round(self.seconds, 6),
        }


Checker = Callable[[Board, Bundle, Verification, Watch], Verification]
"""Checks a proof about a board by one method. It returns the completed result, with `holds` None if
the time is up, and raises RejectedError if the proof is not valid."""


@check_arguments
def verify(
    proof: object,
    *,
    board: Board | str | None = None,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Verification:
    """Check a proof without any solver.

    Parameters
    ----------
    proof : str, bytes or Proof
        The content of a proof file, or the result of `prove`.
    board : Board or str, optional
        The board that the proof must be about. By default, it may be about any board. A proof in
        the format of VeriPB does not contain its board, and so needs it.
    timeout : float, optional
        Time limit in seconds. When it passes, `holds` of the result is None. By default, there is
        no limit.
    on_progress : callable, optional
        Called with the checked fraction, from 0 to 1.

    Returns
    -------
    Verification
        Whether the proof holds, with the reason. A text that is not a proof does not hold.

    Raises
    ------
    InputError
        If the board or another argument is invalid.

    Notes
    -----
    The formula of the board is generated again and compared line by line. A small kernel checks
    that each lemma follows from the clauses that it names. An algebraic certificate is checked in
    integer arithmetic, and a witness is scored. The time is linear in the length of the proof.

    Examples
    --------
    >>> proof = mmsat.prove("4x6/1122=1.1")
    >>> mmsat.verify(proof).holds, mmsat.verify(proof, board="4x6/1122=0.0").holds
    (True, False)
    """
    board = None if board is None else Board.of(board)
    started = monotonic()
    watch = Watch(None if timeout is None else started + timeout, on_progress)
    result = Verification(False, "")
    try:
        text = _text(proof)
        if text.startswith(VERIPB_START):
            result = replace(result, method=VERIPB, board=board)
            result = _check_veripb(text, result, watch)
            return replace(result, seconds=monotonic() - started)
        bundle = Bundle.read(text)
        result = replace(result, verdict=bundle.verdict, method=bundle.method)
        proved_board = read_board(bundle.board)
        result = replace(result, board=proved_board)
        checker = _select_checker(bundle, proved_board, board)
        result = checker(proved_board, bundle, result, watch)
    except RejectedError as error:
        result = replace(result, holds=False, reason=str(error))
    return replace(result, seconds=monotonic() - started)


def verify_new(
    text: str, verdict: str, *, board: Board | None = None, timeout: float | None = None
) -> Verification:
    """Check a new proof of a verdict; raises InternalError if it is rejected.

    Only if there is a time limit, `holds` of the result can be None.
    """
    verified = verify(text, board=board, timeout=timeout)
    if verified.holds is None and timeout is not None:
        return verified
    if not verified.holds or verified.verdict != verdict:
        raise InternalError(f"a new proof was rejected: {verified.reason}")
    return verified


def _check_veripb(text: str, verification: Verification, watch: Watch) -> Verification:
    """Check a proof in the format of VeriPB, which does not contain its board."""
    if verification.board is None:
        rule = "a proof in the format of VeriPB does not contain its board"
        raise InputError.of("the proof", "a board given by --board", None, rule)
    check: Callable[..., Verification] = import_module("mmsat.proof.check_veripb").check_veripb
    return check(verification.board, text, verification, watch)


def _select_checker(bundle: Bundle, board: Board, wanted: Board | None) -> Checker:
    """Return the checker of a proof, if it can prove its verdict and is about the wanted board."""
    if wanted is not None and board != wanted:
        raise RejectedError(f"the proof is about another board: {board}")
    kind = METHODS[bundle.method]
    if bundle.verdict != kind.verdict:
        raise RejectedError(f"the method {bundle.method} cannot prove {bundle.verdict[:40]!r}")
    module, _, name = kind.checker.partition(":")
    checker: Checker = getattr(import_module(module), name)
    return checker


def _text(proof: object) -> str:
    """Return the text of a proof."""
    if not isinstance(proof, bytes | bytearray):
        text = str(proof)
        if any("\ud800" <= character <= "\udfff" for character in text):  # an unpaired surrogate
            proof = text.encode("utf-8", "surrogatepass")
        else:
            return text
    try:
        return proof.decode("utf-8")
    except UnicodeDecodeError as error:
        start = proof[:40].decode("utf-8", "replace")
        if not start.startswith(("mmsat proof", VERIPB_START)):
            return start  # is rejected as not being a proof
        line = proof.count(b"\n", 0, error.start) + 1
        got = proof[error.start : error.start + 1]
        raise RejectedError(f"line {line}: {got!r} is not UTF-8") from None


def _rows(board: Board, text: str) -> tuple[int, ...]:
    """Return the listed rows, from 0."""
    words = text.split(" ")
    row_count = len(board.rows)
    if text == "none":
        return ()
    if not all(word.isdecimal() and word.isascii() and len(word) < 10 for word in words):
        raise RejectedError(f"expected row numbers from 1 to {row_count}, found {text[:40]!r}")
    rows = tuple(int(word) - 1 for word in words)
    if rows != tuple(sorted(set(rows))) or not 0 <= rows[0] <= rows[-1] < row_count:
        raise RejectedError(f"expected ascending rows from 1 to {row_count}, found {text[:40]!r}")
    return rows


def check_witness(
    board: Board, bundle: Bundle, verification: Verification, _watch: Watch
) -> Verification:
    """Score the witness against every row."""
    code_text = bundle.fields["witness"]
    code = read_code(speller(board.game), code_text)
    if code is None:
        raise RejectedError(f"line 5: {code_text[:40]!r} is not a code of the game {board.game}")
    if not board.game.contains(code):
        raise RejectedError(f"the game {board.game} has no code {code_text}")
    if missed := board.missed(code):
        raise RejectedError(f"the code {code_text} does not get the score of row {missed[0] + 1}")
    if not board.is_consistent(code):
        raise RejectedError(f"the code {code_text} is a known code, and another one is needed")
    return replace(
        verification, holds=True, reason=f"the code {code_text} gets the score of every row"
    )


def check_lrat(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the lemmas refute the formula of the rows."""
    verification = replace(verification, rows=_rows(board, bundle.fields["rows"]))
    return check_refutation(board.only(verification.rows), bundle, verification, watch)


def check_refutation(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Generate the formula of a board again, compare it, and check that the lemmas refute it."""
    encoding = bundle.fields["encoding"]
    if encoding not in ENCODINGS.built_in:
        raise RejectedError(f"unknown encoding {encoding[:40]!r}")
    try:
        # The size is computed without the formula, so that a small file costs little.
        num_clauses = formula_size(System.of(board), encoding).clauses
        num_lines = bundle.sections["cnf"].count("\n")
        if num_lines < num_clauses:
            cnf_size = f"[cnf] has {quantity(num_lines, 'line')}"
            raise RejectedError(
                f"{cnf_size}, but the formula has {quantity(num_clauses, 'clause')}"
            )
        dimacs = write_dimacs(board, encoding)
    except MmsatError as error:
        raise RejectedError(f"the encoding does not support the board: {error}") from None
    if dimacs.text != bundle.sections["cnf"]:
        raise RejectedError(describe_difference(dimacs.text, bundle.sections["cnf"]))
    lrat = bundle.sections["lrat"].encode()
    checker = LratChecker(dimacs.formula.variables, dimacs.literals, lrat)
    while (state := checker.advance(LIMITS.lemma_slice)) == Check.GOING_ON:
        watch.report(checker.position / max(1, len(lrat)))
        if watch.is_over:
            reason = f"undecided: time limit reached at line {checker.line} of [lrat]"
            return replace(verification, holds=None, reason=reason, lemmas=checker.lemmas)
    if state == Check.FAILS:
        raise RejectedError(f"line {checker.line} of [lrat]: {checker.fault}")
    lemma_count = checker.lemmas
    lemmas = f"{lemma_count} lemmas refute it" if lemma_count > 1 else "1 lemma refutes it"
    reason = f"the formula matches the rows, and {lemmas}"
    return replace(verification, holds=True, reason=reason, lemmas=lemma_count)


def describe_difference(expected_text: str, proof_text: str) -> str:
    """Return a message with the first line that differs between a board's formula and a file's."""
    pairs = zip_longest(expected_text.split("\n"), proof_text.split("\n"), fillvalue="")
    for number, (expected_line, proof_line) in enumerate(pairs, 1):
        if expected_line != proof_line:
            return (
                f"line {number} of [cnf] is {proof_line[:80]!r}, but the formula of the board has "
                f"{expected_line[:80]!r}"
            )
    return "the formula does not match the board"


def check_algebra(
    board: Board, bundle: Bundle, verification: Verification, _watch: Watch
) -> Verification:
    """Check the combinations of rows."""
    verification = replace(verification, rows=_rows(board, bundle.fields["rows"]))
    refutation = read_refutation(bundle.sections["certificate"])
    if refutation is None:
        raise RejectedError("the section [certificate] has invalid lines")
    if refutation.rows != verification.rows:
        raise RejectedError("the rows of the certificate differ from those of the head")
    wrong = refutation_flaw(board, refutation)
    if wrong is not None:
        raise RejectedError(f"the certificate is invalid: {wrong}")
    return replace(verification, holds=True, reason="the rows add up to a contradiction")


COMBINATION_LINE = re.compile(r"K (any|[0-9]{1,6}): (.*) (?:modulus ([0-9]{1,4000})|out of reach)")
COMBINATION_TERM = re.compile(r"([+-]) ([0-9]{1,4000}) x (K|row ([0-9]{1,9}))")
WEIGHING_LINE = re.compile(r"weighing((?: [0-9]{1,9})*)")
LINEAR_SCORINGS = ("black-white", "black", "color")


def print_refutation(refutation: Refutation) -> str:
    """Return a refutation as lines of text; rows count from 1."""
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
    text = " ".join(f"{'-' if n < 0 else '+'} {abs(n)} x {name}" for n, name in terms)
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
    """Return the combination of a line, or None if the line has another form."""
    match = COMBINATION_LINE.fullmatch(line)
    if match is None:
        return None
    terms = match[2] if match[2].startswith("- ") else f"+ {match[2]}"
    times_weight, rows = 0, []
    for term in COMBINATION_TERM.finditer(terms):
        times = int(term[1] + term[2])
        if term[4] is None:
            times_weight = times
        else:
            rows.append((int(term[4]) - 1, times))
    weight = None if match[1] == "any" else int(match[1])
    modulus = None if match[3] is None else int(match[3])
    return Combination(weight, tuple(rows), times_weight, modulus)


def refutation_flaw(board: Board, refutation: Refutation) -> str | None:
    """Return why a refutation does not prove that a board has no code, or None if it does."""
    game = board.game
    if game.colors != 2 or game.scoring.name not in LINEAR_SCORINGS:
        return f"{game} is not a game of two colors with the scoring black-white, black or color"
    if game.space.name not in ("repeats", "distinct"):
        return f"the codes of {game} are a list"
    row_count = len(board.rows)
    if not all(0 <= row < row_count for row in refutation.rows):
        return f"it uses rows beyond row {row_count}"
    weights = {combination.weight for combination in refutation.combinations}
    for weight in () if None in weights else all_weights(board):
        ruled_out = any(not shared_pegs(board, row, weight) for row in refutation.weighing)
        if not ruled_out and weight not in weights:
            return f"codes with {quantity(weight, 'peg')} of the second color are not refuted"
    for combination in refutation.combinations:
        problem = _combination_flaw(board, combination)
        if problem is not None:
            given = "any K" if combination.weight is None else f"K = {combination.weight}"
            return f"for {given}, {problem}"
    return None


def all_weights(board: Board) -> Iterable[int]:
    """Return the possible numbers of pegs at which a code has the second color."""
    pegs = board.game.pegs
    if board.game.space.name == "repeats":
        return range(pegs + 1)
    return [weight for weight in (0, 1) if pegs - weight <= 1]  # no color repeats


def shared_pegs(board: Board, row: int, weight: int) -> range:
    """Return the possible numbers of pegs with the second color in both a code and the guess.

    The code has this weight and gets the score of the row. If black is not known, the range may be
    long. It is empty if no code of this weight gets the score.
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
            (both,) = score
            if both is not None and both != common:
                return range(0)
    if white is not None:
        if black is not None and black + white != common:
            return range(0)
        black = common - white
    lowest, highest = max(0, weight + ones - pegs), min(weight, ones)
    if black is None:
        return range(lowest, highest + 1)
    shared, odd = divmod(black - pegs + ones + weight, 2)
    return range(shared, shared + 1) if lowest <= shared <= highest and not odd else range(0)


def _combination_flaw(board: Board, combination: Combination) -> str | None:
    """Return why a combination is not a contradiction, or None if it is one."""
    pegs, weight, modulus = board.game.pegs, combination.weight, combination.modulus
    if weight is None and combination.times_weight:
        return "K is added, but its value is not given"
    coefficients, total = (
        [combination.times_weight] * pegs,
        combination.times_weight * (weight or 0),
    )
    for row, times in combination.rows:
        guess = board.rows[row].guess
        row_sum = signed_sum(board, row, weight)
        if row_sum is None:
            return f"the sum of row {row + 1} is not determined"
        total += times * row_sum
        coefficients = [
            number + (times if color else -times)
            for number, color in zip(coefficients, guess, strict=True)
        ]
    if modulus is not None:
        if modulus > 1 and not any(number % modulus for number in coefficients) and total % modulus:
            return None
        return f"the total {total} is no contradiction modulo {modulus}"
    lowest, highest = sum(n for n in coefficients if n < 0), sum(n for n in coefficients if n > 0)
    if lowest <= total <= highest:
        return f"the total {total} is possible, as the left side is {lowest} to {highest}"
    return None


def signed_sum(board: Board, row: int, weight: int | None) -> int | None:
    """Return the sum of a row's signs over the code's pegs of the second color; None if unknown."""
    guess, score = board.rows[row]
    if weight is None:
        has_black = board.game.scoring.name != "color"
        black = score[0] if has_black else None
        return None if black is None else black - board.game.pegs + sum(guess)
    shared = shared_pegs(board, row, weight)
    return 2 * shared[0] - weight if len(shared) == 1 else None
