"""mmsat lift."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options, problem
from mmsat.cli.exits import leave_with
from mmsat.cli.output import print_json
from mmsat.cli.source import TextFile
from mmsat.cli.source import read as read_file

if TYPE_CHECKING:
    from mmsat.errors import InputError
    from mmsat.game.game import Game
    from mmsat.results import Code, Status

SENTENCE = re.compile(r"the\s+code\s+(\S+)\s+gets\s+exactly\s+these\s+scores")
"""What `mmsat check` prints, wrapped or not."""
CODE = re.compile(r"[\w-]+")
"""What a person may have meant to be a code."""


class CodeText(TextFile):
    """A code, a file, or `-` for standard input; the value is the text that it stands for."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text; standard input cannot be SOURCE as well."""
        self.claim_standard_input(value, param, ctx)
        return read_file(value) if value == "-" or _is_file(value) else value


def _is_file(value: str) -> bool:
    try:
        return Path(value).is_file()
    except OSError:  # a code may be longer than any name
        return False


@click.command(
    "lift",
    short_help="Carry a code back to an answer of the problem.",
    epilog=options.examples(
        "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
        "mmsat reduce vertex-cover path.col -k 1 > board.txt",
        "mmsat check board.txt | mmsat lift vertex-cover path.col -k 1 -",
    ),
)
@problem.name
@problem.source
@click.argument("code", type=CodeText())
@problem.numbers
@options.as_json
def command(name: str, source: str, *, code: str, as_json: bool, **numbers: int | None) -> None:
    """Carry a code back to an answer of the problem that a board was made from.

    NAME, SOURCE and numbers are those of `mmsat reduce`. CODE is a code, a file with what
    `mmsat check` said of the board, or - for standard input. Exit code 10 for an answer, 20 if
    there is none.
    """
    from mmsat.results import Status  # noqa: PLC0415

    reduction = problem.reduction(name, source, numbers)
    status, found = read(code, reduction.board.game)
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
    """A verdict and a code, from a code or from the output of check; raises InputError."""
    from mmsat.errors import InputError  # noqa: PLC0415
    from mmsat.results import Status  # noqa: PLC0415

    text = text.strip()
    if text.startswith("{"):
        return _document(text, game)
    if "Inconsistent:" in text or text == "inconsistent":
        return Status.INCONSISTENT, None
    if "Undecided:" in text or text == "unknown":
        return Status.UNKNOWN, None
    sentence = SENTENCE.search(text)
    spelled = sentence[1] if sentence else text
    try:
        code = problem.read_code(spelled, game)
    except InputError:
        if CODE.fullmatch(spelled):
            raise
        raise _unclear(text, game) from None
    return Status.CONSISTENT, _of_the_game(code, game)


def _document(text: str, game: Game) -> tuple[Status, Code | None]:
    """What `mmsat check --json` printed."""
    from mmsat.results import Status  # noqa: PLC0415

    try:
        document: dict[str, Any] = json.loads(text)
        status, witness = Status(document["verdict"]), document["witness"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _unclear(text, game) from None
    if status is not Status.CONSISTENT and witness is None:
        return status, None
    if status is not Status.CONSISTENT or not _are_colors(witness, game):
        raise _unclear(text, game)
    return status, _of_the_game(tuple(color - 1 for color in witness), game)


def _are_colors(witness: Any, game: Game) -> bool:
    """Whether something from a document has a color, counted from 1, for each peg."""
    return (
        isinstance(witness, list)
        and len(witness) == game.pegs
        and all(type(color) is int and 1 <= color <= game.colors for color in witness)
    )


def _of_the_game(code: Code, game: Game) -> Code:
    """The code, if the game has it: a guess may be none."""
    from mmsat.errors import Fault, InputError  # noqa: PLC0415
    from mmsat.game.spelling import speller  # noqa: PLC0415

    if not game.contains(code):
        rule = f"the code is one of a {game} game: {game.space.summary}"
        raise InputError([Fault(rule, speller(game).print_code(code), "another")], "the code")
    return code


def _unclear(text: str, game: Game) -> InputError:
    """That a text is no answer at all."""
    from mmsat.errors import Fault, InputError  # noqa: PLC0415

    rule = "the answer is a code of the board, or what mmsat check said of it"
    write = f"a code of {game.pegs} pegs, a file, or -"
    return InputError([Fault(rule, text[:60], write)], "the answer")
