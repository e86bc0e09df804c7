"""Reports of results: the text that a command prints, and a picture with the same contents."""

from __future__ import annotations

import json
import pydoc
import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmsat
from mmsat._util.results import Displayable
from mmsat.game.board import Board
from mmsat.play import Machine
from mmsat.play.match import match
from mmsat.render import luminance, reports
from mmsat.render.picture import FIRST_LINES, INKS, LAST_LINES
from tests.support.cli_runner import CONSISTENT, SLIPPED, run
from tests.support.strategies import boards, small_games, word_games

SVG = "{http://www.w3.org/2000/svg}"
WORDS = "daily-word/CRANE=-YY--/SOLAR=---YY/ALARM=G--YY"
BOARDS = (CONSISTENT, SLIPPED, WORDS, "4x5x5/1A2B3C4D=1.0.2", "4x6/1246=3.1", "3x30/1-17-30=1.?")
TAGS = ("svg", "title", "desc", "style", "rect", "text", "path", "circle")
FORMULA = "p cnf 3 1\n1 2 3 0\n"


def audit_summary():
    """Return the summary of a log with one inconsistent game."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "games.jsonl"
        log.write_text("".join(json.dumps({"board": board}) + "\n" for board in BOARDS[:2]))
        return mmsat.audit([str(log)], str(Path(folder) / "records.jsonl"))


SEVERAL = ("2x3/11=1.0", "2x3/11=0.0")


@cache
def results():
    """Return one result of each kind, by the name of its class."""
    consistent, inconsistent = Board.parse(CONSISTENT), Board.parse(SLIPPED)
    tiny = mmsat.Game(2, 3)
    proof = mmsat.prove(inconsistent)
    players = [Machine(tiny, "first-consistent", seed) for seed in (1, 2)]
    analysis = mmsat.analyze(tiny, "most-parts")
    outcomes = [
        consistent,
        mmsat.check(inconsistent),
        mmsat.explain(inconsistent),
        mmsat.steps(inconsistent),
        mmsat.suspect(inconsistent, [2]),
        mmsat.codes(consistent).odds(),
        mmsat.suggest(consistent),
        mmsat.suggest_many(SEVERAL),
        mmsat.match_many(tiny, count=2, games=2, seed=1),
        analysis,
        analysis.tree,
        mmsat.optimal(tiny),
        mmsat.static(tiny),
        mmsat.game_value(mmsat.Game(2, 2)),
        proof,
        mmsat.verify(proof),
        match(tiny, players),
        mmsat.review(consistent),
        mmsat.puzzle(tiny, seed=1),
        audit_summary(),
        mmsat.generate("six-colors", 4, seed=1),
        mmsat.reduce("one-in-three-3sat", FORMULA),
    ]
    return {type(outcome).__name__: outcome for outcome in outcomes}


def test_records_are_rows_of_a_table():
    """All records of a result have the same keys, and plain values."""
    tables = {name: result for name, result in results().items() if hasattr(result, "records")}
    tables["Codes"] = mmsat.codes(CONSISTENT)
    assert tables.keys() == {
        *("Analysis", "Board", "Codes", "Explanation", "GameValue", "MatchResult", "Odds"),
        *("Review", "SeveralMatch", "SeveralSuggestion", "Suggestion", "Summary", "Suspicion"),
    }
    for name, result in tables.items():
        records = [*result.records()]
        assert records, name
        assert {tuple(record) for record in records} == {tuple(records[0])}
        for record in records:
            assert all(isinstance(value, str | int | float | None) for value in record.values())
        json.dumps(records)
    assert len([*tables["Codes"].records()]) == mmsat.count(CONSISTENT).count
    rows = tables["Explanation"].records()
    assert [row["row"] for row in rows] == [*range(1, len(rows) + 1)]
    assert sum(row["mistaken"] for row in rows) >= 1


def kinds(kind=Displayable):
    """Return all displayed classes, without those that inherit their report."""
    for subclass in kind.__subclasses__():
        if subclass.__name__ in results():
            yield subclass
        yield from kinds(subclass)


def test_every_kind_of_result_is_tested():
    assert all(reports.find_report(result, "LINES") for result in results().values())
    shown = {cls.__name__ for result in results().values() for cls in type(result).__mro__}
    assert shown >= reports.MODULE_BY_CLASS.keys()
    assert {kind.__name__ for kind in kinds()} >= results().keys() - {"OneInThree3Sat"}


@pytest.mark.parametrize("name", list(results()))
def test_reprs_are_short_and_without_addresses(name):
    text = repr(results()[name])
    assert len(text) <= 600
    assert not re.search(r"\bat 0x[0-9a-f]+", text)


@pytest.mark.parametrize("name", list(results()))
def test_pictures_are_safe_and_describe_the_text_of_the_report(name):
    result = results()[name]
    picture = result._repr_svg_()
    assert picture == result._repr_svg_()
    drawn = check_picture(picture)
    text = drawn.find(f"{SVG}desc").text
    assert text
    if name not in ("Proof", "StrategyTree"):  # their text is a file, and an outline of all
        words = set(re.findall(r"[a-z]{4,}", reports.text(result).lower()))
        assert words <= set(re.findall(r"[a-z]{4,}", text.lower()))


def check_picture(picture):
    """Check that a picture is well-formed, with a title, without scripts and external links."""
    drawn = ET.fromstring(picture)  # noqa: S314  (made by us)
    assert drawn.get("role") == "img"
    assert drawn.find(f"{SVG}title").text
    assert [*drawn][2].tag == f"{SVG}style"
    allowed = {f"{SVG}{tag}" for tag in TAGS}
    assert {part.tag for part in drawn.iter()} <= allowed
    for part in drawn.iter():
        assert not any(name.startswith("on") or "href" in name for name in part.attrib)
    assert "url(" not in picture
    assert "@import" not in picture
    width, height = float(drawn.get("width")), float(drawn.get("height"))
    for part in drawn.iter(f"{SVG}rect"):
        assert 0 <= float(part.get("x", 0)) <= width
        assert float(part.get("y", 0)) + float(part.get("height")) <= height
    return drawn


@given(boards(st.one_of(small_games(), word_games())))
def test_pictures_of_boards_show_a_symbol_on_every_peg(board):
    drawn = check_picture(board._repr_svg_())
    if len(board.rows) <= 5:
        pegs = [part for part in drawn.iter(f"{SVG}rect") if part.get("class") == "mm-ring"]
        assert len(pegs) == board.game.pegs * len(board.rows)
        names = [part.text for part in drawn.iter(f"{SVG}text") if part.get("text-anchor")]
        assert len(names) == len(pegs)
        assert all(names)


@pytest.mark.parametrize("board", BOARDS)
def test_the_text_of_a_result_is_the_output_of_its_command(board):
    parsed = Board.parse(board)
    for command, work in (
        ("check", mmsat.check),
        ("explain", mmsat.explain),
        ("odds", lambda board: mmsat.codes(board).odds()),
        ("suggest", lambda board: mmsat.suggest(board, seed=1)),
        ("review", mmsat.review),
        ("explain --steps", mmsat.steps),
        ("explain --suspect 1", lambda board: mmsat.suspect(board, [0])),
    ):
        name, *options = command.split()
        if name == "suggest":
            if not mmsat.check(parsed).is_consistent:
                continue
            options = ["--seed", "1"]
        printed = run(name, board, *options)
        assert printed.stdout == f"{work(parsed)}\n"


PRINTED_AS_BOARDS = {"Board", "Generated"}
"""Results that commands print in the notation of boards."""


def test_every_kind_of_text_is_the_output_of_a_command(tmp_path):
    formula, proof, log, text = (
        tmp_path / name for name in ("f.cnf", "a.proof", "log.jsonl", "told.csv")
    )
    formula.write_text(FORMULA)
    log.write_text("".join(json.dumps({"board": board}) + "\n" for board in BOARDS[:2]))
    draws = random.Random(1)
    tiny = mmsat.Game(2, 3)
    players = [Machine(tiny, "first-consistent", draws.randrange(1 << 31)) for _ in range(2)]
    texts = {name: str(result) for name, result in results().items()}
    texts["MatchResult"] = str(match(tiny, players))
    texts["Puzzle"] = f"{results()['Puzzle'].board}\n{texts['Puzzle']}"
    commands = {
        "Verdict": ("check", SLIPPED, "--proof", proof),
        "Explanation": ("explain", SLIPPED),
        "Steps": ("explain", SLIPPED, "--steps"),
        "Suspicion": ("explain", SLIPPED, "--suspect", "3"),
        "Odds": ("odds", CONSISTENT),
        "Suggestion": ("suggest", CONSISTENT),
        "Analysis": ("analyze", "2x3", "--strategy", "most-parts"),
        "StrategyTree": ("analyze", "2x3", "--strategy", "most-parts", "--table"),
        "Optimum": ("optimal", "2x3"),
        "StaticSet": ("static", "2x3"),
        "GameValue": ("analyze", "2x2", "--value"),
        "Verification": ("verify", proof),
        "SeveralSuggestion": ("suggest", *SEVERAL),
        "SeveralMatch": ("match", "2x3", "--boards", 2, "--games", 2, "--seed", 1),
        "MatchResult": ("match", "2x3", *["--player", "first-consistent"] * 2, "--seed", 1),
        "Review": ("review", CONSISTENT),
        "Puzzle": ("puzzle", "2x3", "--seed", 1),
        "Summary": ("audit", log, "-o", text),
        "OneInThree3Sat": ("reduce", "one-in-three-3sat", formula, "--explain"),
    }
    for name, command in commands.items():
        assert run(*command).stdout == f"{texts[name]}\n", name
    assert proof.read_text(encoding="utf-8") == texts["Proof"]
    assert commands.keys() | {"Proof"} | PRINTED_AS_BOARDS == texts.keys()


def test_symbols_of_custom_games_are_escaped(tmp_path):
    """Custom games can come from strangers."""
    symbols = '<&"\N{PILE OF POO}'
    game = {"pegs": 2, "symbols": symbols, "noun": "symbol"}
    path = tmp_path / "evil.json"
    path.write_text(
        json.dumps({"title": "<script>alert(1)</script>", "rules": "none", **game}),
        encoding="utf-8",
    )
    board = Board.parse(f"game:{path}/<&=1.0")
    for result in (board, mmsat.codes(board).odds(), mmsat.explain(board), mmsat.steps(board)):
        drawn = check_picture(result._repr_svg_())
        assert "<" in "".join(drawn.itertext())


def test_inks_are_readable_on_their_backgrounds():
    """The contrast of text is at least 4.5 to 1 (WCAG 2) on light and on dark screens."""
    for screen in (0, 1):
        lights = {name: luminance(ink[screen].removeprefix("#")) for name, ink in INKS.items()}
        for background in ("ground", "lit"):
            for ink in ("ink", "dim", "conflict", "correction"):
                high, low = sorted((lights[background], lights[ink]), reverse=True)
                assert (high + 0.05) / (low + 0.05) >= 4.5, (screen, background, ink)


def test_pictures_of_large_boards_are_small():
    board = mmsat.Board(mmsat.Game(300, 6), [(tuple(range(6)) * 50, (1, 1))] * 30)
    drawn = check_picture(board._repr_svg_())
    assert len([*drawn]) < 70 * (FIRST_LINES + LAST_LINES)
    assert "lines omitted)" in "".join(drawn.itertext())


def test_the_picture_of_a_large_tree_counts_the_omitted_codes():
    tree = mmsat.analyze(mmsat.Game(4, 6), "most-parts").tree
    drawn = check_picture(tree._repr_svg_())
    shown = "".join(drawn.itertext())
    remaining = map(int, re.findall(r"\.\.\. (\d+) codes?", shown))
    complete = tree.distribution[1] + tree.distribution[2]
    assert sum(remaining) == tree.codes - complete


def test_pydoc_finds_the_public_functions():
    for name in mmsat.__all__:
        public = getattr(mmsat, name)
        assert public.__name__ == name
        assert public.__doc__
        if name.islower():
            assert f"function {name}" in pydoc.render_doc(public)
