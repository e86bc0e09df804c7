"""The command `mmsat explain`."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from typing import Any, NoReturn, TypedDict

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import duration, join_words, noun_phrase, quantity
from mmsat.cli import options
from mmsat.cli.commands.proofs import ProofFileJson, refuse_standard_output, write_proof
from mmsat.cli.output import (
    FAILURE,
    SUCCESS,
    Job,
    leave,
    leave_early,
    print_json,
    print_message,
    print_result,
    say,
    time_limit_message,
)
from mmsat.cli.parameters import OutputFolder, Value, misuse, refuse_combination
from mmsat.diagnosis.explain import FURTHER_SECONDS, with_derivations
from mmsat.diagnosis.explanation import Explanation, ExplanationJson
from mmsat.diagnosis.steps import Steps
from mmsat.diagnosis.steps.stepwise import frames
from mmsat.diagnosis.suspect import Suspicion, SuspicionJson, check_suspects
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import Tolerance
from mmsat.render.picture import pegboard_svg
from mmsat.render.reports import print_report
from mmsat.solving.deadline import Deadline


class ExplainOptionsJson(TypedDict, total=False):
    """Keys that options add."""

    suspicion: SuspicionJson
    """With --suspect: the possible scores of the suspect rows."""
    proof: ProofFileJson | None
    """With --proof: the proof; null if none was found."""


class ExplainJson(ExplanationJson, ExplainOptionsJson):
    """The explanation, and what options add."""


class Rows(Value[tuple[int, ...]]):
    """Comma-separated row numbers from 1; the value is a tuple of row indices from 0."""

    name = "rows"
    expected = "row numbers, such as 3 or 3,5"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the row indices."""
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
    "mmsat explain 4x6/1122=0.4/1122=0.2 --proof board.proof",
)
@options.board
@options.as_json
@options.lies
@click.option("--suspect", type=Rows(), help="List possible scores of these rows, such as 3,5.")
@options.limit(100, "conflicts and corrections")
@click.option("--steps", is_flag=True, help="Explain step by step.")
@click.option(
    "-o",
    "--output",
    "draw",
    type=OutputFolder(),
    help="Draw the steps as step-01.svg, step-02.svg, ... in DIR.",
)
@options.file("--proof", metavar="FILE", help="Write a proof, for `mmsat verify`.")
@options.solver_options("engine", "seed", "timeout")
@options.verbose
def explain_command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    suspect: tuple[int, ...] | None,
    limit: int,
    steps: bool,
    draw: str | None,
    proof: str | None,
    engine: str,
    timeout: float | None,
    verbose: bool,
    **settings: Any,
) -> None:
    """Find out which scores are wrong.

    Lists all minimal conflicts (rows that can't all be right), all smallest corrections (the
    fewest changed scores, most probable first), and for each row the probability that its score is
    wrong. The probabilities assume as few wrong scores as possible, equally likely codes, and these
    weights of errors: 8 for black and white mixed up, 4 for one peg too many or too few, 2 for two
    numbers swapped, 1/8, 1/256 and 1/8192 for 2, 3 and more wrong pegs. Without --timeout, the
    search stops 60 seconds after the first result.

    --lies N: conflicts are sets of rows of which every code violates more than N. --suspect: lists
    the possible true scores of these rows, and the guess that best distinguishes them. --steps:
    shows the reasoning from few rows at a time, with a grade from 1 (one row at a time) to 6
    (nested assumptions).
    """
    if draw is not None and not steps:
        misuse("--output requires --steps.")
    explanation_options = {"--lies": lies > 0, "--suspect": suspect is not None, "--steps": steps}
    if sum(explanation_options.values()) > 1:
        first_option, *other_options = (
            option for option, is_given in explanation_options.items() if is_given
        )
        refuse_combination(first_option, other_options, "Ask for one explanation at a time.")
    if proof is not None and sum(explanation_options.values()):
        others = filter(explanation_options.get, explanation_options)
        refuse_combination(
            "--proof", others, "A proof covers conflicts and corrections without lies."
        )
    refuse_standard_output(proof)
    settings["timeout"] = timeout
    if steps:
        explain_steps(board, draw, as_json=as_json, verbose=verbose, engine=engine, **settings)
    if suspect is not None and not as_json:
        suspicion, exit_code = find_suspicion(board, suspect, limit, **settings)
        print_report(suspicion, in_full=verbose)
        leave(exit_code)

    def describe(explanation: Explanation) -> str:
        conflicts, corrections = len(explanation.conflicts), len(explanation.corrections)
        kinds = quantity(conflicts, "conflict"), quantity(corrections, "correction")
        best_correction = explanation.correction
        rows = (
            [str(change.row + 1) for change in best_correction.changes] if best_correction else []
        )
        wrong_rows = f"; most likely wrong: {noun_phrase('row', rows)}" if rows else ""
        return f"found {join_words(kinds)}{wrong_rows}"

    job = Job(Explanation.unknown(board, Tolerance(lies, by)), "looking for conflicts", describe)
    search_options: dict[str, Any] = {"engine": engine, "limit": limit, "lies": lies, "by": by}

    def work() -> Explanation:
        result = mmsat.explain(board, on_progress=job.note, **search_options, **settings)
        if not verbose or as_json or lies:
            return result
        seconds = FURTHER_SECONDS if timeout is None else max(0.0, timeout - result.seconds)
        conflicts = with_derivations(board, result.conflicts, Deadline(seconds))
        return replace(result, conflicts=conflicts)

    explanation = job.run(work)
    exit_code = job.code or (FAILURE if explanation.status is Status.UNKNOWN else SUCCESS)
    option_keys: ExplainOptionsJson = {}
    if not as_json:
        print_report(explanation, in_full=verbose)
        sys.stdout.flush()
    elif suspect is not None:
        # The JSON document always has the explanation. The suspicion is an additional key.
        if timeout is not None:
            settings["timeout"] = max(0.0, timeout - explanation.seconds)
        suspicion, suspicion_code = find_suspicion(board, suspect, limit, **settings)
        option_keys["suspicion"] = suspicion.to_dict()
        exit_code = exit_code or suspicion_code
    if proof is not None:
        option_keys["proof"], proof_code = prove(explanation, proof, timeout, exit_code or None)
        exit_code = exit_code or proof_code or 0
    if as_json:
        print_json(document(explanation, option_keys))
    report_search(explanation, limit, exit_code, has_timeout=timeout is not None, verbose=verbose)
    leave_early(exit_code, failure_message="")


