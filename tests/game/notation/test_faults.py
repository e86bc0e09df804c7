"""Bad input: the InputError lists every fault with its line and column. No other error occurs."""

from __future__ import annotations

import inspect
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat._util.files import decode
from mmsat._util.registry import UnknownName
from mmsat.errors import MAX_PRINTED_FAULTS, Description, Fault, InputError
from mmsat.game import Row
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.game.names import define
from tests.support.strategies import boards
from tests.support.tiers import share

pytestmark = pytest.mark.filterwarnings("ignore::mmsat.errors.GameWarning")
HEAD = '{"mmsat": 1, "game": {"pegs": 2, "colors": 3}, "rows": [\n'


def faults_of(text):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    return caught.value.faults


def places(text):
    return [(fault.line, fault.column) for fault in faults_of(text)]


LINES = {
    "no game": [("", [(1, 1)]), ("/1122=1.1", [(1, 1)]), ("  x6/1122=1.1", [(1, 3)])],
    "sizes": [
        ("0x6/1122=1.1", [(1, 1)]),
        ("0x0", [(1, 1), (1, 1)]),
        ("100001x1001", [(1, 1), (1, 1)]),
        ("1001x1000", [(1, 1)]),
        ("4x5x0", [(1, 1)]),
        ("4x5x", [(1, 1)]),
        ("11x2x2k", [(1, 1)]),
        ("4x3!", [(1, 1)]),
        ("4x6q/1122=1.1", [(1, 1)]),
        ("4x6?", [(1, 1)]),
        ("4x6!!", [(1, 1)]),
        ("-4x6", [(1, 1)]),
        ("99999999999x2", [(1, 1)]),
        ("\u00b2x2", [(1, 1)]),
        ("4x\u0666", [(1, 1)]),
        ("\u0664x6", [(1, 1)]),
    ],
    "guesses": [
        ("4x6/1172=1.1", [(1, 7)]),
        ("4x6/0117=1.1", [(1, 5), (1, 8)]),
        ("4x6/112=1.1", [(1, 5)]),
        ("4x6/11223=1.1", [(1, 5)]),
        ("4x6/1-2-3=1.1", [(1, 5)]),
        ("4x6/1-2-3-7=1.1", [(1, 11)]),
        ("4x6/1-2--4=1.1", [(1, 9)]),
        ("4x6/AAG?=1.1", [(1, 5)]),
        ("2x30/1-31=1.1", [(1, 8)]),
        ("2x30/AB=1.1", [(1, 6)]),
        ("1x30/31=1.1", [(1, 6)]),
        ("4x6/\u0661122=1.1", [(1, 5)]),
    ],
    "scores": [
        ("4x6/1122=1", [(1, 10)]),
        ("4x6/1122=1.1.1", [(1, 10)]),
        ("4x6/1122=x.1", [(1, 10)]),
        ("4x6/1122=x.y", [(1, 10), (1, 12)]),
        ("4x6/1122=1.-1", [(1, 12)]),
        ("4x6/1122=1.1000000", [(1, 12)]),
        ("4x6/1122=1.1e1", [(1, 12)]),
        ("4x6/1122=1.", [(1, 12)]),
        ("4x6/1122=??.1", [(1, 10)]),
        ("4x6b/1122=1.1", [(1, 11)]),
        ("4x6w/1122=", [(1, 6)]),
        ("4x6/1122=\u0661.1", [(1, 10)]),
    ],
    "rows": [
        ("4x6/1122", [(1, 5)]),
        ("4x6/=1.1", [(1, 5)]),
        ("4x6//1122=1.1", [(1, 5)]),
        ("4x6/1122=1.1//", [(1, 14)]),
        ("4x6/1122=1.1/ 3377 = 0.x ", [(1, 17), (1, 18), (1, 24)]),
        ("4x6/7122=1.1/3345=0.2/1=9/6666", [(1, 5), (1, 23), (1, 25), (1, 27)]),
        ("\n\n 4x6/7122=1.1", [(3, 6)]),
        ("# line\n4x6/7122=1.1", [(2, 5)]),
    ],
    "marks": [
        ("5x26p/CRANE=GG", [(1, 13)]),
        ("5x26p/CRANE=GGGGGG", [(1, 13)]),
        ("5x26p/CRANE=GGZQ-", [(1, 15), (1, 16)]),
        ("5x26p/CRANE=1.2", [(1, 13)]),
        ("5x26p/CRANE=wwBgy", [(1, 13), (1, 14)]),
        ("5x26p/CRANE=gy..-", [(1, 15), (1, 16)]),
        ("5x26p/CRANE=wwwww", [(1, 13)]),
        ("5x26p/CRAN1=G-Y--/CRANE=🟩🟩L🟩🟩", [(1, 11), (1, 27)]),
        ("3x26o/CAT=<>=", [(1, 13)]),
        ("3x26o/CAT=RG?", [(1, 12)]),
        ("3x26o\nCAT R L Y\nDOG RR\n", [(2, 9), (3, 5)]),
    ],
    "pairs": [
        ("4x5x5/1A2B3C9Z=1.1.1", [(1, 13)]),
        ("4x5x5/1A2B3C=1.1.1", [(1, 7)]),
        ("4x5x5/1A2B3C4=1.1.1", [(1, 13)]),
        ("4x5x5/A12B3CD4=1.1.1", [(1, 7), (1, 13)]),
        ("4x5x5/1-2-3-26=1.1", [(1, 13), (1, 16)]),
        ("4x5x5k\n1A2B3C4D 1 1\n", [(2, 10)]),
        ("4x10x10/1-2-3-101=0.0.0", [(1, 15)]),
    ],
    "words": [
        ("word/QQ?Q=1.1", [(1, 6)]),
        ("word/CRANE=1.1", [(1, 6)]),
        ("word/QQQ?=1.x/17-17-?-17=1.1/FOUR=1", [(1, 6), (1, 13), (1, 15), (1, 35)]),
        ("word/QQQQ=known", [(1, 6)]),
        ("secret-search-3\nQQ? R L E\nCAT R L\n", [(2, 1), (3, 5)]),
        ("daily-word/CR4NE=GGGGG", [(1, 14)]),
    ],
    "names": [
        ("word:", [(1, 1)]),
        ("word:english", [(1, 1)]),
        ("word:english:x/CRANE=1.1", [(1, 1)]),
        ("word:english:99/CRANE=1.1", [(1, 1)]),
        ("word:no/such/file.txt/CRANE=1.1", [(1, 1)]),
        ("game:", [(1, 1)]),
        ("game:no/such/file.toml/1122=1.1", [(1, 1)]),
        ("# c\n  game:no such file\n1122 1 1\n", [(2, 3)]),
        ("grannd/1A2B3C4D=1.1.1", [(1, 1)]),
    ],
    "files": [
        ("# nothing\n\n", [(1, 1)]),
        ("4x6\n1122=1.1\n1177=1.1\n", [(3, 3), (3, 4)]),
        ("4x6\r\n1122=1.x\r\n1177=1.1\r\n", [(2, 8), (3, 3), (3, 4)]),
        ("\n# c\n  4x99999\n1=1", [(3, 3)]),
        ("4x6\n\t1122 = 1.1.1 # c\n", [(2, 9)]),
        ("super\n1122=1.1\n11223=1.1\n11229=0\n", [(2, 1), (4, 5), (4, 7)]),
        ("4x6\n1122\n\n=\n1.1\n", [(2, 1), (4, 1), (5, 1)]),
        ("suppper\n1122=1.1\n", [(1, 1)]),
        ("1122=1.1\n11223=1.1\n", [(1, 1)]),
        ("4x6\n4x6\n", [(2, 1)]),
    ],
    "documents": [
        ("{", [(1, 2)]),
        ("[]", [(1, 1)]),
        ('{"mmsat": 1,\n}', [(2, 1)]),
        ("{}", [(1, 1)]),
        ('{"pegs": 4, "colors": 6,\n "guesses": [[1, 1, 2, 2]], "scores": [[1, 1]]}', [(1, 1)]),
        ('{"game": "4x6"}', [(1, 1)]),
        ('{"game":\n"4x7q", "rows": []}', [(2, 1)]),
        ('{"mmsat": 2, "game": 7,\n "rows": {}}', [(1, 11), (1, 22), (2, 10)]),
        ('{"mmsat": true, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        ('{"mmsat": 1.0, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        ('{"mmsat": null, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        (HEAD.replace('"pegs": 2', '"pegs": true') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": 2.0') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": NaN') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": 100001, "peg": 2') + "]}", [(1, 31), (1, 46)]),
        (HEAD.replace("3}", '3, "score": "w", "repeats": 0}') + "]}", [(1, 56), (1, 72)]),
        (HEAD.replace("3}", '3, "score": null}') + "]}", [(1, 56)]),
        (HEAD.replace("3}", '1, "repeats": false}') + "]}", [(1, 22)]),
        (
            HEAD + '{"guess": [1, 4],\n "black": -1, "white": 1000000}]}',
            [(2, 15), (3, 11), (3, 24)],
        ),
        (
            HEAD + '{"guess": [1, true],\n "black": 1.0, "white": true}]}',
            [(2, 15), (3, 11), (3, 25)],
        ),
        (
            HEAD + '{"guess": [0, 1, 2],\n "black": "1", "white": []}]}',
            [(2, 11), (2, 12), (3, 11), (3, 25)],
        ),
        (HEAD + '{"guess": "14", "black": 1},\n 7, null]}', [(2, 1), (2, 11), (3, 2), (3, 5)]),
        (HEAD + '{"guess": [1, 1], "black": 1, "white": 1, "color": 1}]}', [(2, 52)]),
        (HEAD + '{"guess": [1, 1], "black": 1' + "0" * 4000 + ', "white": 1}]}', [(2, 28)]),
    ],
}
TABLE = [
    pytest.param(text, expected, id=f"{kind}-{number}")
    for kind, cases in LINES.items()
    for number, (text, expected) in enumerate(cases, 1)
]
TEXTS = [pytest.param(case.values[0], id=case.id) for case in TABLE]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_every_fault_has_its_line_and_column(text, expected):
    assert places(text) == expected


@pytest.mark.parametrize("text", TEXTS)
def test_every_fault_states_the_rule_and_the_fix(text):
    for fault in faults_of(text):
        assert fault.expected
        assert fault.place.startswith(f"line {fault.line}, column {fault.column}")
        if isinstance(fault, UnknownName):
            assert str(fault).startswith(f"No such game {fault.found!r}. ")
            continue
        assert str(fault).startswith(f"expected {fault.expected}, found ")
        if fault.found is not None and len(repr(fault.found)) < 100:
            described = isinstance(fault.found, Description)
            shown = fault.found if described else repr(fault.found)
            found = "nothing" if fault.found == "" else shown
            assert f"found {found}" in str(fault)


@pytest.mark.parametrize("text", [text for text, _ in LINES["guesses"]])
def test_the_faults_of_a_guess_have_the_same_columns_in_a_file(text):
    game, row = text.split("/")
    in_file = places(f"# the same\n{game}\n  {row}\n")
    assert in_file == [(3, column - len(game) - 1 + 2) for _, column in places(text)]


def test_json_that_is_too_deep_or_too_long_is_a_fault():
    step = 100 // share(100)
    for depth in [*range(100, 1100, 7 * step), *range(960, 1005, step), 100_000]:
        assert places("[" * depth + "]" * depth)
        assert places('{"mmsat": 1, "rows": [], "game": ' + "[" * depth + "]" * depth + "}")
        assert places('{"a": ' * depth + "1" + "}" * depth)
    assert places(HEAD + "1" * 5000 + "]}") == [(1, 1)]


def test_the_constructor_of_boards_reports_every_bad_row():
    rows = (Row((0, 1), (0, 0)), Row((0, 3), (0, 0)), Row((0,), (0,)), Row((True, 0), (0, -1)))
    with pytest.raises(InputError) as caught:
        Board(Game(2, 3), rows)
    assert [fault.place for fault in caught.value.faults] == [
        "guess of row 2",
        "guess of row 3",
        "score of row 3",
        "guess of row 4",
        "score of row 4",
    ]
    with pytest.raises(InputError) as caught:
        Board("4x6", [("1122", "1.1")]).with_row("112", "1")
    assert [fault.place for fault in caught.value.faults] == ["guess of row 2", "score of row 2"]


@pytest.mark.parametrize(
    "make",
    [lambda: Game("4x6"), lambda: Game("mastermind"), lambda: Board("4x6/1122=1.1")],
)
def test_text_in_place_of_numbers_names_the_function_that_reads_it(make):
    with pytest.raises(InputError, match=r"use mmsat\.(Game|Board)\.parse"):
        make()
    assert str(inspect.signature(Game)).startswith("(pegs: 'int', colors: 'int', space")


@pytest.mark.parametrize("wrong", ["nonsense", None, 3])
def test_classes_that_have_a_board_read_it(wrong):
    for make in (mmsat.Codes, mmsat.State, mmsat.SeveralBoards, mmsat.Round):
        with pytest.raises(InputError):
            make(wrong)
    assert mmsat.Codes("4x6").board == mmsat.State("4x6").board == Board("4x6")
    assert mmsat.SeveralBoards(["4x6"]) == mmsat.SeveralBoards.of(["4x6"])


@pytest.mark.parametrize(
    "size", [(0, 1), (1, 0), (1, 1001), (100_001, 1), (True, 1), (1.0, 1), ("4", 6)]
)
def test_a_game_of_another_size_is_an_input_error(size):
    with pytest.raises(InputError):
        Game(*size)


REPLACEMENTS = {
    "=1.": "=x.",
    "1122": "1172",
    "=1.1": "",
    "=1.2": "=1.2.3",
    "1123=": "112=",
    "0.": "0.y",
}
GOOD_ROWS = "1122=1.1", "1123=1.2", "3345=0.2", "1122=1.0"


def broken(row):
    """Return each bad row that one of the replacements makes of a good row."""
    return [row.replace(good, bad) for good, bad in REPLACEMENTS.items() if good in row]


@given(data=st.data(), rows=st.lists(st.sampled_from(GOOD_ROWS), min_size=1, max_size=8))
def test_each_broken_row_has_its_position(data, rows):
    bad_rows = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    rows_with_bad_ones = [
        data.draw(st.sampled_from(broken(row))) if n in bad_rows else row
        for n, row in enumerate(rows)
    ]
    lines = [line for line, _ in places("\n".join(["4x6", *rows_with_bad_ones]))]
    assert sorted(set(lines)) == [n + 2 for n in sorted(bad_rows)]

    starts = [4]
    for row in rows_with_bad_ones:
        starts.append(starts[-1] + len(row) + 1)
    columns = [column for _, column in places("/".join(["4x6", *rows_with_bad_ones]))]
    rows_with_faults = {
        n for n in range(len(rows)) for c in columns if starts[n] < c <= starts[n + 1]
    }
    assert rows_with_faults == bad_rows


BAD_VALUES = [
    ("guess", 7),
    ("guess", [9]),
    ("black", "1"),
    ("white", True),
    ("black", 1.5),
    ("x", 1),
]


@given(board=boards(max_rows=8).filter(lambda board: board.rows), data=st.data())
def test_each_broken_row_of_a_document_has_its_position(board, data):
    bad_rows = data.draw(st.sets(st.integers(0, len(board.rows) - 1), min_size=1))
    document = board.to_dict()
    for n in bad_rows:
        key, value = data.draw(st.sampled_from(BAD_VALUES))
        document["rows"][n][key] = value if value != [9] else [*document["rows"][n]["guess"], 1]
    rows = ",\n".join(map(json.dumps, document["rows"]))
    head = f'{{"mmsat": 1, "game": {json.dumps(document["game"])}, "rows": [\n'
    lines = {line for line, _ in places(f"{head}{rows}]}}")}
    assert lines == {n + 2 for n in bad_rows}


def read_or_refuse(text):
    """Check that a text is a printable board or an input error with a message."""
    error = None
    try:
        board = Board.parse(text)
    except InputError as refusal:
        error = refusal
    if error is None:
        assert Board.parse(str(board)) == board
        # parse does not validate the rows that were read; the constructor does.
        assert Board(board.game, board.rows, board.known, board.conventions) == board
    else:
        assert error.faults
        assert all(fault.line and fault.column for fault in error.faults)
        assert str(error)


@given(text=st.one_of(st.text(), st.text(alphabet="0123456789xXbw!/=.,:?-#\n\r\t ABab{}[]\"'")))
def test_any_text_is_a_board_or_an_input_error(text):
    read_or_refuse(text)
    read_or_refuse("4x6\n" + text)
    read_or_refuse("4x6/" + text)
    read_or_refuse('{"mmsat": 1, ' + text)


@given(data=st.binary())
def test_any_bytes_are_text_or_an_input_error(data):
    """UTF-8 text is preserved except for line ends. Marked data may have another encoding."""
    is_marked = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    try:
        read = decode(data, "a file")
    except InputError:
        assert text is None or is_marked
    else:
        lines = None if text is None else text.replace("\r\n", "\n").replace("\r", "\n")
        assert is_marked or read == lines


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["mmsat", "game", "rows", "pegs", "colors", "guess", "black", "white", "score"]
                ),
                inner,
            )
        ),
        max_leaves=10,
    )
)
def test_any_json_is_a_board_or_an_input_error(value):
    read_or_refuse(json.dumps({"mmsat": 1, "game": {"pegs": 1, "colors": 2}, "rows": [value]}))
    read_or_refuse(json.dumps({"mmsat": 1, "game": value, "rows": value}))
    read_or_refuse(json.dumps({"mmsat": value, "game": value, "rows": []}))
    read_or_refuse(json.dumps(value))


