"""The commands that made boards of the library make them again, byte for byte."""

from __future__ import annotations

import shlex

import pytest

from mmsat.game.library import instances
from mmsat.reductions.families import generate
from tests.support.cli_runner import run

GENERATED = [
    instance for instance in instances() if instance.generator.startswith("mmsat generate ")
]


def test_commands_made_all_boards_of_two_families():
    assert {entry.family for entry in GENERATED} == {"hard", "reductions"}
    for family in ("hard", "reductions"):
        assert all(instance in GENERATED for instance in instances(family))


@pytest.mark.parametrize("instance", GENERATED, ids=lambda item: item.name)
def test_the_command_prints_the_file(instance):
    _, *arguments = shlex.split(instance.generator)
    result = run(*arguments)
    assert result.exit_code == 0
    assert result.stdout == instance.text


@pytest.mark.parametrize("instance", GENERATED, ids=lambda item: item.name)
def test_the_verdict_follows_from_the_construction_or_was_found_by_mmsat(instance):
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
