"""Nothing covers what is filled in or read, and many pegs use the width that there is."""

from __future__ import annotations

import pytest

from tests.support.page_states import WRONG
from tests.support.page_visit import LINE

WORD = "daily-word/CRANE=-YY--"
LONG = "12x10/AABBCCDDEEFF=3.4"
THIRTY = f"30x30/{'-'.join(str(color) for color in range(1, 31))}=3.10"
IN_VIEW = """() => {
  const cells = document.querySelector(".rows .cell[tabindex='0']").closest(".cells");
  const { top, bottom, left } = cells.getBoundingClientRect();
  const isFree = y => cells.contains(document.elementFromPoint(left + 15, y));
  return top >= 0 && bottom <= innerHeight && isFree(top + 8) && isFree(bottom - 8);
}"""
"""Whether the cells with the cursor are in view, and nothing covers them."""


def sizes(page, selector):
    return page.locator(selector).evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().toJSON())"
    )


@pytest.mark.parametrize(("width", "height"), [(350, 225), (700, 450), (740, 360)])
@pytest.mark.parametrize("line", [LINE, WORD, WRONG])
def test_nothing_covers_the_row_that_is_filled_in_on_a_low_screen(visit_in, width, height, line):
    """The first two sizes are those of a page of 1400 x 900 pixels at 400 % and 200 %."""
    visit = visit_in(viewport={"width": width, "height": height})
    visit.open(line).wait_for_verdict("possible|contradict")
    page = visit.page
    for cell in page.locator(".row").last.locator(".guess .cell").all():
        cell.click()
        page.wait_for_function(IN_VIEW)
    fixed = page.locator(".palette, .verdict-line").evaluate_all(
        "all => all.filter(each => ['fixed', 'sticky'].includes(getComputedStyle(each).position))"
        ".length"
    )
    assert fixed == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("line", [WRONG, THIRTY])