@pytest.mark.parametrize("notation", PRINTERS)
@given(board=boards(max_rows=3), seed=st.integers(0, 2**32))
def test_a_mutated_board_is_a_board_or_an_input_error(notation, board, seed):
    rng = random.Random(seed)
    text = list(PRINTERS[notation](board)[:400])
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text))
        text[start : start + rng.randint(0, 3)] = rng.choice(
            ["", "=", "/", "\n", "?", "-", '"', "9", "{"]
        )
        text = text or [""]
    read_or_refuse("".join(text))


def test_a_repeated_json_key_is_a_fault_at_its_last_value():
    text = '{"mmsat": 1, "game": {"pegs": 4, "colors": 6},\n "rows": [],\n "rows": [], "mmsat": 1}'
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    faults = caught.value.faults
    assert [(fault.line, fault.column, fault.found) for fault in faults] == [
        (3, 10, "rows"),
        (3, 23, "mmsat"),
    ]


def test_digits_in_a_game_of_letters_are_one_fault():
    (fault,) = faults_of("4x12!/1234=1.1")
    assert (fault.column, fault.found, fault.expected) == (7, "1234", "A for 1, B for 2, and so on")


def only_fault(text):
    (fault,) = faults_of(text)
    return fault


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("moo/12a4=1.1", ["digit", "0 to 9"], None),
        ("kids/127=1.1", ["animal", "1 to 6"], None),
        ("walt-disney/126=1.1", ["character", "1 to 5"], None),
        ("word/12AB=1.1", ["letter", "A to Z"], None),
        ("jotto/CRANES=1", ["5 letters"], "5 letters, not 6"),
        ("jotto/12345=1", ["letters", "A to Z"], "A for 1, B for 2, and so on"),
        ("grand/1A2B3C9Z=1.1.1", ["pair", "color 1 to 5 and shape A to E"], None),
        ("grand/1A2B3C=1.1.1", ["4 pairs"], "4 pairs, not 3"),
        ("grand/1A2B3C4D=1.1", ["3 numbers: black, white and blue"], "1.1.1"),
        ("daily-word/CRANE=GG", ["5 marks", "G in place", "Y elsewhere", "- absent"], "-YG-Y"),
        ("secret-search-3/CAT=RL4", ["E earlier", "L later", "R right"], "a mark"),
        ("jotto/CRANE=1.2", ["1 number: color"], "1"),
        ("super-blanks/12345678_=1.1", ["5 colors"], "5 colors, not 9"),
        ("grannd/", ["No such game"], "grand"),
        ("dayly-word/CRANE=GGGGG", ["No such game"], "daily-word"),
    ],
)
def test_errors_use_the_terms_of_the_game(text, words, hint):
    faults = faults_of(text)
    for word in words:
        assert all(word in str(fault) for fault in faults)
    assert all(hint is None or hint in str(fault) for fault in faults)


