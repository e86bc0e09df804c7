"""The value of games: compared with a plain twin, for both sides, and with published values."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.errors import InputError, SizeError
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller
from mmsat.strategy.game_value import code_kind, group_codes, solve_matrix
from mmsat.strategy.optimal import AnswerTable
from mmsat.strategy.tree import load_tree, replay
from tests.support import twins
from tests.support.cli_runner import run

TINY = ["2x2", "2x3", "3x2", "2x4", "3x2b", "2x4b", "2x3!", "3x3!", "2x4!", "2x3p", "2x3o", "1x4o"]


def minimum_cost(game, weights):
    """Return the minimum weighted number of guesses, by trying every guess in every state."""
    scored = {
        (code, guess): twins.score(game.scoring, code, guess)
        for code, guess in product(weights, repeat=2)
    }

    @cache
    def cost(codes):
        total_weight = sum(weights[code] for code in codes)
        if len(codes) == 1:
            return total_weight
        results = []
        for guess in weights:
            classes = {}
            for code in codes:
                classes.setdefault(scored[code, guess], set()).add(code)
            classes.pop(scored[guess, guess], None)
            if len(codes) not in map(len, classes.values()):  # else the guess gives no information
                results.append(
                    total_weight + sum(cost(frozenset(entry)) for entry in classes.values())
                )
        return min(results)

    return cost(frozenset(weights))


def find_images(game, symmetries, code):
    """Return the code with pegs and colors exchanged in every way."""
    orders = (
        [*permutations(range(game.pegs))] if symmetries.are_pegs_alike else [(*range(game.pegs),)]
    )
    names = (
        [*permutations(range(game.colors))]
        if symmetries.are_colors_alike
        else [(*range(game.colors),)]
    )
    return [tuple(name[code[peg]] for peg in order) for order in orders for name in names]


@pytest.mark.parametrize("name", TINY)
def test_neither_side_can_do_better(name):
    """Every strategy costs at least the value, and every code at most the value."""
    game = find_game(name)
    result = mmsat.game_value(game)
    symmetries = AnswerTable.of(game).symmetries
    codes = [*twins.codes(game)]

    kinds = {code_kind(kind.example, symmetries): kind for kind in result.codemaker}
    weights = {}
    for code in codes:
        kind = kinds[code_kind(code, symmetries)]
        weights[code] = kind.probability / kind.codes
    assert sum(weights.values()) == 1
    assert minimum_cost(game, weights) == result.value

    assert sum(played.probability for played in result.codebreaker) == 1
    turns = [replay(played.tree) for played in result.codebreaker]
    for code in codes:
        images = find_images(game, symmetries, code)
        average = Fraction(0)
        for played, tree_turns in zip(result.codebreaker, turns, strict=True):
            average += played.probability * Fraction(
                sum(tree_turns[image] for image in images), len(images)
            )
        assert average <= result.value


@pytest.mark.parametrize("name", TINY)
def test_codes_of_one_kind_are_images_of_each_other(name):
    game = find_game(name)
    symmetries = AnswerTable.of(game).symmetries
    codes = [*twins.codes(game)]

    kinds = group_codes(codes, symmetries)
    assert sorted(code for kind in kinds.values() for code in kind) == codes
    for kind in kinds.values():
        assert {*find_images(game, symmetries, kind[0])} == {*kind}


def respond(game, weights):
    """Return the kernel's search for a best response, and the weight of each code."""
    table = AnswerTable.of(game)
    kinds = [*group_codes(table.guesses, table.symmetries)]
    kind_numbers = [kinds.index(code_kind(code, table.symmetries)) for code in table.guesses]
    weights = weights[: len(kinds)]
    kernel = table.make_response(kind_numbers, weights)
    return kernel, {
        code: weights[kind] for code, kind in zip(table.guesses, kind_numbers, strict=True)
    }


