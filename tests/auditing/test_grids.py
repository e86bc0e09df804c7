"""Shared grids: all forms of rows, and the rejection of lines that only look like rows."""

from __future__ import annotations

import itertools
import json
import random

import pytest

import mmsat
from mmsat.auditing.grids import read_grids
from mmsat.game.game import Game
from tests.support import tiers
from tests.support.cli_runner import run

DAILY_WORD = Game.parse("daily-word")
SQUARES = {"G": "🟩", "Y": "🟨", "-": "⬛"}
LIGHT = {"G": "🟩", "Y": "🟨", "-": "⬜"}
CONTRAST = {"G": "🟧", "Y": "🟦", "-": "⬛"}
CIRCLES = {"G": "🟢", "Y": "🟡", "-": "⚫"}
HEARTS = {"G": "💚", "Y": "💛", "-": "🖤"}
SLACK = {
    "G": ":large_green_square:",
    "Y": ":large_yellow_square:",
    "-": ":black_large_square:",
}
SLACK_CONTRAST = {
    "G": ":large_orange_square:",
    "Y": ":large_blue_square:",
    "-": ":white_large_square:",
}
DISCORD = {"G": ":green_square:", "Y": ":yellow_square:", "-": ":black_large_square:"}
LETTERS = {"G": "G", "Y": "Y", "-": "X"}
STYLES = [SQUARES, LIGHT, CONTRAST, CIRCLES, HEARTS, SLACK, SLACK_CONTRAST, DISCORD, LETTERS]
PREFIXES = [
    "1. ",
    "- 1. ",
    "2 - ",
    "③ ",
    "[4] ",
    "2) ",
    "3: ",
    "#4 ",
    "5 ",
    "1/6 ",
    "Guess 2: ",
    "1️⃣ ",
    "> ",
    ">> ",
    "> 3. ",
]
PREFIXES += ["- ", "* ", "• ", "▪️ ", "  ", "\t", "\u200e", "| "]
SUFFIXES = ["", " CRANE", "  nice!", " (3 left)", " 🎉", "\ufe0f", " |", "\t", " 2/6"]
BROKEN = [
    "⬛🟪⬛⬛🟩",
    "🟥🟥🟥🟥🟥",
    "🟩🟩🟩🟩",
    "🟩🟩🟩🟩🟩🟩",
    "🟩🟩🟩🟩🟩🍎",
    "⬛🟨⬛⬛🟩⬛🟨⬛⬛🟩",
]
BROKEN += ["🐝🌼🐝🌼🌸", ":large_pink_square:" * 5, "Ann: ⬛🟨⬛⬛🟩", "⬛ 🟨 ⬛ ⬛ 🟩 🍎", "🟩"]
BROKEN += ["⬛🟨⬛⬛🟩 🟪🟪🟪🟪🟪", "🟩🟥🟩🟩🟩", "▣▣▣▣▣", ":wordle-green:" * 5]
CHAT = ["Wordle 1,234", "see you :tada:", "haha 😂😂", "12:30 it is", "love it ❤️", "well - no"]
SEPARATORS = ["---", "----------", "***", "─────", "=====", "_____", "-----"]


def read(*lines, game=DAILY_WORD):
    """Return the games, and the rejected texts with their faults, of some lines."""
    games, rejected = [], []
    for record in read_grids([f"{line}\n" for line in lines], "log", game):
        if record.fault:
            rejected.append((record.text, record.fault))
        else:
            _, *rows = record.text.split("/")
            games.append([row.removeprefix(f"{'?' * game.pegs}=") for row in rows])
    return games, rejected


@pytest.mark.parametrize(
    ("heading", "rows", "found"),
    [
        ("Wordle 1,234 1/6", 1, None),
        ("Wordle 1,234 3/6*", 3, None),
        ("Wordle 1,234 6/6", 6, None),
        ("Wordle 1,234 3/6", 2, "2 rows"),
        ("Wordle 1,234 2/6", 3, "3 rows"),
        ("Wordle 1,234 x/6", 6, "6 rows"),
        ("Puzzle of 3/8", 2, None),  # not a number of guesses of this game
        ("3/6 and 4/6", 2, None),  # two results: it is not clear which one is meant
    ],
)
def test_a_heading_with_another_result_is_a_fault(heading, rows, found):
    grid = ["-Y---"] * (rows - 1) + ["GGGGG"]
    games, rejected = read(heading, "", *grid)
    assert games == ([grid] if found is None else [])
    assert len(rejected) == (found is not None)
    assert all(fault.endswith(f"found {found}") for _, fault in rejected)