@pytest.mark.parametrize(
    ("text", "similar_word"),
    [
        ("secret-search-5/CRANF=known", "CRANE"),
        ("secret-search-5/3-18-1-14-6=known", "CRANE"),
        ("jotto/HOUSF=known", "HOUSE"),
    ],
)
def test_the_error_for_a_word_outside_the_list_suggests_similar_words(text, similar_word):
    fault = only_fault(text)
    assert similar_word in fault.expected.split(" or ")
    assert len(fault.expected.split(" or ")) == 3
    assert fault.column == text.index("/") + 2


GAME = '{"mmsat": 1,\n "game":\n'
DEFINITIONS = [
    ('{"pegs": 3,\n"colors": 0,\n"score": "bw"}', [(4, 11), (5, 10)]),
    ('{"pegs": 3, "colors": 3,\n"repeats": 1, "noun": "big wheel"}', [(4, 12), (4, 23)]),
    ('{"pegs": 3, "colors": 3,\n"symbols": "aAb"}', [(4, 12)]),
    ('{"pegs": 3, "colors": 3,\n"symbols": "ab"}', [(4, 12)]),
    ('{"pegs": 3, "colors": 3,\n"symbols": "a-b"}', [(4, 12)]),
    ('{"pegs": 3, "colors": 3,\n"symbols": 123}', [(4, 12)]),
    ('{"pegs": 3, "colors": 3,\n"guesses": "any"}', [(4, 12)]),
    ('{"pegs": 3, "colors": 3,\n"guesses": "all", "words": ["abc"]}', [(4, 12)]),
    ('{"pegs": 3,\n"attributes": {"a": 2, "b": 2}}', [(4, 15)]),
    ('{"pegs": 3, "score": "pairs"}', [(3, 1)]),
    ('{"pegs": 3, "score": "pairs",\n"attributes": {"a": 2}}', [(4, 15)]),
    ('{"pegs": 3, "score": "pairs",\n"attributes": {"a": "12", "b": "2-"}}', [(4, 15)]),
    ('{"pegs": 3, "score": "pairs",\n"attributes": {"a": "12", "b": 2}}', [(4, 15)]),
    ('{"pegs": 3, "score": "pairs",\n"attributes": {"a": 2, "b": 2}, "colors": 5}', [(4, 43)]),
    ('{"pegs": 3, "score": "pairs", "attributes": [1, 2]}', [(3, 45)]),
    ('{"name": "game:x", "pegs": 3,\n"words": ["abc", "ab", "a-c", "xyz"]}', [(4, 18), (4, 24)]),
    ('{"name": "game:x", "pegs": 3,\n"words": 7}', [(4, 10)]),
    ('{"name": "game:x", "pegs": 3,\n"words": ["abc", 7]}', [(4, 10)]),
    ('{"name": "game:x", "pegs": 3,\n"words": []}', [(4, 10)]),
    ('{"name": "game:x", "pegs": 3,\n"words": "no/such/list.txt"}', [(4, 10)]),
    ('{"name": "game:x", "pegs": 3,\n"words": ["abc"], "repeats": false}', [(4, 30)]),
    ('{"pegs": 3, "colors": 4,\n"turns": [12, 0, "6"], "title": ""}', [(4, 15), (4, 18), (4, 33)]),
    ('{"pegs": 3, "colors": 4, "wheels": 4}', [(3, 36)]),
    ('{"name":\n"4x6", "pegs": 4, "symbols": "654321"}', [(4, 1)]),
    ('{"name":\n"a/b=c", "pegs": 4, "symbols": "654321"}', [(4, 1)]),
    ('{"name":\n"super", "pegs": 4, "colors": 6}', [(4, 1)]),
    ('{"name":\n"supper"}', [(4, 1)]),
    ('{"name":\n7}', [(4, 1)]),
]


