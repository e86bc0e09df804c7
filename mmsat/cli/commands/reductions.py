"""The commands about reductions: `mmsat reduce`, `lift` and `reductions`."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.registry import PluginJson
from mmsat._util.results import BoardLine, NonEmpty, Schema, VerdictName
from mmsat._util.text import join_words, quantity
from mmsat.cli import options, output
from mmsat.cli.output import leave_with, print_json, say, write_board
from mmsat.cli.parameters import Name, Number, TextFile, misuse, read_board_text
from mmsat.cli.parameters import read as read_file
from mmsat.errors import Description, InputError, MessageFault
from mmsat.game import Code
from mmsat.game.board import PRINTERS, Board, Status
from mmsat.game.definition import print_definition
from mmsat.game.game import Game
from mmsat.game.names import is_game
from mmsat.game.notation.board_reader import speller
from mmsat.reductions import LINK_SEPARATOR, unknown_reduction
from mmsat.reductions.reduce import (
    GAME_REDUCTIONS,
    LINKS,
    REDUCTIONS,
    chain,
    page,
)
from mmsat.reductions.reduction import (
    GameReduction,
    GameReductionJson,
    Reduction,
    ReductionJson,
)
from mmsat.reductions.sources import SUFFIXES, read_source
from mmsat.render import table
from mmsat.render.reports import print_report
from mmsat.render.reports import reductions as report
from mmsat.render.terminal import show, show_gap, show_page, show_table, wrap_width


class ReductionArgument(Name):
    """The name of a reduction, or a chain of links such as `one-in-three+one-in-three-3sat`."""

    expected = "a reduction that `mmsat reductions` lists"

    def __init__(self) -> None:
        super().__init__("reduction", lambda: (*REDUCTIONS, *GAME_REDUCTIONS), REDUCTIONS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; the links of a chain are validated when the chain is built."""
        names = (*REDUCTIONS, *GAME_REDUCTIONS)
        if is_chain(value) or value in names or value in REDUCTIONS:
            return str(value)
        if os.path.isfile(value):
            misuse(f"{value} is a file. Give the name of a reduction first.")
        if value.lower().endswith(FILE_ENDINGS):
            misuse(f"There is no file {value}. Give the name of a reduction before the file.")
        raise InputError([unknown_reduction(value, names, LINKS)], "")


FILE_ENDINGS = (".json", ".jsonl", ".txt", ".csv", ".dimacs", *SUFFIXES)
"""The endings of names that are meant as files."""
REDUCTION_NAME = ReductionArgument()
reduction_argument = click.argument("name", type=REDUCTION_NAME)


class SourceText(TextFile):
    """A file, or `-` for standard input; for reductions of boards, also a board line or its name.

    The value is the text of the source.
    """

    expected = "a source problem in a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; raise InputError if a board is given for another kind of source."""
        if value == "-" or os.path.exists(value):
            return super().convert(value, param, ctx)
        name = None if ctx is None else ctx.params.get("name")  # None if it is wrong
        kind = "source problem" if name is None else first_source_kind(name)
        if kind == "board":
            return read_board_text(value, param) or str(value)
        if is_game(value.partition("/")[0].strip()):
            rule = "`mmsat check` reads a board"
            raise InputError.of("SOURCE", f"a {kind} in a file", Description("a board"), rule)
        return super().convert(value, param, ctx)


def first_source_kind(reduction_name: str) -> str:
    """Return the kind of source of a reduction or a chain, or "source problem" if it is unknown."""
    first = reduction_name.split(LINK_SEPARATOR, maxsplit=1)[0].strip()
    if first in LINKS:
        return LINKS[first].source_kind
    is_known = first in REDUCTIONS or first in GAME_REDUCTIONS
    return find_class(first).source_kind if is_known else "source problem"


source_argument = click.argument("source", type=SourceText())


def k_and_lies_options(function: Any) -> Any:
    """Add -k and --lies."""
    k_help = "Size of a cover, number of colors or known solutions."
    function = click.option("--lies", type=Number(0), help="Number of wrong scores.")(function)
    return click.option("-k", type=Number(0), help=k_help)(function)


