"""List the consistent codes, count them as models of CNF, and compute their odds.

`list_codes` yields the first code at once. It uses brute force as long as this finds codes quickly.
If brute force searches too long for the next code, an incremental SAT solver resumes after the last
code (`codes_after`). The models of the CNF correspond one to one to the codes. The solver walks
depth-first over prefixes of codes. A literal that a prefix implies by unit propagation needs no
solver call, and each code that the solver finds is reused for the prefixes on its path. So a code
costs a few solver calls for each peg that is not implied.

`ganak` and `approxmc` count the models without listing them: exactly, and approximately.

`Odds` are computed over all consistent codes. If codes have prior weights, `weigh_codes` lists the
codes with their weights, and `WeighedCodes` has their total weight and odds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

from mmsat._util import Array, np
from mmsat._util.results import BoardLine, ColorNumber, Digits, Displayable, Ratio, Share
from mmsat.constraints import System, simplify_tolerance
from mmsat.counting import DELTA, EPSILON, Count, CountJson
from mmsat.errors import InputError, InternalError, MissingError, SizeError, requiring_extra
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.unread import agrees_all
from mmsat.game.weights import Weights
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, stream
from mmsat.solving.searches import MAX_SLICE_NODES, SlicedSearch

if TYPE_CHECKING:
    from mmsat.encoding import Formula


def formula_of(system: System) -> Formula:
    """Return the system as clauses; raises SizeError if they would need too much memory."""
    from mmsat.encoding.cnf import cnf
    from mmsat.solving.sat import select_counter

    return cnf(system, select_counter(system))


def ganak(systems: Iterable[System]) -> int:
    """Return the number of models, counted by ganak."""
    return sum(map(_ganak, systems))


def _ganak(system: System) -> int:
    """Return the number of models of one system."""
    from pyganak import Counter

    formula = formula_of(system)
    if not all(formula.clauses):
        return 0
    counter = Counter()
    counter.new_vars(formula.variables)
    counter.add_clauses(formula.clauses)
    counter.set_sampling_set(range(1, formula.code_variables + 1))
    with silence():
        return int(counter.count())


@contextmanager
def silence() -> Iterator[None]:
    """Discard everything that native code writes to standard output, which is for data."""
    sys.stdout.flush()
    original_output, null_device = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null_device, 1)
        yield
    finally:
        os.dup2(original_output, 1)
        os.close(original_output)
        os.close(null_device)


def ganak_if_sparse(systems: list[System]) -> int | None:
    """Return the number of models, or None if ganak does not suit the systems.

    It suits formulas in which few literals are about counts of colors (`is_sparse`).
    """
    from mmsat.solving.sat import is_sparse

    return ganak(systems) if all(map(is_sparse, systems)) else None


def approxmc(systems: list[System], seed: int) -> tuple[int, float | None]:
    """Return an estimate by ApproxMC and its delta, or an exact number and None."""
    with requiring_extra("ApproxMC is not installed; write: pip install 'mmsat[approx]'"):
        from pyapproxmc import Counter, __version__
    if not __version__.startswith("4.1."):
        message = f"pyapproxmc {__version__} miscounts; write: pip install 'mmsat[approx]'"
        raise MissingError(message)
    total, delta = 0, None
    for system in systems:
        formula = formula_of(system)
        if all(formula.clauses):
            # With DELTA / n for each of n estimates, their sum is wrong with probability DELTA.
            counter = Counter(seed=seed, epsilon=EPSILON, delta=DELTA / len(systems))
            counter.add_clauses(formula.clauses)
            # The estimate is the number of models in one cell, times 2 for each random XOR
            # constraint ("hash"). Without any, the cell has all models, so the count is exact.
            cell_count, num_hashes = counter.count(list(range(1, formula.code_variables + 1)))
            total += cell_count * 2**num_hashes
            delta = DELTA if num_hashes else delta
    return total, delta


def codes_after(systems: Iterable[System], last: Code | None) -> Iterator[Code]:
    """Yield the codes after `last` (None: all) of all systems in order, by SAT."""
    return merge(*(_codes_after(system, last) for system in systems))


def _codes_after(system: System, last: Code | None) -> Iterator[Code]:
    """Yield the codes of one system after `last` (None: all) in order."""
    from mmsat.solving.sat import code_of, new_solver

    variables = system.variables
    pegs, colors = range(variables.pegs), range(variables.colors)
    with new_solver("glucose4", formula_of(system)) as solver:

        def find_code(assumptions: tuple[int, ...]) -> Code | None:
            """Return a code with these literals, or None."""
            is_satisfiable = solver.solve(assumptions=assumptions)
            return code_of(solver.get_model(), variables) if is_satisfiable else None

        code = find_code(())
        literals = [] if code is None else [variables.at(*item) for item in enumerate(code)]
        # The literals of the code that the formula alone implies. `propagate` never returns such
        # literals, so if its argument is one of them, it returns an empty list.
        fixed_literals = {
            literal for literal in literals if solver.propagate([literal]) == (True, [])
        }
        # A stack of prefixes, each as the literals chosen by the search (the implied literals of
        # the prefix are omitted), with a code that has this prefix, if one is known.
        prefixes: list[tuple[tuple[int, ...], Code | None]] = [((), code)]
        while prefixes:
            chosen, code = prefixes.pop()
            code = code or find_code(chosen)
            if code is None:
                continue
            implied = fixed_literals.union(chosen, solver.propagate(chosen)[1])
            free = (peg for peg in pegs if variables.at(peg, code[peg]) not in implied)
            peg = next(free, variables.pegs)  # the first peg whose color is not implied
            # All codes with this prefix have the colors of code[:peg], so they precede `last` if
            # these colors do.
            if last is not None and code[:peg] < last[:peg]:
                continue
            if peg == variables.pegs:
                if code != last:
                    yield code
                continue
            lowest_color = last[peg] if last is not None and code[:peg] == last[:peg] else 0
            for color in reversed(colors[lowest_color:]):
                literal = variables.at(peg, color)
                if -literal not in implied:
                    shared = code if code[peg] == color else None
                    prefixes.append(((*chosen, literal), shared))


MAX_BATCH_CODES = 1 << 8
"""The maximum number of codes that are collected before they are scored together."""
EXHAUSTED: Code = ()
"""Returned by `codes_by_search` instead of the last code if there are no further codes."""


class SearchBudget(NamedTuple):
    """Limits of brute force, at which SAT takes over."""

    slices: int = 128
    """The number of slices at the start, which is also the maximum. Each slice without a code uses
    one, and each code that is found adds one."""
    nodes: int = MAX_SLICE_NODES
    """The maximum number of nodes per slice; it is lower if there are many rows."""


DEFAULT_BUDGET = SearchBudget()


def list_codes(
    board: Board,
    deadline: Deadline,
    budget: SearchBudget = DEFAULT_BUDGET,
    tolerance: Tolerance = STRICT,
) -> Iterator[Code]:
    """Yield every code within the tolerance in order; raises TimeUpError at the deadline."""
    yield from stream(
        deadline, find_codes, board, deadline, budget, tolerance, is_small=not is_large(board)
    )


def find_codes(
    board: Board, deadline: Deadline, budget: SearchBudget, tolerance: Tolerance
) -> Iterator[Code]:
    """Yield the codes of `list_codes` in this process.

    If SAT takes over, it runs in a separate process.
    """
    board, tolerance = simplify_tolerance(board, tolerance)
    system = System.of(board, tolerance)
    last = yield from codes_by_search(board, system, deadline, budget, tolerance)
    if last is not EXHAUSTED:
        from mmsat.constraints.presolve_steps import apply_to_systems

        codes: Iterator[Code] = stream(
            deadline, apply_to_systems, codes_after, board, tolerance, last
        )
        yield from verify_in_batches(board, codes, tolerance)


def codes_by_search(
    board: Board,
    system: System,
    deadline: Deadline,
    budget: SearchBudget,
    tolerance: Tolerance = STRICT,
) -> Generator[Code, None, Code | None]:
    """Yield codes by brute force, and return the last one (None: none was found), or EXHAUSTED."""
    slices, nodes = budget
    search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
    last: Code | None = None
    for last in search:
        search.slices = min(slices, search.slices + 1)
        yield verify_listed_code(board, last, tolerance)
    return EXHAUSTED if search.is_exhausted else last


def verify_in_batches(board: Board, codes: Iterator[Code], tolerance: Tolerance) -> Iterator[Code]:
    """Yield codes after scoring them again: the first ones at once, later ones in batches.

    A batch is about a quarter of the codes so far, so that the first codes appear without delay.
    """
    num_done, batch = 0, list[Code]()
    try:
        for code in codes:
            batch.append(code)
            if len(batch) > min(num_done // 4, MAX_BATCH_CODES):
                yield from verify_codes(board, batch, tolerance)
                num_done, batch = num_done + len(batch), []
    except TimeUpError:
        yield from verify_codes(board, batch, tolerance)
        raise
    yield from verify_codes(board, batch, tolerance)


def verify_codes(board: Board, codes: Sequence[Code], tolerance: Tolerance) -> Sequence[Code]:
    """Return the codes after scoring them again, all at once if every row must hold."""
    array = np.array(codes, dtype=np.uint16).reshape(len(codes), board.game.pegs)
    agrees = np.ones(len(codes), dtype=bool)
    for row in () if tolerance.lies else board.rows:
        agrees &= agrees_all(board.game, array, row)
    for known_code in board.known:
        agrees &= (array != known_code).any(axis=1)
    for code in codes if tolerance.lies else compress(codes, ~agrees):
        verify_listed_code(board, code, tolerance)
    return codes


def verify_listed_code(board: Board, code: Code, tolerance: Tolerance = STRICT) -> Code:
    """Return the code after scoring it again; raises InternalError if it is not consistent."""
    if not tolerance.allows(board, code):
        raise InternalError(f"{code} was listed, but does not score like {board}")
    return code


class TableJson(TypedDict):
    """The number of codes for every color at every peg."""

    codes: Digits
    """Number of consistent codes."""
    table: list[list[Digits]]
    """For each peg and each color, the number of codes with the color at the peg. With --weights,
    their total weight in units."""
    odds: list[list[Share]]
    """The same as probabilities, rounded to nine decimal places; 0 if there is no code."""
    forced: list[ColorNumber | None]
    """For each peg, the color that all codes have there, from 1; null if they differ."""
    unit: NotRequired[Ratio]
    """The weight of one unit; only with --weights."""


class OddsJson(TableJson, ToleranceJson):
    """The exact probability of every color at every peg."""

    board: BoardLine


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Displayable):
    """Exact probabilities: of `codes` codes, `table[peg][color]` have the color at the peg.

    Pegs and colors count from 0. `odds[peg]` is a tuple with a fraction for each color.

    Examples
    --------
    >>> odds = mmsat.codes("2x3/12=1.0").odds()
    >>> odds[0]
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    >>> odds.array().shape
    (2, 3)
    """

    game: Game
    """The game of the codes."""
    codes: int
    """The number of codes."""
    table: tuple[tuple[int, ...], ...]
    """The number of codes by peg and color; if codes have weights, their total weight in units."""
    units: int | None = None
    """If codes have weights, the total weight of all codes, as a multiple of `unit`."""
    unit: Fraction = Fraction(1)
    """The weight of one unit."""

    @property
    def total(self) -> int:
        """The sum of each row of the table: the number of codes, or their total weight in units."""
        return self.codes if self.units is None else self.units

    def __getitem__(self, peg: int) -> tuple[Fraction, ...]:
        """Return the probabilities of the colors at a peg, in order."""
        return tuple(Fraction(number, self.total or 1) for number in self.table[peg])

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[tuple[Fraction, ...]]:
        return map(self.__getitem__, range(len(self)))

    def records(self) -> list[dict[str, Any]]:
        """Return one record per peg and color, counted from 1, for pandas.DataFrame and polars."""
        return [
            {"peg": peg, "color": color, "codes": number, "chance": float(chance)}
            for peg, (row, chances) in enumerate(zip(self.table, self, strict=True), 1)
            for color, (number, chance) in enumerate(zip(row, chances, strict=True), 1)
        ]

    def array(self) -> Array:
        """Return the probabilities as an array of floats of shape (pegs, colors)."""
        return np.array([[float(chance) for chance in row] for row in self])

    def plot(self, axes: Any = None) -> Any:
        """Draw the table with matplotlib.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            The axes to draw on. By default, new ones are made.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from mmsat.render.board import paint_odds

        return paint_odds(self, axes)

    def forced(self) -> tuple[int | None, ...]:
        """Return for each peg the color that every code has there, or None if they differ."""
        return tuple(
            row.index(self.total) if self.total and self.total in row else None
            for row in self.table
        )

    def to_dict(self) -> TableJson:
        """Return the result with stable JSON keys. Numbers of codes are strings, however small."""
        document: TableJson = {
            "codes": str(self.codes),
            "table": [[str(number) for number in row] for row in self.table],
            "odds": [[round(float(chance), 9) for chance in row] for row in self],
            "forced": [None if color is None else color + 1 for color in self.forced()],
        }
        if self.units is not None:
            document["unit"] = str(self.unit)
        return document


