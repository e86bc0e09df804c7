"""Puzzles have exactly one code, need every row, and are as hard as their steps."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mmsat
from mmsat.limits import LIMITS
from mmsat.play.puzzle import DraftSource, Puzzle, Requirements, solve
from mmsat.render.reports.games import PAGE_HEIGHT, PAGE_MARGIN
from tests.support import twins
from tests.support.cli_runner import run
from tests.support.puzzle_laws import check
from tests.support.schemas import validator
from tests.support.strategies import small_games

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    *("4x6", "3x4", "1x2", "2x2", "4x5d", "4x6b", "3x4w", "4x4p", "3x4o", "2x3x2"),
    *("daily-word", "word-3", "secret-search-3", "royale", "kids", "bagels"),
    *("word", "lingo", "jotto", "6x2", "10x2b", "5x2w", "8x2p"),
]


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_has_one_code_and_needs_every_row(name):
    check(mmsat.puzzle(name, seed=3))


@given(small_games(3, 4), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_random_boards_are_puzzles_in_every_game(game, seed):
    """If no other guesses identify any code, there are no puzzles."""
    assume(game.size > 1)
    source = DraftSource(game, Requirements(), random.Random(seed))
    codes = [*twins.codes(game)]
    if any(is_identified(game, code, codes) for code in codes):
        while (draft := source.draw()) is None:
            pass
        check(Puzzle(*draft, solve(draft)))
    else:
        assert all(source.draw() is None for _ in range(5))


def is_identified(game, code, codes):
    """Return whether only this code is consistent with the scores of all other codes."""
    guesses = [guess for guess in codes if guess != code]
    rows = [mmsat.Row(guess, game.score(code, guess)) for guess in guesses]
    return twins.consistent(mmsat.Board(game, rows)) == [code]


@pytest.mark.parametrize("grade", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_required_grade_is_the_grade_of_the_steps(grade, seed):
    puzzle = mmsat.puzzle("4x6", grade=grade, seed=seed)
    assert mmsat.steps(puzzle.board).grade == puzzle.grade == grade


@pytest.mark.parametrize("rows", [2, 3, 4, 5])
def test_requirements_for_the_board_are_met(rows):
    puzzle = mmsat.puzzle("4x6", rows=rows, max_black=1, all_colors=True, seed=rows)
    assert len(puzzle.board.rows) == rows
    assert all(row.score[0] <= 1 for row in puzzle.board.rows)
    assert {color for row in puzzle.board.rows for color in row.guess} >= {*puzzle.code}


@pytest.mark.parametrize("game", ["4x6", "daily-word", "8x2b"])
def test_rows_that_exclude_more_codes_come_later(game):
    """Only the order of the rows changes."""
    default, easy_last = (
        mmsat.puzzle(game, seed=4, easy_last=is_last) for is_last in (False, True)
    )
    assert {*default.board.rows} == {*easy_last.board.rows}
    num_codes = [
        sum(
            default.board.game.score(code, row.guess) == row.score
            for code in twins.codes(default.board.game)
        )
        for row in easy_last.board.rows
    ]
    assert num_codes == sorted(num_codes, reverse=True)
    check(easy_last)


def test_the_same_seed_gives_the_same_different_puzzles():
    def puzzle_lines(seed):
        return run("puzzle", "3x4", "--count", 10, "--seed", seed, "--json").stdout

    lines = puzzle_lines(5).splitlines()
    assert puzzle_lines(5).splitlines() == lines != puzzle_lines(6).splitlines()
    results = [json.loads(line) for line in lines]
    assert len({result["board"] for result in results}) == 10
    assert results[0] == json.loads(json.dumps(mmsat.puzzle("3x4", seed=5).to_dict()))


def test_the_grades_found_instead_are_reported(monkeypatch):
    monkeypatch.setattr(LIMITS, "puzzle_boards", 5)
    result = run("puzzle", "2x3", "--grade", 6, "--seed", 0)
    assert result.exit_code == 1
    assert "no puzzle of grade 6 of a 2x3 game was found, only " in result.stderr
    assert "of grade 1" in result.stderr


def test_the_command_ends_when_there_are_no_more_puzzles(tmp_path):
    drawn = run("puzzle", "1x2", "--count", 5, "--seed", 0, "-o", tmp_path / "sheet.svg")
    assert drawn.exit_code == 1
    assert "sheet.svg: 2 puzzles\n" in drawn.stderr
    result = run("puzzle", "1x2", "--count", 5, "--seed", 0)
    assert result.exit_code == 1
    assert result.stdout.count("Grade 1 of 6") == 2
    assert "no further matching puzzle of a 1x2 game was found" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("1x1",), "a game of at least 2 codes"),
        (("3x3p", "--max-black", 1), "have no blacks"),
        (("4x6", "--grade", 7), "a whole number from 1 to 6"),
        (("4x6", "--rows", 0), "a whole number from 1"),
    ],
)
def test_an_impossible_option_is_reported(arguments, expected):
    result = run("puzzle", *arguments)
    assert result.exit_code == 2
    assert expected in result.stderr


def test_games_of_too_many_codes_are_refused():
    with pytest.raises(mmsat.SizeError, match="up to 1,000,000"):
        mmsat.puzzle("10x10")


def test_the_solution_is_printed_on_request():
    puzzle = mmsat.puzzle("4x6", grade=2, seed=4)
    shown = run("puzzle", "4x6", "--grade", 2, "--seed", 4).stdout
    solved = run("puzzle", "4x6", "--grade", 2, "--seed", 4, "-v").stdout
    last = list(puzzle.steps.lines())[-2].text
    assert shown == f"{puzzle.board}\n{puzzle}\n"
    assert "Grade 2 of 6" in shown
    assert last not in shown
    assert last in solved


@pytest.mark.parametrize("game", ["4x6", "daily-word", "3x4x2", "2x3b"])
def test_a_sheet_has_all_puzzles_followed_by_their_solutions(game, tmp_path):
    arguments = ("puzzle", game, "--count", 6, "--seed", 2)
    path = tmp_path / "sheet.svg"
    assert run(*arguments, "-o", path).stdout == ""
    message = path.read_text("utf-8")
    assert run(*arguments, "-o", path).exit_code == 0
    assert path.read_text("utf-8") == message
    drawn = ET.fromstring(message)  # noqa: S314  (our own)
    width, height = (float(drawn.get(side)) for side in ("width", "height"))
    assert height % PAGE_HEIGHT == 0

    results = [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]
    groups = drawn.findall(f"{SVG}g")
    words = [" ".join(entry.text or "" for entry in group.iter(f"{SVG}text")) for group in groups]
    tops = [float(group.get("transform").split()[1].rstrip(")")) for group in groups]
    for number, puzzle in enumerate(results, 1):
        heads = [place for place, text in enumerate(words) if text.startswith(f"Puzzle {number}")]
        assert len(heads) == 2
        asks, solves = heads
        assert f"grade {puzzle['grade']}" in words[asks]
        assert tops[asks] // PAGE_HEIGHT < tops[solves] // PAGE_HEIGHT
        last = puzzle["sentences"][-1].split()[-1]
        assert any(text.endswith(last) for text in words[solves:])
        first_step = puzzle["sentences"][1].split()[-1]
        assert first_step in words[solves]  # no heading is at the foot of a page
        assert "guess" not in words[solves]
    rules = words[0]
    assert f"Puzzles of a {game} game" in rules
    assert mmsat.Game.parse(game).scoring.summary.split()[-1] in rules
    radii = [float(circle.get("r")) for circle in drawn.iter(f"{SVG}circle")]
    assert len([r for r in radii if r > 6]) == len(results) * mmsat.Game.parse(game).pegs
    for group in groups:
        left, top = map(float, re.findall(r"[0-9.]+", group.get("transform")))
        texts = [*group.iter(f"{SVG}text")]
        xs, ys = ([float(text.get(name)) for text in texts] for name in "xy")
        assert left + min(xs, default=48) >= PAGE_MARGIN
        assert top % PAGE_HEIGHT >= PAGE_MARGIN
        assert top % PAGE_HEIGHT + max(ys, default=0) <= PAGE_HEIGHT - PAGE_MARGIN
    for group in groups:
        remaining = float(group.get("transform").removeprefix("translate(").split()[0])
        rights = [float(entry.get("x")) for entry in group.iter(f"{SVG}text")]
        assert remaining + max(rights, default=0) < width
    assert tops[-1] < height


@pytest.mark.parametrize("words", ["table", "padlock"])
def test_a_pdf_sheet_is_reproducible_and_has_pages_and_fonts(words, tmp_path):
    arguments = ("puzzle", "3x4", "--count", 9, "--seed", 1, "--words", words)
    files = [tmp_path / name for name in ("a.pdf", "b.pdf", "c.svg")]
    for path in files:
        assert run(*arguments, "-o", path).exit_code == 0
    first, again = (path.read_bytes() for path in files[:2])
    assert first == again
    height = float(ET.fromstring(files[2].read_text("utf-8")).get("height"))  # noqa: S314  (our own)
    assert len(re.findall(rb"/Type /Page\b", first)) == height / PAGE_HEIGHT >= 2
    assert first.count(b"/FontFile2") >= 2
    if shutil.which("pdftotext"):
        result = subprocess.run(
            ["pdftotext", "-layout", files[0], "-"], capture_output=True, check=True
        )
        pages = [" ".join(page.split()) for page in result.stdout.decode().split("\f")]
        last = json.loads(run(*arguments, "--json").stdout.splitlines()[-1])
        assert "Puzzle 9" in pages[0] + pages[1]
        assert last["sentences"][-1] in pages[-2]
        assert (last["clues"][-1] in result.stdout.decode()) == (words == "padlock")


def test_symbols_missing_in_the_font_are_reported(tmp_path):
    game = {"pegs": 2, "symbols": "ab\N{PILE OF POO}", "noun": "symbol"}
    (tmp_path / "game.json").write_text(json.dumps(game), "utf-8")
    result = run(
        "puzzle", f"game:{tmp_path / 'game.json'}", "-o", tmp_path / "sheet.pdf", "--seed", 1
    )
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: \N{PILE OF POO} missing from the font of PDF files: write an .svg file instead\n"
    )
    assert not (tmp_path / "sheet.pdf").exists()


@pytest.mark.parametrize("game", ["bulls-and-cows", "bagels", "number", "4x6"])
def test_a_sheet_names_the_scores_and_prints_digits_as_usual(game, tmp_path):
    """Games of different digits have bulls and cows. Only pegs of colors are painted."""
    path = tmp_path / "sheet.svg"
    assert run("puzzle", game, "-o", path, "--seed", 1).exit_code == 0
    text = path.read_text("utf-8")
    has_bulls = game in ("bulls-and-cows", "bagels")
    words = {*re.findall("[a-z]+", " ".join(re.findall(r"<text[^>]*>([^<]*)<", text)))}
    assert has_bulls == (not words & {"black", "white"}) == ({"bulls", "cows"} <= words)
    has_digits = game != "4x6"
    assert has_digits == ("color" not in words and 'stroke="#d0d7de"' not in text)


def test_a_sheet_is_svg_or_pdf(tmp_path):
    result = run("puzzle", "2x3", "-o", tmp_path / "sheet.txt")
    assert result.exit_code == 2
    assert (
        "--output: expected a name that ends in .svg or .pdf, such as puzzle.svg" in result.stderr
    )


def test_the_time_limit_ends_the_search_for_puzzles():
    arguments = ("puzzle", "2x3", "--seed", 1, "--json", "--count")
    assert run(*arguments, 2, "--timeout", 60).stdout == run(*arguments, 2).stdout
    late = run("puzzle", "4x6", "--grade", 6, "--seed", 0, "--timeout", 0.5)
    assert late.exit_code == 1
    message = r"not finished within 0\.5 seconds( \(boards drawn: [^)]* of grade [1-6]\))?\n"
    assert re.fullmatch(message, late.stderr)


def test_each_call_makes_another_puzzle_and_prints_its_seed():
    first = run("puzzle", "3x4")
    seed = re.fullmatch(r"seed ([0-9]{1,6})\n", first.stderr)[1]
    again = run("puzzle", "3x4", "--seed", seed)
    assert (again.stdout, again.stderr) == (first.stdout, "")
    seeds = {run("puzzle", "1x2").stderr for _ in range(5)}
    assert len(seeds) > 1
    assert run("puzzle", "3x4", "-q").stderr == ""


def test_a_proof_shows_that_there_is_no_other_solution(tmp_path):
    file = tmp_path / "puzzle.proof"
    result = run("puzzle", "3x4", "--seed", 5, "--proof", file)
    assert (result.exit_code, result.stdout) == (0, run("puzzle", "3x4", "--seed", 5).stdout)
    size = f"{file.stat().st_size:,} bytes"
    assert result.stderr == f"{file}: a proof by codes and lemmas, {size}\n"
    document = json.loads(run("puzzle", "3x4", "--seed", 5, "--proof", file, "--json").stdout)
    validator("puzzle").validate(document)
    assert document["proof"]["file"] == str(file)
    assert mmsat.verify(file.read_bytes(), board=document["board"]).count == 1
    solution = "".join(map(str, document["code"]))
    assert f"[codes]\n{solution}\n[cnf]\n" in file.read_text()


def test_puzzles_without_a_proof_write_no_file(tmp_path):
    file = tmp_path / "puzzle.proof"
    result = run("puzzle", "3x4", "--count", 2, "--proof", file)
    assert result.exit_code == 2
    assert "--proof cannot be combined with --count. A proof is about one puzzle." in result.stderr
    assert run("puzzle", "4x6", "--timeout", 0, "--proof", file).exit_code == 1
    assert not file.exists()
