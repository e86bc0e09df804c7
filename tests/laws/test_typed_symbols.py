"""Answers to a board are printed in the symbols in which the board was typed."""

from __future__ import annotations

import json
import re
from random import Random

import click
import pytest

import mmsat
from mmsat.cli.group import COMMANDS
from mmsat.cli.group import mmsat as program
from mmsat.cli.output import typed_board
from mmsat.cli.parameters import BoardSource
from mmsat.game.notation import COLOR_LETTERS
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.board_text import print_line
from tests.support.cli_runner import run

NAMES, LETTERS, ZERO = COLOR_LETTERS, "ABCDEFGHI", "0123456789"
KINDS = [
    ("4x6", "123456", NAMES[:6]),
    ("4x6", "123456", LETTERS[:6]),
    ("3x9", "123456789", NAMES[:9]),
    ("5x7b", "1234567", LETTERS[:7]),
    ("4x8d", "12345678", NAMES[:8]),
    ("4x6w", "123456", NAMES[:6]),
    ("4x10d", "ABCDEFGHIJ", ZERO),
]
"""Games, their own symbols, and other symbols in which people type their codes."""
BOARD_COMMANDS = [
    name
    for name in COMMANDS
    if name != "serve"
    if [
        issubclass(type(argument.type), BoardSource)
        for argument in program.get_command(click.Context(program), name).params
        if isinstance(argument, click.Argument)
    ]
    == [True]
]
"""The commands whose only argument is a board, or several boards."""


def scored_rows(game, count, seed):
    """Return random guesses with their scores for one code; they use the first and last color."""
    random = Random(seed)
    codes = [*game.codes()]
    secret = random.choice(codes)
    guesses = [random.choice(codes) for _ in range(count)]
    guesses[0] = next(code for code in codes if {0, game.colors - 1} <= {*code})
    return [(guess, game.score(secret, guess)) for guess in guesses]


def lines_in(size, own, typed, count, seed):
    """Return a random board line in its own symbols, and the same in the typed symbols."""
    game = mmsat.Game.parse(size)
    line = print_line(game, [*mmsat.Board(game, scored_rows(game, count, seed)).rows])
    head, *rows = line.split("/")
    table = str.maketrans(own, typed)
    typed_rows = [
        f"{guess.translate(table)}={score}" for guess, _, score in (r.partition("=") for r in rows)
    ]
    return line, "/".join([head, *typed_rows])


def without_times(text):
    """Return a text without durations."""
    return re.sub(r"[0-9.]+ m?s\b", "TIME", text)


def in_own_symbols(text, own, typed):
    """Return a text with the codes in typed letters translated to the symbols of the game."""
    table = str.maketrans(typed, own)
    codes = rf"(?!^A [a-z])(?<![\w=])[{typed}](?: ?[{typed}])*(?![\w-])"
    return re.sub(codes, lambda match: match[0].translate(table), text, flags=re.MULTILINE)


def test_the_commands_of_boards_are_found():
    assert {"check", "explain", "count", "list", "odds", "suggest", "review", "encode"} <= {
        *BOARD_COMMANDS
    }


@pytest.mark.parametrize(
    ("name", "option"),
    [
        *((name, ()) for name in BOARD_COMMANDS),
        ("explain", ("--steps",)),
        ("explain", ("--suspect",)),
    ],
)
def test_each_command_answers_in_the_letters_of_its_board(name, option):
    for seed, (size, own, typed) in enumerate(KINDS):
        line, typed_line = lines_in(size, own, typed, 2, seed)
        expected, found = run(name, line, *option), run(name, typed_line, *option)
        assert found.exit_code == expected.exit_code, typed_line
        if name == "encode":
            assert found.stdout == expected.stdout, typed_line
            continue
        if typed == ZERO:  # other numbers have digits, too
            assert not re.search("[A-J]{4}", found.stdout), typed_line
            continue
        translated = in_own_symbols(found.stdout, own, typed)
        assert without_times(translated) == without_times(expected.stdout), typed_line
        if expected.exit_code != 2:
            assert (found.stdout != expected.stdout) == (name != "count"), typed_line


@pytest.mark.parametrize("name", ["check", "explain", "count", "list", "suggest"])
def test_documents_have_the_colors_as_numbers(name):
    for seed, (size, own, typed) in enumerate(KINDS):
        documents = [
            json.loads(run(name, line, "--json").stdout)
            for line in lines_in(size, own, typed, 2, seed)
        ]
        for document in documents:
            for key in [*document]:
                if key.endswith("seconds"):
                    del document[key]
        assert documents[0] == documents[1]


@pytest.mark.parametrize(("size", "own", "typed"), KINDS)
def test_printed_codes_and_tables_are_read_as_the_same_codes(size, own, typed):
    for seed in range(20):
        line, typed_line = lines_in(size, own, typed, 3, seed)
        board = mmsat.Board.parse(typed_line)
        printed = typed_board(board, board.conventions)
        assert printed == board == mmsat.Board.parse(line)
        assert str(printed) == line
        print_code = speller(printed.game).print_code
        for code in mmsat.codes(board).sample(5, seed=seed):
            assert {*print_code(code)} <= {*typed}
            assert board.with_row(print_code(code), board.rows[0].score).rows[-1].guess == code
        table = run("check", typed_line).stdout.partition("code")[0]
        assert mmsat.Board.parse(table) == board


def test_letters_that_would_be_ambiguous_are_not_printed():
    board = mmsat.Board.parse("4x6/\U0001f535\U0001f535\U0001f535\U0001f535=1.0")
    assert typed_board(board, board.conventions) is board
    board = mmsat.Board.parse("4x6/\U0001f535\U0001f534\U0001f535\U0001f535=1.0")
    assert speller(typed_board(board, board.conventions).game).print_code((0, 1, 2, 3)) == "RGBY"


@pytest.mark.parametrize("boards", [(), ("--boards", 2)])
def test_a_game_is_played_in_the_letters_of_the_guesses(boards, tmp_path):
    file = tmp_path / "game.json"
    lines = f"RRGG\nhint\nGBBY\nboard\nsave {file}\nquit\n"
    played = run("play", "4x6", *boards, "--seed", 1, stdin=lines)
    assert played.exit_code == 0
    text = played.stdout.replace("1122", "")
    assert "1: RRGG" in text
    assert re.search("Guess [RGBYOP]{4}", text)
    assert "R R G G" in text
    assert not re.search(r"[1-6]{4}|[1-6] [1-6] [1-6] [1-6]", text)
    assert "1122" in file.read_text() or '"guess": [1, 1, 2, 2]' in file.read_text()
    assert run("play", "--resume", file, stdin="quit\n").exit_code == 0
