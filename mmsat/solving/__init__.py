"""Engines that decide whether a board is consistent, selected by a spec.

A spec is a name, or a name with settings: `sat:glucose4`, `sat:cadical195:sequential`. An engine is
a class in the module that the registry names. The module is imported on first use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from mmsat._util.arguments import RULES
from mmsat._util.registry import Extensible, Registry, UnknownName, describe_plugin, split_spec
from mmsat.constraints.system import simplify_tolerance
from mmsat.errors import InputError, InternalError, PluginError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving.deadline import Deadline, TimeUpError, run


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
        """The plug-in that answers, such as `engine package.module:Class`; empty if none does."""
        return describe_plugin("engine", self)

    def blame(self, error: InternalError) -> InternalError | PluginError:
        """Return the error about the plug-in that gave a wrong answer, or `error` if none did."""
        return PluginError.about(self.plugin, error) if self.plugin else error

    def decide(
        self,
        board: Board,
        deadline: Deadline,
        seed: int | None = None,
        tolerance: Tolerance = STRICT,
    ) -> Decision:
        """Decide a board. The status is unknown if the deadline passes.

        With a tolerance, decide whether there is a code within it. Raises InputError if the
        tolerance makes a difference and the engine does not support lies, and PluginError if a
        plug-in returns a code that does not get the scores.
        """
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
    """Return the decision that a code, or None for no code, proves; the code is scored again.

    Raises InternalError if the board has no such code within the tolerance.
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
        Engine,  # type: ignore[type-abstract]
    ),
    Engine,
    has_classes=True,
)
"""Engines for all boards."""
SPECIAL = Registry(
    "mmsat.solving",
    {"weighted": "searches", "lattice": "lattice"},
    Engine,  # type: ignore[type-abstract]
)
"""Engines for some games or sizes only. They raise SizeError for other boards,
and InputError if scores may be lies."""


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
    raise InputError([UnknownName.of("engine", spec, [*ENGINES, *SPECIAL])], "")
