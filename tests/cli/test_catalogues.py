"""The catalogues: games, strategies, encodings, reductions, families and instances."""

from __future__ import annotations

import json
import re

import pytest

from mmsat.cli.parameters import read_board
from mmsat.encoding.cnf import load, names
from mmsat.game.library import families, instances
from mmsat.game.names import PUBLISHED_GAMES, find_game
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.reductions.families import FAMILIES
from mmsat.solving import ENGINES, SPECIAL
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES
from mmsat.strategy.strategies import STRATEGIES
from tests.support.cli_runner import CONSISTENT, fault_lines, run
from tests.support.schemas import validator


def test_every_game_and_rule_is_listed():
    lines = run("games").stdout.splitlines()

    for variant in PUBLISHED_GAMES.values():
        (line,) = [line for line in lines if line.startswith(f"{variant.name} ")]
        assert re.match(rf"[a-z0-9-]+ +{variant.game.pegs}x", line)
        assert f" {variant.game.size:,} " in line
        assert variant.title in line
        assert variant.year in line
        assert variant.summary in line
        assert variant.source not in line  # the page of the game has the source
    for kind in (*SPACES.values(), *SCORINGS.values()):
        assert any(kind.summary in line for line in lines)


def test_the_document_lists_every_game():
    document = json.loads(run("games", "--json").stdout)

    assert {game["name"]: find_game(game["game"]) for game in document["games"]} == {
        name: variant.game for name, variant in PUBLISHED_GAMES.items()
    }


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_a_game_is_described(name):
    """All facts about a game are printed, and the board of its notation is consistent."""
    variant = PUBLISHED_GAMES[name]
    output = run("games", name).stdout
    (document,) = json.loads(run("games", name, "--json").stdout)["games"]

    for value in (variant.title, variant.year, variant.summary, variant.notes, variant.source):
        assert value in output
    assert document["notation"] in output
    assert document["source"] == variant.source
    assert run("check", document["notation"]).exit_code == 10


def test_encodings_and_engines_are_listed():
    tables = run("encodings").stdout.split("\n\n")
    listed = [[line.split()[0] for line in table.splitlines()[1:]] for table in tables]
    engines = [*ENGINES, *SPECIAL]
    assert listed == [list(names()), engines]
    document = json.loads(run("encodings", "--json").stdout)
    assert [entry["name"] for entry in document["encodings"]] == list(names())
    assert [entry["name"] for entry in document["engines"]] == engines
    assert all(entry["summary"] for entry in document["engines"])


@pytest.mark.parametrize("name", names())
def test_an_encoding_is_described_by_its_page(name):
    result = run("encodings", name)
    (document,) = json.loads(run("encodings", name, "--json").stdout)["encodings"]

    assert result.exit_code == 0
    assert result.stdout.endswith(f"{load(name).readme.rstrip()}\n")
    assert document["readme"] == load(name).readme


def test_every_instance_is_listed():
    lines = run("instances").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [instance.name for instance in instances()]


@pytest.mark.parametrize("family", families())
def test_a_family_lists_its_instances(family):
    lines = run("instances", family).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        instance.name for instance in instances(family)
    ]


@pytest.mark.parametrize("instance", instances(), ids=lambda instance: instance.name)
def test_an_instance_is_described(instance):
    """All facts about a board are printed; --line prints only the board line."""
    output = run("instances", instance.name).stdout
    (document,) = json.loads(run("instances", instance.name, "--json").stdout)["instances"]

    for value in (instance.title, instance.source, instance.note, str(instance.board)):
        assert value in output
    drawn = output.partition(str(instance.board))[2]  # a note may contain an arrow, too
    assert drawn.count("-> ") == len(instance.slips) == len(document["slips"])
    assert document["board"] == str(instance.board)
    assert run("instances", instance.name, "--line").stdout == f"{instance.board}\n"


