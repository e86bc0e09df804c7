"""The command `mmsat count`."""

from contextlib import suppress
from typing import Any

import click

import mmsat
from mmsat._util.text import in_short
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE
from mmsat.cli.output import leave_early, print_json, say
from mmsat.cli.parameters import Name
from mmsat.cli.progress import Job
from mmsat.constraints.expected_count import CountEstimate
from mmsat.counting.count import METHODS
from mmsat.counting.result import Count, CountBounds, CountJson
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance


@options.command(
    "count", "mmsat count 4x6/1122=1.1/3345=0.2", "mmsat count 4x6/1122=1.1/3345=0.2 --lies 1"
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
@options.memory
@options.seed()
@options.timeout
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    method: str,
    verbose: bool,
    weights: str | None,
    **settings: Any,
) -> None:
    """Count the codes that get exactly these scores; with --lies, a few may be wrong.

    The number is exact, except with --engine approxmc, which estimates it. At the time limit or
    after Ctrl-C, prints `at least N, at most M` with exit code 1 or 130. With --weights, prints the
    exact total weight of these codes.

    An estimate precedes the exact count with --verbose, or is printed if the count is not finished.
    """
    job = Job(Count(0, exact=False, method=method, seconds=0.0), "counting")

    def note(bounds: CountBounds) -> None:
        seconds = job.progress.seconds
        job.answer = Count(
            bounds.least, exact=False, method=method, seconds=seconds, most=bounds.most
        )
        upper = "" if bounds.most is None else f", at most {in_short(bounds.most)} codes"
        lower = f", {in_short(bounds.least)} codes found" if bounds.least else ""
        job.progress.report(f"counting{lower}{upper}", bounds.share)

    arguments: dict[str, Any] = {"lies": lies, "by": by, "method": method, **settings}
    arguments["weights"] = options.read_weights(board, weights)
    estimate: CountEstimate | None = None

    def work() -> Count:
        nonlocal estimate
        if not lies and weights is None:
            with suppress(SizeError):
                estimate = mmsat.estimate(board)
        if estimate is not None:
            job.progress.report(f"counting {estimate}")
            if verbose:
                say(f"estimate: {estimate}")
        return mmsat.count(board, on_progress=note, **arguments)

    answer = job.run(work)
    if as_json:
        document: CountJson = {**answer.to_dict(), **Tolerance(lies, by).optional_dict()}
        if estimate is not None:
            document["estimate"] = estimate.to_dict()
        print_json(document)
    else:
        value = getattr(answer, "weight", answer.count)
        click.echo(f"{value}" if answer.exact else without_separators(answer))
    options.print_known_codes(board)
    is_answered = answer.exact or answer.epsilon is not None
    if verbose:
        for note_of_engine in answer.notes:
            say(note_of_engine)
        if is_answered:
            say(f"counted by {answer.method} in {answer.seconds:.3f} s")
        else:
            say(f"not counted by {answer.method} in {job.progress.seconds:.3f} s")
    if estimate is not None and not is_answered and not verbose:
        say(f"estimate: {estimate}")
    if answer.epsilon is not None and answer.delta is not None:
        factor = 1 + answer.epsilon
        percent = 100 * (1 - answer.delta)
        say(f"an estimate, correct within a factor of {factor:g} with {percent:g}% probability")
    leave_early(job.code or FAILURE * (not is_answered))


def without_separators(answer: Count) -> str:
    """Return a count that is not exact as text without thousands separators."""
    return str(answer).replace(",", "").replace(" at most", ", at most")
