"""The plug-ins in the catalogues that the commands print."""

from typing import Any

from mmsat._util.plugins import Extensible, Plugin, PluginJson
from mmsat.cli.output import print_message
from mmsat.game.game import Game
from mmsat.render.terminal import show_fields, show_gap, show_table


def installed(registry: Extensible[Any]) -> list[PluginJson]:
    """Return the plug-ins of a kind; print a warning for each one that cannot be used."""
    plugins, errors = registry.plugins()
    for error in errors:
        print_message(f"Warning: {error}")
    return [describe(plugin) for plugin in plugins]


def describe(plugin: Plugin) -> PluginJson:
    """Return a plug-in for JSON. A game is summarized by its size."""
    if isinstance(plugin.value, Game):
        game = plugin.value
        size = f"{game.pegs} pegs, {game.colors} colors, {game.scoring.summary}"
        return plugin.to_dict(size)
    return plugin.to_dict()


def find(registry: Extensible[Any], name: str | None) -> list[PluginJson]:
    """Return the plug-in with a name, or an empty list if the name is built-in or None."""
    if name is None or name in registry.built_in or not registry.has_plugin(name):
        return []
    return [describe(registry.plugin(name))]


def show_all(plugins: list[PluginJson]) -> None:
    """Print a table of plug-ins; print nothing if there are none."""
    if plugins:
        show_gap()
        rows = [[plugin["name"], plugin["package"], plugin["summary"]] for plugin in plugins]
        show_table(["plug-in", "package", "what it does"], rows)


def show_one(plugins: list[PluginJson]) -> None:
    """Print the properties of a plug-in."""
    for plugin in plugins:
        name, package, summary = plugin["name"], plugin["package"], plugin["summary"]
        show_fields({"name": name, "package": package, "summary": summary})
