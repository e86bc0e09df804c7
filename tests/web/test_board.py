"""The board as the center of the page: the start page, the rows, the palette, and the verdict."""

from __future__ import annotations

import pytest

from mmsat import Board
from tests.support.page_visit import LINE, PHONE, SLIPPED

BOARDS = [
    "4x6/1122=1.1/3345=0.2",
    "5x8/11223=1.1/14356=1.2",
    "bulls-and-cows/0123=1.1",
    "daily-word/CRANE=-YY--",
    "4x5x5/1A2B3C4D=1.1.1",
    "3x30/1-17-30=1.1",
]
"""A board of each of six kinds of game."""
LONG = "4x6/" + "/".join(["1122=1.1", "3345=0.2"] * 6)
BOXES = "all => all.map(each => each.getBoundingClientRect().toJSON())"


def box(page, selector):
    return page.locator(selector).first.evaluate("each => each.getBoundingClientRect().toJSON()")


def test_the_start_page_has_three_start_buttons_and_six_kinds_of_examples(desk):
    desk.open().wait_for_verdict("Enter your guesses and scores.\\s1.296 codes are possible")
    page = desk.page
    assert page.locator(".door strong").all_inner_texts() == [
        "Find the mistake in my game",
        "Help me guess",
        "Play",
    ]
    assert page.locator("main button:disabled:visible").count() == 0
    assert page.locator("main table:visible").count() == 0
    page.wait_for_function("() => document.querySelectorAll('.gallery .thumbnail').length === 6")
    games = set()
    for n in range(6):
        desk.open()
        page.reload()
        page.locator(".gallery button").nth(n).click()
        page.wait_for_selector(".row:not(.empty)")
        board = Board.parse(desk.line())
        games.add((board.game.parts, board.game.colors, board.game.space.summary))
        desk.wait_for_verdict("contradict each other" if n == 0 else "are possible")
        assert page.locator("#guesses").is_visible()
        assert page.locator("start-view").is_hidden()
    assert len(games) == 6


def test_each_start_button_leads_to_its_screen(visit):
    page = visit.open().page
    visit.wait_for_verdict("are possible")
    page.click("text=Find the mistake in my game")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("peg 1")
    assert page.locator("#why").is_visible()
    page.reload()
    page.click("text=Help me guess")
    assert page.locator("#guesses").is_visible()
    assert page.locator("start-view").is_hidden()
    page.reload()
    page.click(".door >> text=Play")
    assert page.locator("play-view").is_visible()
    assert page.locator("start-view").is_hidden()
    visit.screen("board")
    page.click("text=Paste it")
    assert page.evaluate("document.activeElement.id") == "paste"


@pytest.mark.parametrize("line", BOARDS)
def test_on_a_phone_everything_fits(visit_in, line):
    """The header and each row take one line; the palette and the verdict stay in view."""
    visit = visit_in(**PHONE).open(line)
    visit.wait_for_verdict("possible|Solved")
    page, width, height = visit.page, *PHONE["viewport"].values()
    assert box(page, ".top")["height"] < 60
    cell = box(page, ".row .guess .cell")
    has_marks = page.locator(".row .score.marks").count() > 0
    for row in page.locator(".row").all():
        num_lines = row.evaluate("row => row.offsetHeight") / cell["height"]
        assert num_lines < (2.2 if has_marks else 2)
    palette = box(page, ".palette")
    assert palette["bottom"] == height
    keys = page.locator(".palette .cell").evaluate_all(BOXES)
    is_keyboard = page.locator(".palette.letters").count() > 0
    assert all(key["width"] >= (30 if is_keyboard else 44) and key["height"] >= 44 for key in keys)
    columns = {key["x"] for key in keys if key["y"] == keys[0]["y"]}
    assert len(columns) == (10 if is_keyboard else min(7, len(keys)))
    assert is_keyboard == (line.startswith("daily-word"))
    for position in ("0", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {position})")
        page.wait_for_timeout(100)
        verdict = box(page, ".verdict-line")
        visible_bottom = box(page, ".palette")["top"] if page.is_visible(".palette") else height
        assert 0 <= verdict["top"] < verdict["bottom"] <= visible_bottom + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_verdict_stays_beside_a_long_board(desk):
    desk.open(LONG).wait_for_verdict("are possible")
    page = desk.page
    page.set_viewport_size({"width": 1280, "height": 600})
    for position in (0, 150, 300):
        page.evaluate(f"scrollTo(0, {position})")
        verdict = box(page, ".verdict-line")
        assert 0 <= verdict["top"] < verdict["bottom"] < 600


@pytest.mark.parametrize(("line", "num_lines"), [("4x6", 1), ("8x8", 1), ("12x10", 1), ("30x6", 3)])
def test_pegs_are_scaled_to_the_width(desk, line, num_lines):
    desk.open(line).wait_for_verdict("are possible")
    boxes = desk.page.locator(".row .guess .cell").evaluate_all(BOXES)
    assert len({cell["y"] for cell in boxes}) <= num_lines
    assert min(cell["width"] for cell in boxes) >= 24


