"""The minimum and maximum number of rows of a puzzle, against brute force, and their table."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

import mmsat
from mmsat.limits import LIMITS
from mmsat.play.minimal_puzzle import cover_searches, find_symmetries
from mmsat.strategy.game_value import group_codes
from mmsat.strategy.optimal import AnswerTable
from tests.support import twins
from tests.support.cli_runner import run
from tests.support.puzzle_laws import check
from tests.support.strategies import small_games

PAGE = Path(mmsat.__file__).parent / "play" / "puzzles.md"
LINE = re.compile(
    r"\| (\S+) \| (\d+)(?: of \d+)? \| (\d+) \| `(.+)` \| (\d+) \| `(.+)` "
    r"\| (\d+) \| `(.+)` \| [\d.]+ \|"
)
TABLE = [
    match.groups() for match in map(LINE.fullmatch, PAGE.read_text("utf-8").splitlines()) if match
]
MAX_QUICK_CODES = 64
"""Maximum number of codes of the games that `make test` searches; `make test-all` searches all."""


def is_puzzle(board):
    """Return whether one code remains, which is not a guess, and every row is needed."""
    codes = twins.consistent(board)
    rows = range(len(board.rows))
    return (
        len(codes) == 1
        and codes[0] not in [guess for guess, _ in board.rows]
        and all(len(twins.consistent(board.only({*rows} - {row}))) > 1 for row in rows)
    )


def sizes(game, code):
    """Return the numbers of rows of all puzzles for a code, by brute force."""
    rows = [
        mmsat.Row(guess, game.score(code, guess)) for guess in twins.codes(game) if guess != code
    ]
    return {
        num_rows
        for num_rows in range(1, 6)
        for chosen in combinations(rows, num_rows)
        if is_puzzle(mmsat.Board(game, chosen))
    }


@given(small_games(3, 3))
@settings(max_examples=25, deadline=None)
def test_the_fewest_and_most_rows_are_those_of_brute_force(game):
    assume(1 < game.size <= 9)
    for search in cover_searches(AnswerTable.of(game)):
        expected = sizes(game, search.code)
        assert len(search.find_smallest()) == min(expected, default=0)
        assert len(search.find_largest()) == max(expected, default=0)


@given(small_games(3, 4))
@settings(max_examples=40, deadline=None)
def test_renamings_keep_the_code_and_rename_excluded_codes(game):
    assume(1 < game.size <= 64)
    table = AnswerTable.of(game)
    for codes in group_codes(table.guesses, table.symmetries).values():
        code = codes[-1]
        code_index = table.index_of[code]
        for images in find_symmetries(table, code).tolist():
            assert images[code_index] == code_index
            for guess in range(table.size):
                before, after = table.answers(guess), table.answers(images[guess])
                for other in range(table.size):
                    has_same_score = before[other] == before[code_index]
                    assert has_same_score == (after[images[other]] == after[code_index])


@pytest.mark.parametrize("extreme", ["fewest", "most"])
@pytest.mark.parametrize(
    "game", ["3x3", "2x5b", "4x5d", "word:tests", "3x3p", "2x3o", "3x4w", "2x2x2"]
)
def test_an_extreme_is_a_puzzle(game, extreme, tmp_path):
    if game == "word:tests":
        (tmp_path / "words").write_text("CAT\nCAR\nBAR\nBAT\nCOT\nDOG\nDIG\nFIG\n")
        game = f"word:{tmp_path / 'words'}"
    check(mmsat.minimal_puzzle(game, extreme))


def test_the_table_has_rows_for_many_games():
    assert len(TABLE) >= 30
    assert {"2x2", "3x4", "4x3", "3x4b"} <= {line[0] for line in TABLE}


@pytest.mark.parametrize("line", TABLE, ids=lambda line: line[0])
def test_the_boards_of_the_table_are_puzzles(line):
    name, _, *text = line
    for rows, board in zip(text[::2], map(mmsat.Board.parse, text[1::2]), strict=True):
        assert board.game == mmsat.Game.parse(name)
        assert len(board.rows) == int(rows)
        assert is_puzzle(board)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            line,
            marks=[pytest.mark.slow] * (mmsat.Game.parse(line[0]).size > MAX_QUICK_CODES),
            id=line[0],
        )
        for line in TABLE
    ],
)
def test_searches_confirm_the_table(line):
    name, kinds, fewest, _, hardest, _, maximum, _ = line
    searches = [*cover_searches(AnswerTable.of(mmsat.Game.parse(name)))]
    minima = [len(cover) for search in searches if (cover := search.find_smallest())]
    assert [len(minima), min(minima), max(minima)] == [int(kinds), int(fewest), int(hardest)]
    assert max(len(search.find_largest()) for search in searches) == int(maximum)


def test_the_command_prints_the_proven_bounds():
    result = run("puzzle", "3x4b", "--most-rows")
    assert result.exit_code == 0
    assert result.stdout.endswith("Proven: no puzzle of a 3x4b game has more rows.\n")
    output = run("puzzle", "2x4", "--fewest-rows", "--words", "padlock").stdout
    assert "Two digits are right but in the wrong place." in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ("3x3", "--most-rows", "--grade", 2),
            "--most-rows cannot be combined with --grade. It makes one puzzle",
        ),
        (("3x3", "--fewest-rows", "--count", 2), "--fewest-rows cannot be combined with --count."),
        (("3x3", "--most-rows", "--seed", 1), "--most-rows cannot be combined with --seed."),
        (("1x1", "--most-rows"), "no set of other guesses leaves exactly one code"),
        (("2x2w", "--fewest-rows"), "Proven"),
    ],
)
def test_impossible_requests_are_reported(arguments, expected):
    assert expected in run("puzzle", *arguments).output


def test_large_games_are_refused_and_the_time_limit_holds():
    with pytest.raises(mmsat.SizeError, match=f"up to {LIMITS.extreme_codes:,}"):
        mmsat.minimal_puzzle("6x6", "most")
    with pytest.raises(mmsat.TimeLimitError) as caught:
        mmsat.minimal_puzzle("5x5b", "most", timeout=0.5)
    assert str(caught.value) == "the puzzle with the most rows: not finished within 0.5 seconds"
    reports = []
    mmsat.minimal_puzzle("3x4b", "most", on_progress=lambda *report: reports.append(report))
    assert reports == sorted(reports)
    assert reports[-1][0] == 6
