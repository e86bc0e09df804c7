"""Boards are printed and read back in every notation, and read in other forms."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmsat._util.files import decode
from mmsat.errors import GameWarning, InputError, Place
from mmsat.game import UNREAD, Row
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES, find_game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import Pairs
from mmsat.game.symbols import Symbols
from mmsat.game.words import Words
from tests.support.strategies import boards, word_games

notations = pytest.mark.parametrize("notation", PRINTERS)
BOARD = Board.parse("4x6/1122=1.1/3345=0.2/1616=?.0")
PIECES = ("1", "2", "6", "7", "27", "28", "03", "0", "00", "?", "", "x", "0000001", "\u0663")
LARGE = [f"{pegs}x{colors}" for pegs in (1, 2, 1000) for colors in (9, 10, 26, 27, 999, 1000)]


@notations
@given(board=boards())
def test_a_printed_board_reads_back_as_the_same_board(notation, board):
    text = PRINTERS[notation](board)
    assert Board.parse(text) == board
    assert PRINTERS[notation](Board.parse(text)) == text


@given(board=boards())
def test_the_document_of_a_board_is_read_as_a_dictionary(board):
    """`Board.of`, which every function with a board argument calls, reads dictionaries, too."""
    document = board.to_dict()
    assert Board.parse(document) == Board.of(document) == board
    for faulty in ({**document, "game": {1, 2}}, {**document, "rows": 1}, {}):
        with pytest.raises(InputError):
            Board.parse(faulty)


@pytest.mark.parametrize("name", ["mastermind", "4x6", "4 x 6", "bulls-and-cows"])
def test_a_second_board_in_a_file_is_named_in_the_error(name):
    with pytest.raises(InputError) as caught:
        Board.parse(f"mastermind\n1122=1.1\n\n{name}\n1122=1.1\n")
    (fault,) = caught.value.faults
    assert fault.line == 4
    assert "one board line per line" in fault.rule


@notations
@pytest.mark.parametrize("size", LARGE)
def test_boards_of_the_largest_games_read_back(notation, size):
    game = Game.parse(size)
    guess = tuple((7 * peg + 5) % game.colors for peg in range(game.pegs))
    board = Board(game, (Row(guess, (game.pegs, 0)), Row(guess[::-1], (None, 9999))))
    assert Board.parse(PRINTERS[notation](board)) == board


@given(board=boards())
def test_a_line_is_safe_in_a_web_address(board):
    marks = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-./=!?")
    assert set(str(board)) <= marks


@given(board=boards())
def test_the_representation_recreates_the_board(board):
    assert eval(repr(board), {"Board": Board}) == board  # noqa: S307  (it is our own line)
    assert eval(repr(board.game), {"Game": Game}) == board.game  # noqa: S307


@given(board=boards())
def test_colors_can_be_written_as_numbers_in_any_game(board):
    print_score = speller(board.game).print_score
    rows = [
        "-".join(str(color + 1) for color in row.guess) + "=" + print_score(row.score)
        for row in board.rows
    ]
    assert Board.parse("/".join([str(board.game), *rows])) == board


@given(
    game=st.sampled_from([Game(3, 6), Game(3, 27)]),
    pieces=st.lists(st.sampled_from(PIECES), min_size=2, max_size=4),
)
def test_joined_numbers_are_read_independently(game, pieces):
    """Texts that the speller read before do not matter. Each fault has its own column."""

    def read_piece(piece):
        is_number = re.fullmatch("[0-9]{1,6}", piece) and 1 <= int(piece) <= game.colors
        return int(piece) - 1 if is_number else UNREAD if piece == "?" else None

    faults = []
    code = speller(game).read_guess("-".join(pieces), Place(1, 1), faults)
    colors = [*map(read_piece, pieces)]
    invalid_pieces = [n for n, color in enumerate(colors) if color is None]
    columns = [1 + len("".join(pieces[:n])) + n for n in invalid_pieces]
    assert [fault.column for fault in faults] == columns + [1] * (len(pieces) != game.pegs)
    assert code == (None if faults else tuple(colors))


@pytest.mark.parametrize(
    "guess", ["?-?-?-", "-?-?-?", "?--?-?", "R--G-B", "-R-G-B", "red- -green-?"]
)
def test_a_dash_without_a_peg_is_an_error(guess):
    faults = []
    assert speller(Game(3, 6)).read_guess(guess, Place(1, 1), faults) is None
    assert faults


@given(board=boards(), data=st.data())
def test_letters_are_read_in_upper_and_lower_case(board, data):
    assume(board.game.colors <= 26 and not isinstance(board.game.scoring, Pairs))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if board.game.symbols is None and board.game.colors <= 9:  # B, C, G are initials of colors, too
        assume(not board.rows or any({*row.guess} - {1, 2, 6} for row in board.rows))
    if data.draw(st.booleans()):
        letters = letters.lower()
    print_score = speller(board.game).print_score
    rows = [
        "".join(letters[color] for color in row.guess) + "=" + print_score(row.score)
        for row in board.rows
    ]
    assert Board.parse("/".join([str(board.game), *rows])) == board


@pytest.mark.parametrize("pegs", [1, 3])
@pytest.mark.parametrize("colors", [1, 9, 10, 26, 27, 100])
def test_every_color_reads_back_as_its_symbol_and_its_number(pegs, colors):
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
        "4x6/AABB=1.1/CCDE=0.2/afaf=?.0",
        "4x6/1-1-2-2=1.1/3345=0.2/1616=?.0",
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
@pytest.mark.filterwarnings("ignore::mmsat.errors.GameWarning")
def test_spaces_separators_comments_and_names_change_nothing(text):
    assert Board.parse(text) == BOARD
    assert Board.parse(text.replace("\n", "\r\n")) == BOARD


@notations
def test_a_file_may_start_with_a_byte_order_mark(notation):
    data = PRINTERS[notation](BOARD).encode("utf-8-sig")
    assert Board.parse(decode(data, "a file")) == BOARD


def test_the_error_for_a_file_that_is_not_text_has_a_line_and_a_column():
    with pytest.raises(InputError) as caught:
        decode(b"4x6\n1122=1.1\n33\xff45=0.2\n", "board.txt")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.found) == (3, 3, b"\xff")
    assert "board.txt" in str(caught.value)


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_a_published_game_can_be_named_in_place_of_its_size(name):
    game = PUBLISHED_GAMES[name].game
    assert find_game(name) == game
    for text in (name, f"{name}/", f"{name}\n", f"# its name\n{name}  # alone\n"):
        assert Board.parse(text) == Board(game)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1122=1.1\n6543=0.2", "4x6"),
        ("11223=1.1", "5x8"),
        ("AABB=1.1", "4x6"),
        ("hhhhh=0.0", "5x8"),
        ("RGBY=1.1", "4x6"),
        ("R?BY=1.1", "4x6"),
        ("red green blue yellow orange: 1 1", "5x8"),
    ],
)
def test_a_missing_game_is_inferred_with_a_warning(text, size):
    with pytest.warns(GameWarning, match=f"^no game given; assuming {size}$"):
        assert Board.parse(text).game == Game.parse(size)


@pytest.mark.parametrize("rows", ["1122=1.1/3345=0.2", "11223=1/1/45678=0/2/", "RRGG=1.1/OPBB=0.0"])
def test_a_board_line_needs_a_game_as_little_as_a_file_does(rows):
    with pytest.warns(GameWarning, match="^no game given; assuming "):
        board = Board.parse(rows)
    with pytest.warns(GameWarning, match="^no game given; assuming "):
        in_file = Board.parse(re.sub("(?<=[.]1)/|(?<=1/1)/", "\n", rows.rstrip("/")))
    assert board == in_file == Board.parse(f"{board.game}/{rows}")


@pytest.mark.parametrize("score", [".yy..", ".YY..", "wyyww", "W Y Y W W", "xyyxx"])
def test_a_sign_that_can_only_mean_absent_is_read(score):
    assert Board.parse(f"wordle/CRANE={score}") == Board.parse("wordle/CRANE=-YY--")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1234=1.0\n5612=0.2", ["4x6", "bulls-and-cows"]),
        ("12345=1.0", ["5x8", "5x10d"]),
        ("abcd 0 0", ["4x6", "4x10d"]),
        ("ABCDE 0 0", ["5x8", "5x10d"]),
    ],
)
def test_a_missing_game_that_may_be_one_of_two_is_an_input_error(text, games):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    (fault,) = caught.value.faults
    assert fault.rule == f"these rows fit {' and '.join(games)}"
    assert fault.expected == f"the game in the first line, such as {' or '.join(games)}"


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("mastemind/1122=1.1", "mastermind"),
        ("bulls-and-cow\n1234=1.0", "bulls-and-cows"),
        ("4x6 1122=1.1/3345=0.2", "4x6/1122=1.1"),
        ("4y6/1122=1.1", "PEGSxCOLORS such as 4x6"),
    ],
)
def test_the_error_for_a_missing_or_misspelled_game_suggests_a_game(text, suggestion):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    (fault,) = caught.value.faults
    assert suggestion in str(fault)


@pytest.mark.parametrize(
    ("game", "row"),
    [
        *(
            ("4x6", row)
            for row in ("1 1 2 2 = 1 1", "1 1 2 2  1 1", "1122,1,1", "1122 1 1", "1122;1;1")
        ),
        *(("4x6", row) for row in ("1122=bw", "1122=WB", "1122: 1b1w", "1122=1w 1b", "1122=1A1B")),
        *(("4x6", row) for row in ("1122 1 black 1 white", "1-1-2-2=1.1", "RRGG=1.1", "rrgg bw")),
        ("4X6", "AABB=1.1"),
        ("4\u00d76", "1122=1.1"),
    ],
)
def test_common_ways_to_write_a_row_are_read(game, row):
    assert str(Board.parse(f"{game}\n{row}")) == "4x6/1122=1.1"


@given(board=boards(max_rows=4))
def test_the_pegs_and_the_score_of_the_printed_table_read_back(board):
    """In the table of `mmsat check`, symbols and numbers are separated by blanks."""
    spell = speller(board.game)
    symbols = spell.symbols or [str(color + 1) for color in range(board.game.colors)]
    rows = [
        " ".join([symbols[color] for color in row.guess])
        + " = "
        + (
            spell.print_score(row.score)
            if board.game.scoring.marks
            else spell.print_score(row.score).replace(".", "  ")
        )
        for row in board.rows
    ]
    assert Board.parse("\n".join([str(board.game), *rows])) == board


@given(code=st.lists(st.integers(0, 5), min_size=4, max_size=4), data=st.data())
def test_scores_are_read_as_names_of_key_pegs_and_as_a_digit_per_peg(code, data):
    game = Game.parse("4x6")
    guess = data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4))
    black, white = game.score(code, guess)
    score_texts = [f"{black}b{white}w", f"{black}A{white}B", f"{white} white {black} black"]
    score_texts += ["b" * black + "w" * white] * (black + white > 0)
    score_texts.append("2" * black + "1" * white + "0" * (4 - black - white))
    for score in score_texts:
        faults = []
        assert speller(game).read_score(score, Place(1, 1), faults) == (black, white), faults


@given(marks=st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_digits_are_read_as_marks(marks):
    spell, faults = speller(Game.parse("5x26p")), []
    assert spell.read_score("".join(map(str, marks)), Place(1, 1), faults) == tuple(marks), faults


def test_letters_that_may_mean_two_colors_are_an_input_error():
    """B is the second letter, and blue, the third color."""
    with pytest.raises(InputError, match="2222 or 3333"):
        Board.parse("4x6/BBBB=1.1")


def test_sizes_without_repeats_are_read_in_both_forms_and_printed_in_one():
    assert (
        str(Board.parse("4x10!/ABCD=1.1")) == str(Board.parse("4x10d/ABCD=1.1")) == "4x10d/ABCD=1.1"
    )
    assert str(Game.parse("6x6!b")) == "6x6db"


@notations
def test_a_file_of_ten_thousand_rows_reads_back(notation):
    rng = random.Random(1)
    game = Game.parse("6x30")
    rows = tuple(
        Row(tuple(rng.choices(range(30), k=6)), (rng.randrange(7), rng.choice([None, 0, 1])))
        for _ in range(10_000)
    )
    board = Board(game, rows)
    assert Board.parse(PRINTERS[notation](board)) == board


@notations
def test_each_of_ten_thousand_bad_rows_is_reported(notation):
    board = Board(Game.parse("4x6"), (Row((0, 0, 1, 1), (1, 1)),) * 10_000)
    text = PRINTERS[notation](board)
    if notation == "json":
        text = text.replace('"white": 1', '"white": "x"')
    else:
        text = text.replace("=1.1", "=1.x")
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    places = {(fault.line, fault.column) for fault in caught.value.faults}
    assert len(places) == 10_000


@given(board=boards())
def test_colors_in_a_document_are_numbered_from_one(board):
    document = json.loads(json.dumps(board.to_dict()))
    assert document["mmsat"] == 1
    assert len(document["rows"]) == len(board.rows)
    for row, json_row in zip(board.rows, document["rows"], strict=True):
        assert json_row["guess"] == [color + 1 for color in row.guess]
        if board.game.scoring.marks:
            symbols = {mark.symbol: n for n, mark in enumerate(board.game.scoring.marks)}
            assert tuple(symbols.get(sign) for sign in json_row["marks"]) == row.score
        else:
            assert tuple(json_row[part] for part in board.game.parts) == row.score


@given(board=boards(word_games()))
def test_a_game_of_listed_words_reads_back_from_json(board):
    text = PRINTERS["json"](board)
    assert Board.parse(text) == board
    assert Board.parse(json.dumps(board.to_dict()), files=False) == board
    assert PRINTERS["json"](Board.parse(text)) == text


@given(board=boards(word_games()))
def test_guesses_and_marks_of_a_document_may_be_text(board):
    document = board.to_dict()
    spell = speller(board.game)
    for json_row, row in zip(document["rows"], board.rows, strict=True):
        json_row["guess"] = spell.print_code(row.guess)
        if board.game.scoring.marks:
            json_row["marks"] = spell.print_score(row.score)
    assert Board.parse(json.dumps(document)) == board


@pytest.mark.parametrize(
    ("line", "variant"),
    [
        ("daily-word/CRANE=G-Y-?", "daily-word/crane=g-y-?"),
        ("daily-word/CRANE=G-Y-?", "daily-word/3-18-1-14-5=G-Y-?"),
        ("daily-word/CRANE=G-Y--", "daily-word/CRANE=🟩⬛🟨⬜⬛"),
        ("daily-word/CRANE=G-Y--", "daily-word/Crane: 🟩⬜\ufe0f🟨⬜⬜"),
        ("daily-word/CRANE=G-Y--", "daily-word\n  crane 🟩 ⬛ 🟨 ⬛ ⬛\n"),
        ("daily-word/CRANE=G-Y--", "daily-word/CRANE=G B y x _"),
        ("daily-word/CRANE=?????", "# all smudged\ndaily-word/CRANE=?????  # last\n"),
        ("daily-word/CRANE=?????", "daily-word/CRANE=?"),
        ("daily-word/CRANE=?????", "daily-word\nCRANE ?\n"),
        ("secret-search-3/CAT=LER", "secret-search-3/cat=><✓"),
        ("secret-search-3/CAT=LER", "secret-search-3\ncat = ↑ ↓ ✓\n"),
        ("4x26o/ABCD=EL?R", "4x26o/1-2-3-4=<>?r"),
        ("4x5x5/1A2B3C5E=1.?.2", "4x5x5/1a2b3c5e=1,?,2"),
        ("4x5x5/1A2B3C5E=1.?.2", "grand/1-7-13-25 1 ? 2"),
        ("4x5x5/1A2B3C5E=?.?.?", "grand/1A2B3C5E: ?"),
        ("4x5x5k/1A2B3C5E=1.0.2", "grand-one-key\n1A2B3C5E: 1, 0, 2"),
        ("3x9x26/1A9Z1Z=0.0.0", "3x9x26/1-234-26=0.0.0"),
        ("4x10x5/1-50-6-7=0.0.3", "4x10x5\n1-50-6-7 0 0 3"),
        ("moo/9123=1.1", "moo/10-2-3-4=1.1"),
        ("super-blanks/1_2_8=1.1", "super-blanks/1-9-2-9-8 1 1"),
        ("jotto/CRANE=3", "jotto/crane 3"),
    ],
)
def test_a_board_can_be_written_in_several_ways(line, variant):
    board = Board.parse(line)
    assert Board.parse(variant) == board
    assert str(board) == line
    for notation in PRINTERS.values():
        assert Board.parse(notation(board)) == board


def test_a_single_number_is_read_as_a_symbol_if_possible():
    """In a game of one peg, a number that is not a symbol is the number of a color."""
    game = Game(1, 10, symbols=Symbols(tuple("0123456789"), "digit"), name="own")
    assert speller(game).read_code("1", Place(1, 1), []) == (1,)
    assert speller(game).read_code("10", Place(1, 1), []) == (9,)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change to a folder for custom games, so that names are short."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    return tmp_path


DEFINITIONS = {
    "symbols.toml": 'pegs = 3\nsymbols = "RGB_"\n',
    "symbols.json": ' {"pegs": 3, "symbols": "RGB_", "noun": "color"}',
    "deep/er/zoo.toml": 'pegs = 3\ncolors = 4\nnoun = "animal"\nrepeats = false\n',
    "places.toml": 'pegs = 3\nsymbols = "xyz"\nscore = "places"\ntitle = "Own"\nturns = [4]\n',
    "cards.toml": 'pegs = 3\nscore = "pairs"\nattributes = { suit = "cdhs", rank = "789TJQKA" }\n',
    "key.json": '{"pegs": 3, "score": "pairs-one-key", "attributes": {"a": "xy", "b": "zu"}}',
    "words.toml": 'pegs = 3\nwords = ["cat", "DOG", "eel"]\nscore = "order"\n',
    "free.json": '{"pegs": 3, "symbols": "cardogel", "words": ["car"], "guesses": "any"}',
    "named.toml": 'pegs = 3\nwords = "english"\nname = "mine"\n',
    "listed.toml": 'pegs = 3\nwords = "deep/list.txt"\nscore = "places"\n',
    "plain.toml": "pegs = 3\ncolors = 5\n",
}


@notations
@pytest.mark.parametrize("file", DEFINITIONS)
def test_a_board_of_a_game_in_a_file_reads_back(folder, notation, file):
    (folder / file).write_text(DEFINITIONS[file], "utf-8")
    (folder / "deep" / "list.txt").write_text("cat\ndog\n", "utf-8")
    game = find_game(f"game:{file}")
    rng = random.Random(7)
    rows = []
    for _ in range(4):
        guess = rng.choice(game.space.table() or [tuple(rng.choices(range(game.colors), k=3))])
        rows.append(Row(guess, game.score(guess, guess)))
        rows.append(Row(guess, (None,) * len(game.parts)))
    board = Board(game, tuple(rows))
    text = PRINTERS[notation](board)
    assert Board.parse(text) == board
    assert PRINTERS[notation](Board.parse(text)) == text
    assert Board.parse(PRINTERS["line"](Board(game))) == Board(game)


def test_boards_use_the_symbols_of_a_game_in_a_file(folder):
    for file, definition in DEFINITIONS.items():
        (folder / file).write_text(definition, "utf-8")
    assert Board.parse("game:symbols.toml/rgb=1.1/B__=0.?").rows[1].guess == (2, 3, 3)
    assert Board.parse("game:symbols.json/RGB=1.1").game.space.name == "repeats"
    assert Board.parse("game:deep/er/zoo.toml/123=1.1/321=0.0/").game.space.name == "distinct"
    assert Board.parse("game:cards.toml/c7sAhT=1.0.1").rows[0].guess == (0, 31, 19)
    assert Board.parse("game:key.json/xzyuxu=1.0.1").rows[0].guess == (0, 3, 1)
    assert Board.parse("game:words.toml/CAT=RRR").game.space.codes[0] == (2, 0, 19)
    assert not Board.parse("game:words.toml").game.space.allows_any_guess
    assert Board.parse("game:free.json/dog=1.1").game.space.allows_any_guess
    assert Board.parse("game:plain.toml/125=1.1") == Board.parse("3x5/125=1.1")


@notations
def test_a_word_list_defines_a_game(folder, notation):
    (folder / "words.txt").write_bytes(b"\xef\xbb\xbfCat\r\n  dog \r\n\r\nEEL\r\ncat\r\n")
    board = Board.parse("word:words.txt/CAT=1.1/eel=0.?/DOG=3.0")
    assert board.game.space.codes == ((2, 0, 19), (3, 14, 6), (4, 4, 11))
    assert board.game.scoring.name == "black-white"
    assert Board.parse(PRINTERS[notation](board)) == board
    assert Board.parse("word:words.txt\ncat 1 1\neel 0 ?\ndog 3 0\n") == board
    assert Board.parse("word:words.txt:3/CAT=1.1/eel=0.?/DOG=3.0").rows == board.rows


@pytest.mark.filterwarnings("ignore::mmsat.WordListWarning")
def test_the_words_of_one_length_can_be_selected_from_a_list(folder):
    (folder / "deep" / "words.txt").write_text("at\ncat\nhorse\ndog\nit's\nd2g\nÄrz\n", "utf-8")
    game = find_game("word:deep/words.txt:3")
    assert (game.size, str(game)) == (3, "word:deep/words.txt:3")
    assert Board.parse("word:deep/words.txt:3/CAT=1.1/DOG=0.0").game == game
    (folder / "deep" / "words.txt").write_text("at\ncat\nhorse\n", "utf-8")
    changed_game = find_game("word:deep/words.txt:3")
    assert changed_game.size == 1


def test_a_document_can_list_the_words_itself():
    document = {
        "mmsat": 1,
        "game": {"name": "game:own.toml", "pegs": 3, "words": ["cat", "Dog"], "score": "places"},
        "rows": [{"guess": "dog", "marks": ["G", None, "-"]}],
    }
    board = Board.parse(json.dumps(document), files=False)
    assert isinstance(board.game.space, Words)
    assert board.rows == (Row((3, 14, 6), (2, None, 0)),)
    assert Board.parse(json.dumps(board.to_dict()), files=False) == board
