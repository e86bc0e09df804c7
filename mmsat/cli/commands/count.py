"""mmsat count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmsat.cli import names, options
from mmsat.cli.exits import FAILURE, INTERRUPTED, SUCCESS, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say, told_lies
from mmsat.results import Count

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.enumeration.engine import Known


EPILOG = options.examples(
    "mmsat count 4x6/1122=1.1/3345=0.2", "mmsat count 4x6/1122=1.1/3345=0.2 --lies 1"
)


@click.command("count", short_help="Count the codes that get exactly these scores.", epilog=EPILOG)
@options.board
@options.as_json
@options.lies
@click.option(
    "--method",
    type=names.Name("method", names.methods),
    default="auto",
    show_default=True,
    help="auto, brute, diagram, enumeration, ganak or approxmc.",
)
@options.memory
@options.working("seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    method: str,
    memory: int,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Count the codes that get exactly these scores, or all but a few lies.

    The number is exact, unless approxmc is asked for an estimate. When the time is up first, or at
    Ctrl-C, what is known is printed as `at least N, at most M`, with exit code 1 or 130.
    """
    from mmsat.enumeration.count import count  # noqa: PLC0415  (loads the engines)

    least, most = 0, None

    def note(known: Known) -> None:
        nonlocal least, most
        least, most = known.least, known.most
        bound = "" if most is None else f", at most {brief(most)} codes"
        work.tell(f"{known.doing}{bound}")

    answer = None
    with interruptible() as work:
        answer = count(
            board,
            method=method,
            timeout=timeout,
            memory=memory,
            seed=seed,
            lies=lies,
            by=by,
            on_progress=note,
        )
    if answer is None:
        answer = Count(least, exact=False, method=method, seconds=work.seconds, most=most)
    is_failure = not answer.exact and answer.epsilon is None
    code = work.code or (FAILURE if is_failure else SUCCESS)
    if as_json:
        print_json(answer.to_dict() | told_lies(lies, by))
    else:
        click.echo(f"{answer.count}" if answer.exact else plainly(answer))
    if verbose:
        for told in answer.notes:
            say(told)
        say(f"counted by {answer.method} in {answer.seconds:.3f} s")
    if answer.epsilon is not None and answer.delta is not None:
        times = 1 + answer.epsilon
        chance = 100 * (1 - answer.delta)
        say(f"an estimate: right within a factor of {times:g} with a chance of {chance:g}%")
    if code:
        say("interrupted" if code == INTERRUPTED else "the time was up")
    leave(code)


def brief(number: int) -> str:
    """A number in a few characters."""
    text = str(number)
    return text if len(text) <= 9 else f"{text[0]}.{text[1:3]}e{len(text) - 1}"


def plainly(answer: Count) -> str:
    """A count that is not exact, with plain digits."""
    if answer.epsilon is not None:
        return f"about {answer.count}"
    most = "" if answer.most is None else f", at most {answer.most}"
    return f"at least {answer.count}{most}"
