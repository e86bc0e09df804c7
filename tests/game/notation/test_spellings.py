"""Common notations: one board has one alphabet, and ambiguous boards are refused."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat.auditing.audit import Record
from mmsat.auditing.judge import Judge, Request
from mmsat.errors import GameWarning, InputError, Place
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES, find_game
from mmsat.game.notation.board_reader import speller
from mmsat.render.reports import text as report

pytestmark = pytest.mark.filterwarnings("ignore::mmsat.errors.GameWarning")
NAMES = (
    *("red", "green", "blue", "yellow", "orange", "purple"),
    *("white", "black", "cyan", "magenta", "brown", "violet"),
)
LETTERS = "RGBYOPWKCMNV"
CIRCLES = dict(zip("RGBYOPWKN", "🔴🟢🔵🟡🟠🟣⚪⚫🟤", strict=True))
SQUARES = dict(zip("RGBYOPWKN", "🟥🟩🟦🟨🟧🟪⬜⬛🟫", strict=True))
HEARTS = dict(zip("RGBYOPWKN", ["❤️", "💚", "💙", "💛", "🧡", "💜", "🤍", "🖤", "🤎"], strict=True))


def lines_of(*cases):
    return pytest.mark.parametrize(("text", "line"), cases, ids=[text for text, _ in cases])


def messages(table):
    """Parametrize a test with texts and their messages, which are in the lines below each text."""
    blocks = [block.split("\n") for block in table.strip("\n").split("\n\n")]
    cases = [
        (text.replace("\\n", "\n"), " ".join(message_lines)) for text, *message_lines in blocks
    ]
    return pytest.mark.parametrize(("text", "expected"), cases, ids=[text for text, _ in cases])


def message(text):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    return str(caught.value)


@lines_of(
    ("super/RRRRR=1.0/GGGGG=1.0", "5x8/11111=1.0/22222=1.0"),
    ("4x6/BBBB=1.1/RRRR=0.0", "4x6/3333=1.1/1111=0.0"),
    ("4x6/BBBB=1.1/AAAA=0.0", "4x6/2222=1.1/1111=0.0"),
    ("4x6/BCCB=4.0/RGGB=1.0", "4x6/3443=4.0/1223=1.0"),
    ("4x6/RRGG=1.1/????=0.0/R?GG=1.1", "4x6/1122=1.1/????=0.0/1?22=1.1"),
    ("4x6/BGGB=1.1/RRGG=known", "4x6/3223=1.1/1122=known"),
    ("4x6/RGBY=1.1/WKBY=2.0", "4x6/1234=1.1/6534=2.0"),
    ("4x6/RGBY=1.1/WOOO=0.0", "4x6/1234=1.1/6555=0.0"),
    ("4x6/WWWW=1.1", "4x6/6666=1.1"),
    ("2x2/BW=0.0", "2x2/21=0.0"),
    ("3x3/RGB=1.1/GBG=0.1", "3x3/123=1.1/232=0.1"),
    (
        "5x8/Blue, Yellow, Green, Purple, Red = 0.5/PRBGY=1.0",
        "5x8/34261=0.5/61324=1.0",
    ),
    (
        "5x8\nBlue Yellow Green Purple Red 0 5\nPurple|Red|Blue|Green|Yellow|1|0",
        "5x8/34261=0.5/61324=1.0",
    ),
    ("4x6/red-red-green-green=1.1", "4x6/1122=1.1"),
    ("4x6/🔴🔴🟢🟢=1.1/🟥🟥🟩🟩=1.1/RRgg=1.1", "4x6/1122=1.1/1122=1.1/1122=1.1"),
    ("4x6/❤️❤️💚💙=1.1", "4x6/1123=1.1"),
    ("4x12/🔴🔴🟢🟢=1.1", "4x12/AABB=1.1"),
    ("blanks/RG__=1.1", "blanks/12__=1.1"),
    ("4x6/pink pink red red=1.1", "4x6/6611=1.1"),
    ("4x10d/4089=0.0", "4x10d/EAIJ=0.0"),
    ("4x10/0 1 2 3=1.1", "4x10/ABCD=1.1"),
    ("4x10d/1234=0.0/0567=1.1", "4x10d/BCDE=0.0/AFGH=1.1"),
    ("16x10b/5616185650518293=2", "16x10b/FGBGBIFGFAFBICJD=2"),
    ("4x6/[1, 1, 2, 2]=1.1", "4x6/1122=1.1"),
    ('4x6/"1122"=1.1', "4x6/1122=1.1"),
    ("4x6/R-R-G-G=1.1", "4x6/1122=1.1"),
    ("5 x 8/11223=1.1", "5x8/11223=1.1"),
    ("4 x 6\n1122 1 1", "4x6/1122=1.1"),
)
def test_all_guesses_of_a_board_are_read_in_one_alphabet(text, line):
    board = Board.parse(text)
    assert str(board) == line
    for notation in PRINTERS.values():
        assert Board.parse(notation(board)) == board


@messages("""
4x6/BBBB=1.1
line 1, column 5: expected 4 colors of 1 to 6, found 'BBBB' (it may mean
2222 or 3333: letters A to F and names of colors fit the whole board; write 2222 or 3333)

