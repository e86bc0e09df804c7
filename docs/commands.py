"""Pages of commands: their help, and their examples with output."""

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

MAX_OUTPUT_LINES = 40
"""Maximum number of output lines that are shown per example."""
TIMEOUT_SECONDS = 600
"""Time limit of an example, which is reached only if it hangs."""
MAX_WIDTH = 160
"""Maximum number of characters that are shown of a line."""
UNWRAPPED = "\b\n"
"""The beginning of a paragraph of help that click does not wrap."""
NOT_RUN = {"serve": "it runs until Ctrl-C", "study": "it takes minutes"}
"""Commands whose examples are not run, with the reason."""


def command_page(name: str, _: Path) -> str:
    """Return the page of a command: usage, description, options, and examples with output."""
    context = click.Context(mmsat, info_name="mmsat")
    command = mmsat.get_command(context, name)
    inner = click.Context(command, parent=context, info_name=name)
    usage = " ".join(command.get_usage(inner).split()).removeprefix("Usage: ")
    text = f"# mmsat {name}\n\n```sh\n{usage}\n```\n\n{description(command.help)}\n"
    options = [parameter.get_help_record(inner) for parameter in command.params]
    listed = [f"`{names}`\n: {text}\n" for names, text in filter(None, options) if text]
    text += "\n## Options\n\n" + "\n".join(listed) if listed else ""
    lines = exchanges(name, command.examples)
    return text + "\n## Examples\n\n```console\n" + "\n".join(lines) + "\n```\n"


def description(help_text: str) -> str:
    """Return a help text as Markdown; a paragraph that click does not wrap becomes a code block."""
    paragraphs = cleandoc(help_text).split("\n\n")
    return "\n\n".join(
        f"```text\n{text.removeprefix(UNWRAPPED)}\n```" if text.startswith(UNWRAPPED) else text
        for text in paragraphs
    )


def exchanges(name: str, examples: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a console session that runs the examples in one folder."""
    # A shell function, so that the examples run this mmsat
    definition = f'mmsat() {{ {shlex.quote(sys.executable)} -m mmsat "$@"; }}'
    settings = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    with TemporaryDirectory() as folder:
        for example in examples:
            yield f"$ {example}"
            if name in NOT_RUN:
                continue
            done = subprocess.run(  # noqa: S603
                ["bash", "-c", f"{definition}\n{example}"],  # noqa: S607
                cwd=folder,
                env=settings,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
            if "Traceback" in done.stdout:
                raise AssertionError(done.stdout)
            printed = done.stdout.rstrip().splitlines()
            yield from (shorten(line) for line in printed[:MAX_OUTPUT_LINES])
            if len(printed) > MAX_OUTPUT_LINES:
                yield f"({len(printed) - MAX_OUTPUT_LINES:,} more lines)"
    if name in NOT_RUN:
        yield f"(not run here: {NOT_RUN[name]})"


def shorten(line: str) -> str:
    """Return the line, cut at MAX_WIDTH characters."""
    return line if len(line) <= MAX_WIDTH else f"{line[:MAX_WIDTH]}..."
