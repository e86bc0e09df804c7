"""Tables of games, with columns of any common name and order, and with faults."""

from __future__ import annotations

import itertools
import json
import random

import pytest

import mmsat
from mmsat.errors import InputError
from tests.support import tiers
from tests.support.cli_runner import fault_lines, run
from tests.support.random_boards import random_secret

BOARD = "4x6/1122=1.1/3345=0.2"
ROWS = [("1", "1122", "1", "1"), ("2", "3345", "0", "2")]


def audit(folder, text, *, name="log.csv", **options):
    """Return the boards by id, and the faults, of a log of this text."""
    log, out = folder / name, folder / "out.jsonl"
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    mmsat.audit([str(log)], str(out), **options)
    texts = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    rejected = folder / "out.jsonl.rejected.jsonl"
    faults = rejected.read_text("utf-8").splitlines() if rejected.exists() else []
    out.unlink()
    rejected.unlink(missing_ok=True)
    lines = [json.loads(line)["fault"].replace(f"{log}, ", "") for line in faults]
    return [(entry["id"], entry["board"]) for entry in texts], lines


def refusal(folder, text, **options):
    """Return the error of a table whose columns cannot be understood."""
    with pytest.raises(InputError) as caught:
        audit(folder, text, **options)
    assert [path.name for path in folder.iterdir()] == ["log.csv"]
    return str(caught.value).replace(f"{folder}/", "").splitlines()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("head", ["", "sep={0}\n", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_separators_encodings_and_line_ends_are_read(tmp_path, separator, head, encoding, end):
    head = head.format(separator)
    rows = [("Turn", " guess ", "Black", "WHITE", "player")]
    rows += [(turn, f'"{guess}"', f" {black}", white, "Ann") for turn, guess, black, white in ROWS]
    text = head + "".join(separator.join(row) + "\n" for row in rows)
    data = text.replace("\n", end).encode(encoding)
    assert audit(tmp_path, data, game="4x6") == ([("", BOARD)], [])
    boards = f"{head} ID {separator}Board\n7{separator} {BOARD} \n"
    data = boards.replace("\n", end).encode(encoding)
    assert audit(tmp_path, data) == ([("7", BOARD)], [])


@pytest.mark.parametrize(
    "header",
    [
        "game,turn,guess,black,white",
        "id,turn,guess,black,white",
        "Game ID,Guess Number,Guess,Bulls,Cows",
        "gameId,guess_no,GUESS,hits,misplaced",
        "game_id,guess #,guess,Blacks,Whites",
        "match,attempt,guess,black pegs,white pegs",
        "GAME_ID,#,Guess,bull,cow",
    ],
)
def test_common_names_of_columns_are_recognized(tmp_path, header):
    """Columns and rows can have any order."""
    table = [[f"g{game}", *row] for game in (2, 1) for row in ROWS]
    rng = random.Random(header)
    for order in rng.sample([*itertools.permutations(range(5))], 8):
        rng.shuffle(table)
        lines = [header.split(","), *table]
        text = "".join(",".join(line[place] for place in order) + "\n" for line in lines)
        games = list(dict.fromkeys(line[0] for line in table))
        assert audit(tmp_path, text, game="4x6") == ([(game, BOARD) for game in games], [])


@pytest.mark.parametrize("name", ["score", "Feedback", "marks", "response", "Result"])
def test_a_column_can_contain_whole_scores(tmp_path, name):
    text = f"game,guess,{name}\n1,1122,1.1\n1,3345,0 2\n"
    assert audit(tmp_path, text, game="4x6") == ([("1", BOARD)], [])
    text = f'word,{name}\ncrane,"-Y--G"\nTRUCE,🟩🟩🟩🟩🟩\ncrane,-Y--G\n'
    boards = ["daily-word/CRANE=-Y--G/TRUCE=GGGGG", "daily-word/CRANE=-Y--G"]
    result = audit(tmp_path, text, game="daily-word")
    assert result == ([("", board) for board in boards], [])


def test_columns_with_other_names_get_their_role(tmp_path):
    """The columns `move` and `attempt` would both be the number of the guess."""
    rows = "".join(f"7;{guess};{turn};{black};{white}\n" for turn, guess, black, white in ROWS)
    text = f"session_id;move;attempt;hits;near\n{rows}"
    columns = {"guess": "move"}
    assert audit(tmp_path, text, game="4x6", columns=columns) == ([("7", BOARD)], [])
    (tmp_path / "log.csv").write_text(text.replace("near", "far"))
    settings = ("--game", "4x6", "--column", "guess=move", "--column", "white=far")
    out = tmp_path / "out.jsonl"
    assert run("audit", tmp_path / "log.csv", "-o", out, *settings).exit_code == 0
    assert json.loads(out.read_text("utf-8"))["board"] == BOARD


def test_columns_without_a_known_name_are_found(tmp_path):
    """The separator is known by the number of columns if no name is."""
    rows = "".join(f"7;{turn};{guess};{black};{white}\n" for turn, guess, black, white in ROWS)
    text = f"Spiel;Zug;Versuch;Schwarz;Weiss\n{rows}"
    columns = {"game_id": "Spiel", "guess": "Versuch", "black": "Schwarz", "white": "Weiss"}
    for separator in ";,\t|":
        data = text.replace(";", separator)
        assert audit(tmp_path, data, game="4x6", columns=columns) == ([("7", BOARD)], [])


def test_a_column_that_may_distinguish_games_is_named_if_no_other_does(tmp_path):
    log, out = tmp_path / "log.csv", tmp_path / "out.jsonl"
    table = "player,guess,bulls,cows\nann,1234,1,1\nann,5678,0,2\nbob,1234,2,0\n"
    settings = ("--game", "bulls-and-cows")
    for name in ("player", "team", "Spieler"):
        log.write_text(table.replace("player", name))
        result = run("audit", log, "-o", out, *settings)
        assert f"column {name!r} is not used" in result.stderr
        assert f"use --column id={name}" in result.stderr
        result = run("audit", log, "-o", out, *settings, "--column", f"id={name}")
        assert "not used" not in result.stderr
        assert len(out.read_text("utf-8").splitlines()) == 2
    for name in ("id", "turn", "match_id"):
        log.write_text(table.replace("player", name).replace("ann", "1").replace("bob", "2"))
        assert "not used" not in run("audit", log, "-o", out, *settings).stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("--column", "guess=none"), "there is no column 'none'"),
        (("--column", "guess"), "expected ROLE=NAME, such as guess=attempt"),
        (("--column", "gues=move"), "unknown role of a column"),
        (
            ("--column", "guess=move", "--column", "guess=turn"),
            "several columns for the role guess",
        ),
        (("--column", "guess=move", "--column", "turn=move"), "a column has one role"),
        ((), "--column guess=attempt"),
    ],
)
def test_roles_and_names_of_columns_are_checked(tmp_path, settings, words):
    log = tmp_path / "log.csv"
    log.write_text("id,turn,move,black,white\n1,1,1122,1,1\n")
    result = run("audit", log, "-o", tmp_path / "out.csv", "--game", "4x6", *settings)
    assert result.exit_code == 2
    assert words in result.stderr
    assert [*tmp_path.iterdir()] == [log]


