"""The command `mmsat explain`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import Any, NoReturn

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import join_words, noun_phrase, quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave
from mmsat.cli.output import leave_early, print_json, print_message, print_result, say
from mmsat.cli.parameters import OutputFolder, Value, misuse, refuse_with
from mmsat.cli.progress import Job
from mmsat.cli.time_limit import late_message
from mmsat.diagnosis.explain import FURTHER_SECONDS, with_derivations
from mmsat.diagnosis.explanation import ExplainJson, Explanation
from mmsat.diagnosis.steps.knowledge import frames
from mmsat.diagnosis.steps.steps import Steps
from mmsat.diagnosis.suspect import check_suspects
from mmsat.diagnosis.suspicion import Suspicion
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import Tolerance
from mmsat.render.picture import pegboard_svg
from mmsat.render.reports import print_report
from mmsat.solving.deadline import Deadline


class Rows(Value[tuple[int, ...]]):
    """Comma-separated numbers of rows, counted from 1; the value counts from 0."""

    name = "rows"
    expected = "row numbers, such as 3 or 3,5"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the numbers."""
        if isinstance(value, tuple):
            return value
        if not re.fullmatch(r"\s*[0-9]{1,9}(\s*,\s*[0-9]{1,9})*\s*", value):
            self.refuse(value, param)
        return tuple(int(number) - 1 for number in value.split(","))


@options.command(
    "explain",
    "mmsat explain 4x6/1122=0.4/1122=0.2",
    "mmsat explain 4x6/1122=1.1/3345=0.2 --steps",
    "mmsat explain 4x6/1122=0.4/1122=0.2 --suspect 1,2",
)
@options.board
@options.as_json
@options.lies
@click.option("--suspect", type=Rows(), help="List possible scores of these rows, such as 3,5.")
@options.limit(100, "conflicts and up to N corrections")
@click.option("--steps", is_flag=True, help="Explain step by step.")
@click.option(
    "-o",
    "--output",
    "draw",
    type=OutputFolder(),
    help="Draw the steps as step-01.svg, step-02.svg, ... in DIR.",
)
@options.working("engine", "seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    suspect: tuple[int, ...] | None,
    limit: int,
    steps: bool,
    draw: str | None,
    engine: str,
    timeout: float | None,
    verbose: bool,
    **settings: Any,
) -> None:
    """Find out which scores are wrong.

    Lists all minimal conflicts (rows that can't all be right), all smallest corrections (the
    fewest changed scores, most plausible first), and for each row the probability that its score is
    wrong. The probabilities assume as few wrong scores as possible, equally likely codes, and these
    weights of errors: 8 for black and white mixed up, 4 for one peg too many or too few, 2 for two
    numbers swapped, 1 for others. Without --timeout, the search stops 60 seconds after the first
    result.

    --lies N: conflicts are sets of rows of which every code violates more than N. --suspect: lists
    the possible true scores of these rows, and the guess that best distinguishes them. --steps:
    shows the reasoning from few rows at a time, with a grade from 1 (one row at a time) to 6
    (nested assumptions).
    """
    if draw is not None and not steps:
        misuse("--output requires --steps.")
    asked = {"--lies": lies > 0, "--suspect": suspect is not None, "--steps": steps}
    if sum(asked.values()) > 1:
        first, *others = (option for option, is_given in asked.items() if is_given)
        refuse_with(first, others, "Ask for one explanation at a time.")
    settings["timeout"] = timeout
    if steps:
        explain_steps(board, draw, as_json=as_json, verbose=verbose, engine=engine, **settings)
    if suspect is not None and not as_json:
        suspicion, code = find_suspicion(board, suspect, limit, **settings)
        print_report(suspicion, in_full=verbose)
        leave(code)

    def describe(found: Explanation) -> str:
        conflicts, corrections = len(found.conflicts), len(found.corrections)
        kinds = quantity(conflicts, "conflict"), quantity(corrections, "correction")
        first = next(iter(found.corrections), None)
        rows = [str(change.row + 1) for change in first.changes] if first else []
        likeliest = f"; likeliest wrong: {noun_phrase('row', rows)}" if rows else ""
        return f"found {join_words(kinds)}{likeliest}"

    job = Job(Explanation.unknown(board, Tolerance(lies, by)), "looking for conflicts", describe)
    asked_for: dict[str, Any] = {"engine": engine, "limit": limit, "lies": lies, "by": by}

    def work() -> Explanation:
        found = mmsat.explain(board, on_progress=job.note, **asked_for, **settings)
        if not verbose or as_json or lies:
            return found
        seconds = FURTHER_SECONDS if timeout is None else max(0.0, timeout - found.seconds)
        derived = with_derivations(board, found.conflicts, Deadline(seconds))
        return replace(found, conflicts=derived)

    explanation = job.run(work)
    code = job.code or FAILURE * (explanation.status is Status.UNKNOWN)
    if as_json:
        if suspect is None:
            print_json(explanation.to_dict())
        else:
            suspicion, cut = find_suspicion(board, suspect, limit, **settings)
            document: ExplainJson = {
                **explanation.to_dict(),
                "suspicion": suspicion.to_dict(),
            }
            print_json(document)
            code = code or cut
    else:
        print_report(explanation, in_full=verbose)
    if timeout is None and not code and is_cut(explanation, limit):
        say(
            f"The search stopped {FURTHER_SECONDS:.0f} s after the first result. "
            "--timeout N allows more time."
        )
    if verbose:
        say(f"explained in {explanation.seconds:.3f} s")
    leave_early(code, late="")


