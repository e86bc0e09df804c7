"""Accessibility of every screen and state: axe-core, zoom, names, announcements, and the focus."""

from __future__ import annotations

import random

import pytest

from tests.support.page_states import PUZZLE, STATES, found, guesses, guessing, review, start, why
from tests.support.page_visit import DESKTOP, LINE, LISTEN, PHONE, SLIPPED
from tests.support.web_client import ask

ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MEDIA = {
    "desktop": (1400, 900, "light", ALL),
    "desktop, dark": (1400, 900, "dark", ["color-contrast"]),
    "phone": (360, 740, "light", ["color-contrast", "target-size"]),
    "phone, dark": (360, 740, "dark", ALL),
}
"""Width, height, theme and axe-core's rules; each theme and each width has all rules once."""
ZOOMED = ((1280, 800), (640, 400), (320, 256))
"""The viewport of a window of 1280 x 800 at 100, 200 and 400 %, and lower."""
CUT_OFF = """() => {
  const scrolls = element => element.closest('.scroll, .choices, textarea');
  const shown = [...document.querySelectorAll('button, input, select, summary, p, h3, li, dd, th')]
    .filter(each => each.checkVisibility() && !scrolls(each) && !each.closest('.unseen, .skip'));
  const isOut = each => {
    const box = each.getBoundingClientRect();
    return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1);
  };
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  return [...wide, ...shown.filter(isOut).map(each => each.outerHTML.slice(0, 120))];
}"""


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_each_state_is_accessible_and_fits(visit_in, axe, state):
    """All rules of axe-core hold in both themes and widths; nothing is cut off when zoomed in."""
    visit = visit_in(**DESKTOP, bypass_csp=True)
    state(visit)
    page = visit.page
    faults = {}
    for name, (width, height, theme, rules) in MEDIA.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # no half-faded color
        violations = axe.run(page, options={"runOnly": rules}).response["violations"]
        faults[name] = [(entry["id"], entry["nodes"][0]["html"]) for entry in violations]
    for width, height in ZOOMED:
        page.set_viewport_size({"width": width, "height": height})
        faults[width] = page.evaluate(CUT_OFF)
    assert faults == {name: [] for name in faults}


def test_rows_have_names_values_and_states(desk):
    """As a screen reader gets them: from the accessibility tree."""
    desk.open(SLIPPED).wait_for_verdict("contradict each other")
    desk.page.wait_for_selector(".row.conflict")
    tree = desk.page.locator("board-view .rows").aria_snapshot()
    pegs = [f"  - 'button \"peg {n + 1}: color {color}\"'" for n, color in enumerate("1122")]
    row = desk.page.get_by_role("group", name="Row 3, contradicts row 1, probably wrong")
    assert row.aria_snapshot().splitlines()[1:7] == [
        *pegs,
        '  - \'button "black: 0"\': "0"',
        '  - \'button "white: 2"\': "2"',
    ]
    assert '- group "Row 2":' in tree
    assert '- group "Row 4":' in tree


def test_a_verdict_is_announced_once(desk):
    desk.open("4x6/1122=1.1").wait_for_verdict("208 codes are possible")
    page = desk.page
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('208')")
    page.evaluate(LISTEN)
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"334502")
    desk.wait_for_verdict("36 codes are possible")
    page.wait_for_function("() => window.heard.some(text => text.includes('36 codes'))")
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    heard = page.evaluate("window.heard")
    pegs = [f"peg {n + 1}: color {color}" for n, color in enumerate("3345")]
    assert heard[:6] == [*pegs, "black: 0", "white: 2"]
    assert " ".join(heard[6:]) == "The scores fit. 36 codes are possible."  # the count can be later


@pytest.mark.parametrize(
    "line", [LINE, PUZZLE, "daily-word/CRANE=-YY--", "daily-word/CRANE=GGGGG", "4x6"]
)
def test_the_verdict_that_is_announced_is_the_one_on_the_screen(desk, line):
    desk.open(line).wait_for_verdict("possible|Solved")
    page = desk.page
    page.wait_for_function("() => document.querySelector('#status').textContent")
    (shown,) = desk.said(".headline")
    heard = page.inner_text("#status").removesuffix(".")
    assert " ".join(shown.split()).startswith(" ".join(heard.split()))


def test_the_end_of_a_game_is_announced_without_a_verdict(desk):
    guessing(desk)
    page = desk.page
    page.evaluate(LISTEN)
    code = ask(desk.address, "play", board="4x6", seed=5, reveal=True)[1]["answer"]["code"]
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*code, "Enter")
    page.wait_for_selector("play-view >> text=best play, on average")
    page.wait_for_timeout(1000)  # later than the announcement of a verdict
    heard = page.evaluate("window.heard")
    assert any("Found in 2 guesses" in text for text in heard)
    assert not any("possible" in text or "Solved" in text for text in heard)


@pytest.mark.parametrize(
    ("state", "headings"),
    [
        (start, ["Examples"]),
        (guesses, ["Best guesses"]),
        (why, ["Why, step by step"]),
        (review, ["Review of the game"]),
    ],
)
def test_a_screen_reader_jumps_to_each_part_by_its_heading(desk, state, headings):
    state(desk)
    found_headings = desk.page.get_by_role("heading").all_inner_texts()
    assert found_headings[:4] == ["mmsat", "Board", "Verdict", *headings]