def test_games_without_ids_start_at_first_turns_or_after_a_solved_game(tmp_path):
    first, second = "1,1122,1,1\n2,3345,0,2\n", "1,1234,4,0\n1,5,0,0\n"
    result = audit(tmp_path, f"turn,guess,black,white\n{first}{first}{second}", game="4x6")
    assert result[0] == [("", BOARD), ("", BOARD), ("", "4x6/1234=4.0")]
    assert result[1] == ["line 7: expected 4 colors, not 1, found '5'"]
    from_zero = "turn,guess,black,white\n0,1122,1,1\n1,3345,0,2\n0,1122,1,1\n"
    assert audit(tmp_path, from_zero, game="4x6")[0] == [("", BOARD), ("", "4x6/1122=1.1")]
    no_turns = "guess,black,white\n1122,1,1\n1234,4,0\n1122,1,1\n\n3345,0,2\n"
    boards = ["4x6/1122=1.1/1234=4.0", "4x6/1122=1.1", "4x6/3345=0.2"]
    assert audit(tmp_path, no_turns, game="4x6") == ([("", board) for board in boards], [])
    rules = "rules,guess,score\n4x6,1122,1.1\n4x6b,1122,1\n4x6,1122,1.1\n"
    boards = ["4x6/1122=1.1", "4x6b/1122=1", "4x6/1122=1.1"]
    assert audit(tmp_path, rules) == ([("", board) for board in boards], [])