def is_cut(found: Explanation, limit: int) -> bool:
    """Return whether the time ended a list, rather than the limit on its length."""
    lists = (found.conflicts, found.all_conflicts), (found.corrections, found.all_corrections)
    return any(not is_complete and len(reasons) < limit for reasons, is_complete in lists)


def explain_steps(
    board: Board, draw: str | None, *, as_json: bool, verbose: bool, **settings: Any
) -> NoReturn:
    """Explain a board step by step, and end the command.

    The exit code is 1 if no step was found in time.
    """
    job = Job(
        Steps.unknown(board),
        "looking for steps",
        lambda found: f"found {quantity(len(found.steps), 'step')}",
    )
    found = job.run(lambda: mmsat.steps(board, on_progress=job.note, **settings))
    if draw is not None:
        draw_steps(found, draw)
    print_result(found, as_json=as_json, in_full=verbose)
    is_silent = not found.is_complete and not found.steps
    if verbose and is_silent:
        say(f"not explained in {job.progress.seconds:.3f} s")
    elif verbose:
        say(f"explained in {found.seconds:.3f} s")
    leave_early(job.code or FAILURE * is_silent, late="")


def find_suspicion(
    board: Board, suspects: tuple[int, ...], limit: int, **settings: Any
) -> tuple[Suspicion, int]:
    """Return the possible scores found in time, or until Ctrl-C, and the exit code."""
    job = Job(
        Suspicion.unknown(board, check_suspects(board, suspects, first=1)),
        "looking for possible scores",
        lambda found: f"found {quantity(len(found.hypotheses), 'possible score')}",
    )
    found = job.run(
        lambda: mmsat.suspect(board, suspects, limit=limit, on_progress=job.note, **settings)
    )
    if job.code:
        print_message("interrupted")
    elif not found.all_hypotheses and len(found.hypotheses) < limit:
        print_message(late_message())
        return found, FAILURE
    return found, job.code


def draw_steps(found: Steps, folder: str) -> None:
    """Write one SVG file per step."""
    os.makedirs(folder, exist_ok=True)
    pictures = list(frames(found))
    digits = max(2, len(str(len(pictures))))
    for number, frame in enumerate(pictures, 1):
        path = os.path.join(folder, f"step-{number:0{digits}}.svg")
        atomic_write(path, [pegboard_svg(found.board, frame)])
    say(f"{os.path.normpath(folder)}: {quantity(len(pictures), 'drawing')}")