4x6/BCCB=4.0
line 1, column 5: expected 4 colors of 1 to 6, found 'BCCB' (it may mean
2332 or 3443: letters A to F and names of colors fit the whole board; write 2332 or 3443)

4x10d/1234=0.0
line 1, column 7: expected 4 colors of A to J, or 1 to 10 joined by '-', found '1234' (it may
mean ABCD or BCDE: digits from 1 and digits from 0 fit the whole board; write ABCD or BCDE, or
the name bulls-and-cows instead of 4x10d)

4x6/1122=1.1/RRGG=0.0
line 1, column 14: expected colors 1 to 6, found 'RRGG' (all codes of a board use one
alphabet; those before use colors 1 to 6, this one names of colors)

4x6/RRGG=1.1/AABB=known
line 1, column 14: expected names of colors, found 'AABB' (all codes of a board use one
alphabet; those before use names of colors, this one letters A to F)

2x2/BW=0.0/RG=1.0
line 1, column 12: expected 2 colors of 1 to 2, found 'RG' (the board names 4 colors: red,
green, blue and white)

4x6/gren red blue red=1.1
line 1, column 5: expected 4 colors of 1 to 6, or the letters R G B Y O P, or names such as red
and green, found 'gren red blue red' (did you mean green red blue red?)

4x6/red gre bl ye=1.1
line 1, column 5: expected 4 colors of 1 to 6, or the letters R G B Y O P, or names such as red
and green, found 'red gre bl ye' (did you mean red green blue yellow?)

4x6/round one=1.1
line 1, column 5: expected 4 colors of 1 to 6, or the letters R G B Y O P, or names such as red
and green, found 'round one'

4x6o/RGGR=EELL
line 1, column 6: expected 4 colors of 1 to 6, found 'RGGR'