@pytest.mark.parametrize("turn", [("turn,", "1,", "2,"), ("", "", "")])
def test_a_row_without_an_id_is_rejected_with_the_previous_game(tmp_path, turn):
    head, one, two = turn
    fault = "line 3: expected an id in column 'id', found nothing"
    rows = f"a,{one}1122,1,1\n,{two}3345,0,2\nb,{one}1234,4,0\n"
    result = audit(tmp_path, f"id,{head}guess,black,white\n{rows}", game="4x6")
    assert result == ([("b", "4x6/1234=4.0")], [fault])


def test_a_first_turn_without_an_id_starts_a_rejected_game(tmp_path):
    rows = "a,1,1122,1,1\n,1,3345,0,2\n,2,1122,1,1\n"
    result = audit(tmp_path, f"id,turn,guess,black,white\n{rows}", game="4x6")
    faults = [f"line {line}: expected an id in column 'id', found nothing" for line in (3, 4)]
    assert result == ([("a", "4x6/1122=1.1")], ["\n".join(faults)])


def test_a_game_with_too_many_guesses_is_rejected(tmp_path):
    """They may be a lost game and the next one. A published game has a maximum number of turns."""
    lost, head = "CRANE,-----\n" * 6, "guess,score\n"
    board, last = "/".join(["daily-word", *["CRANE=-----"] * 6]), "BIDDY,GGGGG\n"
    games = [("", board), ("", "daily-word/BIDDY=GGGGG")]
    assert audit(tmp_path, f"{head}{lost}\n{last}", game="daily-word") == (games, [])
    expected = "an empty line between games, or a column 'game_id'"
    rule = "a game of daily-word has 6 guesses"
    fault = f"line 8: expected {expected}, found 7 rows ({rule})"
    assert audit(tmp_path, f"{head}{lost}{last}", game="daily-word") == ([], [fault])


def test_a_column_game_has_rules_or_ids(tmp_path):
    """It has rules if all its values are games. Mixed values and two columns of ids are refused."""
    games = "game,id,guess,score\n4x6,a,1122,1.1\nsuper,b,11223,1.1\n4x6,a,3345,0.2\n"
    assert audit(tmp_path, games) == ([("a", BOARD), ("b", "5x8/11223=1.1")], [])
    ids = "game,rules,guess,score\n4x6,4x6,1122,1.1\n"
    assert audit(tmp_path, ids) == ([("4x6", "4x6/1122=1.1")], [])
    mixed = "game,guess,score\n1,1122,1.1\n4x6,1122,1.1\n"
    expected = "games such as 4x6 in all rows, or ids in all rows and --game"
    fault = f"expected {expected}, found '1' ('4x6' may be a game or an id)"
    assert refusal(tmp_path, mixed, game="4x6") == [f"log.csv, line 2: {fault}"]
    fault = (
        "expected a column 'game_id', found 'game' (the ids of the games may be in 'id' or 'game')"
    )
    two = "id,game,guess,score\n1,1,1122,1.1\n"
    assert refusal(tmp_path, two, game="4x6") == [f"log.csv, line 1: {fault}"]
    fault = "expected --game, such as --game 4x6, found 'game' (the values of 'game' are not games)"
    assert refusal(tmp_path, "game,guess,score\n1,1122,1.1\n") == [f"log.csv, line 1: {fault}"]
    both = "game_id,rules,guess,score\na,4x6,1122,1.1\nb,5x8,11223,1.1\n"
    assert audit(tmp_path, both, game="4x6") == (
        [("a", "4x6/1122=1.1")],
        ["line 3: expected 4x6, found '5x8' (the game differs from --game)"],
    )


NO_GAME = (
    "a column 'rules' with games such as 4x6, or the option --game 4x6 "
    "(the file does not name a game)"
)
NO_SCORE = "a column 'score', or one column per number of a score, such as 'black' and 'white'"
NOTHING = "a column 'board', or columns for guess and score, such as id,guess,black,white"
ROLE_HINT = "if the column has another name, give it with --column, such as --column guess=attempt"
HEADERS = {
    "a,b": [f"{NOTHING} ({ROLE_HINT})"],
    "1,1122,1.1": [f"{NOTHING} ({ROLE_HINT})"],
    "game,guess": [NO_SCORE],
    "guess,black,white": [NO_GAME],
    "board,guess,score": [
        (
            "either a column 'board' or columns for guess and score (a row has a whole board or "
            "one guess)"
        )
    ],
    "rules,guess,bulls,hits": [
        "one column with the black ('bulls' and 'hits' have the same meaning)"
    ],
    "rules,guess,score,black,white": [
        "either 'score' or 'black' and 'white' (both could be the score)"
    ],
    "guess,guess": [
        "one column with the guess ('guess' and 'guess' have the same meaning)",
        NO_SCORE,
        NO_GAME,
    ],
}
"""The expected headers in the error messages, by invalid header, with the rule in parentheses."""


