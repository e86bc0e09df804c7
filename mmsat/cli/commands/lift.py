"""mmsat lift."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options, problem
from mmsat.cli.exits import leave_with
from mmsat.cli.output import print_json

if TYPE_CHECKING:
    from mmsat.answers import Code, Status
    from mmsat.game.game import Game

SENTENCE = re.compile(r"the code (\S+) gets exactly these scores")
"""What `mmsat check` prints."""


@click.command(
    "lift",
    epilog=options.examples(
        "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
        "mmsat reduce vertex-cover path.col -k 1 > board.txt",
        "mmsat check board.txt | mmsat lift vertex-cover path.col -k 1 -",
    ),
)
@problem.name
@problem.source
@click.argument("code")
@problem.numbers
@options.as_json
def command(name: str, source: str, *, code: str, as_json: bool, **numbers: int | None) -> None:
    """Carry a code back to an answer of the problem that a board was made from.

    NAME, SOURCE and numbers are those of `mmsat reduce`. CODE is a code, a file with what
    `mmsat check` said of the board, or - for standard input. Exit code 10 for an answer, 20 if
    there is none.
    """
    from mmsat.answers import Status  # noqa: PLC0415

    reduction = problem.reduction(name, source, numbers)
    status, found = read(problem.answer(code, reduction.board.game), reduction.board.game)
    certificate = None
    if found is not None:
        certificate = problem.lifted(reduction, found)
    if as_json:
        answer = None if certificate is None else reduction.spell(certificate)
        print_json({"reduction": name, "verdict": str(status), "certificate": answer})
    elif certificate is not None:
        click.echo(reduction.spell(certificate))
    else:
        click.echo("no answer" if status is Status.INCONSISTENT else "undecided")
    leave_with(status)


def read(text: str, game: Game) -> tuple[Status, Code | None]:
    """A verdict and a code, from either or from the output of check."""
    from mmsat.answers import Status  # noqa: PLC0415

    text = text.strip()
    if text.startswith("{"):
        return _document(text, game)
    if "Inconsistent:" in text or text == "inconsistent":
        return Status.INCONSISTENT, None
    if "Undecided:" in text:
        return Status.UNKNOWN, None
    sentence = SENTENCE.search(text)
    return Status.CONSISTENT, problem.read_code(sentence[1] if sentence else text, game)


def _document(text: str, game: Game) -> tuple[Status, Code | None]:
    """What `mmsat check --json` printed."""
    from mmsat.answers import Status  # noqa: PLC0415
    from mmsat.errors import Fault, InputError  # noqa: PLC0415

    try:
        document: dict[str, Any] = json.loads(text)
        status, witness = Status(document["verdict"]), document["witness"]
    except (ValueError, KeyError, TypeError):
        fault = Fault("the answer is a code or the output of mmsat check", text[:60], "one of them")
        raise InputError([fault], "the answer") from None
    if witness is None:
        return status, None
    return status, problem.read_code("-".join(map(str, witness)), game)