@pytest.mark.parametrize(("game", "expected"), DEFINITIONS)
def test_the_faults_of_a_definition_have_their_places(game, expected):
    assert places(f'{GAME}{game},\n"rows": []}}') == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('{"guess": "CRANE", "marks": ["G", "q", null, "Y", "-"]}', 1),
        ('{"guess": "CRANE", "marks": ["G", "Y"]}', 1),
        ('{"guess": "CRANE", "marks": 22000}', 1),
        ('{"guess": "CRANE", "marks": "G-Y-"}', 1),
        ('{"guess": "CRANE", "marks": ["G", "YY", "-", "-", "-"]}', 1),
        ('{"guess": "CR4NE", "marks": ["G", 1, "-", "-", "-"]}', 2),
        ('{"guess": [1, 2, 3, 4, 27], "marks": []}', 2),
        ('{"guess": "CRANE", "black": 1}', 2),
        ('{"guess": "CRANE"}', 1),
    ],
)
def test_the_faults_of_marks_in_a_document_are_in_their_row(row, expected):
    text = f'{{"mmsat": 1, "game": {{"name": "daily-word"}}, "rows": [\n{row}]}}'
    assert [line for line, _ in places(text)] == [2] * expected


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change to a folder for custom files, so that names are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILES = {
    "own.toml": b'pegs = 3\nsymbols = "RGB_"\n',
    "words.txt": b"cat\ndog\n",
    "listed.toml": b'pegs = 3\nwords = "words.txt"\n',
}