@pytest.mark.parametrize("header", HEADERS)
def test_unclear_headers_are_refused(tmp_path, header):
    result = f", found '{', '.join(header.split(','))}'"
    text = refusal(tmp_path, f"{header}\n1,2\n")
    assert [line.replace(result, "") for line in text] == [
        f"log.csv, line 1: expected {fault}" for fault in HEADERS[header]
    ]


def test_empty_tables_are_refused(tmp_path):
    for text in ("", "\n\n", "\ufeff"):
        assert refusal(tmp_path, text) == ["log.csv: expected games, found nothing"]
    for names in ("board\n", "guess,score\n\n"):
        (fault,) = refusal(tmp_path, names, game="4x6")
        assert fault == "log.csv: expected games, found only the names of columns"


def test_a_missing_guess_is_the_only_fault_of_a_table_with_scores(tmp_path):
    for header, columns in (
        ("Attempt,Blacks,Whites", "'Blacks' and 'Whites'"),
        ("n,Score", "'Score'"),
    ):
        (fault,) = refusal(tmp_path, f"{header}\n1,2,1\n", game="4x6")
        assert f"expected a column 'guess' beside {columns}, found" in fault
        assert fault.endswith("--column guess=attempt)")


def test_columns_must_have_all_parts_of_the_score(tmp_path):
    text = "guess,black\n1122,1\n"
    fault = "expected the columns 'black' and 'white' for scores of 4x6, found 'guess, black'"
    fault += " (there is no column for white)"
    assert refusal(tmp_path, text, game="4x6") == [f"log.csv, line 1: {fault}"]
    assert audit(tmp_path, text, game="4x6b") == ([("", "4x6b/1122=1")], [])
    assert audit(tmp_path, "rules,guess,black\n4x6,1122,1\n4x6b,1122,1\n") == (
        [("", "4x6b/1122=1")],
        ["line 2: expected columns black and white for the score of 4x6, found column black"],
    )


ROW_FAULTS = {
    "a,1,1122,1,1\na,3,1234,1,1": ["line 3: expected turn 2 before it, found 3"],
    "a,1,1122,1,1\na,1,1234,1,1": ["line 3: expected each turn once, found 1"],
    "a,2,1122,1,1": ["line 2: expected turn 1 before it, found 2"],
    "a,x,1122,1,1": ["line 2: expected a turn number, found 'x'"],
    "a,,1122,1,1": ["line 2: expected a turn number, found nothing"],
    f"a,{'1' * 5001},1122,1,1": ["line 2: expected a turn number, found '111"],
    "a,1,,1,1": ["line 2: expected a guess, found nothing"],
    "a,1,1129,1,1": ["line 2: expected a color, 1 to 6, found '9'"],
    "a,1,1122,x,1": ["line 2: expected a number, or ? if unread"],
    "a,1,1122,1": ["line 2: expected 5 cells, found 4 cells"],
    "a,1,1122,1,1,1": ["line 2: expected 5 cells, found 6 cells"],
    ",1,1122,1,1": ["line 2: expected an id in column 'id', found nothing"],
    "a,3,1122,1,1\na,3,12,1,1\nb,1,1122,1,1": [
        "line 2: expected turn 1 before it, found 3",
        "line 3: expected each turn once, found 3 (turn 3 is also in line 2)",
        "line 3: expected 4 colors, not 2, found '12'",
    ],
}


@pytest.mark.parametrize("rows", ROW_FAULTS)
def test_games_with_invalid_rows_are_rejected(tmp_path, rows):
    """Other games are read."""
    text = f"id,turn,guess,black,white\n{rows}\nz,1,1122,1,1\n"
    games, faults = audit(tmp_path, text, game="4x6")
    assert ("z", "4x6/1122=1.1") in games
    assert ("a", "") not in {(name, "") for name, _ in games}
    (fault,) = faults
    for line, expected in zip(fault.splitlines(), ROW_FAULTS[rows], strict=True):
        assert line.startswith(expected)


