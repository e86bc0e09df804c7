"""`make demo`: run mmsat on a consistent board and on a board with a wrong score.

Every command is printed before it runs, and its exit code is checked. The corrections that
`explain` lists must include the wrong score, which the library of boards documents. The exit code
of the demo is 0 only if all checks succeed.
"""

import json
import subprocess
import sys
from pathlib import Path

import click

from mmsat._util.files import catalogue_folder
from mmsat.cli.output import CONSISTENT, INCONSISTENT, SUCCESS
from mmsat.game.library import Instance, find

CONSISTENT_BOARD = "classic/rafler-6"
WRONG_SCORE_BOARD = "mistakes/far-back"
COMMAND_SECONDS = 120
"""Timeout of one command in seconds; enough for slow machines."""


class DemoError(Exception):
    """A command did not have the expected exit code or output."""


def path_of(instance: Instance) -> str:
    """Return the path of a board's file, relative to the current folder if it contains the file."""
    path = Path(str(catalogue_folder("instances"))) / instance.family / instance.file
    current_folder = Path.cwd()
    return str(path.relative_to(current_folder) if path.is_relative_to(current_folder) else path)


def run(*arguments: str, expected: int, capture: bool = False) -> str:
    """Print a command, run it, and check its exit code.

    With `capture`, return its output, which is not printed; otherwise return an empty string.
    """
    click.secho(f"$ mmsat {' '.join(arguments)}", bold=True)
    sys.stdout.flush()
    process = subprocess.run(  # noqa: S603  (runs this program with constant arguments)
        [sys.executable, "-m", "mmsat", *arguments],
        stdout=subprocess.PIPE if capture else None,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    if process.returncode != expected:
        raise DemoError(f"exit code {process.returncode} instead of {expected}")
    click.secho(f"(exit code {process.returncode})\n", dim=True)
    return process.stdout or ""


def show_consistent(instance: Instance) -> None:
    """Run `check`, `count` and `explain` on a consistent board."""
    click.echo(f"{instance.title}.\n")
    path = path_of(instance)
    run("check", path, expected=CONSISTENT)
    count = run("count", path, expected=SUCCESS, capture=True).strip()
    if count != str(instance.count):
        raise DemoError(f"{count} codes were counted, and the library knows of {instance.count}")
    click.echo(f"{count} codes, which is the count in the library.\n")
    run("explain", path, expected=SUCCESS)


def show_wrong_score(instance: Instance) -> None:
    """Run `check` and `explain` on a board with a wrong score."""
    click.echo(f"{instance.title}.\n")
    path = path_of(instance)
    run("check", path, expected=INCONSISTENT)
    run("explain", path, expected=SUCCESS)
    explanation = run("explain", path, "--json", expected=SUCCESS, capture=True)
    slips = [
        {"row": slip.row + 1, "from": list(slip.recorded), "to": list(slip.correct)}
        for slip in instance.slips
    ]
    corrections = [
        [{key: change[key] for key in ("row", "from", "to")} for change in correction["changes"]]
        for correction in json.loads(explanation)["corrections"]
    ]
    if slips not in corrections:
        raise DemoError(f"the slip was not found: {slips}")
    click.echo("The slip that the library knows of is among these corrections.\n")


def main() -> int:
    """Run the demo, and return its exit code."""
    try:
        show_consistent(find(CONSISTENT_BOARD))
        show_wrong_score(find(WRONG_SCORE_BOARD))
    except (DemoError, subprocess.TimeoutExpired) as error:
        click.echo(f"The demo failed: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
