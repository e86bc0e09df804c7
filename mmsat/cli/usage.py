"""Wrong command lines: the errors of click and of parameter types, all in the same form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchOption

from mmsat._util.registry import UnknownName
from mmsat._util.text import plural
from mmsat.cli.parameters import Name, Value, parameter_name
from mmsat.errors import InputError, MessageFault

ERRORS = "mmsat.errors"
"""Key of the list of the errors of parameters, in the `meta` of the click context."""
USAGE_ERRORS = (InputError, click.UsageError)


def note_errors(process_value: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the method `process_value` of a parameter: errors are noted in the context.

    The value is then None, and the other parameters are read as well.
    """

    @wraps(process_value)
    def process_and_note(ctx: click.Context, value: Any) -> Any:
        try:
            return process_value(ctx, value)
        except USAGE_ERRORS as error:
            if ctx.resilient_parsing:  # of a completion in the shell
                raise
            ctx.meta[ERRORS].append(error)
            return None

    return process_and_note


def repetitions(given: Sequence[click.Parameter]) -> list[InputError]:
    """Return an error for each option that has one value, but several on the command line.

    `given` has one item for each occurrence of a parameter.
    """
    single = [
        param
        for param in given
        if isinstance(param, click.Option) and not (param.multiple or param.is_flag)
    ]
    messages = [
        f"{parameter_name(param)} is given {number} times. Give it once."
        for param, number in Counter(single).items()
        if number > 1
    ]
    return [InputError([MessageFault(message, None, "")], "") for message in messages]


def raise_errors(errors: Sequence[InputError | click.UsageError]) -> None:
    """Raise an error with the faults of all errors; do nothing if there are none."""
    if len(errors) == 1:
        raise errors[0]
    lines = [
        line
        for error in errors
        for line in str(error if isinstance(error, InputError) else input_error(error)).split("\n")
    ]
    InputError.refuse([MessageFault(line, None, "") for line in lines], "")


def options_for(words: list[str], ctx: click.Context | None) -> list[str]:
    """Return `--option word` for each of the words that is a name which an option accepts."""
    return [
        f"{parameter_name(param)} {word}"
        for word in words
        for param in (ctx.command.params if ctx else [])
        if isinstance(param, click.Option) and isinstance(param.type, Name)
        if word in param.type.names()
    ]


def input_error(error: click.UsageError) -> InputError:
    """Convert an error of click to an InputError, so that all errors have the same form."""
    if isinstance(error, MissingParameter):
        kind = "option" if isinstance(error.param, click.Option) else "argument"
        expected = getattr(getattr(error.param, "type", None), "expected", Value.expected)
        advice = "" if expected == Value.expected else f": expected {expected}"
        name = parameter_name(error.param)
        if isinstance(error.param, click.Option) and error.ctx is not None:
            name += f" {error.param.make_metavar(error.ctx)}"
        message = f"Missing {kind} {name}{advice}."
        return InputError([MessageFault(message, None, "")], "")
    if isinstance(error, NoSuchOption):
        params = error.ctx.command.params if error.ctx else []
        names = [name for param in params for name in param.opts if name.startswith("--")]
        fault = UnknownName.of("option", error.option_name, names, "an option that --help lists")
        return InputError([fault], "")
    if isinstance(error, BadOptionUsage):
        verb = "does not accept" if "does not take a value" in error.message else "requires"
        return InputError([MessageFault(f"{error.option_name} {verb} a value.", None, "")], "")
    if match := re.search(r"unexpected extra arguments? \((.*)\)", error.message):
        words = match[1].split(" ")
        message = f"Unexpected {plural('argument', len(words))} {' '.join(words)}."
        settings = options_for(words, error.ctx)
        remedy = f" Write {' '.join(settings)}." if settings else ""
        return InputError([MessageFault(message + remedy, None, "")], "")
    return InputError.of("the arguments", "another command line", None, error.message)