@pytest.mark.parametrize("name", ["2x3", "3x2", "2x4", "3x3!"])
@given(weights=st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_best_responses_have_the_minimum_cost(name, weights):
    kernel, weight_of_code = respond(find_game(name), weights)
    assert kernel.solve() == minimum_cost(find_game(name), weight_of_code)


@pytest.mark.parametrize("name", ["2x3", "3x2", "2x4", "3x3d", "2x3o", "2x3p"])
@given(data=st.data())
def test_sets_after_some_guesses_have_the_minimum_cost(name, data):
    """All other codes have weight 0 in the plain search."""
    game = find_game(name)
    weights = data.draw(st.lists(st.integers(0, 9), min_size=64, max_size=64))
    kernel, weight_of_code = respond(game, weights)
    codes = [*weight_of_code]
    for _ in range(2):  # the second set uses the costs that the first one left in the memo
        secret = data.draw(st.sampled_from(codes))
        guesses = data.draw(st.lists(st.integers(0, len(codes) - 1), max_size=2))
        remaining = [
            index
            for index, code in enumerate(codes)
            if all(
                twins.score(game.scoring, code, codes[guess])
                == twins.score(game.scoring, secret, codes[guess])
                for guess in guesses
            )
        ]
        chosen = {codes[index] for index in remaining}
        restricted = {
            code: weight if code in chosen else 0 for code, weight in weight_of_code.items()
        }
        assert kernel.solve_set(remaining, guesses) == minimum_cost(game, restricted)


def test_sets_that_are_no_sets_are_refused():
    kernel, _ = respond(find_game("2x3"), [1] * 9)
    for codes, guesses in [([], []), ([1, 0], []), ([0, 9], []), ([0], [9]), ([0], [-1])]:
        with pytest.raises(ValueError, match="numbers of codes"):
            kernel.solve_set(codes, guesses)


@pytest.mark.parametrize(("weights", "total"), [([1] * 5, 5625), ([0, 1, 1, 1, 1], 5600)])
def test_wiener_omits_codes_of_one_color(weights, total):
    """5600/1290 is more than 5625/1296, the value for uniformly random codes."""
    kernel, _ = respond(find_game("4x6"), weights)
    assert kernel.solve() == total


def page():
    """Return the rows of the table of the page: game, value, decimals, probabilities of kinds."""
    text = (files("mmsat") / "strategy" / "README.md").read_text("utf-8")
    section = text.partition("## The value of a game")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


LONG = ("4x6", "5x4")


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=[pytest.mark.slow] * (row[0] in LONG)) for row in page()]
)
def test_the_table_of_the_page_is_correct(row):
    name, value, decimals, probabilities = row
    result = mmsat.game_value(name)
    size = find_game(name).size

    assert result.value == Fraction(value)
    assert f"{float(result.value):.4f}" == decimals
    assert result.value >= Fraction(mmsat.optimal(name).total, size)
    if "all codes alike" in probabilities:
        assert {kind.probability / kind.codes for kind in result.codemaker} == {Fraction(1, size)}
    if ":" in probabilities:
        spell = speller(result.game).print_code
        texts = [f"{spell(kind.example)}: {kind.probability}" for kind in result.codemaker]
        assert probabilities.startswith(", ".join(texts))


@pytest.mark.slow
def test_the_value_of_the_classic_game():
    """Wiener 1995 has 5600/1290 = 4.341; 5600/1296 = 4.321 is a misquotation."""
    result = mmsat.game_value("4x6")

    assert result.value == Fraction(5600, 1290)
    assert result.codemaker[0].probability == 0
    assert {kind.probability / kind.codes for kind in result.codemaker[1:]} == {Fraction(1, 1290)}


@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.fractions(1, 9, max_denominator=9), min_size=width, max_size=width),
            min_size=1,
            max_size=5,
        )
    )
)
def test_matrix_games_are_solved(matrix):
    """The mixture of each side guarantees the value."""
    value, rows, columns = solve_matrix(matrix)

    assert sum(rows) == sum(columns) == 1
    assert min(*rows, *columns) >= 0
    for column in zip(*matrix, strict=True):
        assert sum(p * cell for p, cell in zip(rows, column, strict=True)) >= value
    for row in matrix:
        assert sum(q * cell for q, cell in zip(columns, row, strict=True)) <= value


def test_unsupported_games_are_refused():
    with pytest.raises(InputError, match="scores can identify every code"):
        mmsat.game_value("2x3w")
    with pytest.raises(SizeError, match="kinds"):
        mmsat.game_value("word-3")


def test_the_command_saves_the_trees_and_refuses_other_options(tmp_path):
    file = tmp_path / "tree.json"
    result = run("analyze", "2x3", "--value", "-o", str(file))

    assert result.exit_code == 0
    assert "value  2.416667 = 29/12" in result.stdout
    assert [load_tree(tmp_path / f"tree-{entry}.json").total for entry in (1, 2)] == [21, 22]
    for options in (
        ("--strategy", "knuth"),
        ("--table",),
        ("--sample", "3"),
        ("--consistent-only",),
    ):
        assert run("analyze", "2x3", "--value", *options).exit_code == 2
    assert run("analyze", "--value").exit_code == 2