@pytest.mark.parametrize(
    "text",
    [
        "game:own.toml/RGB=1.1",
        "word:words.txt/cat=1.1",
        "word:words.txt:3",
        "game:own.toml\nRGB 1 1\n",
        "# c\ngame:listed.toml/CAT=1.1\n",
        "word:words.txt\ncat 1 1\n",
        '{"mmsat": 1, "game": {"name": "game:own.toml"}, "rows": []}',
        '{"mmsat": 1, "game": {"name": "word:words.txt"}, "rows": []}',
        '{"mmsat": 1, "game": {"name": "game:x", "pegs": 3, "words": "words.txt"}, "rows": []}',
    ],
)
def test_files_are_not_read_for_untrusted_input(folder, text):
    for file, content in FILES.items():
        (folder / file).write_bytes(content)
    assert isinstance(Board.parse(text), Board)
    with pytest.raises(InputError) as caught:
        Board.parse(text, files=False)
    (fault,) = caught.value.faults
    assert fault.rule == "files are not read for this input"


@pytest.mark.parametrize(
    ("content", "source", "column"),
    [
        (b"", "the board", 1),
        (b"\n\n\r\n", "the board", 1),
        (b"\xff\xfe", "the board", 1),
        (b"cat\nhorse\n", "the board", 1),
        (b"123\n45\n", "the board", 1),
        (b"caf\xe9\n", "words.txt", 4),
    ],
)
def test_a_bad_list_of_words_is_an_input_error(folder, content, source, column):
    (folder / "words.txt").write_bytes(content)
    with pytest.raises(InputError) as caught:
        Board.parse("word:words.txt/CAT=1.1")
    (fault,) = caught.value.faults
    assert (caught.value.source, fault.line, fault.column) == (source, 1, column)
    (folder / "listed.toml").write_bytes(FILES["listed.toml"])
    if b"cat" not in content:
        assert faults_of("game:listed.toml/CAT=1.1")


