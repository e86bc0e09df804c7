"""Every notation prints what it reads and reads what it prints."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat.errors import InputError
from mmsat.game.board import Board, Row
from mmsat.game.files import PRINTERS, decode, parse
from mmsat.game.game import Game
from mmsat.game.spelling import Place, speller
from mmsat.game.variants import VARIANTS, find_game
from tests.strategies import boards

notations = pytest.mark.parametrize("notation", PRINTERS)
BOARD = parse("4x6/1122=1.1/3345=0.2/1616=?.0")
LARGE = [f"{pegs}x{colors}" for pegs in (1, 2, 1000) for colors in (9, 10, 26, 27, 999, 1000)]


@notations
@given(board=boards())
def test_what_is_printed_reads_back_as_the_same_board(notation, board):
    text = PRINTERS[notation](board)
    assert parse(text) == board
    assert PRINTERS[notation](parse(text)) == text


@notations
@pytest.mark.parametrize("size", LARGE)
def test_the_largest_games_read_back(notation, size):
    game = Game.parse(size)
    guess = tuple((7 * peg + 5) % game.colors for peg in range(game.pegs))
    board = Board(game, (Row(guess, (game.pegs, 0)), Row(guess[::-1], (None, 9999))))
    assert parse(PRINTERS[notation](board)) == board


@given(board=boards())
def test_a_line_is_safe_in_a_web_address(board):
    marks = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-./=!?")
    assert set(str(board)) <= marks


@given(board=boards())
def test_the_representation_tells_how_to_make_the_board(board):
    assert eval(repr(board), {"Board": Board}) == board  # noqa: S307  (it is our own line)
    assert eval(repr(board.game), {"Game": Game}) == board.game  # noqa: S307


@given(board=boards())
def test_colors_can_be_written_as_numbers_in_any_game(board):
    print_score = speller(board.game).print_score
    rows = [
        "-".join(str(color + 1) for color in row.guess) + "=" + print_score(row.score)
        for row in board.rows
    ]
    assert parse("/".join([str(board.game), *rows])) == board


@given(board=boards(), data=st.data())
def test_letters_may_be_large_or_small_wherever_there_are_letters(board, data):
    if board.game.colors > 26:
        return
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if data.draw(st.booleans()):
        letters = letters.lower()
    print_score = speller(board.game).print_score
    rows = [
        "".join(letters[color] for color in row.guess) + "=" + print_score(row.score)
        for row in board.rows
    ]
    assert parse("/".join([str(board.game), *rows])) == board


@pytest.mark.parametrize("pegs", [1, 3])
@pytest.mark.parametrize("colors", [1, 9, 10, 26, 27, 100])
def test_every_color_has_its_spelling(pegs, colors):
    game = Game(pegs, colors)
    read, printed = speller(game).read_code, speller(game).print_code
    for color in range(colors):
        code = (color,) * pegs
        faults = []
        assert read(printed(code), Place(1, 1), faults) == code
        assert read("-".join([str(color + 1)] * pegs), Place(1, 1), faults) == code
        assert faults == []


@pytest.mark.parametrize(
    "text",
    [
        "4x6/1122=1.1/3345=0.2/1616=?.0/",
        "  4x6/1122=1.1/3345=0.2/1616=?.0  \n",
        "\n\n4x6/1122=1.1/3345=0.2/1616=?.0\n",
        "4x6/1122:1,1/3345 0 2/1616= ? . 0",
        "4x6/1-1-2-2=1.1/CCDE=0.2/afaf=?.0",
        "mastermind/1122=1.1/3345=0.2/1616=?.0",
        "4x6\n1122=1.1\n3345=0.2\n1616=?.0",
        "4x6\r\n1122=1.1\r\n3345=0.2\r\n1616=?.0\r\n",
        "1122=1.1\n3345=0.2\n1616=?.0\n",
        "1122 1 1\n3345\t0\t2\n\n   1616 ? 0",
        "# a game\n4x6 # the size\n\n1122: 1, 1 # first\n3345: 0, 2\n#no row\n1616 : ? , 0#last\n",
        "# a line in a file\n4x6/1122=1.1/3345=0.2/1616=?.0  # and its comment\n",
        "mini\n1122=01.1\n3345=0.0002\n1616=?.0\n",
        "\ufeff4x6\n1122=1.1\n3345=0.2\n1616=?.0\n",
        (
            '\ufeff{"mmsat": 1, "game": {"pegs": 4, "colors": 6}, "rows": ['
            '{"guess": [1, 1, 2, 2], "black": 1, "white": 1},'
            '{"white": 2, "guess": [3, 3, 4, 5], "black": 0},'
            '{"guess": [1, 6, 1, 6], "black": null, "white": 0}]}'
        ),
    ],
)
def test_spaces_separators_comments_and_names_change_nothing(text):
    assert parse(text) == BOARD
    assert Board.parse(text.replace("\n", "\r\n")) == BOARD


@notations
def test_a_file_may_start_with_a_byte_order_mark(notation):
    data = PRINTERS[notation](BOARD).encode("utf-8-sig")
    assert parse(decode(data, "a file")) == BOARD


def test_a_file_that_is_not_text_is_told_with_its_place():
    with pytest.raises(InputError) as caught:
        decode(b"4x6\n1122=1.1\n33\xff45=0.2\n", "board.txt")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.got) == (3, 3, b"\xff")
    assert "board.txt" in str(caught.value)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_published_game_can_be_named_in_place_of_its_size(name):
    game = VARIANTS[name].game
    assert find_game(name) == game
    for text in (name, f"{name}/", f"{name}\n", f"# its name\n{name}  # alone\n"):
        assert parse(text) == Board(game)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1122=1.1\n6543=0.2", "4x6"),
        ("11223=1.1", "5x8"),
        ("AABB=1.1", "4x6"),
        ("hhhhh=0.0", "5x8"),
    ],
)
def test_a_file_of_a_well_known_game_needs_no_header(text, size):
    assert parse(text).game == Game.parse(size)


@notations
def test_a_file_of_ten_thousand_rows_reads_back(notation):
    rng = random.Random(1)
    game = Game.parse("6x30")
    rows = tuple(
        Row(tuple(rng.choices(range(30), k=6)), (rng.randrange(7), rng.choice([None, 0, 1])))
        for _ in range(10_000)
    )
    board = Board(game, rows)
    assert parse(PRINTERS[notation](board)) == board


@notations
def test_a_file_of_ten_thousand_bad_rows_lists_every_one(notation):
    board = Board(Game.parse("4x6"), (Row((0, 0, 1, 1), (1, 1)),) * 10_000)
    text = PRINTERS[notation](board)
    if notation == "json":
        text = text.replace('"white": 1', '"white": "x"')
    else:
        text = text.replace("=1.1", "=1.x")
    with pytest.raises(InputError) as caught:
        parse(text)
    places = {(fault.line, fault.column) for fault in caught.value.faults}
    assert len(places) == 10_000


@given(board=boards())
def test_the_document_is_plain_json_and_counts_from_one(board):
    document = json.loads(json.dumps(board.to_json()))
    assert document["mmsat"] == 1
    assert len(document["rows"]) == len(board.rows)
    for row, read in zip(board.rows, document["rows"], strict=True):
        assert read["guess"] == [color + 1 for color in row.guess]
        assert tuple(read[part] for part in board.game.scoring.parts) == row.score
