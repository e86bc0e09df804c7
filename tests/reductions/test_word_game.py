"""The fewest guesses that find every word are one more than a smallest dominating set has nodes."""

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
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, example, folder, page
from mmsat.reductions.reduction import GameReduction
from mmsat.reductions.sources import Graph
from mmsat.reductions.word_game import WordGame
from mmsat.strategy.planned import zero_score_path
from mmsat.strategy.tree import Node, StrategyTree, replay
from tests.support import tiers
from tests.support.cli_runner import run

CYCLE = "p edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 1 5\n"


def dominating_sets(graph, size):
    """Return every set of `size` nodes that contains each node or one of its neighbors."""
    indices = range(len(graph.nodes))
    near = [{node, *(sum(e) - node for e in graph.edges if node in e)} for node in indices]
    for chosen in combinations(indices, size):
        if all(near[node] & set(chosen) for node in indices):
            yield tuple(graph.nodes[node] for node in chosen)


def words_of(game):
    """Return every code of a game, in order."""
    return list(game.codes())


def grow(game, codes, line):
    """Return a strategy that guesses a line first and then only consistent codes."""
    node = Node(line[0] if line else codes[0], 0)
    by_score = {}
    for code in codes:
        if code != node.guess:
            by_score.setdefault(game.score(code, node.guess), []).append(code)
    node.wins = len(codes) - sum(map(len, by_score.values()))
    for score, some in sorted(by_score.items()):
        node.branches[score] = grow(game, some, () if any(score) else line[1:])
    return node


def check(graph):
    """Both ways, at the number where it begins to have an answer."""
    size = next(k for k in range(len(graph.nodes) + 1) if any(dominating_sets(graph, k)))
    reduction = WordGame(graph, k=size)
    game = reduction.target
    assert reduction.sizes() == (game.pegs, game.colors, game.size)
    best = mmsat.optimal(game, objective="worst")
    assert best.analysis.max == reduction.guesses == size + 1, str(graph)
    lifted = reduction.lift(zero_score_path(best.tree))
    assert lifted in list(dominating_sets(graph, size))
    for certificate in dominating_sets(graph, size):
        assert reduction.is_certificate(certificate)
        tree = StrategyTree(game, grow(game, words_of(game), reduction.encode(certificate)), "line")
        assert max(replay(tree).values()) <= reduction.guesses
        assert reduction.lift(zero_score_path(tree)) == certificate
    if size:
        below = WordGame(graph, k=size - 1)
        none = mmsat.optimal(below.target, max_guesses=below.guesses, objective="worst")
        assert none.is_proven
        assert none.analysis is None
        with pytest.raises(InputError, match="within"):
            below.lift(reduction.encode(lifted))


def test_every_small_graph():
    for nodes in (1, 2, 3, 4):
        pairs = list(combinations(range(nodes), 2))
        every = [edges for index in range(len(pairs) + 1) for edges in combinations(pairs, index)]
        for edges in tiers.part(every, nodes) if nodes == 4 else every:
            check(Graph(tuple("abcd"[:nodes]), edges))


def test_random_graphs():
    rng = random.Random(2)
    for _ in range(tiers.share(100, least=10)):
        nodes = rng.randint(5, 9)
        pairs = list(combinations(range(nodes), 2))
        edges = rng.sample(pairs, rng.randint(0, min(14, len(pairs))))
        check(Graph(tuple(range(1, nodes + 1)), tuple(edges)))


def test_words_of_cubic_graphs_have_ten_letters_at_most():
    rng = random.Random(3)
    for _ in range(20):
        nodes = list(range(12))
        edges = set()
        for _ in range(3):
            rng.shuffle(nodes)
            edges |= {(min(p), max(p)) for p in zip(nodes[::2], nodes[1::2], strict=True)}
        reduction = WordGame(Graph(tuple(range(12)), tuple(edges)), k=4)
        assert reduction.sizes().pegs <= 10
        assert reduction.target.spelled.names[:36] == tuple(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[: reduction.sizes().colors]
        )


def test_too_many_letters_are_refused():
    graph = Graph(tuple(range(600)), tuple((node, node + 1) for node in range(599)))
    with pytest.raises(InputError, match="at most 1,000"):
        WordGame(graph, k=1).require_size()


@pytest.mark.parametrize("name", GAME_REDUCTIONS)
def test_the_folder_and_the_page(name):
    kind = GAME_REDUCTIONS[name]
    assert name not in REDUCTIONS
    assert issubclass(kind, GameReduction)
    text = page(name)
    assert kind.name == name
    assert f"\n{kind.title[0].upper()}{kind.title[1:]}.\n" in text
    assert f"\nTheorem: {kind.theorem}.\n" in text
    assert "\nMembership: " in text
    assert f"| {' | '.join(kind.formula)} |" in text
    assert f"\n{example(name)}```" in text


def test_the_worked_example(monkeypatch):
    monkeypatch.chdir(folder("word-game"))
    result = run("reduce", "word-game", "example.col", "-k", "2")
    assert result.stdout == (folder("word-game") / "game.toml").read_text("utf-8")
    output = run("reduce", "word-game", "example.col", "-k", "2", "--explain").stdout
    words = re.findall(r"(\w+) +node (\d)", output)
    assert words == re.findall(r"\| `(\w+)` \| (\d) \|", page("word-game"))
    game = find_game("game:game.toml")
    assert isinstance(game, Game)
    assert game.space == WordGame(Graph.parse(example("word-game")), k=2).target.space


def test_there_and_back(tmp_path, monkeypatch):
    """reduce, optimal and lift, with an answer and without."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cycle.col").write_text(CYCLE)
    for k in (2, 1):
        asked = ("word-game", "cycle.col", "-k", str(k))
        result = run("reduce", *asked, "-o", "game.toml", "--json")
        document = json.loads(result.stdout)
        assert f"game:FILE --max-guesses {document['guesses']}\n" in result.stderr
        limit = ("--max-guesses", str(document["guesses"]), "--objective", "worst")
        best = run("optimal", "game:game.toml", *limit, "--json", "-o", "tree.json")
        if k == 2:
            lifted = run("lift", *asked, "tree.json")
            chosen = set(map(int, lifted.stdout.split()))
            assert lifted.exit_code == 10
            assert len(chosen) == 2
            assert all({n, n % 5 + 1, (n - 2) % 5 + 1} & chosen for n in range(1, 6))
        else:
            lifted = run("lift", *asked, "-", stdin=best.stdout)
            assert (lifted.exit_code, lifted.stdout) == (20, "no answer\n")
    slow = run("lift", *asked, "tree.json")
    assert (slow.exit_code, slow.stdout) == (2, "")
    assert "within 2 guesses" in slow.stderr


def test_a_strategy_of_another_game_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cycle.col").write_text(CYCLE)
    run("optimal", "2x2", "-o", "tree.json")
    other = run("lift", "word-game", "cycle.col", "-k", "2", "tree.json")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "of another game" in other.stderr
    assert run("lift", "word-game", "cycle.col", "-k", "2", "11111").exit_code == 2
    drawn = run("reduce", "word-game", "cycle.col", "-k", "2", "-o", "graph.svg")
    assert drawn.exit_code == 2
