"""Engines that decide whether a board is consistent, and portfolios of interleaved solvers.

**Engines.** An engine is named by a spec: a name, or a name with settings, such as `sat:glucose4`
or `sat:cadical195:sequential`. It is a class in the module that the registry names. The module is
imported on first use.

**Portfolios.** Which solver suits a system is not known in advance. With doubling budgets, a
portfolio needs at most a small constant factor more than its best solver. Budgets are counted in
units of work, not in seconds, so that the answer is the same on every machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import count
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from mmsat._util.arguments import RULES
from mmsat._util.registry import Extensible, Registry, UnknownName, describe_plugin, split_spec
from mmsat.constraints import simplify_tolerance
from mmsat.errors import InputError, InternalError, PluginError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.deadline import Deadline, TimeUpError, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Decision(NamedTuple):
    """The result of an engine."""

    status: Status
    code: Code | None
    """A consistent code (colors from 0) if the status is consistent, otherwise None."""
    engine: str
    """The name or spec of the engine that decided."""
    reason: str = ""
    """Why this engine was selected, in one line, if there was a choice."""


class Engine(ABC):
    """An algorithm that decides boards."""

    name: ClassVar[str]
    """The name on the command line."""
    summary: ClassVar[str]
    """One line for help."""
    supports_lies: ClassVar[bool] = False
    """Whether the engine supports boards with lies, that is, systems with a budget."""

    @classmethod
    def of(cls, *settings: str) -> Engine:
        """Return the engine with the given settings; raises InputError for unsupported ones."""
        if settings:
            raise InputError.of(
                "the engine", f"{cls.name} without settings", ":".join((cls.name, *settings))
            )
        return cls()

    @property
    def spec(self) -> str:
        """The name of the engine with its settings."""
        return self.name

    @property
    def plugin(self) -> str:
        """The plug-in of the engine, such as `engine package.module:Class`; empty for others."""
        return describe_plugin("engine", self)

    def blame(self, error: InternalError) -> InternalError | PluginError:
        """Return the error that names the plug-in as the cause; `error` if there is no plug-in."""
        return PluginError.about(self.plugin, error) if self.plugin else error

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Decide a board. The status is unknown if the deadline passes.

        With a tolerance, decide whether there is a code within it. Raises InputError if lies are
        still allowed after the tolerance is simplified and the engine does not support them, and
        PluginError if a plug-in returns a code that does not get the scores.
        """
        # One code is enough. If all rows may be lies, codes with few lies are still preferred.
        board, tolerance = simplify_tolerance(board, tolerance, is_one_enough=True)
        if tolerance.lies and not self.supports_lies:
            rule = f"the engine {self.name} does not support lies"
            raise InputError.of("the engine", "auto, brute, cp or sat", self.name, rule)
        try:
            decision = self.search(board, deadline, seed, tolerance)
            if self.plugin:
                verify_witness(board, decision.code, self.spec, tolerance=tolerance)
        except TimeUpError:
            return Decision(Status.UNKNOWN, None, self.spec)
        except InternalError as error:
            raise self.blame(error) from error
        return decision

    @abstractmethod
    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        """Decide a board with a simplified tolerance; raises TimeUpError at the deadline."""


class SolverEngine(Engine):
    """An engine that runs in a separate process, because it does not check the clock."""

    def search(
        self, board: Board, deadline: Deadline, seed: int | None, tolerance: Tolerance
    ) -> Decision:
        code = run(deadline, self.solve, board, seed, tolerance)
        return verify_witness(board, code, self.spec, tolerance=tolerance)

    @abstractmethod
    def solve(
        self, board: Board, seed: int | None = None, tolerance: Tolerance = STRICT
    ) -> Code | None:
        """Return a code within the tolerance or None, in this process and without a deadline."""


def verify_witness(
    board: Board,
    code: Code | None,
    engine: str,
    reason: str = "",
    tolerance: Tolerance = STRICT,
) -> Decision:
    """Return the decision for the code that an engine found, or for None if it refuted the board.

    The code is scored again. Raises InternalError if it is not within the tolerance.
    """
    if code is None:
        return Decision(Status.INCONSISTENT, None, engine, reason)
    try:
        is_witness = tolerance.allows(board, code)
    except InputError:  # not even a sequence of numbers
        is_witness = False
    if not is_witness:
        within = f" within {tolerance}" if tolerance.lies else ""
        message = f"{engine} answered {code}, which does not get the scores of {board}{within}"
        raise InternalError(message)
    return Decision(Status.CONSISTENT, code, engine, reason)


ENGINES: Extensible[type[Engine]] = Extensible(
    "engine",
    "engines",
    Registry(
        "mmsat.solving",
        {"auto": "searches", "brute": "searches", "sat": "sat", "cp": "cp"},
        Engine,  # type: ignore[type-abstract]  # the values are its subclasses
    ),
    Engine,
    has_classes=True,
)
"""Engines for all boards."""
SPECIAL = Registry(
    "mmsat.solving",
    {"weighted": "searches", "lattice": "lattice"},
    Engine,  # type: ignore[type-abstract]  # the values are its subclasses
)
"""Engines for some games or sizes only. They raise SizeError for other boards, and InputError if
scores may be lies."""


