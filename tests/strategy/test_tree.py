"""Strategy trees: replaying, walking, printing, reading and drawing them; invalid trees."""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from importlib.resources import files

import jsonschema
import pytest

from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.render.reports.strategies import dot, outline, svg_lines
from mmsat.strategy.analyze import analyze
from mmsat.strategy.tree import load_tree, print_tree, read_tree, replay
from tests.support import twins

GAMES = ["4x6", "1x3", "3x5!", "3x4b", "3x4w", "2x3x2", "3x4p", "word-3", "2x12"]


def grow_tree(game):
    return analyze(find_game(game), "most-parts").tree


def schema(name):
    return json.loads((files("mmsat") / "schemas" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_a_printed_tree_is_read_back(game, tmp_path):
    tree = grow_tree(game)
    text = print_tree(tree)
    jsonschema.validate(json.loads(text), schema("tree"))
    file = tmp_path / "tree.json"
    file.write_text(text, encoding="utf-8")

    tree_read = load_tree(str(file))

    assert tree_read == tree
    assert print_tree(tree_read) == text
    again = analyze(find_game(game), f"tree:{file}")
    assert again.games == analyze(find_game(game), "most-parts").games


@pytest.mark.parametrize("game", GAMES)
def test_replay_counts_the_guesses_of_each_code(game):
    """Compared with play by the twin of the scorer."""
    tree = grow_tree(game)
    turns = replay(tree)
    for code in twins.codes(tree.game):
        node, turn = tree.root, 1
        while True:
            score = twins.score(tree.game.scoring, code, node.guess)
            if score == twins.score(tree.game.scoring, node.guess, node.guess):
                break
            node, turn = node.branches[score], turn + 1
        assert turns[code] == turn
    assert tree.distribution == dict(sorted(Counter(turns.values()).items())) or 0 in (
        tree.distribution.values()
    )
    assert tree.total == sum(turns.values())
    assert tree.max == max(turns.values())
    assert tree.codes == tree.game.size


def test_walking_a_tree_returns_the_next_guess():
    tree = grow_tree("4x6")
    game = tree.game
    for code in random.Random(1).sample([*twins.codes(game)], 50):
        rows = []
        while True:
            guess = tree.walk(Board(game, tuple(rows)))
            score = game.score(code, guess)
            if guess == code:
                break
            rows.append(Row(guess, score))
    with pytest.raises(InputError, match=r"expected 1123, found '6666' .row 1 has another guess"):
        tree.walk(Board(game, (Row((5, 5, 5, 5), (0, 0)),)))
    with pytest.raises(InputError, match=r"is not over, found .* .the game is over"):
        tree.walk(Board(game, (Row(tree.root.guess, (4, 0)),)))


def break_tree(document, rng):
    """Return the document of a tree with one random change that makes it invalid."""
    changed = deepcopy(document)
    path, node = [changed["root"]], changed["root"]
    while node.get("then") and rng.random() < 0.7:
        node = node["then"][rng.choice([*node["then"]])]
        path.append(node)
    kind = rng.choice(["drop", "guess", "score", "key"])
    inner_nodes = [entry for entry in path if entry.get("then")]
    node = rng.choice(inner_nodes)
    score = rng.choice([*node["then"]])
    if kind == "drop":
        del node["then"][score]
    elif kind == "guess":
        child = node["then"][score]
        child["guess"] = child["guess"][::-1] + "1"
    elif kind == "score":
        node["then"]["9.9.9"] = node["then"].pop(score)
    else:
        node["next"] = node.pop("then")
    return changed


def test_trees_with_a_random_fault_are_refused(tmp_path):
    document = json.loads(print_tree(grow_tree("3x5!")))
    rng = random.Random(2)
    for _ in range(60):
        file = tmp_path / "broken.json"
        file.write_text(json.dumps(break_tree(document, rng)), encoding="utf-8")
        with pytest.raises(InputError):
            load_tree(str(file))


def test_a_tree_with_a_useless_guess_is_valid(tmp_path):
    tree = grow_tree("3x4")
    document = json.loads(print_tree(tree))
    longer = {**document, "root": {"guess": "111", "then": {}}}
    game = tree.game
    for score in {game.score(code, (0, 0, 0)) for code in twins.codes(game)} - {(3, 0)}:
        longer["root"]["then"][".".join(map(str, score))] = document["root"]
    file = tmp_path / "longer.json"
    file.write_text(json.dumps(longer), encoding="utf-8")

    result = load_tree(str(file))

    assert result.codes == tree.codes
    assert tree.total < result.total < tree.total + tree.codes


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("{", "expected valid JSON"),
        ("[" * 100_000, "nest"),
        ("[]", "an object"),
        ('{"mmsat-tree": 2, "game": "4x6", "strategy": "s", "root": {"guess": "1122"}}', "version"),
        ('{"mmsat-tree": 1, "game": "4x", "strategy": "s", "root": {"guess": "1122"}}', "PEGSx"),
        ('{"mmsat-tree": 1, "game": "4x6", "strategy": "s", "root": {"guess": "1182"}}', "a color"),
        (
            (
                '{"mmsat-tree": 1, "game": "4x6", "strategy": "s", '
                '"root": {"guess": "1122", "then": {"?.1": {"guess": "1111"}}}}'
            ),
            "without \\?",
        ),
    ],
)
def test_documents_that_are_not_trees_are_refused(text, rule):
    with pytest.raises(InputError, match=rule):
        read_tree(text)


