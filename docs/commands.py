"""Pages of commands: their help, and their examples with what they print."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mmsat.cli.group import mmsat

MOST = 40
"""Lines that are shown of what an example prints."""
SECONDS = 600
"""For an example; what takes longer, on the busiest machine, hangs."""
WIDTH = 160
UNSHOWN = ("study",)
"""Commands whose examples take minutes."""


def command_page(name: str, _: Path) -> str:
    """Usage, what it does, its options, and its examples as they go."""
    context = click.Context(mmsat, info_name="mmsat")
    command = mmsat.get_command(context, name)
    inner = click.Context(command, parent=context, info_name=name)
    usage = " ".join(command.get_usage(inner).split()).removeprefix("Usage: ")
    text = f"# mmsat {name}\n\n```sh\n{usage}\n```\n\n{cleandoc(command.help)}\n"
    options = [each.get_help_record(inner) for each in command.params]
    listed = [f"`{names}`\n: {told}\n" for names, told in filter(None, options) if told]
    text += "\n## Options\n\n" + "\n".join(listed) if listed else ""
    lines = exchanges(name, command.examples)
    return text + "\n## Examples\n\n```console\n" + "\n".join(lines) + "\n```\n"


def exchanges(name: str, examples: tuple[str, ...]) -> Iterator[str]:
    """Examples, run one after the other in one folder, with what they print."""
    here = f'mmsat() {{ {shlex.quote(sys.executable)} -m mmsat "$@"; }}'
    settings = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    with TemporaryDirectory() as folder:
        for example in examples:
            yield f"$ {example}"
            if name in UNSHOWN:
                continue
            done = subprocess.run(  # noqa: S603
                ["bash", "-c", f"{here}\n{example}"],  # noqa: S607
                cwd=folder,
                env=settings,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            if "Traceback" in done.stdout:
                raise AssertionError(done.stdout)
            printed = done.stdout.rstrip().splitlines()
            yield from (shorten(line) for line in printed[:MOST])
            if len(printed) > MOST:
                yield f"({len(printed) - MOST:,} more lines)"
    if name in UNSHOWN:
        yield "(not run here: it takes minutes)"


def shorten(line: str) -> str:
    """A line that is not too wide."""
    return line if len(line) <= WIDTH else f"{line[:WIDTH]}..."
