"""mmsat explain."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options
from mmsat.cli.exits import FAILURE, INTERRUPTED, SUCCESS, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say
from mmsat.cli.suspicion import Rows, find_suspicion, print_suspicion
from mmsat.results import Explanation, Status
from mmsat.tolerance import Tolerance

if TYPE_CHECKING:
    from mmsat.board import Board

EPILOG = options.examples(
    "mmsat explain 4x6/1122=0.4/1122=0.2",
    "mmsat explain 4x6/1122=1.1/3345=0.2 --steps",
    "mmsat explain 4x6/1122=0.4/1122=0.2 --suspect 1,2",
)


@click.command("explain", epilog=EPILOG)
@options.board
@options.as_json
@options.lies
@click.option(
    "--suspect", type=Rows(), help="Tell what the scores of these rows may have been: 3,5."
)
@options.limit(100, "Look for so many conflicts, and so many corrections.")
@click.option("--steps", is_flag=True, help="Tell how it follows, step by step.")
@click.option(
    "--draw",
    type=click.Path(file_okay=False),
    help="With --steps: draw each step as step-01.svg, step-02.svg, ... in a folder.",
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
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Find out which scores are wrong.

    Lists all minimal conflicts (rows that can't all be right) and all cheapest corrections (the
    fewest changed scores), the most plausible first, and for each row the chance that it is the
    mistaken one: where as few scores are wrong as can be, all codes are equally likely, and a slip
    is the likelier the smaller it is (8 for a peg under a wrong name, 4 for one too many or too
    few, 2 for two numbers exchanged, 1 for others).

    With --lies, a conflict is of rows of which every code misses more. With --suspect, tells
    instead which scores of these rows would do, the others being right, and which guess would best
    tell; --json has both. With --steps, tells instead how the contradiction, or what all codes
    share, follows from few rows at a time; -v shows the board and what is known at each step.
    """
    if draw is not None and not steps:
        raise click.UsageError("--draw draws the steps of --steps; add --steps")
    asked = {"--lies": lies > 0, "--suspect": suspect is not None, "--steps": steps}
    if sum(asked.values()) > 1:
        together = " and ".join(option for option, is_given in asked.items() if is_given)
        raise click.UsageError(f"{together} ask for different explanations; ask one at a time")
    if steps:
        from mmsat.cli.stepwise import explain_steps  # noqa: PLC0415  (loads the engines)

        explain_steps(board, engine, seed, timeout, as_json=as_json, draw=draw, verbose=verbose)
    from mmsat.diagnosis.explain import explain  # noqa: PLC0415  (loads the engines)

    looked_into: dict[str, Any] = {"limit": limit, "seed": seed, "timeout": timeout}
    if suspect is not None and not as_json:
        suspicion, code = find_suspicion(board, suspect, **looked_into)
        print_suspicion(suspicion, everything=verbose)
        leave(code)
    so_far = [Explanation.undecided(board, Tolerance(lies, by))]

    def note(explanation: Explanation) -> None:
        so_far[:] = [explanation]
        conflicts, corrections = len(explanation.conflicts), len(explanation.corrections)
        work.tell(f"{conflicts} conflicts, {corrections} corrections so far")

    with interruptible() as work:
        so_far[:] = [
            explain(
                board,
                engine=engine,
                timeout=timeout,
                limit=limit,
                seed=seed,
                lies=lies,
                by=by,
                on_progress=note,
            )
        ]
    (explanation,) = so_far
    code = work.code or (FAILURE if explanation.status is Status.UNKNOWN else SUCCESS)
    if as_json:
        document = explanation.to_dict()
        if suspect is not None:
            suspicion, cut = find_suspicion(board, suspect, **looked_into)
            document["suspicion"] = suspicion.to_dict()
            code = code or cut
        print_json(document)
    else:
        print_explanation(explanation, everything=verbose)
    if verbose:
        say(f"explained in {explanation.seconds:.3f} s")
    if code == INTERRUPTED:
        say("interrupted")
    leave(code)


def print_explanation(explanation: Explanation, *, everything: bool) -> None:
    """Print the board with the suspects and the best correction, then all in words.

    Suspects are the rows that some correction changes; there, conflicts tend to take in all rows.
    """
    from mmsat.diagnosis.sentences import SHOWN, explanation_sentences  # noqa: PLC0415
    from mmsat.render.board import BoardTable  # noqa: PLC0415
    from mmsat.render.table import paragraphs  # noqa: PLC0415
    from mmsat.render.terminal import show, style, wrap_width  # noqa: PLC0415

    board = explanation.board
    suspects = {change.row for each in explanation.corrections for change in each.changes}
    in_conflict = {row for conflict in explanation.conflicts for row in conflict.rows}
    best = explanation.corrections[0].changes if explanation.corrections else ()
    table = BoardTable(
        board,
        style(),
        sorted(suspects or in_conflict),
        {change.row: change.after for change in best},
        chances=explanation.mistaken,
    )
    show(table.lines(every_row=everything))
    said = explanation_sentences(explanation, sys.maxsize if everything else SHOWN, full=everything)
    show([[]])
    show(paragraphs(said, wrap_width()))