def test_the_name_of_a_folder_is_an_input_error(folder):
    (folder / "sub").mkdir()
    for text in ("word:sub/CAT=1.1", "word:sub:3/CAT=1.1", "game:sub/CAT=1.1", "game:sub/"):
        assert only_fault(text).column == 1


@pytest.mark.parametrize(
    ("content", "num_faults"),
    [
        (b'pegs = "4"\nscore = "blck"\nrepeats = 1\nfoo = 2\nturns = [0, "x"]\n', 6),
        (b'{"pegs": "4",\n "score": "blck",\n "repeats": 1, "foo": 2, "turns": [0, "x"]}', 6),
        (b"pegs = [\n", 1),
        (b'{"pegs": 4,\n', 1),
        (b"\xff", 1),
        (b"", 1),
        (b"[]", 1),
        (b"pegs = 4\n", 1),
        (b"pegs = 4\npegs = 5\ncolors = 3\n", 1),
        (b'{"pegs": 4, "pegs": 5, "colors": 3}', 1),
        (b"pegs = 1979-05-27\ncolors = inf\n", 2),
        (b"pegs = " + b"[" * 5000, 1),
        (b'{"pegs": ' + b"[" * 100_000, 1),
        (b'{"pegs": ' + b"[" * 5000 + b"]" * 5000 + b"}", 1),
        (b"pegs = " + b"1" * 5000, 1),
        (b'pegs = 3\nwords = "nowhere.txt"\n', 1),
        (b'pegs = 3\nsymbols = "RGB "\nnoun = "Wheel"\n', 1),
    ],
)
def test_the_error_for_a_bad_definition_in_a_file_lists_every_fault(folder, content, num_faults):
    (folder / "own").write_bytes(content)
    faults = faults_of("game:own/1122=1.1")
    assert len(faults) == num_faults
    assert all(fault.line and fault.column for fault in faults)