def test_a_grid_without_an_all_correct_row_has_the_result_x():
    for result, rows, is_fault in [("X", 6, False), ("X", 5, True), ("6", 6, True)]:
        games, rejected = read(f"Wordle 1,234 {result}/6", *["-Y---"] * rows)
        assert (len(games), len(rejected)) == ((0, 1) if is_fault else (1, 0))


def test_a_row_below_the_solved_row_contradicts_the_heading():
    games, rejected = read("Wordle 1,234 4/6", "GGGGG", "-YY--")
    assert games == [["-YY--"]]
    assert [text for text, _ in rejected] == ["GGGGG"]


def spell(marks, style):
    return "".join(style[mark] for mark in marks)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_of_marks_is_read(style):
    game = ["-Y--G", "GG-Y-", "GGGGG"]
    assert read(*(spell(row, style) for row in game)) == ([game], [])
    assert read(*(" ".join(style[mark] for mark in row) for row in game)) == ([game], [])


@pytest.mark.parametrize("style", [SQUARES, SLACK, LETTERS])
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_text_before_and_after_a_row_is_ignored(style, prefix, suffix):
    game = ["-Y--G", "GG-Y-"]
    assert read(*(f"{prefix}{spell(row, style)}{suffix}" for row in game)) == ([game], [])


def test_variants_of_a_mark_may_be_mixed():
    """Squares of several sizes, in black and white, and variation selectors are the same marks."""
    row = "⬛\ufe0f◼\ufe0e◾▪⬜◻◽▫■□⚫⚪🖤🤍🟩\ufe0f"
    assert read(row, game=Game.parse("15x26p")) == ([["-" * 14 + "G"]], [])


@pytest.mark.parametrize(
    "row", ["⬛⬜⬜⬜⬜", "■□□□□", "⚫⚪⚪⚪⚪", "🖤🤍🤍🤍🖤", "⬛ ⬜ ⬛ ⬛ ⬛"]
)
def test_rows_of_dark_and_light_squares_only_are_rejected(row):
    """Such rows may be key pegs. Rows of one shade are valid, even if another row has the other."""
    reason = "the absent marks are neither all dark nor all light"
    fault = f"log, line 2: expected 5 marks per grid, found {row!r} ({reason})"
    assert read("Ann", row, "🟩🟩🟩🟩🟩") == ([], [(f"{row}\n🟩🟩🟩🟩🟩", fault)])
    games = [["GGGGG"], ["-Y---", "GGGGG"]]
    assert read("🟩🟩🟩🟩🟩 ⬛🟨⬛⬛⬛", "⬜⬜⬜⬜⬜ 🟩🟩🟩🟩🟩") == (games, [])
    with pytest.raises(mmsat.InputError, match="absent marks of one shade, dark or light"):
        mmsat.Board.parse(f"daily-word/CRANE={row}")


@pytest.mark.parametrize("gap", [" ", "  ", "\t", " | ", "|", "\u3000", "\u00a0"])
@pytest.mark.parametrize("style", [SQUARES, SLACK])
def test_grids_side_by_side_are_separate_games(gap, style):
    """A solved grid has rows without marks, or no rows, while the others continue."""
    games = [["-Y--G", "GGGGG"], ["Y----", "-YY--", "GGGGG"], ["-----", "GG--Y", "G-G-G"]]
    for order in itertools.permutations(games):
        for filler in (spell("-----", style), " " * 10, "\u3000" * 5, ""):
            columns = [
                [*(spell(row, style) for row in game), *[filler] * (3 - len(game))]
                for game in order
            ]
            assert read(*map(gap.join, zip(*columns, strict=True))) == ([*order], [])


