"""The public functions that write boards for other solvers and read their answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from mmsat._util.arguments import attempt, check_arguments, whole_number
from mmsat.constraints.system import System
from mmsat.encoding.cp_sat import CpBoard, cp_model
from mmsat.encoding.encodings import Encoding
from mmsat.encoding.languages import find_writer
from mmsat.encoding.solution import read_solution
from mmsat.errors import Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.solving.deadline import run_within

PYSAT, CP_SAT = "pysat", "cp-sat"
"""Formats that are objects of libraries, not text."""


@check_arguments
def encode(
    board: Board | str,
    to: str = "cnf",
    *,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Any:
    r"""Write a board for another solver.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    to : str, default "cnf"
        The format. "cnf", "wcnf", "opb", "lp", "minizinc", "dzn", "smt2" and "asp" are text.
        "pysat" is a `pysat.formula.CNF`, and "cp-sat" is a `CpModel` of OR-Tools.
    encoding : str or Encoding, optional
        Encoding of cardinality constraints for "cnf", "wcnf" and "pysat", or its name.
    timeout : float, optional
        Time limit in seconds. It does not include the conversion of the text to an object of a
        library. By default, there is no limit.

    Returns
    -------
    str, pysat.formula.CNF or CpModel
        The board in this format.

    Raises
    ------
    InputError
        If the format, the encoding or another argument is invalid.
    SizeError
        If the formula would be too large for memory.
    TimeLimitError
        If the text is not finished within `timeout`.

    Notes
    -----
    The variable 1 + color + colors * peg, with peg and color from 0, means that the peg has the
    color. In formats with names, it is "peg1color2", with both from 1. Time and memory are
    proportional to the length of the text, which grows with the pegs, colors and rows.

    Examples
    --------
    >>> print(mmsat.encode("2x3/12=1.0").split("\n")[-2])
    -7 -8 0
    """
    board = Board.of(board)
    text = run_within(timeout, _write, board, to, encoding, task_name="the text of the board")
    if to == CP_SAT:
        model = cp_model().CpModel()
        model.proto.parse_text_format(text)
        return model
    if to == PYSAT:
        import pysat.formula

        return pysat.formula.CNF(from_string=text)
    return text


def _write(board: Board, to: str, encoding: str | Encoding | None) -> str:
    """Return the text of a board in a format."""
    if to == CP_SAT:
        return str(CpBoard(System.of(board)).model.proto)
    return "".join(
        find_writer("cnf" if to == PYSAT else to, (PYSAT, CP_SAT)).export(board, encoding)
    )


@check_arguments
def decode(board: Board | str, answer: str | Iterable[int] | Mapping[str, Any]) -> Code | None:
    r"""Convert the answer of a solver to a code.

    Parameters
    ----------
    board : Board or str
        The board that was encoded, or its line.
    answer : str, iterable of int or mapping
        The text that a solver printed or wrote to a file, in any of the formats of `mmsat decode`;
        the true literals of a model; or values by name, such as `{"peg1color2": 1}`.

    Returns
    -------
    tuple of int or None
        The code, with colors from 0, or None if the solver found no code. The code is scored again
        before it is returned.

    Raises
    ------
    InputError
        If the answer does not belong to this board, or if the code does not match its scores.

    Examples
    --------
    >>> mmsat.decode("2x3/12=1.0", "s SATISFIABLE\nv x1 -x2 -x3 x4 -x5 -x6")
    (0, 0)
    """
    board = Board.of(board)
    at = board.game.variables.at
    variables = {
        f"peg{peg + 1}color{color + 1}": at(peg, color)
        for peg in range(board.game.pegs)
        for color in range(board.game.colors)
    }
    if isinstance(answer, Mapping):
        answer = [variables[name] for name, value in answer.items() if value and name in variables]
    if not isinstance(answer, str):
        literals = list(answer)
        numbers = [attempt(whole_number, literal) for literal in literals]
        pairs = zip(literals, numbers, strict=True)
        faults = [
            Fault("", literal, "a whole number") for literal, number in pairs if number is None
        ]
        InputError.refuse(faults, "the literals")
        true = set(numbers)
        model = (variable if variable in true else -variable for variable in variables.values())
        answer = f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"
    code = read_solution(answer, board.game).code
    if code is not None and not board.is_consistent(code):
        code_text = speller(board.game).print_code(code)
        raise InputError.of("the answer", "a code that matches the scores of the board", code_text)
    return code
