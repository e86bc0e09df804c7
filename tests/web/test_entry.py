"""Boards can be entered by mouse, touch and keyboard, in games with symbols of any length."""

from __future__ import annotations

import re
from itertools import product

import pytest

from mmsat import Board
from tests.support.web_client import ask


def cells(visit, row):
    return visit.page.locator(".row").nth(row).locator(".cell")


def refusal(visit):
    return visit.page.inner_text(".refusal")


def start(visit, line):
    visit.open(line)
    visit.page.wait_for_function(
        "line => document.querySelector('.board-line').innerText.startsWith(line)", arg=line
    )
    visit.page.focus(".rows .cell[tabindex='0']")
    return visit


def test_rows_are_entered_one_after_the_other_by_mouse_or_touch(visit):
    visit.open().wait_for_verdict("1.296 codes are possible")
    page = visit.page
    is_touch = page.evaluate("navigator.maxTouchPoints")
    push = page.tap if is_touch else page.click
    if is_touch:  # the first tap on the board brings the palette, which would cover the start page
        push(".rows .cell >> nth=0")
    for row in ((1, 1, 2, 2, "1 black", "1 white"), (3, 3, 4, 5, "0 black", "2 white")):
        for value in row:
            name = value if isinstance(value, str) else f"color {value}"
            push(f".palette [aria-label='put {name}']")
    visit.wait_for_verdict("36 codes are possible")
    assert visit.line() == "4x6/1122=1.1/3345=0.2"


@pytest.mark.parametrize(
    ("game", "keys", "line"),
    [
        ("4x6", "1122113345", "4x6/1122=1.1"),
        ("4x6", "1122113345" + "02", "4x6/1122=1.1/3345=0.2"),
        ("4x6", "1122=1.1 3345=0.2", "4x6/1122=1.1/3345=0.2"),
        ("4x5x5", "1A2B3C4D" + "111", "4x5x5/1A2B3C4D=1.1.1"),
        ("4x5x5", "1a2b3c4d" + "102", "4x5x5/1A2B3C4D=1.0.2"),
        ("3x30", "17 17 3 11", "3x30/17-17-3=1.1"),
        ("3x30", "1-17-30=11", "3x30/1-17-30=1.1"),
        ("3x30", "45" + "6" + "02", "3x30/4-5-6=0.2"),
        ("3x3x40", "1 2 120" + "011", "3x3x40/1-2-120=0.1.1"),
        ("2x150", "150" + "15 " + "10", "2x150/150-15=1.0"),
        ("2x1000", "1000" + "99 " + "10", "2x1000/1000-99=1.0"),
        ("4x12", "abcl11", "4x12/ABCL=1.1"),
        ("12x2", "12" * 6 + "1 10 ", "12x2/" + "12" * 6 + "=1.10"),
        ("12x2", "12" * 6 + "10." + "1.", "12x2/" + "12" * 6 + "=10.1"),
        ("12x2", "12" * 6 + "12" + "0 ", "12x2/" + "12" * 6 + "=12.0"),
        ("12x2", "12" * 6 + "13", "12x2/" + "12" * 6 + "=1.3"),
        ("bulls-and-cows", "012311", "bulls-and-cows/0123=1.1"),
        ("daily-word", "crane-yy--", "daily-word/CRANE=-YY--"),
        ("daily-word", "crane01100", "daily-word/CRANE=-YY--"),
        ("3x9do", "123elr", "3x9do/123=ELR"),
        ("4x6", "1?22?1", "4x6/1?22=?.1"),
        ("4x5x5", "1A?3C4D1?0", "4x5x5/1A??3C4D=1.?.0"),
    ],
)
def test_symbols_of_any_length_are_typed(desk, address, game, keys, line):
    start(desk, game).press(*keys)
    assert desk.line() == line
    assert ask(address, "board", board=line)[1]["answer"]["board"] == line