def build_reduction(
    reduction_name: str, text: str, parameters: dict[str, int | None]
) -> Reduction[Any, Any] | GameReduction[Any, Any]:
    """Return the reduction of a source problem.

    - `reduction_name`: the name of the reduction, or a chain.
    - `text`: the source problem.
    - `parameters`: the values of -k and --lies, by name; None for missing ones.

    Raises InputError for an invalid source, and for missing or superfluous options.
    """
    kwargs = {key: number for key, number in parameters.items() if number is not None}
    if is_chain(reduction_name):
        return chain(reduction_name.split(LINK_SEPARATOR), text, **kwargs)
    reduction_class: Any = find_class(reduction_name)
    faults = [
        MessageFault(f"{reduction_name} requires {spell_option(key)}.", None, "")
        for key in reduction_class.parameters
        if key not in kwargs
    ]
    faults += [
        MessageFault(f"{reduction_name} does not accept {spell_option(key)}.", None, "")
        for key in kwargs
        if key not in reduction_class.parameters
    ]
    InputError.refuse(faults, "")
    result: Reduction[Any, Any] | GameReduction[Any, Any]
    result = reduction_class(read_source(reduction_class.source_kind, text), **kwargs)
    result.require_size()
    return result


def is_chain(reduction_name: str) -> bool:
    """Return whether a name is a chain.

    A single link counts as a chain, so that `chain` reports the missing end.
    """
    return LINK_SEPARATOR in reduction_name or reduction_name in LINKS


def find_class(reduction_name: str) -> report.ReductionClass:
    """Return the class of a reduction, to a board or to a game, by its name."""
    return (
        REDUCTIONS[reduction_name]
        if reduction_name in REDUCTIONS
        else GAME_REDUCTIONS[reduction_name]
    )


def spell_option(key: str) -> str:
    """Return an option with its number, for messages: `-k N` or `--lies N`."""
    return f"-{key} N" if len(key) == 1 else f"--{key} N"


class ReductionsJson(TypedDict):
    """Reductions."""

    reductions: Annotated[list[report.ReductionKindJson], Schema(minItems=1)]
    plugins: NotRequired[list[PluginJson]]
    """The plug-ins; missing if there are none."""


@options.command("reductions", "mmsat reductions", "mmsat reductions vertex-cover")
@click.argument("name", type=REDUCTION_NAME, required=False)
@options.as_json
def reductions_command(name: str | None, *, as_json: bool) -> None:
    """List the reductions of hard problems to boards, or describe one.

    The page of a reduction has its theorem, the proof, the exact sizes and an example.
    """
    if name is not None and is_chain(name):
        misuse(
            f"{name} is a chain. Pages describe single reductions; `mmsat reductions` lists them."
        )
    plugins = (
        output.installed_plugins(REDUCTIONS)
        if name is None
        else output.find_plugin(REDUCTIONS, name)
    )
    kinds: list[report.ReductionClass] = [*REDUCTIONS.values(), *GAME_REDUCTIONS.values()]
    if name is None and as_json:
        print_reductions_json([report.describe_reduction(kind) for kind in kinds], plugins)
    elif name is None:
        print_reductions(kinds)
        output.show_plugins(plugins)
    elif as_json:
        described = report.describe_reduction(find_class(name))
        described["readme"] = page(name)
        print_reductions_json([described], plugins)
    else:
        show_page(page(name).rstrip())


def print_reductions_json(
    reductions: list[report.ReductionKindJson], plugins: list[PluginJson]
) -> None:
    """Print descriptions of reductions as JSON."""
    document: ReductionsJson = {"reductions": reductions}
    if plugins:
        document["plugins"] = plugins
    print_json(document)


def print_reductions(kinds: list[report.ReductionClass]) -> None:
    """Print a table of the reductions and one of the links of chains."""
    rows = [[kind.name, kind.source_kind, kind.title] for kind in kinds]
    show_table(["name", "source", "what it does"], rows)
    show_gap()
    links = [[link.name, link.source_kind, link.title] for link in LINKS.values()]
    show_table(["link of a chain", "source", "what it does"], links)