4x6/0123=1.1
line 1, column 5: expected a color, 1 to 6, found '0'
""")
def test_texts_that_fit_no_alphabet_or_several_are_one_error(text, expected):
    assert message(text) == f"the board, {expected}"


def expected_colors_of_names(names, colors):
    """Return the color of each name, from the description of `colors_of_names`: the reference."""
    if len(names) > colors:
        return None
    numbers = {name: name for name in names if name < colors}
    preferred_colors = {name: [*range(colors)][::-1][(name - colors) % colors] for name in names}
    for name in sorted(set(names) - {*numbers}):
        if preferred_colors[name] not in numbers.values():
            numbers[name] = preferred_colors[name]
    for name in sorted(set(names) - {*numbers}):
        numbers[name] = max({*range(colors)} - {*numbers.values()})
    return numbers


def expected_readings(texts, colors):
    """Return the meanings of texts in all alphabets, from the definitions: the plain reference."""
    results = set()
    for symbols in ("123456789"[:colors], "ABCDEFGHI"[:colors]):
        if all(set(text) <= set(symbols) for text in texts):
            results.add(tuple(tuple(map(symbols.index, text)) for text in texts))
    if all(set(text) <= set(LETTERS) for text in texts):
        name_codes = [tuple(map(LETTERS.index, text)) for text in texts]
        numbers = expected_colors_of_names({name for code in name_codes for name in code}, colors)
        if numbers is not None:
            results.add(tuple(tuple(numbers[name] for name in code) for code in name_codes))
    return results


TEXTS = st.one_of(
    st.text("123456", min_size=3, max_size=3),
    st.text("ABCDEF", min_size=3, max_size=3),
    st.text(LETTERS, min_size=3, max_size=3),
    st.text("BCGRW", min_size=3, max_size=3),
    st.text("BC", min_size=3, max_size=3),
)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), colors=st.integers(2, 9))
def test_a_board_is_read_if_exactly_one_alphabet_fits(texts, colors):
    expected = expected_readings(texts, colors)
    line = "/".join([f"3x{colors}", *(f"{text}=1.1" for text in texts)])
    try:
        board = Board.parse(line)
    except InputError:
        assert len(expected) != 1
    else:
        assert expected == {tuple(row.guess for row in board.rows)}


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), data=st.data())
def test_rows_that_are_typed_one_by_one_mean_the_same_or_are_an_error(texts, data):
    """A new row does not change the meaning of earlier rows."""
    scores = [
        data.draw(st.sampled_from(["1.1", "1B", "2A", "1A1B", "bw", "-", "+-"])) for _ in texts
    ]
    board = Board(Game.parse("3x6"))
    try:
        for text, score in zip(texts, scores, strict=True):
            board = board.with_row(text, score)
    except InputError:
        return
    rows = (f"{text}={score}" for text, score in zip(texts, scores, strict=True))
    assert Board.parse("/".join(["3x6", *rows])) == board


@given(code=st.lists(st.integers(0, 7), min_size=5, max_size=5), data=st.data())
def test_a_guess_can_be_written_in_letters_names_and_emoji(code, data):
    letters = [LETTERS[color] for color in code]
    gap = data.draw(st.sampled_from([" ", ",", ", ", "|", " | ", ";", "-"]))
    texts = [
        "".join(letters),
        "".join(letters).lower(),
        gap.join(letters),
        gap.join(NAMES[color] for color in code),
        gap.join(NAMES[color].capitalize() for color in code),
        "".join(CIRCLES[letter] for letter in letters),
        " ".join(SQUARES[letter] for letter in letters),
        "".join(HEARTS[letter] for letter in letters),
    ]
    expected = Board.parse(f"5x8/{'-'.join(str(color + 1) for color in code)}=1.1")
    # `R` makes it clear that letters are initials of colors
    prefix = "5x8/RRRRR=0.0/"
    for text in texts:
        assert Board.parse(f"{prefix}{text}=1.1").rows[1:] == expected.rows
        assert Board.parse(f"5x8\n🔴🔴🔴🔴🔴 0 0\n{text}: 1 1\n").rows[1:] == expected.rows
    listed = [NAMES[color] for color in code]
    for guess in (listed, gap.join(listed)):
        row = {"guess": guess, "score": "1b1w"}
        document = {"mmsat": 1, "game": {"pegs": 5, "colors": 8}, "rows": [row]}
        assert Board.parse(json.dumps(document)) == expected


def test_names_beyond_the_colors_of_the_game_give_a_warning():
    text = "^colors by name: red is 1, blue is 3, white is 2, black is 4$"
    with pytest.warns(GameWarning, match=text):
        Board.parse("4x4/RBWK=1.1")


SCORES = {
    (1, 1): (
        *("1,1", "1;1", "1:1", "1-1", "1/1", "1 1", "(1,1)", "[1, 1]", "1 and 1", "1 \u2013 1"),
        *("1b1w", "1B1W", "1 B 1 W", "b1w1", "b:1 w:1", "1B1C", "1A1B", "1H1B", "1S1B", "1r1w"),
        *("bw", "wb", "rw", "bc", "+-", "●○", "○●", "●○··", "⚫⚪", "🔴⚪", "⬛⬜", "🟩🟨⬛⬛"),
        *("1 bull 1 cow", "1 cow, 1 bull", "1 bull and 1 cow", "1 bull(s), 1 cow(s)", "bull cow"),
        *("fermi pico", "pico fermi", "one black, one white", "1 hit 1 blow", "1 strike 1 ball"),
        *("1 black peg, 1 white peg", "black: 1, white: 1", "black=1 white=1", "1 exact 1 partial"),
        *("1 in the right place, 1 in the wrong place", "1 correct, 1 misplaced", "1 exact 1 near"),
        *("1 right color and place, 1 right color in the wrong place", "scored 1 black 1 white"),
        "2100",
    ),
    (2, 0): ("2B", "2b", "2A", "2 bulls", "2 black pegs", "bb", "++", "●●", "fermi fermi", "2b0w"),
    (0, 2): (
        "2W",
        "2w",
        "2C",
        "2 cows",
        "0A2B",
        "0S2B",
        "ww",
        "○○",
        "pico pico",
        "no bulls, 2 cows",
    ),
    (0, 0): ("bagels", "none", "nothing", "0A0B", "0b0w", "no bulls, no cows", "0 black", "0000"),
    (1, None): ("1.?", "1b?w", "1 ?"),
    (None, None): ("?", " ? ", "-> ?", "?.?", "? ?", "?b?w"),
}
"""Ways to write scores of four pegs in games and apps, by score."""


@pytest.mark.parametrize(
    ("score_text", "score"), [(text, score) for score, texts in SCORES.items() for text in texts]
)
def test_scores_are_read_as_games_and_apps_write_them(score_text, score):
    rows = Board.parse(f"4x6/1122={score_text}").rows
    assert [row.score for row in rows] == [score]
    assert Board.parse(f"4x6\n1122 {score_text}\n").rows == rows
    assert Board.parse(f"4x6\n#1 1122: {score_text}\n").rows == rows
    assert Board.parse("4x6").with_row("1122", score_text).rows == rows
    row = {"guess": "1122", "score": score_text}
    document = {"mmsat": 1, "game": {"pegs": 4, "colors": 6}, "rows": [row]}
    assert Board.parse(json.dumps(document)).rows == rows


@lines_of(
    ("4x6b/1122=1b", "4x6b/1122=1"),
    ("4x6b/1122=1B", "4x6b/1122=1"),
    ("4x6b/1122=2 correct", "4x6b/1122=2"),
    ("4x6b\n1122 ;2 correct", "4x6b/1122=2"),
    ("4x6b/1122=2 right", "4x6b/1122=2"),
    ("4x6w/1122=3 correct colors", "4x6w/1122=3"),
    ("3x6w/123=2 white", "3x6w/123=2"),
    ("jotto\ndells - 0", "jotto/DELLS=0"),
    ("jotto\ndells - 2 letters in common", "jotto/DELLS=2"),
    ("grand/1A2B3C4D=1 black 2 blue", "4x5x5/1A2B3C4D=1.0.2"),
    ("bagels/123=fermi pico/456=bagels", "bagels/123=1.1/456=0.0"),
    ("5x26p/CRANE=green yellow gray gray gray", "5x26p/CRANE=GY---"),
    ("3x26o/CAT=earlier, right, later", "3x26o/CAT=ERL"),
    ("daily-word\nCRANE - -Y-GG", "daily-word/CRANE=-Y-GG"),
    ("4x6/1122=1/1/3345=0/2", "4x6/1122=1.1/3345=0.2"),
    ("4x6/1122=-/1234=+-", "4x6/1122=0.1/1234=1.1"),
    ("4x6/1122=⚫⚫⚪⚪", "4x6/1122=2.2"),
    ("4x6/1122=⬜⬛⬛⬛", "4x6/1122=3.1"),
    ("4x6/1122=⬛⬛⬛⬛/3344=🟩🟨⬛⬛", "4x6/1122=0.0/3344=1.1"),
    ("4x6/1122=⬛⬛/3344=⬛⬜", "4x6/1122=2.0/3344=1.1"),
)
def test_scores_of_other_games_and_of_several_rows_are_read(text, line):
    assert str(Board.parse(text)) == line


@messages("""
4x6/1122=a
column 10: expected BLACK.WHITE such as 1.1, found 'a' (a score is 2 numbers: black and white)