@dataclass(frozen=True)
class WeighedCodes:
    """The consistent codes of a board that have a positive weight, in lexicographic order."""

    codes: tuple[Code, ...]
    units: tuple[int, ...]
    """The weights of the codes, as multiples of `unit`."""
    unit: Fraction
    """The weight of one unit."""

    @property
    def weight(self) -> Fraction:
        """The total weight."""
        return sum(self.units) * self.unit

    def odds(self, board: Board) -> Odds:
        """Return the probability of every color at every peg."""
        table = [[0] * board.game.colors for _ in range(board.game.pegs)]
        for code, units in zip(self.codes, self.units, strict=True):
            for row, color in zip(table, code, strict=True):
                row[color] += units
        rows = tuple(map(tuple, table))
        return Odds(board.game, len(self.codes), rows, sum(self.units), self.unit)


@dataclass(frozen=True, eq=False)
class WeighedCount(Count):
    """The number of codes with a positive weight, and their total weight."""

    weight: Fraction = Fraction(0)

    def to_dict(self) -> CountJson:
        """Return the result with stable JSON keys."""
        return {**Count.to_dict(self), "weight": str(self.weight)}


def weigh_codes(board: Board, weights: Weights, tolerance: Tolerance = STRICT) -> WeighedCodes:
    """List the consistent codes with their weights, except those of weight 0.

    If `weights` lists codes, these are checked one by one, in games of any size. If it has weights
    of colors, the consistent codes are listed; raises SizeError if there are more than 500,000.
    """
    if weights.game != board.game:
        raise InputError.of("the weights", f"weights for the game {board.game}", str(weights.game))
    if weights.codes is not None:
        codes = sorted(code for code in weights.codes if tolerance.allows(board, code))
    else:
        max_codes = LIMITS.listed_codes
        codes = [*islice(list_codes(board, Deadline(), tolerance=tolerance), max_codes + 1)]
        if len(codes) > max_codes:
            raise SizeError.of("weights of colors", f"up to {max_codes:,} consistent codes", "more")
    units, unit = weights.weigh(codes)
    has_weight = [*map(bool, units)]
    return WeighedCodes(
        tuple(compress(codes, has_weight)), tuple(compress(units, has_weight)), unit
    )
