"""The library's boards that commands made are made again by these commands, byte for byte."""

from __future__ import annotations

import shlex

import pytest

from mmsat.game.library import instances
from mmsat.reductions.families import generate
from tests.support.cli_runner import run

MADE = [instance for instance in instances() if instance.generator.startswith("mmsat generate ")]


def test_the_families_are_made_by_commands():
    assert {entry.family for entry in MADE} == {"hard", "reductions"}
    for family in ("hard", "reductions"):
        assert all(instance in MADE for instance in instances(family))


@pytest.mark.parametrize("instance", MADE, ids=lambda item: item.name)
def test_the_command_makes_the_file(instance):
    _, *arguments = shlex.split(instance.generator)
    result = run(*arguments)
    assert result.exit_code == 0
    assert result.stdout == instance.text


@pytest.mark.parametrize("instance", MADE, ids=lambda item: item.name)
def test_the_verdict_is_known_by_construction_or_was_found(instance):
    words = shlex.split(instance.generator)
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert instance.seed == int(options["--seed"])
    generated = generate(
        words[2], int(options["--size"]), seed=instance.seed, answer=options["--answer"]
    )
    if generated.status != "unknown":
        assert instance.verdict == generated.status
    elif instance.verdict != "unknown":
        assert f"Found {instance.verdict} by mmsat." in instance.note
