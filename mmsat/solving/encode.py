"""Public functions that write boards for other solvers and read their answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from mmsat.arguments import attempt, check_arguments, whole_number
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.languages import find_writer
from mmsat.encoding.ortools import cp_model
from mmsat.encoding.solution import read_solution
from mmsat.errors import Fault, InputError
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.solving.executor import within

CNF, CP = "pysat", "cp-sat"
"""Formats that are objects of libraries instead of text."""


@check_arguments
def encode(
    board: Board | str,
    to: str = "cnf",
    *,
    encoding: str | None = None,
    timeout: float | None = None,
) -> Any:
    """Write a board for another solver.

    - `board`: the game and its scored rows, or a board line.
    - `to`: a format of `mmsat encode` ("cnf", "wcnf", "opb", "lp", "minizinc", "dzn", "smt2",
      "asp"), which returns its text; "pysat" for a `pysat.formula.CNF`, whose variable 1 + color +
      colors * peg (both from 0) means that the peg has the color; "cp-sat" for a `CpModel` of
      OR-Tools, with variables such as "peg1color2" (from 1).
    - `encoding`: the name of the encoding of counts for "cnf", "wcnf" and "pysat"; None for the
      default.
    - `timeout`: the time limit in seconds; None for no limit. It does not include the conversion of
      the text to an object of a library.

    Raises InputError for an unknown format or encoding, and TimeLimitError after `timeout` seconds.
    Time and memory are proportional to the length of the text, which grows with pegs, colors and
    rows.
    """
    board = Board.of(board)
    text = within(timeout, _write, board, to, encoding, work="the text of the board")
    if to == CP:
        model = cp_model().CpModel()
        model.proto.parse_text_format(text)
        return model
    return load("pysat.formula:CNF")(from_string=text) if to == CNF else text


def _write(board: Board, to: str, encoding: str | None) -> str:
    """Return the text of a board in a format."""
    if to == CP:
        return str(load("mmsat.encoding.cp:CpBoard")(System.of(board)).model.proto)
    return "".join(find_writer("cnf" if to == CNF else to, (CNF, CP)).export(board, encoding))


@check_arguments
def decode(board: Board | str, answer: str | Iterable[int] | Mapping[str, Any]) -> Code | None:
    """Convert the answer of a solver to a code (colors from 0), or None if it found none.

    - `board`: the board that was encoded, or its line.
    - `answer`: the text that a solver printed or wrote to a file, in any of the formats of `mmsat
      decode`; or the true literals of a model; or values by name such as {"peg1color2": 1}.

    Raises InputError if the answer does not belong to this board, or if the code does not get its
    scores. Every code is scored again.
    """
    board = Board.of(board)
    at = board.game.variables.at
    places = {
        f"peg{peg + 1}color{color + 1}": at(peg, color)
        for peg in range(board.game.pegs)
        for color in range(board.game.colors)
    }
    if isinstance(answer, Mapping):
        answer = [places[name] for name, value in answer.items() if value and name in places]
    if not isinstance(answer, str):
        given = list(answer)
        numbers = [attempt(whole_number, literal) for literal in given]
        pairs = zip(given, numbers, strict=True)
        faults = [Fault("", literal, "a whole number") for literal, n in pairs if n is None]
        InputError.refuse(faults, "the literals")
        true = set(numbers)
        literals = (place if place in true else -place for place in places.values())
        answer = f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n"
    code = read_solution(answer, board.game).code
    if code is not None and not board.is_consistent(code):
        code_text = speller(board.game).print_code(code)
        raise InputError.of("the answer", "a code that matches the scores of the board", code_text)
    return code
