"""Parameters whose value is a name of some registry, known to the shell's completion too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mmsat.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from click.shell_completion import CompletionItem


class Name(click.ParamType[str]):
    """A name of a registry."""

    def __init__(self, kind: str, names: Callable[[], Iterable[str]]) -> None:
        """`kind` is what a name stands for, in messages and help."""
        self.name = kind
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is one."""
        names = sorted(self.names())
        if value not in names:
            from difflib import get_close_matches  # noqa: PLC0415  (5 ms, for this error alone)

            near = get_close_matches(value, names, 3) or names
            self.fail(f"there is no {self.name} {value!r}; write {' or '.join(near)}", param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that start like this."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415  (only in a completion)

        del ctx, param
        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


class EngineSpec(Name):
    """An engine, or an engine with its settings."""

    def __init__(self) -> None:
        super().__init__("engine", engine_specs)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The spec, if it is one; raises InputError that lists what exists."""
        del param, ctx
        load("mmsat.solving:find_engine")(value)  # help and catalogues need none
        return str(value)


def engine_specs() -> list[str]:
    """Every spec: the engines, and SAT with each solver and each encoding that it can take."""
    solvers = load("mmsat.solving.sat:solver_names")()
    native = load("mmsat.solving.sat:NATIVE_SOLVERS")
    return [
        *load("mmsat.solving:ENGINES"),
        *load("mmsat.solving:SPECIAL"),
        *(f"sat:{solver}" for solver in solvers),
        *(
            f"sat:{solver}:{name}"
            for solver in solvers
            for name, encoding in load("mmsat.encoding.encodings:ENCODINGS").items()
            if not encoding.is_native or solver in native
        ),
    ]