@pytest.mark.parametrize("suffix", ["toml", "json"])
@given(data=st.data())
def test_any_definition_is_a_game_or_an_input_error(suffix, data):
    values = st.one_of(
        st.none(), st.booleans(), st.integers(-1, 7), st.text("ab12-", max_size=4),
        st.sampled_from(["pairs", "order", "words", "any", "letter", "english", "abc"]),
        st.lists(st.text("ab", min_size=1, max_size=2), max_size=3),
        st.dictionaries(st.text("ab", max_size=1), st.integers(1, 3) | st.text("xy", max_size=2)),
    )  # fmt: skip
    keys = st.sampled_from(
        ["pegs", "colors", "repeats", "score", "attributes", "symbols", "noun", "words", "guesses"]
    )
    definition = data.draw(st.dictionaries(keys, values)) | data.draw(
        st.sampled_from([{}, {"pegs": 2}, {"pegs": 2, "colors": 3}])
    )
    if suffix == "json":
        text = json.dumps(definition)
    else:
        definition = {key: value for key, value in definition.items() if value is not None}
        text = "\n".join(f"{key} = {toml(value)}" for key, value in definition.items())
    refusal = None
    try:
        board = Board(define(text, "a file", name="game:x"))
    except InputError as error:
        refusal = error
    if refusal is None:
        assert Board.parse(json.dumps(board.to_dict())) == board
    else:
        assert refusal.faults
        assert all(fault.line and fault.column for fault in refusal.faults)


