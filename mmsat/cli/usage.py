"""What click finds wrong with a command line, in the one form of errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from click.exceptions import BadOptionUsage, MissingParameter, NoSuchOption

from mmsat.cli.parameters import where
from mmsat.errors import Fault, InputError

if TYPE_CHECKING:
    import click


def input_error(error: click.UsageError) -> InputError:
    """The error as where, what is expected, what was found."""
    if isinstance(error, MissingParameter):
        kind = getattr(error.param, "type", None)
        expected = getattr(kind, "expected", "a value")
        return InputError([Fault("", None, expected)], where(error.param))
    if isinstance(error, NoSuchOption):
        near = " or ".join(sorted(error.possibilities or ())) or "an option of this command"
        return InputError([Fault("", error.option_name, near)], "the options")
    if isinstance(error, BadOptionUsage):
        takes_none = "does not take a value" in error.message
        expected = "no value" if takes_none else "a value"
        found = error.message.rpartition(" ")[2] if takes_none and "=" in error.message else None
        return InputError([Fault("", found, expected)], error.option_name)
    if match := re.search(r"unexpected extra arguments? \((.*)\)", error.message):
        return InputError([Fault("", match[1], "no more arguments")], "the arguments")
    return InputError([Fault(error.message, None, "another command line")], "the arguments")
