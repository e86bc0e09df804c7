"""From any solver's output back to a code."""

from dataclasses import dataclass

from mmsat.encoding.solver_log import Kind, SolverLog, Value
from mmsat.english import plural
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.results.verdict import Status


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver says of a board. It is taken at its word: score the code to be sure."""

    status: Status
    """Whether the board is consistent."""
    code: Code | None
    """The code (colors from 0) that it found, None if it found none."""
    cost: int | None = None
    """For MaxSAT, how many rows the code leaves out; an inconsistent board then has a code too."""


def read_solution(text: str, game: Game) -> Solution:
    """Read the output of a solver that was given a board of this game, in any language.

    SAT, MaxSAT and pseudo-Boolean competition output, minisat's result file, clingo, MiniZinc with
    the catalogue's model, SMT-LIB, and the solution files of glpsol and cbc; see
    mmsat.encoding.solver_log. Raises InputError with everything that is contradictory or missing.
    """
    output = SolverLog(text, game)
    faults = output.faults
    status = _status(output)
    kinds = set(Kind)
    if status in (Status.INCONSISTENT, Status.UNKNOWN):
        kinds.remove(Kind.LINEAR)
    values = [value for value in output.values if value.kind in kinds]
    if status is None and not values and not faults:
        write = "the whole output of a solver, with its status and values"
        faults.append(Fault("a solver's output has a status or values", text[:80], write, 1, 1))
    if status is Status.INCONSISTENT and values:
        rule, got = "an unsatisfiable formula has no solution", "both"
        faults.append(values[0].place.fault(rule, got, "the output of one run"))
    elif status is Status.CONSISTENT and not values:
        rule = "a satisfiable formula has a solution"
        write = "the values too, which some solvers print only when asked"
        place = output.statuses[0][0]
        faults.append(place.fault(rule, "no values", write))
    code = _code(values, game, faults) if values else None
    if (output.is_optimum or output.is_weighed) and values and not output.costs:
        rule = "the solution of a MaxSAT solver has a cost"
        faults.append(values[0].place.fault(rule, "no `o` line", "the whole output"))
    InputError.refuse(faults, "the solver's output")
    if code is None:
        return Solution(status or Status.UNKNOWN, None)
    cost = output.costs[-1] if output.costs else None
    if not cost:
        return Solution(Status.CONSISTENT, code, cost)
    least = Status.INCONSISTENT if output.is_optimum else Status.UNKNOWN
    return Solution(least, code, cost)


def _status(output: SolverLog) -> Status | None:
    """The status that all status lines agree on, where "unknown" gives way to an answer."""
    agreed = None
    for place, status in output.statuses:
        if agreed in (None, Status.UNKNOWN):
            agreed = status
        elif status not in (agreed, Status.UNKNOWN):
            rule = f"the status was {agreed} before"
            output.faults.append(place.fault(rule, str(status), "the output of one run"))
    return agreed


def _code(values: list[Value], game: Game, faults: list[Fault]) -> Code | None:
    """The code that the values spell, with everything that is wrong with it."""
    before = len(faults)
    said: dict[tuple[int, int], bool] = {}
    colors: dict[int, int] = {}
    torn: set[int] = set()  # pegs of which something else is wrong already
    for place, peg, color, is_true, _ in values:
        name = game.variables.name(game.variables.at(peg, color))
        if is_true is None:
            faults.append(place.fault(f"{name} is 0 or 1", "a fraction", "an integer solution"))
            torn.add(peg)
            continue
        if said.setdefault((peg, color), is_true) != is_true:
            write = "the output of one run"
            faults.append(place.fault(f"{name} has one value", "both true and false", write))
        elif is_true and colors.setdefault(peg, color) != color:
            rule = f"peg {peg + 1} has one color"
            got = f"both {colors[peg] + 1} and {color + 1}"
            faults.append(place.fault(rule, got, "the answer to a board of this game"))
    is_whole = any(value.kind is Kind.ALL for value in values)
    for peg in range(game.pegs):
        missing = [color + 1 for color in range(game.colors) if (peg, color) not in said]
        if is_whole and missing:
            rule = f"peg {peg + 1} has a value for every color"
            got = f"none for {plural('color', len(missing))} {', '.join(map(str, missing))}"
            faults.append(Fault(rule, got, "the whole output of the solver"))
        elif peg not in colors and peg not in torn:
            rule = f"peg {peg + 1} has a color"
            faults.append(Fault(rule, "none", "the answer to a board of this game"))
    if len(faults) > before:
        return None
    code = tuple(colors[peg] for peg in range(game.pegs))
    if not game.contains(code):
        got = "-".join(str(color + 1) for color in code)
        place = values[0].place
        faults.append(place.fault(game.space.summary, got, "the answer to a board of this game"))
    return code