@pytest.mark.parametrize(
    ("game", "guess", "said"),
    [
        ("4x6", "1122", "Guess 1, 1122: \\d black \\d white"),
        ("daily-word", "crane", "Guess 1, CRANE: .* (grey|yellow|green)"),
    ],
)
def test_the_score_of_a_guess_is_announced_once(desk, game, guess, said):
    desk.open(game).wait_for_verdict("are possible")
    page = desk.screen("play").page
    page.click("text=Start guessing")
    page.wait_for_function("() => /Guess 1:/.test(document.querySelector('#status').textContent)")
    page.evaluate(LISTEN)
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*guess, "Enter")
    page.wait_for_function("said => window.heard.some(text => RegExp(said).test(text))", arg=said)
    heard = page.evaluate("said => window.heard.filter(text => RegExp(said).test(text))", said)
    assert len(heard) == 1
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        ("peg 1", "place 1")
    )


def test_results_have_a_name_and_a_description_list(desk):
    found(desk)
    card = desk.page.get_by_role("region", name="Result")
    assert card.get_by_role("term").all_inner_texts()[0] == "guesses"
    assert card.get_by_role("definition").all_inner_texts()[0] == "3"


def test_a_review_has_a_graph_in_words(desk):
    review(desk)
    graph = desk.page.get_by_role("img", name="Codes left: 1\u202f296, then 208, then 36, then 8.")
    assert graph.count() == 1
    current = desk.page.locator(".moves [aria-current=step]")
    assert current.count() == 1
    assert "mistake" in current.inner_text()


CONTROLS = """() => {
  const harmless = each => !each.matches(':disabled, [type=file], [href=api], [href^="#"]')
    && !(each.closest('share-view') && /SVG|PNG|JSON|Proof/.test(each.textContent));
  window.controls = [...document.querySelectorAll('a, button, select, input, textarea, summary')]
    .filter(each => each.checkVisibility({ checkVisibilityCSS: true }) && harmless(each));
}"""
FOCUS = f"""number => {{
  ({CONTROLS})();
  const control = window.controls[Math.floor(number * window.controls.length)];
  control.focus();
  return control.tagName;
}}"""
"""Lists and focuses at once: an answer between the two could remove the chosen control."""
FOCUSED = """() => new Promise(done => setTimeout(() => requestAnimationFrame(() => {
  const { activeElement: each } = document;
  done(each === document.body || !each.checkVisibility() ? null : each.outerHTML.slice(0, 100));
})))"""
KEYS = {
    "SELECT": ["ArrowDown", "ArrowUp"],
    "INPUT": ["Enter", "1", "Space"],
    "TEXTAREA": ["1"],
    "SUMMARY": ["Enter", "Escape"],
    "A": ["Escape"],
    "BUTTON": [
        *["Enter"] * 6,
        *("Space", "Escape", "ArrowDown", "ArrowRight", "Delete", "Backspace", "1", "2", "i"),
    ],
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_focus_survives_random_actions(visit_in, device, seed):
    rng = random.Random(seed)
    visit = visit_in(**device)
    line = [SLIPPED, "daily-word/CRANE=-YY--", f"{PUZZLE}&puzzle=1", "3x4", ""][seed]
    visit.open(line)
    page = visit.page
    page.wait_for_selector(".row:not(.empty), .door")
    trail = []
    for _ in range(60):
        tag = page.evaluate(FOCUS, rng.random())
        control = page.evaluate(FOCUSED)
        assert control, ("focused", trail[-5:])
        key = rng.choice(KEYS[tag])
        trail.append((key, control))
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED), trail[-5:]
    assert visit.errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_selected_and_focused_controls_differ_with_forced_colors(visit_in, theme):
    """Where colors are replaced, outlines and borders tell states apart."""
    visit = visit_in(**DESKTOP, forced_colors="active", color_scheme=theme)
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    page.keyboard.press("Tab")
    outline = "each => getComputedStyle(each).outlineStyle"
    for chosen, other in (
        ("#tab-guesses", "#tab-codes"),
        (".screens [data-screen=board]", ".screens [data-screen=play]"),
        (".rows .cell.here", ".rows .cell:not(.here)"),
        (":focus-visible", "#tab-why"),
    ):
        states = [page.locator(each).first.evaluate(outline) for each in (chosen, other)]
        assert states == ["solid", "none"], chosen


def test_nothing_moves_with_reduced_motion(visit_in):
    """The animation of the progress line is no motion: it only delays the appearance."""
    visit = visit_in(**DESKTOP, reduced_motion="reduce")
    visit.open(SLIPPED).wait_for_verdict("contradict each other")
    names = visit.page.evaluate("document.getAnimations().map(each => each.animationName)")
    assert {*names} <= {"appear"}
    moving = visit.page.evaluate(
        "() => [...document.querySelectorAll('*')].filter(each => {"
        " const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(each);"
        " return !['none', 'appear'].includes(animationName) || parseFloat(transitionDuration) > 0"
        " || scrollBehavior === 'smooth'; }).map(each => each.outerHTML.slice(0, 100))"
    )
    assert moving == []


@pytest.mark.parametrize("size", ["20px", "32px"])
def test_the_font_size_of_the_browser_counts(desk, size):
    """The page scales with the size of the text that the user has chosen."""
    desk.open(LINE).wait_for_verdict("36 codes are possible")
    page = desk.page
    height = (
        "() => document.querySelector('.verdict-line .headline').getBoundingClientRect().height"
    )
    before = page.evaluate(height)
    client = page.context.new_cdp_session(page)
    client.send("Page.setFontSizes", {"fontSizes": {"standard": int(size[:-2])}})
    assert page.evaluate(height) > 1.15 * before
    assert page.evaluate(CUT_OFF) == []
