"""Every word is found within k + 1 guesses if and only if k nodes can dominate the graph."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.reductions.graphs import WordGame
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, example, folder, page
from mmsat.reductions.reduction import GameReduction
from mmsat.reductions.sources import Graph
from mmsat.strategy.tree import Node, StrategyTree, replay, zero_score_path
from tests.support import tiers
from tests.support.cli_runner import run

CYCLE = "p edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 1 5\n"


def dominating_sets(graph, size):
    """Yield every set of `size` nodes that contains each node or one of its neighbors."""
    indices = range(len(graph.nodes))
    closed_neighbors = [
        {node, *(sum(e) - node for e in graph.edges if node in e)} for node in indices
    ]
    for chosen in combinations(indices, size):
        if all(closed_neighbors[node] & set(chosen) for node in indices):
            yield tuple(graph.nodes[node] for node in chosen)


def words_of(game):
    """Return the list of the codes of a game, in order."""
    return list(game.codes())


def make_strategy(game, codes, line):
    """Return a strategy that guesses a line, and only consistent codes after another answer."""
    node = Node(line[0] if line else codes[0], 0)
    by_score = {}
    for code in codes:
        if code != node.guess:
            by_score.setdefault(game.score(code, node.guess), []).append(code)
    node.wins = len(codes) - sum(map(len, by_score.values()))
    for score, codes_of_score in sorted(by_score.items()):
        node.branches[score] = make_strategy(game, codes_of_score, () if any(score) else line[1:])
    return node


def check_reduction(graph):
    """Check the conversions for the smallest k with an answer, and that k - 1 has no answer."""
    size = next(k for k in range(len(graph.nodes) + 1) if any(dominating_sets(graph, k)))
    reduction = WordGame(graph, k=size)
    game = reduction.target
    assert reduction.sizes() == (game.pegs, game.colors, game.size)
    optimum = mmsat.optimal(game, objective="worst")
    assert optimum.analysis.max == reduction.guesses == size + 1, str(graph)
    lifted = reduction.lift(zero_score_path(optimum.tree))
    assert lifted in list(dominating_sets(graph, size))
    for certificate in dominating_sets(graph, size):
        assert reduction.is_certificate(certificate)
        tree = StrategyTree(
            game, make_strategy(game, words_of(game), reduction.encode(certificate)), "line"
        )
        assert max(replay(tree).values()) <= reduction.guesses
        assert reduction.lift(zero_score_path(tree)) == certificate
    if size:
        smaller = WordGame(graph, k=size - 1)
        result = mmsat.optimal(smaller.target, max_guesses=smaller.guesses, objective="worst")
        assert result.is_proven
        assert result.analysis is None
        with pytest.raises(InputError, match="within"):
            smaller.lift(reduction.encode(lifted))


def test_the_reduction_of_every_small_graph_is_right():
    for nodes in (1, 2, 3, 4):
        pairs = list(combinations(range(nodes), 2))
        edge_sets = [
            edges for num_edges in range(len(pairs) + 1) for edges in combinations(pairs, num_edges)
        ]
        for edges in tiers.part(edge_sets, nodes) if nodes == 4 else edge_sets:
            check_reduction(Graph(tuple("abcd"[:nodes]), edges))


def test_the_reduction_of_random_graphs_is_right():
    rng = random.Random(2)
    for _ in range(tiers.share(100, least=10)):
        nodes = rng.randint(5, 9)
        pairs = list(combinations(range(nodes), 2))
        edges = rng.sample(pairs, rng.randint(0, min(14, len(pairs))))
        check_reduction(Graph(tuple(range(1, nodes + 1)), tuple(edges)))


def test_words_of_cubic_graphs_have_at_most_ten_letters():
    rng = random.Random(3)
    for _ in range(20):
        nodes = list(range(12))
        edges = set()
        for _ in range(3):
            rng.shuffle(nodes)
            edges |= {(min(p), max(p)) for p in zip(nodes[::2], nodes[1::2], strict=True)}
        reduction = WordGame(Graph(tuple(range(12)), tuple(edges)), k=4)
        assert reduction.sizes().pegs <= 10
        assert reduction.target.color_symbols.names[:36] == tuple(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[: reduction.sizes().colors]
        )


def test_too_many_letters_are_refused():
    graph = Graph(tuple(range(600)), tuple((node, node + 1) for node in range(599)))
    with pytest.raises(InputError, match="at most 1,000"):
        WordGame(graph, k=1).require_size()


@pytest.mark.parametrize("name", GAME_REDUCTIONS)
def test_the_page_states_the_title_theorem_sizes_and_example(name):
    reduction_class = GAME_REDUCTIONS[name]
    assert name not in REDUCTIONS
    assert issubclass(reduction_class, GameReduction)
    text = page(name)
    assert reduction_class.name == name
    assert f"\n{reduction_class.title[0].upper()}{reduction_class.title[1:]}.\n" in text
    assert f"\nTheorem: {reduction_class.theorem}.\n" in text
    assert "\nMembership: " in text
    assert f"| {' | '.join(reduction_class.formula)} |" in text
    assert f"\n{example(name)}```" in text


def test_the_page_has_the_output_of_the_example(monkeypatch):
    monkeypatch.chdir(folder("word-game"))
    result = run("reduce", "word-game", "example.col", "-k", "2")
    assert result.stdout == (folder("word-game") / "game.toml").read_text("utf-8")
    output = run("reduce", "word-game", "example.col", "-k", "2", "--explain").stdout
    words = re.findall(r"(\w+) +node (\d)", output)
    assert words == re.findall(r"\| `(\w+)` \| (\d) \|", page("word-game"))
    game = find_game("game:game.toml")
    assert isinstance(game, Game)
    assert game.space == WordGame(Graph.parse(example("word-game")), k=2).target.space


def test_reduce_optimal_and_lift_find_an_answer_if_there_is_one(tmp_path, monkeypatch):
    """The cycle of five nodes has a dominating set of two nodes, but not of one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cycle.col").write_text(CYCLE)
    for k in (2, 1):
        arguments = ("word-game", "cycle.col", "-k", str(k))
        result = run("reduce", *arguments, "-o", "game.toml", "--json")
        document = json.loads(result.stdout)
        assert f"game:FILE --max-guesses {document['guesses']}\n" in result.stderr
        limit = ("--max-guesses", str(document["guesses"]), "--objective", "worst")
        optimum = run("optimal", "game:game.toml", *limit, "--json", "-o", "tree.json")
        if k == 2:
            lifted = run("lift", *arguments, "tree.json")
            chosen = set(map(int, lifted.stdout.split()))
            assert lifted.exit_code == 10
            assert len(chosen) == 2
            assert all({n, n % 5 + 1, (n - 2) % 5 + 1} & chosen for n in range(1, 6))
        else:
            lifted = run("lift", *arguments, "-", stdin=optimum.stdout)
            assert (lifted.exit_code, lifted.stdout) == (20, "no answer\n")
    refused_lift = run("lift", *arguments, "tree.json")
    assert (refused_lift.exit_code, refused_lift.stdout) == (2, "")
    assert "within 2 guesses" in refused_lift.stderr


def test_a_strategy_of_another_game_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cycle.col").write_text(CYCLE)
    run("optimal", "2x2", "-o", "tree.json")
    refused_lift = run("lift", "word-game", "cycle.col", "-k", "2", "tree.json")
    assert (refused_lift.exit_code, refused_lift.stdout) == (2, "")
    assert "of another game" in refused_lift.stderr
    assert run("lift", "word-game", "cycle.col", "-k", "2", "11111").exit_code == 2
    refused_picture = run("reduce", "word-game", "cycle.col", "-k", "2", "-o", "graph.svg")
    assert refused_picture.exit_code == 2


@pytest.mark.parametrize("k", [1, 2])
def test_the_library_reduces_as_the_command_line_does(k):
    source = example("word-game")
    reduction = mmsat.reduce("word-game", source, k=k)
    assert isinstance(reduction, GameReduction)
    assert (reduction.target, reduction.guesses) == (
        (found := WordGame(Graph.parse(source), k=k)).target,
        found.guesses,
    )
    with pytest.raises(InputError, match=r"word-game needs the parameter k"):
        mmsat.reduce("word-game", source)
    with pytest.raises(InputError, match=r"Did you mean 'word-game'"):
        mmsat.reduce("word-gam", source, k=k)