def test_rows_after_a_solved_grid_belong_to_unsolved_grids():
    """These rows are in their column, or all unsolved grids have a row in the line."""
    left_grid, right = ["-Y--G", "GGGGG"], ["Y----", "-YY--", "GGGGG"]
    rows = [
        f"{spell(a, SQUARES)} {spell(b, SQUARES)}" for a, b in zip(left_grid, right, strict=False)
    ]
    last = spell("GGGGG", SQUARES)
    assert read(*rows, f"{' ' * 11}{last}") == ([left_grid, right], [])
    swapped = [f"{b} {a}" for a, b in (row.split(" ") for row in rows)]
    assert read(*swapped, last) == ([right, left_grid], [])
    games, rejected = read(*rows, last)
    assert games == []
    rule = "the row may continue the games above or start new ones"
    fault = f"log, line 3: expected an empty line between games, found {last!r} ({rule})"
    assert rejected == [("\n".join([*rows, last]), fault)]


def test_consecutive_games_are_separated_by_all_correct_rows():
    solved, lost = ["-Y--G", "GGGGG"], ["Y----", "-----"]
    solved_lines = [spell(row, SQUARES) for row in solved]
    lost_lines = [spell(row, SQUARES) for row in lost]
    assert read(*solved_lines, *lost_lines, "", *lost_lines, *solved_lines)[0] == [
        solved,
        lost,
        lost + solved,
    ]
    assert read(*solved_lines, *solved_lines, *solved_lines) == ([solved] * 3, [])
    pair = [f"{row} {row}" for row in solved_lines]
    assert read(*lost_lines, *pair, *lost_lines) == ([lost, solved, solved, lost], [])
    assert read(*pair, *pair) == ([solved] * 4, [])


@pytest.mark.parametrize("line", BROKEN)
def test_an_unreadable_row_is_rejected_with_its_game(line):
    row, last = spell("-Y--G", SQUARES), spell("GGGGG", SQUARES)
    games, rejected = read("Ann", row, line, row, last, row, "", line, "", row)
    assert games == [["-Y--G"], ["-Y--G"]]
    assert [text for text, _ in rejected] == [f"{row}\n{line}\n{row}\n{last}", line]
    for (_, fault), number in zip(rejected, (3, 8), strict=True):
        assert fault.startswith(f"log, line {number}: expected 5 marks per grid, found ")


def test_rejections_have_reasons():
    faults = [read(line)[1][0][1].partition("found ")[2] for line in BROKEN[:6]]
    assert faults == [
        "'⬛🟪⬛⬛🟩' (not marks of daily-word: 🟪)",
        "'🟥🟥🟥🟥🟥' (not marks of daily-word: 🟥)",
        "'🟩🟩🟩🟩' (4 marks)",
        "'🟩🟩🟩🟩🟩🟩' (6 marks)",
        "'🟩🟩🟩🟩🟩🍎' (the line contains more than marks)",
        "'⬛🟨⬛⬛🟩⬛🟨⬛⬛🟩' (10 marks)",
    ]


@pytest.mark.parametrize("line", [*CHAT, *SEPARATORS, "7️⃣🟥", "🟥 8️⃣", "▪ a point", "1021", "BYE"])
def test_other_text_is_not_a_row(line):
    row = spell("-Y--G", SQUARES)
    assert read(row, line, row) == ([["-Y--G"], ["-Y--G"]], [])


IN_LETTERS = "marks in letters are -, Y and G, at the start of the line"


@pytest.mark.parametrize(
    "line",
    [
        *("-y--g", "gy---", "ggggg", "Gy--G", "GY...", "gy..g", "xygxx", "x-y-g", "Ann: -Y--G"),
        *("CRANE -Y--G", "crane -y--g", "1. CRANE GY___", "GRAPE GGGGG", "score: GGGGG", "G.Y.."),
    ],
)
def test_unusual_rows_of_letters_are_rejected(line):
    """They are neither ignored nor the title of a game."""
    expected = "expected 5 marks per grid"
    games, rejected = read("Daily 7", "-Y--G", line, "GGGGG", "", "GGGGG")
    assert games == [["GGGGG"]]
    fault = f"log, line 3: {expected}, found {line!r} ({IN_LETTERS})"
    assert rejected == [(f"-Y--G\n{line}\nGGGGG", fault)]


