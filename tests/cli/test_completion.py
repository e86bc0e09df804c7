"""Completion: the shell is given every name, by click's own mechanism."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete

from mmsat.cli.group import COMMANDS, mmsat
from mmsat.counting.count import METHODS
from mmsat.encoding.catalogue import names
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.languages import ALIASES, WRITERS
from mmsat.game.library import families, instances
from mmsat.solving import ENGINES, find_engine
from tests.support.cli_runner import environment, program


def completed(*words):
    """Return the completions of the last word."""
    completion = BashComplete(mmsat, {}, "mmsat", "_MMSAT_COMPLETE")
    *before, incomplete = words
    return {item.value for item in completion.get_completions(before, incomplete)}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("",), set(COMMANDS)),
        (("encode", "4x6", "--encoding", ""), set(ENCODINGS)),
        (("encode", "4x6", "--to", ""), {*WRITERS, *ALIASES}),
        (("encodings", ""), set(names())),
        (("instances", ""), {*families(), *(instance.name for instance in instances())}),
        (
            ("instances", "mistakes/tw"),
            {"mistakes/two-slips", "mistakes/two-white-for-one-and-one"},
        ),
        (("count", "4x6", "--engine", ""), set(METHODS)),
        (("count", "4x6", "--engine", "g"), {"ganak"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_names(words, offered):
    assert completed(*words) == offered


def test_engine_specs_are_all_valid():
    offered = completed("check", "4x6", "--engine", "")

    assert set(ENGINES) <= offered
    assert {"sat:glucose4", "sat:cadical195:sequential", "sat:minicard:native"} <= offered
    for spec in offered:
        find_engine(spec)


def test_engine_specs_go_on():
    offered = completed("check", "4x6", "--engine", "sat:cadical195:s")
    assert offered == {"sat:cadical195:sequential", "sat:cadical195:sorting-network"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_that_help_speaks_of(shell):
    done = program(env=environment(_PYTHON_M_MMSAT_COMPLETE="", _MMSAT_COMPLETE=f"{shell}_source"))

    assert done.returncode == 0
    assert "_MMSAT_COMPLETE" in done.stdout