@pytest.mark.parametrize("instance", instances(), ids=lambda instance: instance.name)
def test_the_name_of_an_instance_is_a_board(instance, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_board(instance.name) == instance.board


def test_a_file_is_read_even_if_its_name_is_that_of_an_instance(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classic").mkdir()
    (tmp_path / "classic" / "rafler-3").write_text(CONSISTENT)
    assert str(read_board("classic/rafler-3")) == CONSISTENT
    assert run("check", "classic/rafler-4", "classic/rafler-3").stdout == (
        "classic/rafler-4: consistent (2345)\nclassic/rafler-3: consistent (1233)\n"
    )


@pytest.mark.parametrize("name", ["rafler-3", "instances/classic/rafler-3.txt", "clasic/rafler-3"])
def test_an_almost_correct_name_of_an_instance_gives_a_hint(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "(did you mean classic/rafler-3?)" in run("check", name).stderr


def test_an_unknown_instance_of_a_family_is_named():
    error = "Error: No such instance 'classic/rafler-33'. Did you mean 'classic/rafler-3'"
    assert run("check", "classic/rafler-33").stderr.startswith(error)


def test_the_board_lines_of_all_instances_are_listed():
    lines = run("instances", "--line").stdout.splitlines()
    assert lines == [str(instance.board) for instance in instances()]


def test_every_strategy_is_listed():
    first, second = run("strategies").stdout.split("\n\n")
    assert [line.split()[0] for line in first.splitlines()[1:]] == [*STRATEGIES]
    names = [line.split()[0] for line in second.splitlines()[1:]]
    assert names == [*MULTI_BOARD_STRATEGIES]
    listed = json.loads(run("strategies", "--json").stdout)["strategies"]
    assert [entry["name"] for entry in listed] == [*STRATEGIES]


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_is_described(name):
    output = " ".join(run("strategies", name).stdout.split())
    (document,) = json.loads(run("strategies", name, "--json").stdout)["strategies"]
    assert document["name"] == name
    assert all(" ".join(text.split()) in output for text in document.values())


def test_every_family_is_listed():
    lines = run("families").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*FAMILIES]
    document = json.loads(run("families", "--json").stdout)
    assert [entry["name"] for entry in document["families"]] == [*FAMILIES]


@pytest.mark.parametrize("name", ["six-colors", "sat"])
def test_a_family_of_generated_boards_is_described(name):
    output = run("families", name).stdout
    (document,) = json.loads(run("families", name, "--json").stdout)["families"]
    family = FAMILIES[name]
    assert document["name"] == name
    assert document["answers"] == [*map(str, family.answers)]
    assert family.summary in " ".join(output.split())
    assert f"number of {family.unit}, at least {family.min_size}; default {family.size}" in output


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
def test_every_catalogue_refuses_unknown_names_in_the_same_form(catalogue, kind):
    (line,) = fault_lines(run(catalogue, "zzz"))
    assert line.startswith(f"Error: No such {kind} 'zzz'. Expected ")


def test_a_game_in_a_file_is_described(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fruit.toml").write_text('pegs = 3\nsymbols = "ABCD"\n')
    (tmp_path / "words.txt").write_text("apple\nberry\n")
    for name, size in (("game:fruit.toml", "3 pegs, 4 colors"), ("word:words.txt", "5 pegs")):
        assert size in run("games", name).stdout
        document = json.loads(run("games", name, "--json").stdout)
        validator("games").validate(document)
    (line,) = fault_lines(run("check", "fruit.toml"))
    assert "write game:fruit.toml" in line
    (tmp_path / "typo.toml").write_text('pegs = 3\nsymbol = "ABCD"\n')
    unknown_key, *_ = fault_lines(run("games", "game:typo.toml"))
    assert unknown_key.endswith("found 'symbol' (unknown key; did you mean symbols?)")


def test_a_game_of_several_boards_is_explained():
    for command in ("games", "play"):
        result = run(command, "octordle")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "Error: No such game 'octordle'. It is wordle on 8 boards. `mmsat suggest` accepts "
            "several boards, and `mmsat play wordle --boards 8` plays it.\n"
        )
    (line,) = fault_lines(run("games", "game:none.toml"))
    assert "none.toml" in line


def test_the_help_of_a_command_ignores_further_words():
    assert run("help", "strategies", "knuth").stdout == run("help", "strategies").stdout


@pytest.mark.parametrize(
    ("command", "name"), [("encodings", "one-hot"), ("reductions", "certain-peg")]
)
def test_pages_are_wrapped_on_a_terminal(command, name, monkeypatch):
    """Their words are those in a pipe, in which each paragraph is one line."""
    plain = run(command, name).stdout
    assert max(map(len, plain.splitlines())) > 80
    monkeypatch.setattr("mmsat.render.terminal.wrap_width", lambda: 80)
    wrapped = run(command, name).stdout
    assert max(len(line) for line in wrapped.splitlines() if line[:1] not in "| ") <= 80
    assert wrapped.split() == plain.split()
