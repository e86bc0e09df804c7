"""Which rows can hold together: answers about sets of rows of one board.

Who answers, the quickest first: what earlier answers say already; brute force on small boards; on
large boards of two colors a refutation by algebra; one incremental SAT solver with a selector a row
and a budget; where rows are long, a search that knows how often each color occurs, and the points
of a lattice (dense.py); and for what is left, SAT and CP-SAT by turns, on these rows alone. There a
single question may take CP-SAT a second or a minute as luck has it, so that it matters that each
turn starts elsewhere.

A row is switched by its number, never by what it says, so repeated rows stay apart. Every helper of
the formula is defined by the code, so a row that is off leaves nothing behind.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from mmsat._core import SearchStatus
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.dense import ROUNDS, Dense, entropy_without, suits
from mmsat.diagnosis.refutation import refute
from mmsat.encoding.cnf import DEFAULT, Builder, require_memory
from mmsat.encoding.formula import Formula
from mmsat.errors import InternalError
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.solving.brute import search
from mmsat.solving.portfolio import find_code
from mmsat.solving.sat import GrowingSolver, code_of
from mmsat.solving.simplification import is_algebraic, simplify
from mmsat.solving.solver_race import sat_and_cp
from mmsat.tolerance import STRICT, Tolerance

Rows = frozenset[int]

PROPAGATIONS = 200_000
"""The first budget of SAT, a part of a second; it doubles with success, halves with failure ..."""
LEAST = 10_000
"""... from here up to the limit."""
FEW_ROWS = 32
"""Rows of a board up to which brute force is asked: it names no core."""
FEW_CODES = 1 << 15
"""Codes of a game of which it answers all questions; of others only easy ones, ..."""
NODES = 1 << 11
"""... with so many nodes at most, a twentieth of a millisecond, until that fails."""
QUESTION = 10_000
"""What a question costs apart from propagation."""
ALONE = 3
"""Rounds that the search has at least where others are not asked."""
FAILURE = 12
"""What a failure of the search costs where colors are counted, in propagations of SAT."""
WIDE = 24
"""Pegs from which a board of two colors goes to the algebra: below, SAT answers at once."""
KEPT = 2000
"""How many answers are remembered."""


class HardQuestionError(Exception):
    """A question is not decided with the patience that there is."""


class SubsetOracle:
    """Answers, for sets of rows (from 0), whether a code satisfies them all.

    With lies, a set is satisfied by a code that misses no more of it than the lies, and only the
    incremental solver is asked.
    """

    def __init__(
        self,
        board: Board,
        tolerance: Tolerance = STRICT,
        *,
        solver: str = "minisat22",
        wide: int = WIDE,
    ) -> None:
        """Nothing is encoded before the first question."""
        self.board = board
        self.tolerance = tolerance
        self.everything = frozenset(range(len(board.rows)))
        self.is_wide = board.game.pegs >= wide and not tolerance.lies
        self.is_algebraic = self.is_wide and is_algebraic(board)
        self.is_incremental = tolerance.lies > 0
        """Whether nobody but the incremental solver is asked."""
        self.patience: int | None = None
        """Rounds that a hard question may take before HardQuestionError; None for no end."""
        self.rounds = 0
        """The round that the last of them came to."""
        self.asked = 0
        """How many questions there were."""
        self.effort: dict[int, int] = {}
        """By row: what it took to refute all others, as those have found who left it out."""
        self.is_slow = False
        """Whether some question was left to the engines."""
        self.is_dense = False
        """Whether some question was decided where the colors are counted."""
        self.is_walked = False
        """Whether the last of them was one for the walk over lattice points."""
        self.core: Rows = frozenset()
        """After a refusal: rows of the question that no code satisfies, seldom minimal."""
        self.code: Code | None = None
        """The last answer."""
        self._prices: dict[Code, dict[int, int]] = {}
        self._dense: Dense | None = None
        self._failures = 0
        self._listed: dict[Rows, list[Code]] = {}
        self._name = solver
        self._budget = PROPAGATIONS
        self._nodes = 4 * FEW_CODES if board.game.size <= FEW_CODES else NODES
        if self.is_wide or len(board.rows) > FEW_ROWS:
            self._nodes = 0
        self._cores: deque[Rows] = deque(maxlen=KEPT)
        self._codes: deque[tuple[Code, Rows]] = deque(maxlen=KEPT)

    @cached_property
    def system(self) -> System:
        """What the board says, within the tolerance."""
        return System.of(self.board, self.tolerance)

    @cached_property
    def suits_dense(self) -> bool:
        """Whether hard questions go where the colors are counted."""
        return not self.tolerance.lies and suits(self.system)

    @cached_property
    def builder(self) -> Builder:
        """The formula of the board, a selector a row; with lies, it counts them in these rows."""
        if self.tolerance.lies:
            require_memory(self.system, DEFAULT, with_selectors=True)
        return Builder(self.system, with_selectors=True)

    @property
    def formula(self) -> Formula:
        """What was built."""
        return self.builder.formula

    @cached_property
    def growing(self) -> GrowingSolver:
        """The solver that holds it."""
        return GrowingSolver(self._name, self.formula)

    @property
    def solver(self) -> Any:
        """The same, of python-sat."""
        return self.growing.solver

    @property
    def is_hard(self) -> bool:
        """Whether some question was more than the incremental solver decides in its budget."""
        return self.is_slow or self.is_dense

    @property
    def work(self) -> int:
        """What all questions have cost, in propagations."""
        spent = "growing" in self.__dict__ and self.solver.accum_stats()["propagations"]
        return QUESTION * self.asked + spent + FAILURE * self._failures

    def entropies(self) -> dict[int, float]:
        """By row, what the others leave open, in bits, where a walk is what answers and is long."""
        return self._entropies if self.is_walked and self.rounds > 1 else {}

    @cached_property
    def _entropies(self) -> dict[int, float]:
        """They ask presolve about each row."""
        return {row: entropy_without(self.system, row) for row in self.everything}

    def find(self, rows: Iterable[int], most: int | None = None) -> Code | None:
        """A code that satisfies these rows; None sets `core`.

        With a number, codes that miss more of the other rows need not be found: None then says that
        every code of these rows does, and the core that every code of it does.
        """
        asked = frozenset(rows)
        self.asked += 1
        if self.is_incremental:
            self._by_sat(asked, None)
        elif self._recall(asked, is_code_enough=not (most and self.is_by_search)):
            return self.code
        elif self._by_brute(asked) or self._by_algebra(asked):
            pass
        elif self.is_algebraic or not self._within(asked):
            self._by_others(asked, most)
        self._keep(asked, is_core=most is None)
        return self.code

    def find_other(self, missed: Rows = frozenset()) -> Code | None:
        """Another code for the last question, if it `goes_on`; none that misses all these rows."""
        if self._dense is None:
            raise InternalError("there was no question")
        self.asked += 1
        self._dense.go_on(missed)
        if not self._ask_dense(self._dense):
            raise HardQuestionError
        self._keep(self._dense.rows, is_core=False)
        return self.code

    def goes_on(self, rows: Rows) -> bool:
        """Whether the last question was about these rows, and who answered can be told more."""
        return self._dense is not None and self._dense.rows == rows and self._dense.can_go_on

    @property
    def is_by_search(self) -> bool:
        """Whether hard questions are answered where colors are counted, and not by a walk."""
        return self.is_dense and not self.is_walked

    def _keep(self, asked: Rows, *, is_core: bool) -> None:
        """Check an answer and remember it."""
        if self.code is not None:
            satisfied = self.satisfied_rows(self.code, asked)
            if not satisfied >= asked:
                message = f"{self.code} does not satisfy rows {sorted(asked)} of {self.board}"
                raise InternalError(message)
            self._codes.append((self.code, satisfied))
        elif is_core:
            self._cores.append(self.core)

    def core_of(self, rows: Iterable[int]) -> Rows | None:
        """Those of the rows that no code satisfies together, seldom minimal; None if one does."""
        return self.core if self.find(rows) is None else None

    def _only(self, rows: Rows) -> Board:
        return self.board.only(sorted(rows))

    def _recall(self, rows: Rows, *, is_code_enough: bool) -> bool:
        """Whether an earlier answer decides these rows."""
        for code, satisfied in self._codes if is_code_enough else ():
            if rows <= satisfied:
                self.code = code
                return True
        for core in self._cores:
            if core <= rows:
                self.code, self.core = None, core
                return True
        return False

    def _by_brute(self, rows: Rows) -> bool:
        """Whether brute force decides these rows within its budget."""
        budget = min(self._nodes, LIMITS.question_nodes)
        if not budget:
            return False
        said = self.system.rows
        kernel = search(self.system.with_rows(said[row] for row in sorted(rows)))
        status = kernel.advance(budget)
        if status is SearchStatus.BUDGET_SPENT:
            self._nodes = 0
            return False
        self.code, self.core = kernel.code if status is SearchStatus.CODE_FOUND else None, rows
        return True

    def _by_algebra(self, rows: Rows) -> bool:
        """Whether the algebra refutes these rows."""
        found = refute(self._only(rows)) if self.is_algebraic else None
        if found is None:
            return False
        numbers = sorted(rows)
        self.code, self.core = None, frozenset(numbers[row] for row in found.rows)
        return True

    def _by_others(self, rows: Rows, most: int | None) -> None:
        """Decide what is not easy."""
        if self.patience == 0:
            raise HardQuestionError
        if self.suits_dense and self._ask_dense(self.take_dense(rows, most or 0)):
            self.is_dense = True
        elif self.patience is not None:
            raise HardQuestionError
        else:
            self.is_slow = True
            self._by_turns(rows)

    def _ask_dense(self, dense: Dense) -> bool:
        """Whether it is decided where the colors are counted."""
        self._dense = dense
        before = dense.failures
        last = ROUNDS if self.patience is None else self.patience
        if dense.is_alone:
            last = max(last, ALONE)
        is_decided = dense.solve(last) is not None
        self.code, self.core, self.rounds = dense.code, dense.core, dense.rounds
        self.is_walked = dense.is_walked
        self._failures += dense.failures - before
        return is_decided

    def take_dense(self, rows: Rows, most: int = 0) -> Dense:
        """Work on some rows of a dense board, as far as the last question got."""
        last = self._dense
        if len(spare := self.everything - rows) <= most or not most:
            spare, most = frozenset(), 0
        asked = rows, spare, most
        if last is not None and last.is_whole and (last.rows, last.spare, last.most) == asked:
            return last
        return Dense(self.system, rows, last, spare, most)

    def list_codes(self, rows: Rows, codes: list[Code]) -> None:
        """Remember that these are all codes of some rows of a dense board."""
        self._listed[rows] = codes

    def dense_codes(self, rows: Rows) -> Iterator[Code]:
        """Every code of some rows of a dense board, as far as the last question got."""
        if rows in self._listed:
            yield from self._listed[rows]
            return
        self._dense = dense = self.take_dense(rows)
        while dense.solve(None) and dense.code is not None:
            yield dense.code
            dense.deny(dense.code)

    def _by_turns(self, rows: Rows) -> None:
        """Let presolve and the solvers decide these rows, by turns."""
        numbers = sorted(rows)
        systems, _, refuting = simplify(self.board.only(numbers))
        self.code = find_code(map(sat_and_cp, systems))
        self.core = rows if refuting is None else frozenset(numbers[row] for row in refuting)

    def _within(self, rows: Rows) -> bool:
        """Whether SAT decides these rows within the budget, which learns from it."""
        budget = min(self._budget, LIMITS.question_propagations)
        is_decided = budget > 0 and self._by_sat(rows, budget)
        self._budget = 2 * self._budget if is_decided else max(LEAST, self._budget // 2)
        return is_decided

    def _by_sat(self, rows: Rows, budget: int | None) -> bool:
        """Whether SAT decides these rows with so many propagations, or any number."""
        selectors = self.formula.selectors
        row_of = {selectors[row]: row for row in rows}
        if budget is None:
            satisfiable = self.solver.solve(assumptions=sorted(row_of))
        else:
            self.solver.prop_budget(budget)
            satisfiable = self.solver.solve_limited(assumptions=sorted(row_of))
        self.code = code_of(self.solver.get_model(), self.system.variables) if satisfiable else None
        if satisfiable is False:
            self.core = frozenset(row_of[literal] for literal in self.solver.get_core() or [])
        return satisfiable is not None

    @contextmanager
    def extending(self) -> Iterator[Builder]:
        """Let the formula grow by definitions, and hand what is new to the solver.

        From then on, only this solver is asked: nobody else knows what was added.
        """
        self.is_incremental = True
        growing = self.growing  # with all that was said before
        yield self.builder
        growing.catch_up()

    def prices(self, code: Code) -> dict[int, int]:
        """The rows that a code misses, by scoring it once, each with the lies that it takes."""
        if code not in self._prices:
            board, tolerance = self.board, self.tolerance
            self._prices[code] = (
                {miss.row: tolerance.price([miss]) for miss in tolerance.misses(board, code)}
                if tolerance.lies
                else dict.fromkeys(board.missed(code), 1)
            )
        return self._prices[code]

    def satisfied_rows(self, code: Code, rows: Rows = frozenset()) -> Rows:
        """A maximal set of rows that a code satisfies, by scoring it; with lies, around some."""
        prices = self.prices(code)
        left = self.tolerance.lies - sum(prices.get(row, 0) for row in rows)
        kept = self.everything - (prices.keys() - rows)
        for row in sorted(prices.keys() - rows):
            if prices[row] <= left:
                left -= prices[row]
                kept |= {row}
        return kept if left >= 0 else kept - prices.keys()

    def critical(self, code: Code, rows: Rows) -> set[int]:
        """Of rows that conflict, those without any one of which a code satisfies the others."""
        prices = self.prices(code)
        excess = sum(prices.get(row, 0) for row in rows) - self.tolerance.lies
        return {row for row in rows & prices.keys() if 0 < excess <= prices[row]}
