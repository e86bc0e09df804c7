"""The catalogues: games, strategies, encodings, reductions, families and instances."""

from __future__ import annotations

import json
import re

import pytest

from mmsat.encoding.catalogue import load, names
from mmsat.game.library import families, instances
from mmsat.game.names import find_game
from mmsat.game.published import PUBLISHED_GAMES
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.reductions.families import FAMILIES
from mmsat.solving import ENGINES, SPECIAL
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES
from mmsat.strategy.strategies import STRATEGIES
from tests.support.cli_runner import faults_told, run


def test_games():
    lines = run("games").stdout.splitlines()

    for variant in PUBLISHED_GAMES.values():
        (line,) = [line for line in lines if line.startswith(f"{variant.name} ")]
        assert re.match(rf"[a-z0-9-]+ +{variant.game.pegs}x", line)
        assert f" {variant.game.size:,} " in line
        assert variant.title in line
        assert variant.year in line
        assert variant.summary in line
        assert variant.source not in line  # that is on the page of the game
    for kind in (*SPACES.values(), *SCORINGS.values()):
        assert any(kind.summary in line for line in lines)


def test_games_in_json():
    document = json.loads(run("games", "--json").stdout)

    assert {game["name"]: find_game(game["game"]) for game in document["games"]} == {
        name: variant.game for name, variant in PUBLISHED_GAMES.items()
    }


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_one_game(name):
    """All that is known of a game is printed, and its notation is a board that checks."""
    variant = PUBLISHED_GAMES[name]
    shown = run("games", name).stdout
    (document,) = json.loads(run("games", name, "--json").stdout)["games"]

    for value in (variant.title, variant.year, variant.summary, variant.notes, variant.source):
        assert value in shown
    assert document["notation"] in shown
    assert document["source"] == variant.source
    assert run("check", document["notation"]).exit_code == 10


def test_encodings():
    """Encodings and engines are listed."""
    tables = run("encodings").stdout.split("\n\n")
    listed = [[line.split()[0] for line in table.splitlines()[1:]] for table in tables]
    engines = [*ENGINES, *SPECIAL]
    assert listed == [list(names()), engines]
    document = json.loads(run("encodings", "--json").stdout)
    assert [entry["name"] for entry in document["encodings"]] == list(names())
    assert [entry["name"] for entry in document["engines"]] == engines
    assert all(entry["summary"] for entry in document["engines"])


@pytest.mark.parametrize("name", names())
def test_one_encoding(name):
    result = run("encodings", name)
    (document,) = json.loads(run("encodings", name, "--json").stdout)["encodings"]

    assert result.exit_code == 0
    assert result.stdout.endswith(f"{load(name).readme.rstrip()}\n")
    assert document["readme"] == load(name).readme


def test_instances():
    lines = run("instances").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [instance.name for instance in instances()]


@pytest.mark.parametrize("family", families())
def test_one_family(family):
    lines = run("instances", family).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        instance.name for instance in instances(family)
    ]


@pytest.mark.parametrize("instance", instances(), ids=lambda instance: instance.name)
def test_one_instance(instance):
    """All that is known of a board is printed, and --line is the board line alone."""
    shown = run("instances", instance.name).stdout
    (document,) = json.loads(run("instances", instance.name, "--json").stdout)["instances"]

    for value in (instance.title, instance.source, instance.note, str(instance.board)):
        assert value in shown
    drawn = shown.partition(str(instance.board))[2]  # a note may contain an arrow, too
    assert drawn.count("-> ") == len(instance.slips) == len(document["slips"])
    assert document["board"] == str(instance.board)
    assert run("instances", instance.name, "--line").stdout == f"{instance.board}\n"


def test_lines_of_all_instances():
    lines = run("instances", "--line").stdout.splitlines()
    assert lines == [str(instance.board) for instance in instances()]


def test_strategies():
    first, second = run("strategies").stdout.split("\n\n")
    assert [line.split()[0] for line in first.splitlines()[1:]] == [*STRATEGIES]
    names = [line.split()[0] for line in second.splitlines()[1:]]
    assert names == [*MULTI_BOARD_STRATEGIES]
    listed = json.loads(run("strategies", "--json").stdout)["strategies"]
    assert [each["name"] for each in listed] == [*STRATEGIES]


@pytest.mark.parametrize("name", STRATEGIES)
def test_one_strategy(name):
    shown = " ".join(run("strategies", name).stdout.split())
    (document,) = json.loads(run("strategies", name, "--json").stdout)["strategies"]
    assert document["name"] == name
    assert all(" ".join(text.split()) in shown for text in document.values())


def test_families():
    lines = run("families").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*FAMILIES]
    document = json.loads(run("families", "--json").stdout)
    assert [each["name"] for each in document["families"]] == [*FAMILIES]


@pytest.mark.parametrize("name", ["six-colors", "sat"])
def test_one_family_of_generated_boards(name):
    shown = run("families", name).stdout
    (document,) = json.loads(run("families", name, "--json").stdout)["families"]
    family = FAMILIES[name]
    assert document["name"] == name
    assert document["answers"] == [*map(str, family.answers)]
    assert family.summary in " ".join(shown.split())
    assert f"number of {family.unit}, at least {family.min_size}; default {family.size}" in shown


@pytest.mark.parametrize(
    ("catalogue", "kind"),
    [
        ("games", "game"),
        ("strategies", "strategy"),
        ("encodings", "encoding"),
        ("reductions", "reduction"),
        ("families", "family"),
        ("instances", "instance"),
    ],
)
def test_every_catalogue_refuses_unknown_names_alike(catalogue, kind):
    (told,) = faults_told(run(catalogue, "zzz"))
    assert told.startswith(f"Error: No such {kind} 'zzz'. Expected ")