class BoardReductionJson(ReductionJson):
    """The board of a source."""

    board: BoardLine


class GameFileJson(GameReductionJson):
    """The game of a source problem, and the number of guesses in which every code must be found."""

    game: NonEmpty
    """The file of the game, in TOML."""


@options.command(
    "reduce",
    "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
    "mmsat reduce vertex-cover path.col -k 1 --explain",
    "mmsat reduce vertex-cover path.col -k 1 | mmsat check -",
)
@reduction_argument
@source_argument
@k_and_lies_options
@options.notation
@options.file(
    "-o",
    "--output",
    multiple=True,
    help="Write the board, or draw it (.svg, .png, .graphml).",
)
@click.option("--explain", is_flag=True, help="Explain the board, gadget by gadget.")
@options.as_json
def reduce_command(
    name: str,
    source: str,
    *,
    to: str,
    output: tuple[str, ...],
    explain: bool,
    as_json: bool,
    **numbers: int | None,
) -> None:
    """Turn a hard problem into a board that is consistent if and only if it has a solution.

    NAME is a reduction that `mmsat reductions` lists, or a chain of them:
    three-sat+one-in-three+one-in-three-3sat turns any CNF into a board of two colors. `mmsat lift`
    turns a code back into an answer. word-game makes the file of a game and a number of guesses for
    `mmsat optimal` instead.

    \b
    SOURCE is a file or - for standard input, in the format of its kind:
      formula  p cnf VARIABLES CLAUSES, then clauses such as 1 -2 3 0 (DIMACS)
      graph    p edge NODES EDGES, then lines such as e 1 2 (DIMACS)
      cover    p cover ELEMENTS SETS, then a line for each set: 1 2
      triples  p 3dm SIZE TRIPLES, then a line for each triple: 1 2 2
      matrix   one line for each row: 1 0 1
      system   one line for each equation: 2 x1 - x3 + x4 = 1
      board    as in other commands, also a board line
    """  # noqa: D301  (click needs the character, not a backslash)
    reduction = build_reduction(name, source, numbers)
    if isinstance(reduction, Reduction) and reduction.note:
        say(reduction.note)
    if isinstance(reduction, GameReduction):
        print_game(reduction, output, to, explain=explain, as_json=as_json)
        return
    drawing_files = [file for file in output if Path(file).suffix in report.SUFFIXES]
    board_files = [file for file in output if file not in drawing_files]
    for file in board_files:
        if Path(file).suffix not in ("", ".txt", ".json"):
            misuse(
                f"--output: the ending of {file} is unknown. Use .txt or .json for the board, or "
                f"{join_words(report.SUFFIXES, 'or')} for a drawing."
            )
    for file in drawing_files:
        draw_to(reduction, Path(file))
    text = PRINTERS[to](reduction.board)
    for file in board_files:
        write_board(reduction.board, text, file)
    if as_json:
        print_json(reduction.to_dict() | {"board": str(reduction.board)})
    elif explain:
        print_report(reduction)
    elif not board_files:
        click.echo(text, nl=False)
    if reduction.question and not explain:
        say(reduction.question)


