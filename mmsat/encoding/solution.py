"""Read a code from the output of any solver."""

from dataclasses import dataclass

from mmsat._util.text import noun_phrase
from mmsat.encoding.solver_formats import OTHER_BOARD, Completeness, SolverLog, Value
from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Status
from mmsat.game.game import Game


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
        rule = "some solvers print it only with an option"
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
