"""Bad input: every fault at once, each with its line and column, and no other exception ever."""

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
from tests.strategies import boards

HEAD = '{"mmsat": 1, "game": {"pegs": 2, "colors": 3}, "rows": [\n'


def faults_of(text):
    with pytest.raises(InputError) as caught:
        parse(text)
    return caught.value.faults


def places(text):
    return [(fault.line, fault.column) for fault in faults_of(text)]


LINES = {
    "no game": [("", [(1, 1)]), ("/1122=1.1", [(1, 1)]), ("  x6/1122=1.1", [(1, 3)])],
    "sizes": [
        ("0x6/1122=1.1", [(1, 1)]),
        ("0x0", [(1, 1), (1, 1)]),
        ("1001x1001", [(1, 1), (1, 1)]),
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
        ("4x6/AAG?=1.1", [(1, 7), (1, 8)]),
        ("2x30/1-31=1.1", [(1, 8)]),
        ("2x30/AB=1.1", [(1, 6), (1, 6)]),
        ("1x30/31=1.1", [(1, 6)]),
        ("4x6/\u0661122=1.1", [(1, 5)]),
    ],
    "scores": [
        ("4x6/1122=1", [(1, 10)]),
        ("4x6/1122=1.1.1", [(1, 10)]),
        ("4x6/1122=x.1", [(1, 10)]),
        ("4x6/1122=x.y", [(1, 10), (1, 12)]),
        ("4x6/1122=1.-1", [(1, 12)]),
        ("4x6/1122=1.10000", [(1, 12)]),
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
        ("{}", [(1, 1)] * 3),
        ('{"mmsat": 2, "game": 7,\n "rows": {}}', [(1, 11), (1, 22), (2, 10)]),
        ('{"mmsat": true, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        ('{"mmsat": 1.0, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        ('{"mmsat": null, "game": {"pegs": 2, "colors": 2}, "rows": []}', [(1, 11)]),
        (HEAD.replace('"pegs": 2', '"pegs": true') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": 2.0') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": NaN') + "]}", [(1, 31)]),
        (HEAD.replace('"pegs": 2', '"pegs": 1001, "peg": 2') + "]}", [(1, 31), (1, 44)]),
        (HEAD.replace("3}", '3, "score": "w", "repeats": 0}') + "]}", [(1, 56), (1, 72)]),
        (HEAD.replace("3}", '3, "score": null}') + "]}", [(1, 56)]),
        (HEAD.replace("3}", '1, "repeats": false}') + "]}", [(1, 22)]),
        (HEAD + '{"guess": [1, 4],\n "black": -1, "white": 10000}]}', [(2, 15), (3, 11), (3, 24)]),
        (
            HEAD + '{"guess": [1, true],\n "black": 1.0, "white": true}]}',
            [(2, 15), (3, 11), (3, 25)],
        ),
        (
            HEAD + '{"guess": [0, 1, 2],\n "black": "1", "white": []}]}',
            [(2, 11), (2, 12), (3, 11), (3, 25)],
        ),
        (HEAD + '{"guess": "12", "black": 1},\n 7, null]}', [(2, 1), (2, 11), (3, 2), (3, 5)]),
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
def test_every_fault_tells_the_rule_and_what_to_write(text):
    for fault in faults_of(text):
        assert fault.rule
        assert fault.write
        assert f"line {fault.line}, column {fault.column}: {fault.rule}" in str(fault)
        if fault.got is not None:
            assert repr(fault.got) in str(fault)


@pytest.mark.parametrize("text", [text for text, _ in LINES["guesses"]])
def test_a_guess_is_as_wrong_in_a_file_as_in_a_line(text):
    game, row = text.split("/")
    in_file = places(f"# the same\n{game}\n  {row}\n")
    assert in_file == [(3, column - len(game) - 1 + 2) for _, column in places(text)]


def test_what_is_too_deep_or_too_long_for_json_is_a_fault():
    for depth in [*range(100, 1100, 7), *range(960, 1005), 100_000]:
        assert places("[" * depth + "]" * depth)
        assert places('{"mmsat": 1, "rows": [], "game": ' + "[" * depth + "]" * depth + "}")
        assert places('{"a": ' * depth + "1" + "}" * depth)
    assert places(HEAD + "1" * 5000 + "]}") == [(1, 1)]


def test_boards_made_by_hand_list_every_bad_row():
    rows = (Row((0, 1), (0, 0)), Row((0, 3), (0, 0)), Row((0,), (0,)), Row((True, 0), (0, -1)))
    with pytest.raises(InputError) as caught:
        Board(Game(2, 3), rows)
    said = [str(fault) for fault in caught.value.faults]
    numbers = [fault.partition(":")[0] for fault in said]
    assert numbers == ["row 2", "row 3", "row 3", "row 4", "row 4"]


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (1001, 1), (True, 1), (1.0, 1), ("4", 6)])
def test_a_game_of_another_size_is_an_input_error(size):
    with pytest.raises(InputError):
        Game(*size)


BREAKS = {"=1.": "=x.", "1122": "1172", "=1.1": "", "=1.2": "=1.2.3", "1123=": "112=", "0.": "0.y"}
GOOD = "1122=1.1", "1123=1.2", "3345=0.2", "1122=1.0"


def broken(row):
    """Every way to spoil a row by one of the breaks."""
    return [row.replace(good, bad) for good, bad in BREAKS.items() if good in row]


@given(data=st.data(), rows=st.lists(st.sampled_from(GOOD), min_size=1, max_size=8))
def test_so_many_broken_rows_give_so_many_places(data, rows):
    bad = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1))
    spoiled = [
        data.draw(st.sampled_from(broken(row))) if n in bad else row for n, row in enumerate(rows)
    ]
    lines = [line for line, _ in places("\n".join(["4x6", *spoiled]))]
    assert sorted(set(lines)) == [n + 2 for n in sorted(bad)]

    starts = [4]
    for row in spoiled:
        starts.append(starts[-1] + len(row) + 1)
    columns = [column for _, column in places("/".join(["4x6", *spoiled]))]
    hit = {n for n in range(len(rows)) for c in columns if starts[n] < c <= starts[n + 1]}
    assert hit == bad


SPOILS = [("guess", 7), ("guess", [9]), ("black", "1"), ("white", True), ("black", 1.5), ("x", 1)]


@given(board=boards(max_rows=8).filter(lambda board: board.rows), data=st.data())
def test_so_many_broken_rows_of_a_document_give_so_many_places(board, data):
    bad = data.draw(st.sets(st.integers(0, len(board.rows) - 1), min_size=1))
    document = board.to_json()
    for n in bad:
        key, value = data.draw(st.sampled_from(SPOILS))
        document["rows"][n][key] = value if value != [9] else [*document["rows"][n]["guess"], 1]
    rows = ",\n".join(map(json.dumps, document["rows"]))
    head = f'{{"mmsat": 1, "game": {json.dumps(document["game"])}, "rows": [\n'
    lines = {line for line, _ in places(f"{head}{rows}]}}")}
    assert lines == {n + 2 for n in bad}


def read_or_refuse(text):
    """A text must be a board that prints, or an input error that can say what it means."""
    error = None
    try:
        board = parse(text)
    except InputError as refusal:
        error = refusal
    if error is None:
        assert parse(str(board)) == board
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
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        with pytest.raises(InputError):
            decode(data, "a file")
    else:
        assert decode(data, "a file").encode() == data.removeprefix(b"\xef\xbb\xbf")


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
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 3)] = rng.choice(
            ["", "=", "/", "\n", "?", "-", '"', "9", "{"]
        )
        text = text or [""]
    read_or_refuse("".join(text))


def test_a_repeated_json_key_is_a_fault_at_its_last_value():
    text = '{"mmsat": 1, "game": {"pegs": 4, "colors": 6},\n "rows": [],\n "rows": [], "mmsat": 1}'
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    faults = caught.value.faults
    assert [(fault.line, fault.column, fault.got) for fault in faults] == [
        (3, 10, "rows"),
        (3, 23, "mmsat"),
    ]


def test_digits_where_letters_are_meant_are_one_fault():
    (fault,) = faults_of("4x10!/1234=1.1")
    assert (fault.column, fault.got, fault.write) == (7, "1234", "A for 1, B for 2, and so on")