def test_the_row_that_is_filled_in_stays_in_view_on_a_phone(visit_in, line):
    """Also after notes and answers that arrive later move it."""
    visit = visit_in(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visit.open(line).wait_for_verdict("possible|contradict|so far|At least")
    page = visit.page
    page.tap(".row.empty .cell >> nth=0")
    page.wait_for_function(IN_VIEW)
    page.evaluate(
        "() => { const note = document.createElement('p'); note.style.height = '500px';"
        " document.querySelector('.rows').before(note); }"
    )
    page.wait_for_function(IN_VIEW)


@pytest.mark.parametrize(("line", "least"), [(LONG, 32), (THIRTY, 36)])
@pytest.mark.parametrize("width", [1400, 1920])
def test_many_pegs_use_the_width_of_the_board(visit_in, width, line, least):
    visit = visit_in(viewport={"width": width, "height": 900})
    visit.open(line).wait_for_verdict("possible|so far|At least")
    page = visit.page
    pegs = sizes(page, ".row >> nth=0 >> .guess .peg")
    assert min(peg["width"] for peg in pegs) >= least
    assert len({round(peg["y"]) for peg in pegs}) == (1 if line == LONG else 2)
    (board,) = sizes(page, "board-view")
    assert max(peg["right"] for peg in pegs) <= board["right"]
    if line == THIRTY:
        assert max(peg["right"] for peg in pegs) - pegs[0]["left"] >= 0.9 * board["width"]


@pytest.mark.parametrize("width", [1400, 1920])
def test_a_long_guess_is_in_one_line_of_the_table(visit_in, width):
    visit = visit_in(viewport={"width": width, "height": 900})
    visit.open(LONG).wait_for_verdict("possible")
    page = visit.page
    page.wait_for_selector("guesses-view tbody tr .peg")
    pegs = sizes(page, "guesses-view tbody tr >> nth=0 >> .peg")
    assert len({round(peg["y"]) for peg in pegs}) == 1
    assert page.locator("guesses-view .scroll").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_pointing_at_guesses_moves_none_of_them(desk):
    desk.open(LINE).wait_for_verdict("36 codes")
    page = desk.page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    rows = page.locator("guesses-view tbody tr")
    before = sizes(page, "guesses-view tbody tr")
    for n in range(rows.count()):
        rows.nth(n).hover()
        name = rows.nth(n).locator(".code").get_attribute("aria-label")
        page.wait_for_selector(f"guesses-view ul[aria-label='Scores of {name}'] li")
        assert sizes(page, "guesses-view tbody tr") == before
    page.mouse.move(0, 0)
    assert sizes(page, "guesses-view tbody tr") == before


def test_the_state_of_a_game_is_above_the_corrections(visit):
    visit.open("4x6").wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.get_by_role("button", name="Let it guess", exact=True).click()
    for number in range(1, 4):
        page.wait_for_selector(f"play-view >> text=My guess {number} is")
        page.focus(".rows .cell[tabindex='0']")
        visit.press("0", "0")
        if page.locator("verdict-view .corrections").count():
            break
        page.wait_for_selector(f"play-view >> text=/My guess {number + 1} is|Correct a row/")
        if page.locator("play-view >> text=Correct a row").count():
            break
    page.wait_for_selector("verdict-view .corrections")
    (play,) = sizes(page, "section.play")
    (corrections,) = sizes(page, ".verdict-more")
    assert play["bottom"] <= corrections["top"]


def test_the_steps_are_beside_the_board_when_scores_contradict(desk):
    desk.open(WRONG).wait_for_verdict("contradict each other")
    page = desk.tab("why").page
    page.wait_for_selector("verdict-view .corrections")
    page.click("why-view button >> nth=0")
    page.wait_for_selector("why-view .steps li")
    (steps,) = sizes(page, "why-view .reading")
    (corrections,) = sizes(page, ".verdict-more")
    assert steps["bottom"] <= corrections["top"]
    assert steps["bottom"] <= 900


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("line", [LONG, THIRTY])
def test_a_long_row_is_one_line_on_a_phone(visit_in, width, line):
    """Pegs that do not fit scroll, in all rows together, as far as the scores leave room for it."""
    visit = visit_in(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    visit.open(line).wait_for_verdict("possible|so far|At least")
    page = visit.page
    pegs = sizes(page, ".row >> nth=0 >> .guess .peg")
    assert len({round(peg["y"]) for peg in pegs}) == 1
    assert min(peg["width"] for peg in pegs) >= 16
    letter = page.locator(".row >> nth=0 >> .guess .peg >> nth=0 >> text").evaluate(
        "text => text.ownerSVGElement.clientWidth / 40"
        " * parseFloat(getComputedStyle(text).fontSize)"
    )
    assert letter >= 9
    (first, _) = sizes(page, ".row")
    assert first["height"] < 60
    marks = sizes(page, ".row >> nth=0 >> .score .cell")
    assert max(mark["right"] for mark in marks) <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    hidden = page.locator(".row >> nth=0 >> .guess").evaluate("e => e.scrollWidth - e.clientWidth")
    assert (hidden > 1) == (line == THIRTY or width == 320)
    page.tap(".row.empty .guess .cell >> nth=0")
    count = 12 if line == LONG else 30
    for _ in range(count - 1):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('.cells.guess')];"
        " return all.every(each => Math.abs(each.scrollLeft - all[0].scrollLeft) < 5); }"
    )
    (cells,) = sizes(page, ".row.empty .guess")
    last = sizes(page, ".row.empty .guess .cell")[-1]
    assert cells["left"] <= last["left"]
    assert last["right"] <= cells["right"] + 1


def test_a_wide_screen_has_large_pegs(visit_in):
    visit = visit_in(viewport={"width": 1920, "height": 1080})
    visit.open(LINE).wait_for_verdict("36 codes")
    page = visit.page
    pegs = sizes(page, ".row >> nth=0 >> .guess .peg")
    assert min(peg["width"] for peg in pegs) >= 72
    (board,), (side,) = sizes(page, "#board-panel"), sizes(page, ".side")
    assert board["width"] > side["width"]