def print_game(
    reduction: GameReduction[Any, Any],
    output: Sequence[str],
    to: str,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Write the game's file, and print the command that decides whether the guesses suffice."""
    if to != "text":
        misuse(f"--to {to} is for boards. {reduction.name} makes a game, which is written in TOML.")
    for file in output:
        if Path(file).suffix in report.SUFFIXES:
            misuse(f"{file}: only boards are drawn. Give a name that ends in .toml for the game.")
    text = print_definition(reduction.target)
    for file in output:
        atomic_write(file, [text])
    if as_json:
        document: GameFileJson = {**reduction.to_dict(), "game": text}
        print_json(document)
    elif explain:
        print_code = speller(reduction.target).print_code
        meanings = [[print_code(code), meaning] for code, meaning in reduction.meanings()]
        show(table(["code", "stands for"], meanings, wrap_width()))
    elif not output:
        click.echo(text, nl=False)
    guesses = quantity(reduction.guesses, "guess")
    say(f"to decide whether every code can be found within {guesses}:")
    say(f"mmsat optimal game:FILE --max-guesses {reduction.guesses}")


def draw_to(reduction: Reduction[Any, Any], path: Path) -> None:
    """Draw or export the graph of pegs and rows; the extension of `path` is the format."""
    report.draw(reduction, path)
    say(f"{path}: the graph of pegs and rows")


VERDICTS = (str(Status.INCONSISTENT), str(Status.UNKNOWN))
"""The lines that `mmsat decode` prints for boards without a known code."""
CODE = re.compile(r"[\w-]+")
"""Text that looks like a code. If it is not a valid code, the error states its faults."""


ANSWERS = "the output of mmsat list, decode or check --json"
"""The texts from which `lift` reads codes."""


class CodeText(TextFile):
    """A code, a file, or `-` for standard input; the value is the text."""

    name = "code"
    expected = f"a code, or {ANSWERS} in a file, or - for standard input"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; raise InputError if standard input is SOURCE as well."""
        self.claim_standard_input(value, param, ctx)
        is_missing = re.search(r"\.[A-Za-z]\w*$", value) and not _is_file(value)
        return read_file(value) if value == "-" or is_missing or _is_file(value) else value


def _is_file(value: str) -> bool:
    """Return whether a text is the name of a file."""
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
    """The answer in the format of the source, of the first code; null unless the verdict is
    consistent."""
    certificates: list[str]
    """The answers of all codes, in order."""


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
@reduction_argument
@source_argument
@click.argument("code", type=CodeText())
@k_and_lies_options
@options.as_json
def lift_command(
    name: str, source: str, *, code: str, as_json: bool, **numbers: int | None
) -> None:
    """Turn a code back into an answer to the problem that a board was made from.

    Give the same NAME, SOURCE and numbers as to `mmsat reduce`. CODE is a code, a file, or - for
    standard input: the output of `mmsat list`, `mmsat decode` or `mmsat check --json`. Each code of
    a list is turned into one answer. If the list is empty, the board is checked.
    For word-game, it is the tree of `mmsat optimal -o FILE.json`; if there is no strategy, the
    output of `mmsat optimal --json`.
    Exit code 10 for an answer, 20 for an inconsistent board; for a list, that of the worst line: 1
    if one is undecided, else 20 if one is inconsistent.
    """
    reduction = build_reduction(name, source, numbers)
    answers: list[tuple[Status, str | None]]
    if isinstance(reduction, GameReduction):
        status, guesses = read_strategy(code, reduction)
        answers = [(status, None if guesses is None else reduction.spell(reduction.lift(guesses)))]
    else:
        answers = [
            (status, None if solution is None else reduction.spell(reduction.lift(solution)))
            for status, solution in read_answers(code, reduction.board)
        ]
    statuses = {status for status, _ in answers}
    worst_first = (Status.UNKNOWN, Status.INCONSISTENT, Status.CONSISTENT)
    worst_status = next(status for status in worst_first if status in statuses)
    if as_json:
        certificates = [certificate for _, certificate in answers if certificate is not None]
        document: LiftedJson = {
            "reduction": name,
            "verdict": str(worst_status),
            "certificate": certificates[0] if worst_status is Status.CONSISTENT else None,
            "certificates": certificates,
        }
        print_json(document)
    else:
        for status, certificate in answers:
            no_answer = "no answer" if status is Status.INCONSISTENT else "undecided"
            click.echo(no_answer if certificate is None else certificate)
    leave_with(worst_status)


def read_strategy(
    text: str, reduction: GameReduction[Any, Any]
) -> tuple[Status, tuple[Code, ...] | None]:
    """Read a strategy tree, or the output of `mmsat optimal --json`; raise InputError.

    Return the verdict, and for a tree, its guesses if every score is zero. A tree that needs more
    guesses than the reduction allows raises InputError, too.
    """
    from mmsat.strategy.tree import read_tree, replay, zero_score_path

    limit, game = reduction.guesses, reduction.target
    try:
        document = json.loads(text)
        has_no_strategy = "proven" in document and document["codes"] is None
        # That no strategy has at most `max_guesses` (null: no limit) is an answer only if the
        # reduction allows no more guesses.
        is_answer = has_no_strategy and (document["max_guesses"] or limit) >= limit
        has_strategy = "proven" in document and not has_no_strategy
    except (ValueError, KeyError, TypeError, RecursionError):
        expected = "the tree of mmsat optimal -o, or the output of mmsat optimal --json"
        raise InputError.of("the strategy", expected, text[:60]) from None
    if is_answer:
        return Status.INCONSISTENT if document["proven"] else Status.UNKNOWN, None
    if has_strategy:
        description = Description("a document without its guesses")
        rule = "mmsat optimal -o FILE.json writes its tree"
        raise InputError.of("the strategy", "the tree of a strategy", description, rule)
    tree = read_tree(text, "the strategy")
    if tree.game.space != game.space or tree.game.pegs != game.pegs:
        expected = "a strategy of the game that mmsat reduce makes of this source"
        raise InputError.of("the strategy", expected, str(tree.game), "it is of another game")
    worst_case = max(replay(tree).values())
    if worst_case > limit:
        rule = f"every code is found within {quantity(limit, 'guess')}"
        raise InputError.of("the strategy", "a faster one", worst_case, rule)
    return Status.CONSISTENT, zero_score_path(tree)


EMPTY_LIST_SECONDS = 20.0
"""Time limit of the check of a board for which `mmsat list` printed no code."""


def read_answers(text: str, board: Board) -> list[tuple[Status, Code | None]]:
    """Return the verdict and the code of each line or of a JSON document; raise InputError.

    `mmsat list` prints nothing for an inconsistent board, but also if it fails. Therefore, an empty
    text only means "inconsistent" if a check of the board agrees.
    """
    text = text.strip()
    if text.startswith("{"):
        return _read_document(text, board.game)
    if not text:
        status = mmsat.check(board, timeout=EMPTY_LIST_SECONDS, reason=0).status
        if status is Status.CONSISTENT:
            message = f"The answer is empty, but the board has a code. Give a code or {ANSWERS}."
            raise InputError([MessageFault(message, None, "")], "")
        return [(status, None)]
    lines = text.splitlines()
    texts = lines if all(map(CODE.fullmatch, lines)) else [text]
    return [read_answer(line, board.game) for line in texts]


def read_answer(text: str, game: Game) -> tuple[Status, Code | None]:
    """Return the verdict and the code of a line; raise InputError."""
    if text in VERDICTS:
        return Status(text), None
    try:
        code = speller(game).parse_code(text)
    except InputError:
        if CODE.fullmatch(text):
            raise
        raise _unclear(text, game) from None
    return Status.CONSISTENT, _require_code(code, game)


def _read_document(text: str, game: Game) -> list[tuple[Status, Code | None]]:
    """Return the verdicts and codes in the document of `check` or `list`; raise InputError."""
    try:
        document: dict[str, Any] = json.loads(text)
        if "listed" in document:
            status = Status.INCONSISTENT if document["complete"] else Status.UNKNOWN
            codes = [*document["listed"]]
        else:
            status, witness = Status(document["verdict"]), document["witness"]
            is_negative = status is not Status.CONSISTENT and witness is None
            codes = [] if is_negative else [witness]
            if codes and status is not Status.CONSISTENT:
                raise _unclear(text, game)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _unclear(text, game) from None
    if not all(_are_colors(code, game) for code in codes):
        raise _unclear(text, game)
    if not codes:
        return [(status, None)]
    solutions = [_require_code(tuple(color - 1 for color in code), game) for code in codes]
    return [(Status.CONSISTENT, solution) for solution in solutions]


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
    """Return the InputError for a text that is neither a code nor a verdict."""
    expected = f"{quantity(game.pegs, 'peg')}, or {ANSWERS}"
    rule = "pipe a solver's output through `mmsat decode` first"
    return InputError.of("the answer", f"a code of {expected}", text[:30], rule)