@pytest.mark.parametrize(
    ("game", "keys", "message", "line"),
    [
        ("4x6", "9", "“9” is no color of this game: 1 to 6.", "4x6"),
        ("4x5x5", "17", "“17” is no pair of this game: color 1 to 5 and shape A to E", "4x5x5"),
        ("3x30", "0", "“0” is no color of this game: 1 to 30, joined by '-' or ','.", "3x30"),
        ("4x12", "1", "“1” is no color of this game: A to L", "4x12"),
        ("4x6", "11229", "“9” is no number of black: 0 to 4.", "4x6"),
        ("4x6", "112215", "“5” is no number of white: 0 to 4.", "4x6"),
        (
            "4x6",
            "112232",
            "This score cannot be: there are only 4 pegs to score, and this scores 5.",
            "4x6",
        ),
        (
            "4x6",
            "112231",
            "with 3 of 4 pegs right in place, the last has nowhere else to go",
            "4x6",
        ),
        ("4x6", "1122bbbbb", "a part of a score is at most 4", "4x6/1122=4.0"),
        ("4x6", "1122bbbw", "the last has nowhere else to go", "4x6/1122=3.0"),
        ("4x6b", "11225", "“5” is no number of black: 0 to 4.", "4x6b"),
        ("3x2x3", "1a1b2c" + "203", "only 3 places can be black or blue", "3x2x3"),
        ("daily-word", "craneggggy", "with 4 of 5 in place, the last has nowhere", "daily-word"),
        (
            "daily-word",
            "crane7",
            "“7” is no mark: - grey: absent, Y yellow: elsewhere, G green: in ",
            "daily-word",
        ),
    ],
)
def test_impossible_input_is_refused_with_a_message(desk, game, keys, message, line):
    start(desk, game).press(*keys)
    assert message in refusal(desk)
    assert desk.line() == line


def test_exactly_the_impossible_scores_are_refused(desk):
    """The possible scores are those of all pairs of codes."""
    possible = set()
    for code, guess in product(product(range(4), repeat=3), repeat=2):
        black = sum(map(int.__eq__, code, guess))
        common = sum(min(code.count(color), guess.count(color)) for color in range(4))
        possible.add((black, common - black))
    start(desk, "3x4").press(*"112")
    accepted = set()
    for black, white in product(range(4), repeat=2):
        cells(desk, 0).nth(3).click()
        desk.press(str(black), str(white))
        if desk.line() == f"3x4/112={black}.{white}":
            accepted.add((black, white))
        cells(desk, 0).nth(3).click()
        desk.press("Delete", *"112")
    assert accepted == possible


def test_a_part_that_no_longer_fits_is_emptied(desk):
    start(desk, "4x6/1122=1.3")
    cells(desk, 0).nth(4).click()
    desk.press("3")
    assert refusal(desk) == "white of row 1 was emptied, as it no longer fits."
    desk.press("0")
    assert desk.line() == "4x6/1122=3.0"


def test_an_impossible_score_that_was_loaded_can_be_corrected(desk):
    start(desk, "4x6/1122=3.4")
    cells(desk, 0).nth(4).click()
    desk.press("1", "1")
    assert desk.line() == "4x6/1122=1.1"


def test_an_incomplete_row_is_marked_as_ignored(desk):
    start(desk, "4x6").press(*"11221", "Enter", *"3345")
    desk.wait_for_verdict("Rows 1 and 2 are not complete, so they do not count yet")
    assert "not complete, so it does not count" in desk.page.locator(".row").nth(0).inner_text()
    desk.press("ArrowUp", "End", "1")
    desk.wait_for_verdict(
        "208 codes are possible[^]*Row 2 is not complete, so it does not count yet"
    )


def test_backspace_continues_in_the_previous_row(desk):
    start(desk, "4x6").press(*"112211", "Backspace", "Backspace", "0")
    assert desk.line() == "4x6/1122=1.0"


def test_the_palette_can_be_used_with_the_keyboard(desk):
    start(desk, "4x5x5").press("Tab")
    page = desk.page
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "put pair 1A"
    desk.press("ArrowRight", "ArrowRight", "Enter")
    assert cells(desk, 0).nth(0).get_attribute("aria-label") == "peg 1: pair 1C"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("peg 2")


def test_the_palette_keeps_the_focus_when_an_answer_comes(desk):
    """The answer renders the board again, after which the focus was once on a row."""
    start(desk, "4x5x5").press("Tab", "ArrowRight")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert desk.page.evaluate(focused) == "put pair 1B"
    for question in ("check", "explain", "used", None):
        desk.page.evaluate("async name => { mmsat.analysis.tell(name); await null; }", question)
        desk.page.evaluate("() => new Promise(requestAnimationFrame)")
        assert desk.page.evaluate(focused) == "put pair 1B"


def test_the_first_click_selects_a_mark_and_the_second_changes_it(visit):
    visit.open("daily-word/CRANE=-YY--").wait_for_verdict("are possible")
    page = visit.page
    push = "tap" if page.evaluate("navigator.maxTouchPoints") else "click"
    getattr(cells(visit, 0).nth(6), push)()
    assert visit.line() == "daily-word/CRANE=-YY--"
    getattr(cells(visit, 0).nth(6), push)()
    assert visit.line() == "daily-word/CRANE=-GY--"