def report_search(
    explanation: Explanation, limit: int, exit_code: int, *, has_timeout: bool, verbose: bool
) -> None:
    """Print why the search stopped, if that was because of the time, and how long it took."""
    if not has_timeout and not exit_code and is_ended_by_time(explanation, limit):
        say(
            f"The search stopped {FURTHER_SECONDS:.0f} s after the first result. "
            "--timeout N allows more time."
        )
    if verbose:
        say(f"explained in {explanation.seconds:.3f} s")


def document(explanation: Explanation, option_keys: ExplainOptionsJson) -> ExplainJson:
    """Return the JSON document of an explanation, with the keys that options add."""
    return {**explanation.to_dict(), **option_keys}


PROOF_SECONDS = 600.0
"""Time limit of a proof without --timeout."""
MIN_LONG_PROOFS = 10
"""Minimum number of conflicts and corrections whose proof may take long."""


def prove(
    explanation: Explanation, file: str, timeout: float | None, exit_code: int | None
) -> tuple[ProofFileJson | None, int | None]:
    """Write a proof of an explanation to a file, as `write_proof` does.

    Without a time limit, the limit is PROOF_SECONDS, which is printed before a long proof.
    """
    remaining = PROOF_SECONDS if timeout is None else max(0.0, timeout - explanation.seconds)
    num_proofs = len(explanation.conflicts) + len(explanation.corrections)
    if timeout is None and exit_code is None and num_proofs >= MIN_LONG_PROOFS:
        conflicts = quantity(len(explanation.conflicts), "conflict")
        corrections = quantity(len(explanation.corrections), "correction")
        say(
            f"Proving {conflicts} and {corrections}, for at most {duration(PROOF_SECONDS)}. "
            "--timeout N changes this; --limit N proves fewer."
        )
    return write_proof(
        file,
        mmsat.prove_explanation,
        explanation.board,
        explanation=explanation,
        timeout=remaining,
        exit_code=exit_code,
        keeps_part=True,
    )


def is_ended_by_time(explanation: Explanation, limit: int) -> bool:
    """Return whether a list is incomplete because of the time, not because of `limit`."""
    lists = (
        (explanation.conflicts, explanation.all_conflicts),
        (explanation.corrections, explanation.all_corrections),
    )
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
        lambda steps: f"found {quantity(len(steps.steps), 'step')}",
    )
    steps = job.run(lambda: mmsat.steps(board, on_progress=job.note, **settings))
    if draw is not None:
        draw_steps(steps, draw)
    print_result(steps, as_json=as_json, in_full=verbose)
    has_no_steps = not steps.is_complete and not steps.steps
    if verbose and has_no_steps:
        say(f"not explained in {job.progress.seconds:.3f} s")
    elif verbose:
        say(f"explained in {steps.seconds:.3f} s")
    leave_early(job.code or (FAILURE if has_no_steps else SUCCESS), failure_message="")


def find_suspicion(
    board: Board, suspects: tuple[int, ...], limit: int, **settings: Any
) -> tuple[Suspicion, int]:
    """Return the possible scores that are found in time or before Ctrl-C, and the exit code."""
    job = Job(
        Suspicion.unknown(board, check_suspects(board, suspects, first=1)),
        "looking for possible scores",
        lambda suspicion: f"found {quantity(len(suspicion.hypotheses), 'possible score')}",
    )
    suspicion = job.run(
        lambda: mmsat.suspect(board, suspects, limit=limit, on_progress=job.note, **settings)
    )
    if job.code:
        print_message("interrupted")
    elif not suspicion.all_hypotheses and len(suspicion.hypotheses) < limit:
        print_message(time_limit_message())
        return suspicion, FAILURE
    return suspicion, job.code


def draw_steps(steps: Steps, folder: str) -> None:
    """Write one SVG file per step."""
    os.makedirs(folder, exist_ok=True)
    pictures = list(frames(steps))
    digits = max(2, len(str(len(pictures))))
    for number, frame in enumerate(pictures, 1):
        path = os.path.join(folder, f"step-{number:0{digits}}.svg")
        atomic_write(path, [pegboard_svg(steps.board, frame)])
    say(f"{os.path.normpath(folder)}: {quantity(len(pictures), 'drawing')}")