4x6/1122=1
column 10: expected BLACK.WHITE such as 1.1, found '1' (a score is 2 numbers: black and white)

4x6/1122=11
column 10: expected BLACK.WHITE such as 1.1, found '11' (a score is 2 numbers: black and white)

4x6/1122=2 correct
column 10: expected BLACK.WHITE such as 1.1, found '2 correct' (right in place, or in any place?)

4x6/1122=2 colors 1 position
column 10: expected BLACK.WHITE such as 1.1, found '2 colors 1 position' (a score is 2 numbers:
black and white)

4x6/1122=1 peg, 2 pegs
column 10: expected BLACK.WHITE such as 1.1, found '1 peg, 2 pegs' (a score is 2 numbers: black
and white)

4x6/1122=1+ black
column 10: expected BLACK.WHITE such as 1.1, found '1+ black' (a score is 2 numbers: black and
white)

5x26p/CRANE=■□□□□
column 13: expected absent marks of one shade, dark or light, found '■□'

4x6/1122=-
column 10: expected BLACK.WHITE such as 1.1, found '-' (0.1 or 0.0?)

4x6/1122=1A1B/3344=2B
column 20: expected BLACK.WHITE such as 1.1, found '2B' (2.0 if b is black, but elsewhere in
the board b is white)

4x6 1122=1.1
column 1: expected the game and a slash before the rows, found '4x6 1122=1.1' (did you mean
4x6/1122=1.1?)