def test_every_fault_is_reported_with_its_place():
    text = (
        '{"mmsat-tree": 1, "game": "4x6", "strategy": "s",\n'
        '"root": {"guess": "1182", "then": {"0.0": {"guess": 7},\n'
        '"1": {"guess": "1111", "more": 1}}}}'
    )
    with pytest.raises(InputError) as caught:
        read_tree(text)
    assert {fault.line for fault in caught.value.faults} == {2, 3}
    assert len(caught.value.faults) == 4


@pytest.mark.parametrize("game", GAMES)
def test_drawings_show_every_guess(game):
    tree = grow_tree(game)
    nodes = sum(1 for _ in tree.nodes())

    assert len([*outline(tree)]) == nodes
    lines = [*dot(tree)]
    assert sum("->" in line for line in lines) == nodes - 1
    assert sum("[label=" in line and "->" not in line for line in lines) == nodes
    picture = "\n".join(svg_lines(tree))
    assert picture.count("<path") == nodes - 1
    assert picture.count("<rect") == nodes * tree.game.pegs + 1


def test_drawings_are_valid_xml():
    import xml.etree.ElementTree as ET

    ET.fromstring("\n".join(svg_lines(grow_tree("4x6"))))  # noqa: S314


def test_the_example_of_the_page_is_the_tree_of_knuth():
    page = (files("mmsat") / "strategy" / "README.md").read_text("utf-8")
    example = page.partition("```json\n")[2].partition("```")[0]
    tree = read_tree(example)

    replay(tree)
    assert tree == analyze("2x2", "knuth").tree
    assert print_tree(tree) == example


def test_the_table_of_the_page_is_consistent():
    """The totals, averages and maximum numbers of guesses follow from the distributions."""
    page = (files("mmsat") / "strategy" / "README.md").read_text("utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.partition("## Totals")[2].splitlines()
        if line.startswith("| ") and line.count("|") == 8
    ][1:]
    assert len(rows) > 20
    game = strategy = ""
    for game_cell, strategy_cell, opening, total, average, max_guesses, counts in rows:
        distribution = [int(number) for number in counts.split(",")]
        game, strategy = game_cell or game, strategy_cell or strategy
        num_codes = find_game(game.replace(" ", "-")).size
        assert sum(distribution) == num_codes, (game, strategy, opening)
        expected = sum(turn * count for turn, count in enumerate(distribution, 1))
        assert (expected, len(distribution)) == (int(total), int(max_guesses))
        assert f"{expected / num_codes:.4f}" == average