def test_a_tap_on_a_letter_changes_its_color(visit):
    visit.open("daily-word").wait_for_verdict("are possible")
    page = visit.page
    push = "tap" if page.evaluate("navigator.maxTouchPoints") else "click"
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"cra")
    getattr(cells(visit, 0).nth(0), push)()
    assert page.locator(".row .peg[class*='mark-']").count() == 0  # the word is not complete
    cells(visit, 0).nth(3).focus()
    visit.press(*"ne")
    assert page.is_visible("text=Tap a letter to change its color.")
    for place, marks in ((0, "-"), (1, "-Y"), (2, "-YG"), (3, "-"), (4, "-YG-")):
        for _ in marks:
            getattr(cells(visit, 0).nth(place), push)()
    assert visit.line() == "daily-word/CRANE=-YG--"
    assert page.locator("text=Tap a letter to change its color.").count() == 0
    labels = [cells(visit, 0).nth(n).get_attribute("aria-label") for n in (1, 2)]
    assert labels == ["place 2: letter R, yellow", "place 3: letter A, green"]


def test_the_button_use_fills_an_incomplete_row(desk):
    start(desk, "4x6/1122=1.1").press(*"33")
    desk.page.click("guesses-view tr.best >> text=Use")
    assert desk.page.locator(".row").count() == 3
    labels = [cells(desk, 1).nth(n).get_attribute("aria-label") for n in range(4)]
    assert all(label.startswith(f"peg {n + 1}: color") for n, label in enumerate(labels))


def test_the_initial_game_equals_that_of_the_server(desk, address):
    desk.open()
    shown = desk.page.evaluate("async () => (await import('./js/core/notation.js')).CLASSIC")
    assert shown == ask(address, "board", board="4x6")[1]["answer"]["game"]


def test_row_numbers_include_ignored_rows(visit):
    """In sentences, on the board, in the steps and in the review."""
    line = "4x6/4244=0.1/5152=2.1/2153=1.1/6552=1.1/5451=2.2"
    visit.open(f"{line}&off=1").wait_for_verdict("contradict each other")
    page = visit.page
    page.wait_for_selector("verdict-view .corrections")
    likely, *_, text = page.locator("verdict-view .lines").all_inner_texts()
    assert re.match(r"Rows? [2345](,| is| and)", likely)
    lit = [row.inner_text() for row in page.locator(".row.conflict .number").all()]
    game, *rows = line.split("/")
    for kept in (lit, *(lit[:n] + lit[n + 1 :] for n in range(len(lit)))):
        board = Board.parse("/".join([game, *(rows[int(number) - 1] for number in kept)]))
        codes = product(range(6), repeat=4)
        assert any(map(board.is_consistent, codes)) is (kept != lit)  # a smallest conflict
    assert text.startswith(f"Rows {' and '.join(lit)} ")
    visit.tab("why").page.click("text=Explain step by step")
    page.wait_for_selector("why-view .now")
    steps = page.inner_text("why-view .steps")
    assert set(re.findall(r"[Rr]ow (\d)", steps)) <= set("2345")
    assert not re.search(r"[Rr]ows? 1\b", steps)
    visit.tab("review").page.click("text=Review this game")
    page.wait_for_selector("review-view li >> nth=3")  # the review comes guess by guess
    assert page.locator("review-view li .number").all_inner_texts() == ["2", "3", "4", "5"]


def test_an_incomplete_row_has_a_number(desk):
    start(desk, "4x6").press(*"112211", *"33", "Enter", *"112202")
    desk.wait_for_verdict("Rows 1 and 3 can't both be right")
    assert [row.inner_text() for row in desk.page.locator(".row.conflict .number").all()] == [
        "1",
        "3",
    ]
    desk.page.click(".corrections li:first-child button:first-of-type")
    desk.wait_for_verdict("possible|Solved")
    assert desk.line() in ("4x6/1122=1.1/1122=1.1", "4x6/1122=0.2/1122=0.2")


def test_the_row_that_the_witness_misses_is_marked(desk):
    desk.open("4x6/1122=1.1/3345=0.2/1122=0.2&lies=1").wait_for_verdict("row \\d has the wrong")
    missed = re.search(r"row (\d) has the wrong score", desk.page.inner_text("verdict-view"))[1]
    assert [row.inner_text() for row in desk.page.locator(".row.wrong .number").all()] == [missed]