4x6:1122=1.1
column 1: expected the game and a slash before the rows, found '4x6:1122=1.1' (did you mean
4x6/1122=1.1?)

1234=1.1/3456=0.2
column 1: expected the game in the first line, such as 4x6 or bulls-and-cows, found '1234=1.1'
(these rows fit 4x6 and bulls-and-cows)

2x30/AB=1.1
column 6: expected 2 colors, not 1, found 'AB'
""")
def test_one_mistake_is_one_fault(text, expected):
    assert message(text) == f"the board, line 1, {expected}"


LABELS = (
    *("#1 ", "#1: ", "#1. ", "1. ", "1) ", "(1) ", "[1] ", "1: ", "1 ", "1, ", "1\t", "1 | "),
    *("Guess #1: ", "Guess 1: ", "guess 1 - ", "Row 1: ", "Turn 1) ", "No. 1: ", "1st guess: "),
    *("| 1 | ", "> ", "* ", "- ", "Guess: ", ""),
)
"""Labels that people write before a row."""


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize(
    "row", ["1122 1 1", "1 1 2 2 1 1", "1122 = 1.1", "1122 -> 1 black 1 white"]
)
def test_the_label_of_a_row_is_not_read_as_its_guess(label, row):
    assert str(Board.parse(f"4x6\n{label}{row}\n{label}{row}\n")) == "4x6/1122=1.1/1122=1.1"


@lines_of(
    ("4x6\n| # | Guess | White | Black |\n|---|---|---|---|\n| 1 | 1122 | 1 | 2 |", "4x6/1122=2.1"),
    ("4x6\n| 1 | 1122 | 1 | 1 |", "4x6/1122=1.1"),
    ("4x6\nguess,black,white\n1122,1,2", "4x6/1122=1.2"),
    ("4x6\nguess;white;black\n1122;1;2", "4x6/1122=2.1"),
    ("4x6\n# guess white black\n1122 1 2", "4x6/1122=2.1"),
    ("4x6\n# guess white black\n1 1122 1 2", "4x6/1122=2.1"),
    ("4x6\nrow guess bulls cows\n1 1122 1 2", "4x6/1122=1.2"),
    ("4x6\nTurn\tGuess\tResult\n1\t1 1 2 2\t1B1W", "4x6/1122=1.1"),
    ("4x6\nGuess: 1122 Score: 1 1", "4x6/1122=1.1"),
    ("4x6\n# 1122 1 1\n#1122=1.1\n# a comment\n1122=0.0 # more", "4x6/1122=0.0"),
    ("4x6\r1122=1.1\r3345=0.2\r", "4x6/1122=1.1/3345=0.2"),
)
def test_tables_headings_and_comments_are_read(text, line):
    assert str(Board.parse(text)) == line


@messages("""
4x6\\n#1 112 1 1
line 2, column 4: expected 4 colors, not 3, found '112'