def test_colors_are_dragged_to_pegs(desk):
    desk.open().wait_for_verdict("are possible")
    page = desk.page
    for cell, color in ((2, 3), (0, 1), (1, 1), (3, 6)):
        page.drag_and_drop(
            f".palette [aria-label='put color {color}']", f".row .guess .cell >> nth={cell}"
        )
    page.drag_and_drop(".palette .cell >> nth=1", ".row .score .cell >> nth=1")
    labels = [
        each.get_attribute("aria-label") for each in page.locator(".row .guess .cell").all()[:4]
    ]
    assert labels == [f"peg {n + 1}: color {c}" for n, c in enumerate((1, 1, 3, 6))]


def test_symbols_are_typed_without_clicking_first(desk):
    desk.open().wait_for_verdict("are possible")
    desk.press(*"112211", *"334502")
    assert desk.line() == LINE


def test_the_menu_of_a_row_is_used_with_the_keyboard(desk):
    desk.open(SLIPPED).wait_for_verdict("contradict each other")
    page = desk.page
    summary = "[aria-label='Change row 3']"
    page.focus(summary)
    desk.press("Enter")
    page.wait_for_selector("[aria-label='Ignore row 3']")
    desk.press("Escape")
    assert page.locator("[aria-label='Ignore row 3']").is_hidden()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Change row 3"
    desk.press("Enter", "Tab", "Enter")
    desk.wait_for_verdict("36 codes are possible")
    assert "ignored" in page.locator(".row").nth(2).get_attribute("aria-label")
    page.click(summary)
    page.click("h1")
    assert page.locator("[aria-label='Ignore row 3']").is_hidden()


@pytest.mark.parametrize("line", ["4x6/1122=1.1/3345=0.2/1234=4.0", "4x5x5/1A2B3C4D=1.1.2"])
def test_scores_are_drawn_as_key_pegs(desk, line):
    desk.open(line)
    desk.page.wait_for_selector(".row .keys")
    board = Board.parse(line)
    for row, drawn in zip(board.rows, desk.page.locator(".row .keys").all(), strict=True):
        for name, number in zip(board.game.parts, row.score, strict=True):
            assert drawn.locator(f".key-{name}").count() == number


def test_pairs_are_drawn_with_five_shapes(desk):
    desk.open("4x5x5").wait_for_verdict("are possible")
    outlines = desk.page.locator(".palette .cell svg").evaluate_all(
        "all => all.map(each => each.querySelector('path')?.getAttribute('d') ?? 'circle')"
    )
    assert len(set(outlines[:5])) == 5
    assert outlines[:5] == outlines[5:10] == outlines[20:25]


COUNT_RENDERS = """() => {
  window.rendered = {};
  for (const view of document.querySelectorAll('*')) {
    if (!view.localName.endsWith('-view')) continue;
    const { update } = view;
    const name = view.localName.replace('-view', '');
    view.update = function () {
      window.rendered[name] = (window.rendered[name] ?? 0) + 1;
      return update.call(this);
    };
  }
}"""
RENDERS_AFTER_EVENT = """event => new Promise(resolve => {
  window.rendered = {};
  if (event) window.mmsat.analysis.tell(event);
  setTimeout(() => resolve(window.rendered));
})"""


def test_only_the_views_that_show_a_change_are_rendered(desk):
    desk.open(LINE).wait_for_verdict("36 codes are possible")
    page = desk.page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    page.wait_for_selector("verdict-view progress", state="detached")
    page.wait_for_function("() => document.querySelector('#game').options.length > 5")
    page.evaluate(COUNT_RENDERS)
    # Events of analysis.js: "own" is about a typed guess, "used" about the rows that light up, and
    # "work" about all work together, and "moment" about the position that a review shows.
    views = {
        "check": ["board", "codes", "guesses", "verdict"],
        "count": ["codes", "guesses", "share", "verdict"],  # share: a puzzle has one code
        "explain": ["board", "verdict"],
        "suspect 3": ["verdict"],
        "work": ["verdict"],
        "odds": ["codes"],
        "codes 21": ["codes"],
        "suggest": ["guesses"],
        "own": ["guesses"],
        "split 1122": ["guesses"],
        "steps": ["why"],
        "review": ["review"],
        "used": ["board"],
        "moment": ["verdict"],
    }
    for event, expected in views.items():
        assert page.evaluate(RENDERS_AFTER_EVENT, event) == dict.fromkeys(expected, 1), event
    page.focus(".rows .cell[tabindex='0']")
    page.evaluate(RENDERS_AFTER_EVENT, "")
    desk.press("ArrowRight")
    assert page.evaluate("window.rendered") == {"board": 1}


def test_the_link_of_a_game_has_nothing_to_undo(desk):
    """Also before the first answers about it."""
    page = desk.page
    for question in ("check", "count", "odds", "suggest"):
        page.route(f"**/api/{question}*", lambda _: None)  # stays open
    desk.open("3x4")
    page.wait_for_function("() => document.querySelectorAll('.rows .guess .cell').length === 3")
    assert page.locator("board-view .tools").count() == 0