@pytest.mark.parametrize(
    "line", ["Hello", "x-ray", "GG", "BYE-BYE", "Daily-5", "...", "well...", "12.30", "a GG game"]
)
def test_words_are_not_rows_of_letters(line):
    assert read("-Y--G", line, "GGGGG") == ([["-Y--G"], ["GGGGG"]], [])


# "ðŸŸ©ðŸŸ¨": squares in UTF-8 that were decoded wrongly
@pytest.mark.parametrize("lines", [["21000", "22222"], ["Hello", "Ann"], ["", "ðŸŸ©ðŸŸ¨"]])
def test_a_text_without_rows_is_rejected(lines):
    number, first = next((n, line) for n, line in enumerate(lines, 1) if line)
    fault = f"log, line {number}: expected rows of 5 marks, found {first!r} (no line has marks)"
    assert read(*lines) == ([], [(first, fault)])
    assert read("", " ", "") == ([], [])
    assert read(*lines, "GGGGG") == ([["GGGGG"]], [])


def test_a_grid_with_too_many_rows_is_rejected():
    """A published game has a maximum number of rows. Two games without an empty line exceed it."""
    lost, row = [spell("-Y--G", SQUARES)] * 6, spell("GGGGG", SQUARES)
    assert read(*lost) == ([["-Y--G"] * 6], [])
    assert read(*lost, "", row) == ([["-Y--G"] * 6, ["GGGGG"]], [])
    rule = "a game of daily-word has 6 guesses"
    fault = f"log, line 7: expected an empty line between games, found {lost[0]!r} ({rule})"
    assert read(*lost, *lost, row, row) == ([["GGGGG"]], [("\n".join([*lost, *lost, row]), fault)])
    assert read(*lost, row, game=Game.parse("5x26p")) == ([["-Y--G"] * 6 + ["GGGGG"]], [])
    pair = [f"{line} {line}" for line in lost]
    assert read(*pair, f"{row} {row}") == ([["-Y--G"] * 6 + ["GGGGG"]] * 2, [])


def test_a_single_line_of_several_grids_is_rejected():
    """It may be a game whose lines were joined, unless a row follows an all-correct one."""
    row, last = spell("-Y--G", SQUARES), spell("GGGGG", SQUARES)
    rule = "this may be one row of several games or all rows of one game"
    for text in (f"{row} {last}", f"{row}  {row} {last}", f"{row} {row}", f"1. {row} | {row}"):
        fault = f"log, line 1: expected one row per line, found {text!r} ({rule})"
        assert read(text) == ([], [(text, fault)])
    assert read(f"{row} {row}", f"{row} {row}") == ([["-Y--G"] * 2] * 2, [])
    assert read(f"{last} {row}") == ([["GGGGG"], ["-Y--G"]], [])
    assert read(f"{last} {last}") == ([["GGGGG"]] * 2, [])


def test_mixed_sets_of_colors_are_rejected():
    expected = "marks of one set of colors: green and yellow, or orange and blue"
    fault = f"log, line 1: expected {expected}, found '🟩🟧'"
    assert read("🟩🟧⬛⬛⬛") == ([], [("🟩🟧⬛⬛⬛", fault)])
    assert read("🟩⬛⬛⬛⬛", "🟩🟩🟩🟩🟩", "🟧⬛⬛⬛⬛")[0] == [["G----", "GGGGG"], ["G----"]]
    with pytest.raises(mmsat.InputError, match="one set of colors"):
        mmsat.Board.parse("daily-word/CRANE=🟩🟦⬛⬛⬛")
    assert str(mmsat.Board.parse("daily-word/CRANE=🟧🟦⬛⬛⬛")) == "daily-word/CRANE=GY---"


def test_dashes_are_a_row_only_between_rows_of_letters():
    assert read("-Y--G", "-----", "GGGGG") == ([["-Y--G", "-----", "GGGGG"]], [])
    for lines in (["-----", "-Y--G"], ["-Y--G", "-----"], ["Ann", "-----", "-Y--G", "", "x"]):
        games, [(text, fault)] = read(*lines)
        assert games == []
        assert {*text.split("\n")} == {"-----", "-Y--G"}
        assert "'-----' (this may be a row without marks or a separator)" in fault
    assert read("GGGGG", "-----", "", "-----") == ([["GGGGG"]], [])


