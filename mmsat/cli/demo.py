"""`make demo`: show what mmsat does on a board that is right and on one that is wrong.

Every command is shown before it runs, and its exit code is checked; the slip that the library knows
of must be among the corrections that are found. The exit code is 0 only if all went well.
"""

import json
import subprocess
import sys
from pathlib import Path

import click

from mmsat.catalogue import folder
from mmsat.cli.exit_codes import CONSISTENT, INCONSISTENT, SUCCESS
from mmsat.library import Instance, find

RIGHT = "classic/rafler-6"
WRONG = "mistakes/far-back"
SECONDS = 120
"""More than any of these commands takes on any machine."""


class DemoError(Exception):
    """The demo did not show what it is to show."""


def path_of(instance: Instance) -> str:
    """The board file, as short as it can be said from here."""
    path = Path(str(folder("instances"))) / instance.family / instance.file
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def run(*arguments: str, expected: int, capture: bool = False) -> str:
    """Show a command, run it, and check its exit code; returns what was captured."""
    click.secho(f"$ mmsat {' '.join(arguments)}", bold=True)
    sys.stdout.flush()
    done = subprocess.run(  # noqa: S603  (this very program, with the arguments below)
        [sys.executable, "-m", "mmsat", *arguments],
        stdout=subprocess.PIPE if capture else None,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode != expected:
        raise DemoError(f"exit code {done.returncode} instead of {expected}")
    click.secho(f"(exit code {done.returncode})\n", dim=True)
    return done.stdout or ""


def show_right(instance: Instance) -> None:
    """A consistent board: a code, how many there are, and that there is nothing to explain."""
    click.echo(f"{instance.title}.\n")
    path = path_of(instance)
    run("check", path, expected=CONSISTENT)
    count = run("count", path, expected=SUCCESS, capture=True).strip()
    if count != str(instance.count):
        raise DemoError(f"{count} codes were counted, and the library knows of {instance.count}")
    click.echo(f"{count} codes, as the library says.\n")
    run("explain", path, expected=SUCCESS)


def show_wrong(instance: Instance) -> None:
    """A board with a slip in a score: which rows, and what may have been meant."""
    click.echo(f"{instance.title}.\n")
    path = path_of(instance)
    run("check", path, expected=INCONSISTENT)
    run("explain", path, expected=SUCCESS)
    found = run("explain", path, "--json", expected=SUCCESS, capture=True)
    slips = [
        {"row": slip.row + 1, "from": list(slip.before), "to": list(slip.after)}
        for slip in instance.slips
    ]
    if slips not in [correction["changes"] for correction in json.loads(found)["corrections"]]:
        raise DemoError(f"the slip was not found: {slips}")
    click.echo("The slip that the library knows of is among these corrections.\n")


def main() -> int:
    """Run the demo; 0 if all went well."""
    try:
        show_right(find(RIGHT))
        show_wrong(find(WRONG))
    except (DemoError, subprocess.TimeoutExpired) as error:
        click.echo(f"The demo failed: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
