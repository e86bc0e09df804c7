"""Output of commands: data on standard output, messages and progress on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import click

from mmsat._util.files import atomic_write
from mmsat._util.registry import Extensible, Plugin, PluginJson
from mmsat._util.text import quantities
from mmsat.cli.exit_codes import INTERRUPTED, leave
from mmsat.cli.time_limit import late_message
from mmsat.game.game import Game
from mmsat.render.reports import print_report
from mmsat.render.terminal import show_fields, show_gap, show_table

if TYPE_CHECKING:
    from mmsat.game.board import Board


QUIET = "mmsat.quiet"
"""Key of whether --quiet is given, in the `meta` of the click context."""


def print_json(document: Any) -> None:
    """Print the one JSON document of a command."""
    import json

    click.echo(json.dumps(document))


def print_result(result: Any, *, as_json: bool, **report_options: Any) -> None:
    """Print a result, as its JSON document or as its report with `report_options`."""
    if as_json:
        print_json(result.to_dict())
    else:
        print_report(result, **report_options)


def say(message: str) -> None:
    """Print a note on standard error, except with --quiet."""
    if not is_quiet():
        print_message(message)


def print_message(message: str, *, nl: bool = True) -> None:
    """Print a message on standard error, also with --quiet.

    Such messages report a failure or a partial result, or reply to a person who plays.
    """
    click.echo(message, err=True, nl=nl)


def is_quiet() -> bool:
    """Return whether the running command has --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


def leave_early(code: int, failure_message: str | None = None) -> NoReturn:
    """End the command; except with exit code 0, print why.

    If the command was not interrupted, print `failure_message`, which by default states that the
    time limit was reached; an empty string prints nothing.
    """
    if failure_message is None:
        failure_message = late_message()
    message = "interrupted" if code == INTERRUPTED else failure_message
    if code and message:
        print_message(message)
    leave(code)


def write_board(board: Board, text: str, output: str) -> None:
    """Write the text of a board to a file, and print the size of the board."""
    atomic_write(output, [text])
    game = board.game
    say(f"{output}: {quantities(peg=game.pegs, color=game.colors, row=len(board.rows))}")


def installed_plugins(registry: Extensible[Any]) -> list[PluginJson]:
    """Return the plug-ins of a kind; print a warning for each one that cannot be used."""
    plugins, errors = registry.plugins()
    for error in errors:
        print_message(f"Warning: {error}")
    return [plugin_json(plugin) for plugin in plugins]


def plugin_json(plugin: Plugin) -> PluginJson:
    """Return a plug-in for JSON. A game is summarized by its size."""
    if isinstance(plugin.value, Game):
        game = plugin.value
        size = f"{game.pegs} pegs, {game.colors} colors, {game.scoring.summary}"
        return plugin.to_dict(size)
    return plugin.to_dict()


def find_plugin(registry: Extensible[Any], name: str | None) -> list[PluginJson]:
    """Return the plug-in with a name, or an empty list if the name is built-in or None."""
    if name is None or name in registry.built_in or not registry.has_plugin(name):
        return []
    return [plugin_json(registry.plugin(name))]


def show_plugins(plugins: list[PluginJson]) -> None:
    """Print a table of plug-ins; print nothing if there are none."""
    if plugins:
        show_gap()
        rows = [[plugin["name"], plugin["package"], plugin["summary"]] for plugin in plugins]
        show_table(["plug-in", "package", "what it does"], rows)


def show_plugin(plugins: list[PluginJson]) -> None:
    """Print the properties of a plug-in."""
    for plugin in plugins:
        name, package, summary = plugin["name"], plugin["package"], plugin["summary"]
        show_fields({"name": name, "package": package, "summary": summary})
