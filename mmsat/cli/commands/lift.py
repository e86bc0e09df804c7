"""The command `mmsat lift`."""

import json
import re
from pathlib import Path
from typing import Any, TypedDict

import click

from mmsat._util.json_types import NonEmpty, Schema, VerdictName
from mmsat._util.text import quantity
from mmsat.cli import options, problem
from mmsat.cli.exit_codes import leave_with
from mmsat.cli.input_files import TextFile
from mmsat.cli.input_files import read as read_file
from mmsat.cli.output import print_json
from mmsat.errors import InputError
from mmsat.game.board import Status
from mmsat.game.game import Game
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code
from mmsat.reductions.reduction import GameReduction
from mmsat.strategy.planned import zero_score_path
from mmsat.strategy.tree import replay
from mmsat.strategy.tree_file import read_tree

VERDICTS = (str(Status.INCONSISTENT), str(Status.UNKNOWN))
"""The lines that `mmsat decode` prints for boards without a known code."""
CODE = re.compile(r"[\w-]+")
"""Text that looks like a code. If it is not a valid code, the error states its faults."""


class CodeText(TextFile):
    """A code, a file, or `-` for standard input; the value is the text."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; raise InputError if standard input is SOURCE as well."""
        self.claim_standard_input(value, param, ctx)
        return read_file(value) if value == "-" or _is_file(value) else value


def _is_file(value: str) -> bool:
    try:
        return Path(value).is_file()
    except OSError:  # a code can exceed the maximum length of file names
        return False


class LiftedJson(TypedDict):
    """An answer to the source problem of a reduction."""

    reduction: NonEmpty
    """NAME as it was given."""
    verdict: VerdictName
    certificate: str | None
    """The answer in the format of the source; null if there is none, or if none was found."""


LIFTED_RULES = Schema(
    allOf=(
        {
            "if": {"properties": {"verdict": {"const": "consistent"}}},
            "then": {"properties": {"certificate": {"type": "string"}}},
            "else": {"properties": {"certificate": {"type": "null"}}},
        },
    )
)
"""Relations between the keys of an answer."""


@options.command(
    "lift",
    "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
    "mmsat reduce vertex-cover path.col -k 1 > board.txt",
    "mmsat check board.txt --json | mmsat lift vertex-cover path.col -k 1 -",
)
@problem.name
@problem.source
@click.argument("code", type=CodeText())
@problem.k_and_lies
@options.as_json
def command(name: str, source: str, *, code: str, as_json: bool, **numbers: int | None) -> None:
    """Turn a code back into an answer to the problem that a board was made from.

    Give the same NAME, SOURCE and numbers as to `mmsat reduce`. CODE is a code, a file, or - for
    standard input: a line of `mmsat list` or `mmsat decode`, or the output of `mmsat check --json`.
    For word-game, it is the tree of `mmsat optimal -o`, or the output of `mmsat optimal --json`.
    Exit code 10 for an answer, 20 for an inconsistent board.
    """
    reduction = problem.reduction(name, source, numbers)
    certificate = None
    if isinstance(reduction, GameReduction):
        status, line = read_strategy(code, reduction)
        if line is not None:
            certificate = reduction.lift(line)
    else:
        status, solution = read_answer(code, reduction.board.game)
        if solution is not None:
            certificate = reduction.lift(solution)
    if as_json:
        answer = None if certificate is None else reduction.spell(certificate)
        document: LiftedJson = {
            "reduction": name,
            "verdict": str(status),
            "certificate": answer,
        }
        print_json(document)
    elif certificate is not None:
        click.echo(reduction.spell(certificate))
    else:
        click.echo("no answer" if status is Status.INCONSISTENT else "undecided")
    leave_with(status)


def read_strategy(
    text: str, reduction: GameReduction[Any, Any]
) -> tuple[Status, tuple[Code, ...] | None]:
    """Read a strategy tree, or the output of `mmsat optimal --json`; raise InputError.

    Return the verdict, and for a tree, its longest line. A tree that needs more guesses than the
    reduction allows raises InputError, too.
    """
    limit, game = reduction.guesses, reduction.target
    try:
        document = json.loads(text)
        has_no_strategy = "proven" in document and document["codes"] is None
        is_decision = has_no_strategy and (document["max_guesses"] or limit) >= limit
    except (ValueError, KeyError, TypeError, RecursionError):
        expected = "the tree of mmsat optimal -o, or the output of mmsat optimal --json"
        raise InputError.of("the strategy", expected, text[:60]) from None
    if is_decision:
        return Status.INCONSISTENT if document["proven"] else Status.UNKNOWN, None
    tree = read_tree(text, "the strategy")
    if tree.game.space != game.space or tree.game.pegs != game.pegs:
        expected = "a strategy of the game that mmsat reduce makes of this source"
        raise InputError.of("the strategy", expected, str(tree.game), "it is of another game")
    worst = max(replay(tree).values())
    if worst > limit:
        rule = f"every code is found within {quantity(limit, 'guess')}"
        raise InputError.of("the strategy", "a faster one", worst, rule)
    return Status.CONSISTENT, zero_score_path(tree)


def read_answer(text: str, game: Game) -> tuple[Status, Code | None]:
    """Return the verdict and the code of a line or a JSON document; raise InputError."""
    text = text.strip()
    if text.startswith("{"):
        return _read_document(text, game)
    if text in VERDICTS:
        return Status(text), None
    try:
        code = speller(game).parse_code(text)
    except InputError:
        if CODE.fullmatch(text):
            raise
        raise _unclear(text, game) from None
    return Status.CONSISTENT, _require_code(code, game)


def _read_document(text: str, game: Game) -> tuple[Status, Code | None]:
    """Return the verdict and the code that `mmsat check --json` printed; raise InputError."""
    try:
        document: dict[str, Any] = json.loads(text)
        status, witness = Status(document["verdict"]), document["witness"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _unclear(text, game) from None
    if status is not Status.CONSISTENT and witness is None:
        return status, None
    if status is not Status.CONSISTENT or not _are_colors(witness, game):
        raise _unclear(text, game)
    return status, _require_code(tuple(color - 1 for color in witness), game)


def _are_colors(witness: Any, game: Game) -> bool:
    """Return whether a value of a document is a list of one color, counted from 1, per peg."""
    return (
        isinstance(witness, list)
        and len(witness) == game.pegs
        and all(type(color) is int and 1 <= color <= game.colors for color in witness)
    )


def _require_code(code: Code, game: Game) -> Code:
    """Return the code; raise InputError if it is a guess that cannot be a code of the game."""
    if not game.contains(code):
        raise InputError.of(
            "the code", f"a code of {game}", speller(game).print_code(code), game.space.summary
        )
    return code


def _unclear(text: str, game: Game) -> InputError:
    """Make the error for a text that is neither a code nor a verdict."""
    expected = f"a code of {quantity(game.pegs, 'peg')}, or the output of mmsat check --json"
    return InputError.of("the answer", expected, text[:60])
