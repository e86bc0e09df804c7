"""What a phone of 320 or 390 px shows: one line of verdict, nothing covered, nothing cut."""

from __future__ import annotations

import pytest

from tests.support import page_states
from tests.support.page_visit import LINE, SLIPPED

SOLVED = "4x6/1122=1.1/3345=0.2/6616=1.0/1413=2.0"


@pytest.fixture(params=[320, 390])
def phone(visit_in, request):
    viewport = {"width": request.param, "height": 844}
    visit = visit_in(viewport=viewport, has_touch=True, is_mobile=True)
    yield visit
    assert visit.errors == []


ONE_LINE = """element => {
  const box = element.getBoundingClientRect();
  const lines = [...element.children].filter(child => {
    const style = getComputedStyle(child);
    return style.clipPath === "none" && style.display !== "none";
  });
  const isWhole = lines.filter(child => !child.matches(".example")).every(child => {
    const range = document.createRange();
    const texts = document.createTreeWalker(child, NodeFilter.SHOW_TEXT);
    let text = texts.nextNode();
    while (text && (!text.data.trim() || text.parentElement.matches(".lead")))
      text = texts.nextNode();
    range.selectNodeContents(text ?? child);
    const own = range.getBoundingClientRect();
    return own.bottom <= box.bottom + 4 && own.right <= box.right + 1;
  });
  return [box.height < 32, isWhole, element.scrollWidth <= box.width + 1];
}"""


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("", "1.296 codes are possible"),
        ("4x6/1122=1.1/3345=0.2", "36 codes are possible"),
        (SLIPPED, "contradict each other"),
        (SOLVED, "Solved: the code is"),
        (f"{SOLVED}&assumed=4", "Solved, if row 4 was 2 black 0 white: the code is"),
        ("daily-word/CRANE=-YY--", "words are possible"),
        ("12x12/ABCDEFGHIJKL=3.4", "143.787.049.560 codes are possible"),
        ("30x30", "codes are possible"),
        ("4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2", "206 codes are possible"),
    ],
)
def test_the_verdict_is_one_line(phone, line, verdict):
    phone.open(line).wait_for_verdict(verdict)
    assert phone.page.locator(".verdict-line .headline").evaluate(ONE_LINE) == [True] * 3


@pytest.mark.parametrize(
    ("line", "question", "verdict"),
    [
        (SLIPPED, "explain", "contradict each other"),
        (f"{SOLVED}&assumed=4", "suggest", "Solved, if row 4 was 2 black 0 white: the code is"),
        (SOLVED, "suggest", "Solved: the code is"),
        ("12x12/ABCDEFGHIJKL=3.4", "suggest", "143.787.049.560 codes are possible"),
        ("4x6/1122=1.1/3345=0.2", "suggest", "36 codes are possible"),
        ("daily-word/CRANE=-YY--", "suggest", "words are possible"),
    ],
)
def test_the_verdict_is_one_line_beside_the_button_that_stops(phone, line, question, verdict):
    phone.page.route(f"**/api/{question}", lambda _: None)  # stays open
    phone.open(line).wait_for_verdict(verdict)
    phone.page.wait_for_selector(".working button")
    assert phone.page.locator(".verdict-line .headline").evaluate(ONE_LINE) == [True] * 3


@pytest.mark.parametrize("line", [LINE, "12x12/ABCDEFGHIJKL=3.4"])
def test_the_verdict_is_never_empty_while_the_codes_are_counted(phone, line):
    phone.page.route("**/api/count", lambda _: None)  # stays open
    phone.open(line).wait_for_verdict("The scores fit")
    text = phone.page.locator(".verdict-line .headline > span >> nth=0")
    assert text.evaluate("each => getComputedStyle(each).clipPath") == "none"
    assert text.inner_text() == "The scores fit."


def test_the_palette_does_not_cover_the_doors(phone):
    page_states.start(phone)
    page = phone.page
    assert page.locator(".palette").is_hidden()
    page.tap(".rows .cell >> nth=0")
    assert page.locator(".palette").is_visible()
    page.tap(".palette [aria-label='put color 2']")
    page.tap(".palette [aria-label='put color 2']")
    assert page.locator(".guess .cell[aria-label*='color 2']").count() == 2