def test_numbers_may_be_empty_or_written_as_fractions(tmp_path):
    """Programs write fractions if some numbers of a column are missing."""
    text = "turn,guess,black,white\n#1,1122,1.0,1.00\n3.0,6666,?,?\n2.,3345,,2.0\n"
    boards = [("", "4x6/1122=1.1/3345=?.2/6666=?.?")]
    assert audit(tmp_path, text, game="4x6") == (boards, [])


def test_invalid_rows_of_boards_are_rejected(tmp_path):
    text = f"id,board\n1,{BOARD}\n2\n3,{BOARD},x\n4,\n5,{BOARD},\n\n6,{BOARD}\n"
    games, faults = audit(tmp_path, text)
    assert games == [(name, BOARD) for name in "156"]
    assert faults == [
        "line 3: expected a board in column 'board', found '2'",
        "line 4: expected 2 cells, found 3 cells",
        "line 5: expected a board in column 'board', found '4,'",
    ]


def test_a_corrected_table_can_be_audited_immediately(tmp_path):
    log, out = tmp_path / "log.csv", tmp_path / "out.csv"
    log.write_text("game,guess\n1,1122\n", "utf-8")
    (tmp_path / "first.jsonl").write_text(f'"{BOARD}"\n', "utf-8")
    fault_lines(run("audit", tmp_path / "first.jsonl", log, "-o", out))
    assert {path.name for path in tmp_path.iterdir()} == {"log.csv", "first.jsonl"}
    log.write_text(f"id,board\na,{BOARD}\n", "utf-8")
    assert run("audit", tmp_path / "first.jsonl", log, "-o", out).stdout.startswith("2 games")


def test_parquet_tables_of_guesses_are_read(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"Game": [7, 7, None], "Turn": [2, 1, 1], "Guess": [3345, 1122, 1122]}
    columns |= {"bulls": [0, 1, None], "cows": [2.0, 1.0, None], "when": ["a", "b", "c"]}
    parquet.write_table(arrow.table(columns), tmp_path / "log.parquet")
    data = (tmp_path / "log.parquet").read_bytes()
    assert audit(tmp_path, data, name="log.parquet", game="4x6") == (
        [("7", BOARD)],
        ["line 3: expected an id in column 'Game', found nothing"],
    )
    (tmp_path / "log.parquet").write_bytes(b"no table")
    (fault,) = fault_lines(run("audit", tmp_path / "log.parquet", "-o", tmp_path / "out.csv"))
    assert "expected a Parquet file, found other data (" in fault


def test_json_keys_are_recognized_like_column_names(tmp_path):
    board = json.dumps(mmsat.Board.parse(BOARD).to_dict())
    lines = [
        f'{{"Board": "{BOARD}", "Game ID": 7}}',
        f'\ufeff{{"BOARD ": {board}, "id": "x"}}',
        '{"game": 1, "turn": 1, "Guess": "1122", "black": 1, "white": 1}',
    ]
    games, faults = audit(tmp_path, "\n".join(lines), name="log.jsonl")
    assert games == [("7", BOARD), ("x", BOARD)]
    expected = (
        'a whole board such as {"board": "4x6/1122=1.1"}, or a CSV file with one row per guess'
    )
    found = "keys game, turn, Guess, black and white"
    assert faults == [f"line 3: expected {expected}, found {found}"]


@pytest.mark.parametrize("seed", range(tiers.share(100, least=20)))
def test_shuffled_tables_of_random_games_are_read(tmp_path, seed):
    rng = random.Random(seed)
    boards, table = {}, []
    for number in range(rng.randint(1, 6)):
        game = mmsat.Game.parse(rng.choice(["4x6", "5x8", "4x6d", "bulls-and-cows"]))
        secret = random_secret(rng, game)
        guesses = [random_secret(rng, game) for _ in range(rng.randint(1, 5))]
        rows = tuple((guess, game.score(secret, guess)) for guess in guesses)
        board = mmsat.Board(game, rows)
        boards[f"g{number}"] = str(board)
        for turn, row in enumerate(str(board).split("/")[1:], 1):
            guess, _, score = row.partition("=")
            table.append([f"g{number}", str(game), str(turn), guess, *score.split(".")])
    rng.shuffle(table)
    header = "id,game,turn,guess,black,white"
    text = "\n".join([header, *map(",".join, table)])
    games, faults = audit(tmp_path, text)
    assert faults == []
    assert games == [(name, boards[name]) for name in dict.fromkeys(row[0] for row in table)]