4x6\\n#1 hello
line 2, column 1: expected GUESS=SCORE such as 1122=1.1, found '#1 hello' (a comment has a
blank after #)

4x6\\n# 1 1122 1 1
line 2, column 1: expected #1 before a row, ## before a comment, found '# 1 1122 1 1' (it
may be a comment or a numbered row)
""")
def test_a_numbered_row_after_a_hash_is_never_ignored(text, expected):
    assert message(text) == f"the board, {expected}"


def test_the_boards_of_a_log_are_read_independently():
    """Rows that also appear in other boards are interpreted by their own board."""
    lines = ["4x6/RGGB=1.0/BRRR=1.1", "4x6/BCCB=4.0/RGGB=1.0", "4x6/ABCD=1.1/BBBB=1.0"]
    records = [Record(number, "log:1", "", line) for number, line in enumerate(lines * 2)]
    judgments = Judge(Request()).judge(records)
    boards = [str(Board.parse(line)) for line in lines * 2]
    assert [entry["board"] for entry in judgments] == boards
    assert judgments[1]["verdict"] == "consistent"


@pytest.mark.parametrize("name", ["mastermind", "4x6", "4 x 6", " 4x6"])
@pytest.mark.parametrize("key", ["game: ", "Game:  ", "game:\t"])
def test_the_game_may_have_a_key(key, name):
    """With a blank, `game:` is a key in texts and lines; without it, it names a file."""
    game = find_game("4x6" if "6" in name else name)
    board = Board(game).with_row("RRGG", "1.1")
    assert Board.parse(f"{key}{name}\nRRGG 1 1\n") == board
    assert Board.parse(f"{key}{name}/RRGG=1.1") == board
    assert Board.parse(f"# comment\n  {key}{name}\nRRGG 1 1\n") == board


@pytest.mark.parametrize("name", ["mastermind", "4x6", "Bulls and Cows"])
@pytest.mark.parametrize("text", ["game:{}\n1123 1 1\n", "game:{}/1123=1.1"])
def test_a_game_that_is_taken_for_a_file_is_suggested(name, text):
    with pytest.raises(InputError, match=f"did you mean the game {name}"):
        Board.parse(text.format(name))


def test_a_key_with_a_file_reads_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text('pegs = 2\nsymbols = "AB"\n')
    (tmp_path / "words.txt").write_text("abc\nabd\n")
    assert Board.parse("game: own.toml\nAB 1 0\n") == Board.parse("game:own.toml/AB=1.0")
    assert Board.parse("word: words.txt\nabc 2 0\n") == Board.parse("word:words.txt/abc=2.0")
    with pytest.raises(InputError, match="No such file"):
        Board.parse("game: missing.toml\nAB 1 0\n")


@pytest.mark.parametrize("game", [game.game for game in PUBLISHED_GAMES.values()], ids=str)
def test_a_printed_table_without_rows_reads_back(game):
    board = Board(game)
    for result in (mmsat.check(board), mmsat.explain(board)):
        assert Board.parse(report(result)) == board


PIECES = (
    *"12609RGBAWK?-+=:.,;|/#()[]bw\t \n",
    *("red", "Blue", "1b", "1A", "2 black", "cow", "fermi", "🔴", "🟩", "⬛", "●", "○", "#1"),
    *("Guess", "black", "white", "score", "->", "4x6", "1122", "1.1", "---", "known", "=known"),
)


@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=12),
    game=st.sampled_from(["4x6", "4x10d", "2x2", "5x26p", "3x6w", "blanks", "jotto"]),
)
def test_any_pieces_of_rows_are_a_board_or_an_input_error(pieces, game):
    for text in (f"{game}/{''.join(pieces)}", f"{game}\n{''.join(pieces)}", "".join(pieces)):
        board, refusal = None, ""
        try:
            board = Board.parse(text)
        except InputError as error:
            refusal = str(error)
        assert refusal or Board.parse(str(board)) == board


def test_the_meanings_of_a_score_do_not_depend_on_the_order_of_its_signs():
    """A score of up to three letters and signs has at most as many key pegs."""
    spell = speller(Game.parse("4x6"))
    for size in (1, 2, 3):
        for signs in product("bwcra+-", repeat=size):
            meanings = spell.score_meanings("".join(signs))
            assert set(meanings) == set(spell.score_meanings("".join(sorted(signs))))
            assert all(sum(part or 0 for part in score) <= size for score, _ in meanings)


def test_random_boards_are_the_same_board_in_every_alphabet():
    rng = random.Random(3)
    for _ in range(200):
        colors = rng.randint(7, 9)
        rows = [tuple(rng.choices(range(colors), k=4)) for _ in range(3)] + [(0, 3, 6, 0)]
        expected = Board.parse(
            "/".join([f"4x{colors}", *(spell_row(row, "123456789") for row in rows)])
        )
        for symbols in ("ABCDEFGHI", LETTERS):
            assert (
                Board.parse("/".join([f"4x{colors}", *(spell_row(row, symbols) for row in rows)]))
                == expected
            )


def spell_row(code, symbols):
    return "".join(symbols[color] for color in code) + "=1.1"


@pytest.mark.parametrize("name", ["4x6w", "4x6", "2x2x2k", "3x4p"])
def test_every_score_has_a_meaning_or_a_fault(name):
    """Every short text over digits, separators and letters has a meaning or a fault."""
    spelling = speller(find_game(name))
    num_unread = 0
    for length in range(1, 6):
        for signs in product("0?., b", repeat=length):
            text = "".join(signs).strip()
            if text and not spelling.score_meanings(text):
                num_unread += 1
                assert spelling.explain_score(text, Place(1, 1)), text
    assert num_unread > 1000


def test_numbers_with_different_separators_are_refused():
    with pytest.raises(InputError) as caught:
        Board.parse("2x2x2k/2B1A=2.0 0")
    assert str(caught.value) == (
        "the board, line 1, column 13: expected BLACK.WHITE.BLUE such as 1.1.1, found '2.0 0'"
        " (the separators of the numbers differ)"
    )