def random_part(rng):
    """Return some lines, their games, and the texts to reject."""
    kind = rng.random()
    if kind < 0.2:
        return [rng.choice(CHAT)], [], []
    if kind < 0.4:
        line = rng.choice(BROKEN)
        return [line], [], [line]
    style, count = rng.choice(STYLES[:-1]), rng.choice([1, 1, 1, 2, 4])
    games = []
    for _ in range(count):
        rows = ["".join(rng.choice("GY--") for _ in range(5)) for _ in range(rng.randint(0, 5))]
        games.append([row for row in rows if row != "GGGGG"] + ["GGGGG"])
    height = max(map(len, games))
    columns = [[*game, *["-----"] * (height - len(game))] for game in games]
    prefix, suffix = rng.choice(["", *PREFIXES]), rng.choice(SUFFIXES)
    lines = [
        f"{prefix}{' '.join(spell(row, style) for row in rows)}{suffix}"
        for rows in zip(*columns, strict=True)
    ]
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines)), rng.choice(BROKEN))
        return lines, [], ["\n".join(lines)]
    return lines, games, []


@pytest.mark.parametrize("seed", range(tiers.share(300, least=40)))
def test_random_mixtures_of_games_and_text_are_read_completely(seed):
    """Games follow each other, with and without text between them, and some are invalid."""
    rng = random.Random(seed)
    lines, games, expected_texts = [], [], []
    for _ in range(rng.randint(1, 12)):
        part, read_games, broken = random_part(rng)
        needs_gap = bool(lines and lines[-1] in BROKEN)  # else the next row would join its game
        lines += ["" for _ in range(needs_gap or rng.randint(0, 1))] + part
        games, expected_texts = games + read_games, expected_texts + broken
    result, rejected = read(*lines)
    assert result == games
    if not games and not expected_texts:
        expected_texts = next(([line] for line in lines if line), [])  # a text without any row
    assert [text for text, _ in rejected] == expected_texts


def test_grids_are_audited_in_any_encoding(tmp_path):
    text = "Daily 1 2/6\n\n⬛🟨⬛⬛🟩 ⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩 ⬛🟪⬛⬛🟩\n\n> 🟧🟦⬛⬛🟦\n"
    for encoding, end in (("utf-8-sig", "\r\n"), ("utf-16", "\r")):
        log, out = tmp_path / "grids.txt", tmp_path / "out.jsonl"
        log.write_bytes(text.replace("\n", end).encode(encoding))
        result = run("audit", log, "--game", "5x3p", "-o", out, "--depth", "verdict")
        assert result.stdout.startswith("1 game: 1 consistent, 0 inconsistent.\n1 record could")
        (message,) = map(json.loads, out.read_text("utf-8").splitlines())
        assert (message["source"], message["rows"]) == (f"{log}:6", 1)
        rejected = json.loads((tmp_path / "out.jsonl.rejected.jsonl").read_text("utf-8"))
        assert (rejected["source"], rejected["id"]) == (f"{log}:3", "Daily 1 2/6")
        assert rejected["text"].split("\n") == text.split("\n")[2:4]
        assert rejected["fault"].startswith(f"{log}, line 4: ")


def test_long_games_and_long_lines_are_read_in_linear_time():
    rows = [spell("-Y--G", SQUARES)] * 20_000
    assert len(read(*rows, game=Game.parse("5x26p"))[0][0]) == len(rows)
    assert read(*rows)[1][0][0].count("\n") == len(rows) - 1
    count = 10_000
    for part in ("1️⃣   ", "> ", "🟩 ", "- ", "| ", "1. ", "guess ", ":green_square:", "  "):
        games, rejected = read(part * count + "x")
        assert (games, len(rejected)) == ([], 1)
        is_row = "🟩" in part or "square" in part
        assert rejected[0][1].endswith("(no line has marks)") == (not is_row)


def test_grids_side_by_side_have_numbered_ids():
    lines = ["Dordle 5", "🟩🟩🟩🟩🟩 ⬛🟨⬛⬛🟩", "", "🟩🟩🟩🟩🟩"]
    records = [*read_grids(lines, "log", DAILY_WORD)]
    assert [record.id for record in records] == ["Dordle 5 (1 of 2)", "Dordle 5 (2 of 2)", ""]
