"""The commands about the consistent codes: `mmsat count`, `list` and `odds`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, NotRequired, cast

import click

import mmsat
from mmsat._util.results import BoardLine
from mmsat._util.text import in_short, quantity
from mmsat.cli import options
from mmsat.cli.commands.proofs import (
    ProofFileJson,
    prove_codes,
    refuse_standard_output,
    write_proof,
)
from mmsat.cli.output import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    UPDATE_SECONDS,
    Job,
    is_reader_gone,
    leave,
    leave_early,
    print_json,
    print_message,
    say,
    time_limit_message,
)
from mmsat.cli.parameters import Name, Number, refuse_combination
from mmsat.counting import Count, CountBounds, CountJson
from mmsat.counting.codes import ListJson, codes_from, draw_codes
from mmsat.counting.count import METHODS
from mmsat.counting.listing import list_codes
from mmsat.errors import SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import has_texts
from mmsat.game.tolerance import Tolerance
from mmsat.render.board import draw_odds, no_code_sentence
from mmsat.render.reports import print_report
from mmsat.solving.deadline import Deadline, TimeUpError, run, stream

if TYPE_CHECKING:
    from mmsat.constraints.expected_count import CountEstimate
    from mmsat.counting.listing import Odds, OddsJson


class CountOutputJson(CountJson):
    """The number of codes: exact, an estimate, or a lower bound."""

    board: BoardLine
    proof: NotRequired[ProofFileJson | None]
    """With --proof: the proof; null if none was written."""


class ListOutputJson(ListJson):
    """A list of consistent codes."""

    proof: NotRequired[ProofFileJson | None]
    """With --proof: the proof; null if none was written."""


@options.command(
    "count",
    "mmsat count 4x6/1122=1.1/3345=0.2",
    "mmsat count 4x6/1122=1.1/3345=0.2 --lies 1",
    "mmsat count 4x6/1122=1.1/3345=0.2 --proof board.proof",
)
@options.board
@options.as_json
@options.weights
@options.lies
@click.option(
    "--engine",
    "method",
    type=Name("engine", lambda: METHODS),
    default="auto",
    help="auto, brute, diagram, enumeration, ganak or approxmc.",
)
@options.file("--proof", metavar="FILE", help="Write a proof, for `mmsat verify`.")
@options.memory
@options.seed()
@options.timeout
@options.verbose
def count_command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    method: str,
    proof: str | None,
    verbose: bool,
    weights: str | None,
    **settings: Any,
) -> None:
    """Count the codes that get exactly these scores; with --lies, a few may be wrong.

    The number is exact, except with --engine approxmc, which estimates it. At the time limit or
    after Ctrl-C, prints `at least N, at most M` with exit code 1 or 130. With --weights, prints the
    exact total weight of these codes.

    An estimate precedes the exact count with --verbose, or is printed if the count is not finished
    (not with --lies or --weights).
    """
    refuse_standard_output(proof)
    if proof is not None and (lies or weights is not None):
        others = ["--lies"] * bool(lies) + ["--weights"] * (weights is not None)
        refuse_combination(
            "--proof", others, "A proof covers the codes that get exactly these scores."
        )
    unknown = Count(0, exact=False, method=method, seconds=0.0, most=board.game.size)
    job = Job(unknown, "counting")

    def note(bounds: CountBounds) -> None:
        seconds = job.progress.seconds
        job.answer = Count(
            bounds.lower_bound,
            exact=False,
            method=method,
            seconds=seconds,
            most=bounds.upper_bound,
        )
        upper = (
            "" if bounds.upper_bound is None else f", at most {in_short(bounds.upper_bound)} codes"
        )
        lower = f", {in_short(bounds.lower_bound)} codes found" if bounds.lower_bound else ""
        job.progress.report(f"counting{lower}{upper}", bounds.fraction)

    arguments: dict[str, Any] = {"lies": lies, "by": by, "method": method, **settings}
    arguments["weights"] = options.read_weights(board, weights)
    estimate: CountEstimate | None = None
    can_estimate = not lies and weights is None

    def work() -> Count:
        nonlocal estimate
        if can_estimate and (as_json or verbose):
            estimate = estimate_count(board, is_printed=verbose)
        return mmsat.count(board, on_progress=note, **arguments)

    answer = job.run(work)
    is_answered = answer.exact or answer.epsilon is not None
    exit_code = job.code or (SUCCESS if is_answered else FAILURE)
    if as_json:
        counted: CountJson = {**answer.to_dict(), **Tolerance(lies, by).optional_dict()}
        if estimate is not None:
            counted["estimate"] = estimate.to_dict()
        document = cast("CountOutputJson", {"board": str(board), **counted})
        if proof is not None:
            document["proof"], exit_code = prove_count(answer, board, proof, settings, exit_code)
        print_json(document)
    else:
        value = getattr(answer, "weight", answer.count)
        click.echo(f"{value}" if answer.exact else without_separators(answer))
    options.print_known_codes(board)
    print_notes(answer, job.progress.seconds, verbose=verbose)
    if can_estimate and not is_answered and not verbose:
        # An estimate loads numpy. So without --json and -v, it is made only if it is needed.
        estimate_count(board, is_printed=True)
    if proof is not None and not as_json:
        _, exit_code = prove_count(answer, board, proof, settings, exit_code)
    if is_answered and not job.code:
        leave(exit_code)  # the reason why no proof was written was printed
    leave_early(exit_code)


def estimate_count(board: Board, *, is_printed: bool) -> CountEstimate | None:
    """Return the estimated number of codes, or None if there is no estimate.

    With `is_printed`, print the estimate, or the reason why there is none.
    """
    try:
        estimate = mmsat.estimate(board)
    except SizeError as error:
        if is_printed:
            say(f"no estimate: {error}")
        return None
    if is_printed:
        say(f"estimate: {estimate}")
    return estimate


def print_notes(answer: Count, seconds: float, *, verbose: bool) -> None:
    """Print how the count was made and, if it is not exact, what is known about it."""
    is_answered = answer.exact or answer.epsilon is not None
    if verbose:
        for note_of_engine in answer.notes:
            say(note_of_engine)
        if is_answered:
            say(f"counted by {answer.method} in {answer.seconds:.3f} s")
        else:
            say(f"not counted by {answer.method} in {seconds:.3f} s")
    if answer.epsilon is not None and answer.delta is not None:
        factor = 1 + answer.epsilon
        percent = 100 * (1 - answer.delta)
        say(f"an estimate, correct within a factor of {factor:g} with {percent:g}% probability")


def prove_count(
    answer: Count, board: Board, file: str, settings: dict[str, Any], exit_code: int
) -> tuple[ProofFileJson | None, int]:
    """Write a proof of a count to a file, and return its document and the exit code.

    If the count was not completed, no proof is made.
    """
    timeout = settings["timeout"]
    remaining = None if timeout is None else max(0.0, timeout - answer.seconds)
    document, proof_code = write_proof(
        file, mmsat.prove_count, board, timeout=remaining, exit_code=exit_code or None
    )
    return document, proof_code or 0


def without_separators(answer: Count) -> str:
    """Return a count that is not exact as text without thousands separators."""
    return str(answer).replace(",", "").replace(" at most", ", at most")


@options.command(
    "list",
    "mmsat list 4x6/1122=1.1/3345=0.2 -n 5",
    "mmsat list 4x6/1122=1.1/3345=0.2 --from 30",
    "mmsat list 4x6/1122=1.1/3345=0.2 --lies 1 --by pegs -n 5",
    "mmsat list 4x6/1122=1.1/3345=0.2 --sample 3 --seed 1",
    "mmsat list 4x6/1122=1.1/3345=0.2 --proof list.proof",
)
@options.board
@options.as_json
@options.lies
@click.option(
    "--from",
    "start",
    type=Number(1),
    help="Start with code number N.",
)
@options.limit(None, "codes")
@click.option(
    "--sample",
    type=Number(1),
    help="Draw N different codes at random.",
)
@options.file(
    "--proof", metavar="FILE", help="Write a proof that these are all codes, for `mmsat verify`."
)
@options.memory
@options.solver_options("seed", "timeout")
@options.verbose
def list_command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    start: int | None,
    limit: int | None,
    sample: int | None,
    memory: int,
    proof: str | None,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """List the codes that get exactly these scores; with --lies, a few may be wrong.

    Prints one code per line, in order. --from N starts with code number N directly, without
    computing the codes before it. On a terminal, 1,000 codes are listed without --limit. With
    --json, colors are numbers from 1, and `complete` states whether the list has all codes.
    """
    if sample is not None:
        given = {"--from": start, "--limit": limit}
        refuse_combination("--sample", filter(given.get, given), "--sample N draws from all codes.")
    refuse_standard_output(proof, writes_veripb=True)
    if proof is not None:
        excerpts = {"--lies": lies, "--from": start, "--limit": limit, "--sample": sample}
        reason = "A proof covers all codes that get exactly these scores."
        refuse_combination("--proof", filter(excerpts.get, excerpts), reason)
    start_time = monotonic()
    sink = JsonSink(board, Tolerance(lies, by).optional_dict()) if as_json else TextSink(board)
    sequence = mmsat.codes(board, lies=lies, by=by, memory=memory)
    deadline = Deadline(timeout)
    codes: Iterator[Code]
    if sample is not None:
        sink.is_excerpt = True
        codes = stream(deadline, draw_codes, sequence, sample, seed)
    elif start is not None and start > 1:
        sink.is_excerpt = True
        codes = stream(deadline, codes_from, sequence, start - 1)
    else:
        codes = list_codes(board, deadline, tolerance=sequence.tolerance)
    if proof is not None:
        sink.kept_codes = []
        codes = limit_to_proof(codes, proof)
    is_whole = limit is None and sample is None and proof is None and not as_json
    is_shortened = is_whole and sys.stdout.isatty()
    end_reason = sink.take(codes, MAX_TERMINAL_CODES if is_shortened else limit)
    exit_code = 0
    if end_reason:
        exit_code = INTERRUPTED if end_reason == "interrupted" else FAILURE
    if proof is not None:
        remaining = None if timeout is None else max(0.0, timeout - (monotonic() - start_time))
        kept_codes = sink.kept_codes if sink.is_complete else None
        sink.extra_keys["proof"], exit_code = prove_codes(
            board, kept_codes, proof, remaining, exit_code
        )
    sink.close()
    if verbose:
        say(f"{quantity(sink.num_codes, 'code')} in {monotonic() - start_time:.3f} s")
    options.print_known_codes(board)
    if is_shortened and sink.num_codes == MAX_TERMINAL_CODES and not end_reason:
        say(
            f"A terminal gets at most {MAX_TERMINAL_CODES:,} codes. --limit N lists more, a pipe "
            "or a file gets all, and `mmsat count` prints their number."
        )
    if not sink.num_codes and not end_reason:
        say(no_code_sentence(is_weighted=False))
        # A proof that there is no code is a success.
        exit_code = exit_code or (FAILURE if proof is None else SUCCESS)
    if end_reason:
        print_message(end_reason)
    if exit_code:
        leave(exit_code)


MAX_TERMINAL_CODES = 1000
"""Maximum number of codes that are listed on a terminal without --limit."""


def limit_to_proof(codes: Iterator[Code], file: str) -> Iterator[Code]:
    """Yield codes; raises SizeError as soon as there are too many for a proof in a file."""
    from mmsat.proof.prove_codes import limit_codes

    try:
        yield from limit_codes(codes)
    except SizeError as error:
        raise SizeError(f"{error}; {file} was not written") from None


class TextSink:
    """Writes codes as they arrive, and flushes the output every UPDATE_SECONDS."""

    def __init__(self, board: Board) -> None:
        """Start the list."""
        self.board = board
        self.speller = speller(board.game)
        self.num_codes = 0
        self.flush_time = 0.0
        self.is_excerpt = False  # whether the list is incomplete even if it ends normally
        self.is_complete = False
        self.kept_codes: list[Code] | None = None  # the codes for a proof; None without a proof
        self.extra_keys: dict[str, Any] = {}  # additional keys of the JSON document

    def take(self, codes: Iterator[Code], limit: int | None) -> str | None:
        """Write up to `limit` codes; return the reason if the list ended early, else None."""
        job: Job[str | None] = Job("interrupted", message="")
        end_reason = job.run(lambda: self._write_all(islice(codes, limit)))
        self.is_complete = not (end_reason or self.is_excerpt or self.num_codes == limit)
        return end_reason

    def _write_all(self, codes: Iterator[Code]) -> str | None:
        """Write all codes; return a message if the time limit was reached."""
        try:
            for code in codes:
                self.write(code)
                self.num_codes += 1
                if self.kept_codes is not None:
                    self.kept_codes.append(code)
                if monotonic() > self.flush_time + UPDATE_SECONDS:
                    sys.stdout.flush()
                    self.flush_time = monotonic()
                if is_reader_gone():  # the reader closed the pipe, as `head` does
                    self.is_excerpt = True
                    break
        except TimeUpError:
            return time_limit_message()
        except SizeError as error:
            return str(error)
        return None

    def write(self, code: Code) -> None:
        """Write one code."""
        sys.stdout.write(f"{self.speller.print_code(code)}\n")

    def close(self) -> None:
        """End the list; text needs no end."""


class JsonSink(TextSink):
    """Writes one JSON document (ListJson) in pieces; it is valid however the list ends.

    Ctrl-C can interrupt a write after its text was written. So `prefix`, the text that precedes the
    next code, is updated before each write.
    """

    def __init__(self, board: Board, extra_keys: Mapping[str, Any]) -> None:
        super().__init__(board)
        self.extra_keys = {**extra_keys}
        self.prefix = f'{{"board": {json.dumps(str(board))}, "listed": ['
        self.texts: list[str] | None = [] if has_texts(board.game) else None

    def write(self, code: Code) -> None:
        """Write one code as a list of colors from 1."""
        prefix, self.prefix = self.prefix, ", "
        sys.stdout.write(f"{prefix}{json.dumps([color + 1 for color in code])}")
        if self.texts is not None:
            self.texts.append(self.speller.print_code(code))

    def close(self) -> None:
        """Close the document."""
        prefix = "" if self.prefix == ", " else self.prefix
        texts = {} if self.texts is None else {"listed_text": self.texts}
        end = json.dumps({**texts, "complete": self.is_complete, **self.extra_keys})
        sys.stdout.write(f"{prefix}], {end[1:]}\n")


@options.command(
    "odds", "mmsat odds 4x6/1122=1.1/3345=0.2", "mmsat odds 4x6/1122=1.1/3345=0.2 --json"
)
@options.board
@options.as_json
@options.weights
@options.lies
@options.picture("Draw the table to FILE: .svg, .png or .pdf.")
@options.memory
@options.solver_options("timeout")
def odds_command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    plot: str | None,
    memory: int,
    timeout: float | None,
    weights: str | None,
) -> None:
    """Print the probability of every color at every peg.

    Each number is the exact percentage of the codes that get exactly these scores; with --lies, a
    few scores may be wrong. With --weights, it is the percentage of the total weight. --json also
    has the numbers of codes.
    """
    job: Job[Odds | None] = Job(None, "counting codes, color by color")
    codes = mmsat.codes(
        board, lies=lies, by=by, memory=memory, weights=options.read_weights(board, weights)
    )
    try:
        odds = job.run(lambda: run(Deadline(timeout), codes.odds))
    except TimeUpError:
        leave_early(FAILURE)
    if odds is None:
        leave_early(job.code)
    options.print_known_codes(board)
    if not odds.codes and (as_json or plot):  # otherwise the report has the sentence
        say(no_code_sentence(is_weighted=odds.units is not None))
    if plot is not None:
        draw_odds(odds, plot)
        say(f"{plot}: {quantity(board.game.pegs, 'peg')} by {quantity(board.game.colors, 'color')}")
    if as_json:
        document: OddsJson = {
            "board": str(board),
            **odds.to_dict(),
            **Tolerance(lies, by).optional_dict(),
        }
        print_json(document)
    elif plot is None:
        print_report(odds)
    if not odds.codes:
        leave(FAILURE)
