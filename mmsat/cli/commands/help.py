"""The command `mmsat help`."""

import click

from mmsat.cli import options
from mmsat.cli.group import COMMANDS, mmsat
from mmsat.cli.parameters import Name


@options.command("help", "mmsat help", "mmsat help check", is_limited=False, is_silent=True)
@click.argument("name", metavar="[COMMAND]", type=Name("command", lambda: COMMANDS), required=False)
@click.pass_context
def help_command(ctx: click.Context, name: str | None) -> None:
    """Explain a command: `mmsat help check` is `mmsat check --help`.

    Without COMMAND, lists all commands.
    """
    group = ctx.parent or click.Context(mmsat, info_name="mmsat")
    described = None if name is None else mmsat.get_command(group, name)
    if described is None:
        click.echo(group.get_help())
    else:
        inner = click.Context(described, info_name=name, parent=group, **mmsat.context_settings)
        click.echo(described.get_help(inner))
