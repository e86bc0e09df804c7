"""Write boards for other solvers, and read a code from their output."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mmsat._util.arguments import attempt, check_arguments, whole_number
from mmsat._util.text import noun_phrase
from mmsat.constraints.system import System
from mmsat.encoding.cp_sat import CpBoard, cp_model
from mmsat.encoding.encodings import Encoding
from mmsat.encoding.languages import find_writer
from mmsat.encoding.solver_formats import OTHER_BOARD, Completeness, SolverLog, Value
from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.solving.deadline import run_within


@dataclass(frozen=True, slots=True)
class Solution:
    """The unverified answer of a solver. Score the code to verify it."""

    status: Status
    """Whether the board is consistent."""
    code: Code | None
    """The code (colors from 0); None if the solver did not find one."""
    cost: int | None = None
    """For MaxSAT, the number of rows that the code violates. In this case, an inconsistent board
    has a code, too."""


def read_solution(text: str, game: Game) -> Solution:
    """Read the output of a solver for a board of this game, in any language.

    See mmsat.encoding.solver_formats for the formats. A solver that stopped at a limit may have
    found a code before; then the board is consistent. Raises InputError that lists everything
    contradictory or missing.
    """
    output = SolverLog(text, game)
    faults = output.faults
    status = _status(output)
    values = output.values
    if status is Status.INCONSISTENT:
        # Solution files of CBC, Clp and GLPK have values of an infeasible point.
        values = [value for value in values if value.completeness is not Completeness.LINEAR]
    elif status is Status.UNKNOWN and _is_unfinished(values, game):
        values = []
    if status is None and not values and not faults:
        expected = "the whole output of a solver, with its status and values"
        faults.append(Fault("it has neither status nor values", text[:80], expected, 1, 1))
    if status is Status.INCONSISTENT and values:
        found = Description("a solution after the status unsatisfiable")
        faults.append(values[0].place.fault("", found, "the output of one run"))
    elif output.is_optimum and output.costs and output.costs[-1] and not values and not faults:
        return Solution(Status.INCONSISTENT, None, output.costs[-1])
    elif status is Status.CONSISTENT and not values:
        rule = "some solvers print it only with an option, or write it to another file"
        place = output.statuses[0][0]
        found = Description("only the status")
        faults.append(place.fault(rule, found, "a status and a solution"))
    code = _code(values, game, faults) if values else None
    if output.needs_cost and values and not output.costs:
        expected = "the whole output, with the cost of the solution"
        faults.append(values[0].place.fault("", Description("no `o` line"), expected))
    InputError.refuse(faults, "the solver's output")
    if code is None:
        return Solution(status or Status.UNKNOWN, None)
    cost = output.costs[-1] if output.costs else None
    if not cost:
        return Solution(Status.CONSISTENT, code, cost)
    # A positive minimum proves that no code satisfies all rows.
    cost_status = Status.INCONSISTENT if output.is_optimum else Status.UNKNOWN
    return Solution(cost_status, code, cost)


def _status(output: SolverLog) -> Status | None:
    """Return the status of all status lines, or None; "unknown" does not contradict the others."""
    agreed = None
    for place, status in output.statuses:
        if agreed in (None, Status.UNKNOWN):
            agreed = status
        elif status not in (agreed, Status.UNKNOWN):
            rule = f"the status was {agreed} before"
            output.faults.append(place.fault(rule, str(status), "the output of one run"))
    return agreed


def _is_unfinished(values: list[Value], game: Game) -> bool:
    """Return whether a linear solver that stopped printed values that are not a code."""
    is_linear = all(value.completeness is Completeness.LINEAR for value in values)
    return is_linear and _code(values, game, []) is None


def _code(values: list[Value], game: Game, faults: list[Fault]) -> Code | None:
    """Return the code with these values, or None after adding the reasons to `faults`."""
    initial_faults = len(faults)
    truth: dict[tuple[int, int], bool] = {}
    colors: dict[int, int] = {}
    fractional: set[int] = set()  # pegs whose fault is already reported
    for place, peg, color, is_true, _ in values:
        name = game.variables.name(game.variables.at(peg, color))
        if is_true is None:
            faults.append(place.fault("", Description(f"a fraction for {name}"), "0 or 1"))
            fractional.add(peg)
            continue
        if truth.setdefault((peg, color), is_true) != is_true:
            found = Description(f"both true and false for {name}")
            faults.append(place.fault("", found, "the output of one run"))
        elif is_true and colors.setdefault(peg, color) != color:
            found = Description(f"colors {colors[peg] + 1} and {color + 1} for peg {peg + 1}")
            faults.append(place.fault(OTHER_BOARD, found, "one color per peg"))
    is_complete = any(value.completeness is Completeness.ALL for value in values)
    for peg in range(game.pegs):
        missing = [color + 1 for color in range(game.colors) if (peg, color) not in truth]
        if is_complete and missing:
            found = Description(f"no value for peg {peg + 1} and {noun_phrase('color', missing)}")
            faults.append(Fault("", found, "the whole output of the solver"))
        elif peg not in colors and peg not in fractional:
            found = Description(f"none for peg {peg + 1}")
            faults.append(Fault(OTHER_BOARD, found, "a color for every peg"))
    if len(faults) > initial_faults:
        return None
    code = tuple(colors[peg] for peg in range(game.pegs))
    if not game.contains(code):
        numbers = "-".join(str(color + 1) for color in code)
        place = values[0].place
        faults.append(place.fault(OTHER_BOARD, numbers, f"a code of the game {game}"))
    return code


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