RULES["engine"] = ENGINES.rule()


def find_engine(spec: str | Engine | type[Engine]) -> Engine:
    """Return the engine with this spec, which may also be an engine or its class.

    Raises InputError if the name or a setting is unknown.
    """
    if isinstance(spec, Engine):
        return spec
    if isinstance(spec, type):
        engine_class: type[Engine] = ENGINES.adapt(spec)
        return engine_class.of()
    name, settings = split_spec(spec, (*ENGINES, *SPECIAL))
    for engines in (SPECIAL, ENGINES):
        if name in engines:
            return engines[name].of(*settings)
    raise InputError(
        [UnknownName.of("engine", spec, [*ENGINES, *SPECIAL], suggestions=_near_engines(spec))], ""
    )


OTHER_ENGINE_NAMES = {"cp-sat": "cp", "cpsat": "cp", "or-tools": "cp", "ortools": "cp"}
"""Engines by other names of their solver, for suggestions in error messages."""


def _near_engines(spec: str) -> list[str]:
    """Return specs of engines that run the named solver; empty for other names."""
    from mmsat.solving.sat import near_solvers

    solver, colon, encoding = spec.lower().partition(":")
    if solver in OTHER_ENGINE_NAMES:
        return [OTHER_ENGINE_NAMES[solver]]
    return [f"sat:{name}{colon}{encoding}" for name in near_solvers(solver)]


class Work(ABC):
    """A search for a code that runs step by step."""

    name: str
    """The solver, as `--engine` names it; after a decision, the solver that decided."""
    code: Code | None = None
    """After a decision: a code, or None if there is no code."""

    @abstractmethod
    def step(self, budget: int) -> bool:
        """Work for `budget` times the minimum budget of this work; return whether it is decided."""

    def close(self) -> None:  # noqa: B027  (most hold no native resources)
        """Release native resources."""


def growing_budgets() -> Iterator[int]:
    """Yield the budgets 1, 2, 4, 8 ... without end."""
    return (1 << step for step in count())


def finish(work: Work) -> Work:
    """Run steps until the work is decided; close and return it."""
    try:
        # `any` stops at the first step that returns True.
        any(map(work.step, growing_budgets()))
    finally:
        work.close()
    return work


def find_code(works: Iterable[Work]) -> Code | None:
    """Return the first code that one of the searches finds, or None if all are refuted."""
    return finish(AnyOf(works)).code


class AnyOf(Work):
    """Works on the parts of a problem, interleaved; any of them may find a code.

    If none has a code, all of them must be refuted.
    """

    def __init__(self, works: Iterable[Work], name: str = "") -> None:
        """Set the works, and the name to report if the list of works is empty."""
        self.works = self._open_works = list(works)
        self.name = name

    def step(self, budget: int) -> bool:
        """Run a step of each work that is not refuted."""
        for work in list(self._open_works):
            if work.step(budget):
                self.code, self.name = work.code, work.name
                if self.code is not None:
                    return True
                self._open_works = [
                    open_work for open_work in self._open_works if open_work is not work
                ]
        return not self._open_works

    def close(self) -> None:
        """Close all works."""
        for work in self.works:
            work.close()


class Scaled(Work):
    """A member of a portfolio with smaller or larger budgets than the other members."""

    def __init__(self, work: Work, scale: Callable[[int], int]) -> None:
        """Set the work, and the function from a budget of the portfolio to that of the work."""
        self.work = work
        self.scale = scale
        self.name = work.name

    def step(self, budget: int) -> bool:
        """Run a step of the work within the scaled budget."""
        is_decided = self.work.step(self.scale(budget))
        self.code, self.name = self.work.code, self.work.name
        return is_decided

    def close(self) -> None:
        """Close the work."""
        self.work.close()


class Portfolio(Work):
    """Several solvers, interleaved on the same problem; the first decision counts.

    A member is created only when its first step is due. A member that raises SizeError, then
    or later, is dropped; if no other member remains, the error is raised.
    """

    def __init__(self, *members: Callable[[], Work]) -> None:
        """Set the functions that create the members."""
        self._members: list[Callable[[], Work] | Work] = list(members)
        self.name = ""

    def step(self, budget: int) -> bool:
        """Run a step of each member."""
        for member in list(self._members):
            index = self._members.index(member)
            try:
                work = self._members[index] = member() if callable(member) else member
                if work.step(budget):
                    self.code, self.name = work.code, work.name
                    return True
            except SizeError as error:
                import logging

                logging.getLogger(__name__).info("a solver is omitted: %s", error)
                del self._members[index]
                if not self._members:
                    raise
        return False

    def close(self) -> None:
        """Close all members that were created."""
        for work in self._members:
            if not callable(work):
                work.close()
