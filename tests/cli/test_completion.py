"""Completion of names in the shell, by click's mechanism."""

from __future__ import annotations

import pytest
from click import Argument
from click.shell_completion import BashComplete

from mmsat.cli.group import COMMANDS, mmsat
from mmsat.counting.count import METHODS
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import names
from mmsat.game.library import families, instances
from mmsat.solving import ENGINES, find_engine
from mmsat.solving.encode import ALIASES, WRITERS
from tests.support.cli_runner import environment, program

GAME_COMMANDS = [
    name
    for name in COMMANDS
    for param in mmsat.get_command(None, name).params
    if isinstance(param, Argument) and param.name == "game"
]


def completions(*words):
    """Return the completions of the last word."""
    completion = BashComplete(mmsat, {}, "mmsat", "_MMSAT_COMPLETE")
    *before, incomplete = words
    return {item.value for item in completion.get_completions(before, incomplete)}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("",), set(COMMANDS)),
        (("encode", "4x6", "--encoding", ""), set(ENCODINGS) - {"native"}),
        (("encode", "4x6", "--to", ""), {*WRITERS, *ALIASES}),
        (("encodings", ""), set(names())),
        (("instances", ""), {*families(), *(instance.name for instance in instances())}),
        (
            ("instances", "mistakes/tw"),
            {"mistakes/two-slips", "mistakes/two-white-for-one-and-one"},
        ),
        *(((command, "bul"), {"bulls-and-cows"}) for command in GAME_COMMANDS),
        (("audit", "log.csv", "--game", "wo"), {"word", "word-3", "wordle"}),
        (("count", "4x6", "--engine", ""), set(METHODS)),
        (("count", "4x6", "--engine", "g"), {"ganak"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_names_are_completed(words, expected):
    assert completions(*words) == expected


def test_every_completed_engine_is_valid():
    specs = completions("check", "4x6", "--engine", "")

    assert set(ENGINES) <= specs
    assert {"sat:glucose4", "sat:cadical195:sequential", "sat:minicard:native"} <= specs
    for spec in specs:
        find_engine(spec)


def test_encodings_of_an_engine_are_completed():
    specs = completions("check", "4x6", "--engine", "sat:cadical195:s")
    assert specs == {"sat:cadical195:sequential", "sat:cadical195:sorting-network"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed_for_each_shell(shell):
    process = program(
        env=environment(_PYTHON_M_MMSAT_COMPLETE="", _MMSAT_COMPLETE=f"{shell}_source")
    )

    assert process.returncode == 0
    assert "_MMSAT_COMPLETE" in process.stdout