def toml(value):
    """Return a value in TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {toml(entry)}' for key, entry in value.items()) + "}"
    return json.dumps(value)


def test_a_fault_in_many_places_is_one_message():
    """Its places are listed; fewer than four faults have a line each."""
    with pytest.raises(InputError) as caught:
        Board.parse("4x6\n" + "1127=1.1\n" * 3 + "11=1.1\n" * 6)
    text = str(caught.value).splitlines()
    assert len(caught.value.faults) == 9
    assert len(text) == 4
    assert text[3].startswith("the board, line 5, column 1: expected 4 colors")
    assert text[3].endswith("the same fault in line 6, line 7, line 8, line 9 and line 10")
    with pytest.raises(InputError) as caught:
        Board.parse("4x6\n" + "[\n" * 5000)
    assert len(caught.value.faults) == 5000
    (text,) = str(caught.value).splitlines()
    assert text.endswith(f"and {4999 - MAX_PRINTED_FAULTS:,} other lines")


def test_a_message_lists_some_faults_and_counts_the_others():
    """The message of an error is short, but its `faults` are complete."""
    with pytest.raises(InputError) as caught:
        raise InputError(Fault(str(number), number, "less") for number in range(5000))
    text = str(caught.value).splitlines()
    assert len(caught.value.faults) == 5000
    assert len(text) == MAX_PRINTED_FAULTS + 1
    assert text[-1] == f"the board: and {5000 - MAX_PRINTED_FAULTS:,} more faults"


def test_too_many_marks_are_one_fault():
    assert places("5x26p/CRANE=" + "[" * 5000) == [(1, 13)]


@pytest.mark.parametrize(
    ("game", "text"), [("daily-word", "SALET"), ("4x10d", "AABC"), ("lingo", "ZZZZZ")]
)
def test_the_error_for_an_invalid_known_code_shows_its_text(game, text):
    expected = f"the board, known code 1: expected a code of the game {game}, found '{text}'"
    with pytest.raises(InputError) as caught:
        Board.parse(f"{game}/{text}=known")
    assert str(caught.value) == expected


def test_the_error_for_a_shared_grid_names_the_command_that_reads_it():
    text = "Wordle 1,234 2/6\n\n\u2b1b\U0001f7e8\u2b1b\u2b1b\u2b1b\n" + 5 * "\U0001f7e9" + "\n"
    assert "mmsat audit FILE --game daily-word" in str(only_fault(text))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("5x7 13147 1 0", 1, "did you mean 5x7/13147=1.0?"),
        ("4x6 1122 1 1 3345 0 2", 1, "did you mean 4x6/1122=1.1/3345=0.2?"),
        ("4x6 1122 11 3345 02", 5, "a slash or a new line after the game"),
        ("wordle stare x", 8, "a slash or a new line after the game"),
    ],
)
def test_a_line_without_slashes_is_corrected_or_the_slash_is_named(text, column, message):
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    assert [fault.column for fault in caught.value.faults] == [column]
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text", ["[12:01] bob guessed 1122 -> 1 black", "[([1, 3, 1, 4], (1, 0))]"]
)
def test_a_bracket_alone_does_not_make_a_text_json(text):
    with pytest.raises(InputError, match="the game in the first line"):
        Board.parse(text)