@pytest.mark.parametrize("game", ["mastermind", "super", "bulls-and-cows", "daily-word"])
def test_the_name_of_the_game_has_ten_letters(phone, game):
    """A longer name ends with dots in the header, and is complete in the menu."""
    phone.open(game).wait_for_verdict("are possible")
    widths = phone.page.locator(".game-menu > summary strong").evaluate(
        "each => [each.clientWidth, each.scrollWidth,"
        " 10 * parseFloat(getComputedStyle(each).fontSize) * 0.62]"
    )
    shown, whole, ten_letters = widths
    assert shown >= min(whole, ten_letters)
    off_center = phone.page.locator(".game-menu > summary").evaluate(
        "each => { const [outer, inner] = [each, each.querySelector('strong')]"
        ".map(part => part.getBoundingClientRect());"
        " return outer.top + outer.bottom - inner.top - inner.bottom; }"
    )
    assert abs(off_center) < 3


@pytest.mark.parametrize("line", [page_states.PLAYED, "12x10/AABBCCDDEEFF=3.4"])
def test_the_labels_of_the_graph_are_large_enough(phone, line):
    page_states.review(phone, line)
    sizes = phone.page.locator(".graph").evaluate(
        "svg => [...svg.querySelectorAll('text')].map(text => svg.clientWidth *"
        " parseFloat(getComputedStyle(text).fontSize) / svg.viewBox.baseVal.width)"
    )
    assert min(sizes) >= 11
    width = phone.page.viewport_size["width"]
    for label in phone.page.locator(".graph text").all():
        box = label.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_a_wide_heat_map_fits_or_shows_that_it_scrolls(phone):
    phone.open("12x12/ABCDEFGHIJKL=3.4").wait_for_verdict("codes are possible")
    phone.tab("codes").page.wait_for_selector(".heat")
    hidden, shadow = phone.page.locator(".scroll:has(.heat)").evaluate(
        "each => [each.scrollWidth - each.clientWidth,"
        " Number(getComputedStyle(each, '::after').opacity)]"
    )
    assert (hidden > 0) == (phone.page.viewport_size["width"] == 320)
    assert (shadow > 0.3) == (hidden > 0)


@pytest.mark.parametrize("line", [LINE, "4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2"])
def test_the_table_of_guesses_is_whole(phone, line):
    page_states.guesses(phone, line)
    scroll = phone.page.locator(".scroll:has(.guesses)")
    assert scroll.evaluate("each => each.scrollWidth - each.clientWidth") <= 0


@pytest.mark.parametrize("boards", [1, 4])
def test_a_code_given_up_is_drawn(phone, boards):
    page_states.guessing(phone, boards=boards)
    page = phone.page
    page.get_by_role("button", name="Give up").click()
    page.wait_for_selector(".revealed .code")
    told = page.inner_text(".outcome")
    drawn = page.locator(".revealed .code").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-label'))"
    )
    assert told in (f"The code was {drawn[0]}.", f"The codes were {', '.join(drawn)}.")
    assert page.locator(".revealed .peg").count() == 4 * boards


def test_a_board_that_was_loaded_is_in_view(phone):
    phone.open("4x6").wait_for_verdict("are possible")
    page = phone.tab("share").page
    page.fill("#paste", "4x6/1122=1.1/3345=0.2/6616=1.0")
    page.get_by_role("button", name="Load", exact=True).click()
    page.wait_for_selector(".row >> nth=3")
    page.wait_for_function(
        "() => document.querySelector('.rows').getBoundingClientRect().top >= 0"
        " && document.querySelector('.rows').getBoundingClientRect().bottom < innerHeight"
    )


def test_a_wrong_code_of_a_puzzle_is_refused_in_view(phone):
    """After many hints the message above the board is out of view."""
    page_states.puzzle(phone)
    page = phone.page
    for _ in range(6):
        page.click("play-view >> text=More help")
    page.tap(".row.draft .guess .cell")
    for color in "1111":
        page.tap(f".palette [aria-label='put color {color}']")
    page.tap(".palette [aria-label='Make this guess']")
    page.wait_for_selector(".complaint >> text=Not 1111")
    page.wait_for_timeout(300)
    bottom = page.locator(".complaint").evaluate("each => each.getBoundingClientRect().bottom")
    keys = page.locator(".palette").evaluate("each => each.getBoundingClientRect().top")
    assert 0 < bottom <= keys
