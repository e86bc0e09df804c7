"""The page in a real browser: by mouse, by touch, by keyboard alone, and under attack."""

from __future__ import annotations

import json
import re

import pytest

import mmsat
from mmsat import Board
from tests.support.page_visit import DESKTOP, LINE, SLIPPED, Visit
from tests.support.web_server import serving


def test_a_link_shows_the_verdict_of_the_board(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    page.wait_for_selector("guesses-view tr.best")
    assert "2.64" in page.inner_text("guesses-view")
    assert page.inner_text("codes-view table").count("28") >= 4
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_board_can_be_entered_with_the_keyboard_only(visit):
    visit.open().wait_for_verdict("1.296 codes are possible")
    page = visit.page
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"1122", *"11", "Enter", *"3345", *"02")
    visit.wait_for_verdict("36 codes are possible")
    assert visit.line() == LINE
    visit.press("Enter", *"1122", "w", "w", "i")
    visit.wait_for_verdict("36 codes are possible")
    assert page.get_attribute("[aria-label='Ignore row 3']", "aria-pressed") == "true"
    visit.press("i")
    visit.wait_for_verdict("contradict each other")
    visit.press("Delete")
    visit.wait_for_verdict("36 codes are possible")
    visit.press("Control+z")
    visit.wait_for_verdict("contradict each other")
    visit.press("Control+y")
    visit.wait_for_verdict("36 codes are possible")
    visit.press("ArrowUp", "Home", "6")
    visit.wait_for_verdict("possible|Solved")
    assert visit.line().endswith("/6345=0.2")


def test_tab_reaches_every_enabled_control(visit):
    """Cells, tabs and the palette are excluded, because arrow keys and symbols reach them."""
    visit.open(SLIPPED).wait_for_verdict("Likely corrections")
    page = visit.page
    page.evaluate(
        "() => { window.reached = new Set();"
        " addEventListener('focusin', event => window.reached.add(event.target)); }"
    )
    for _ in range(150):
        visit.press("Tab")
    missed = page.evaluate(
        "() => [...document.querySelectorAll('a, button, select, input, textarea, summary')]"
        ".filter(each => !each.disabled && !each.closest('.palette') && each.checkVisibility())"
        ".filter(each => !each.matches('.cell, [role=tab]') && !window.reached.has(each))"
        ".map(each => each.outerHTML)"
    )
    assert missed == []


def test_arrow_keys_move_between_the_tabs(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    names = page.locator("[role=tab]").all_inner_texts()
    assert names == ["Guesses", "Codes", "Why", "Review", "Share"]
    page.focus("#tab-guesses")
    for name in [*names[1:], names[0]]:
        visit.press("ArrowRight")
        assert page.locator("[role=tab][aria-selected=true]").all_inner_texts() == [name]
        assert page.locator("[role=tabpanel]:visible").get_attribute("id") == name.lower()
        assert page.evaluate("document.activeElement.innerText") == name


def test_a_late_answer_does_not_replace_a_newer_one(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    page.evaluate(
        "() => { const ask = window.fetch; window.fetch = async (url, given) => {"
        " const late = given?.body?.includes('=0.3');"
        " if (late) await new Promise(done => setTimeout(done, 700));"
        " return ask(url, late ? { ...given, signal: undefined } : given); }; }"
    )
    for number in "32":  # the answer to the first line arrives late, although it was canceled
        page.locator(".row").nth(1).locator(".score .cell").nth(1).click()
        visit.press(number)
    visit.wait_for_verdict("36 codes are possible")
    page.wait_for_timeout(1000)
    visit.wait_for_verdict("36 codes are possible")


def test_a_board_can_be_entered_by_mouse_or_touch(visit):
    visit.open().wait_for_verdict("1.296 codes are possible")
    page = visit.page
    touch = page.evaluate("navigator.maxTouchPoints") > 0

    def push(selector):
        (page.tap if touch else page.click)(selector)

    push(".rows .guess .cell >> nth=0")
    for color in (1, 1, 2, 2):
        push(f".palette [aria-label='put color {color}']")
    push(".palette [aria-label='put 1 black']")
    push(".palette [aria-label='put 1 white']")
    visit.wait_for_verdict("208 codes are possible")
    assert visit.line() == "4x6/1122=1.1"
    push("[aria-label='Change row 1']")
    push("[aria-label='Remove row 1']")
    visit.wait_for_verdict("1.296 codes are possible")
    push("text=Undo")
    visit.wait_for_verdict("208 codes are possible")


def test_a_mistake_is_shown_and_fixed_by_one_button(visit):
    visit.open(SLIPPED).wait_for_verdict("can't both be right")
    page = visit.page
    page.wait_for_selector(".row.conflict")
    assert page.locator(".row.conflict").count() == 2
    page.wait_for_selector(".corrections button")
    page.click(".corrections li:first-child button:first-of-type")
    visit.wait_for_verdict("possible|Solved")
    page.go_back()
    visit.wait_for_verdict("contradict each other")


def test_a_row_can_be_marked_as_unsure(visit):
    visit.open(f"{SLIPPED}&unsure=3").wait_for_verdict("not sure of row 3")
    visit.page.wait_for_selector("text=row 3: 1 black 1 white")


def test_wrong_scores_can_be_allowed(visit):
    visit.open(f"{SLIPPED}&lies=1").wait_for_verdict("\\d+ codes are possible")
    assert visit.page.input_value("#lies") == "1"


def test_codes_are_listed_from_any_number(visit):
    visit.open("30x6").wait_for_verdict("are possible")
    page = visit.tab("codes").page
    page.click("codes-view summary")
    page.wait_for_selector("codes-view li")
    page.fill("#from", "221073919720733")
    page.keyboard.press("Enter")
    page.wait_for_selector(
        "codes-view li:first-child >> text='221\u202f073\u202f919\u202f720\u202f733.'"
    )


def test_a_custom_guess_is_compared(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    visit.page.fill("#own", "1111")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("tr.own >> text=0 %")
    visit.page.click("tr.own >> text=Use")
    assert visit.line() == LINE
    pegs = visit.page.locator(".row").nth(2).locator("text")
    pegs.nth(3).wait_for(state="attached")
    assert pegs.all_text_contents() == list("1111")


def test_steps_can_be_browsed_in_both_directions(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.tab("why").page
    page.click("text=Explain step by step")
    page.wait_for_selector("why-view li.now")
    before = page.inner_text("why-view li.now")
    if page.is_enabled("why-view >> text=Next"):
        page.click("why-view >> text=Next")
        assert page.inner_text("why-view li.now") != before
        page.click("why-view >> text=Back")
    assert page.inner_text("why-view li.now") == before


def test_a_game_is_reviewed(visit):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    visit.tab("review").page.click("text=Review this game")
    visit.page.wait_for_selector(
        "review-view svg[aria-label='Codes left: 1\u202f296, then 208, then 36.']"
    )
    assert visit.page.locator("review-view li").count() == 2


@pytest.mark.parametrize("cheats", [False, True])
def test_the_machine_can_be_the_codemaker(visit, cheats):
    visit.open("2x3").wait_for_verdict("9 codes are possible")
    page = visit.screen("play").page
    page.set_checked("text=The computer cheats fairly", cheats)
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    guesses = iter(["11", "12", "13", "21", "22", "23", "31", "32", "33"])
    for number in range(1, 10):
        visit.press(*next(guesses), "Enter")
        page.wait_for_function(
            "n => document.querySelectorAll('.row:not(.draft)').length >= n", arg=number
        )
        page.wait_for_timeout(100)
        if "Found in" in page.inner_text("play-view"):
            break
    assert "Found in" in page.inner_text("play-view")
    visit.wait_for_verdict("possible|Solved")


def test_the_machine_can_be_the_codebreaker(visit):
    visit.open("3x3").wait_for_verdict("27 codes are possible")
    page = visit.screen("play").page
    page.get_by_role("button", name="Let it guess", exact=True).click()
    for turn in range(1, 10):
        page.wait_for_function(
            "n => document.querySelectorAll('.row').length >= n"
            " && RegExp(`My guess ${n} is|found`)"
            ".test(document.querySelector('play-view').innerText)",
            arg=turn,
        )
        text = page.locator(".row .guess").nth(turn - 1).locator("text").all_text_contents()
        guess = [int(symbol) for symbol in text]
        black = sum(a == b for a, b in zip(guess, (3, 1, 2), strict=True))
        common = sum(min(guess.count(c), (3, 1, 2).count(c)) for c in (1, 2, 3))
        page.locator(".row").nth(turn - 1).locator(".score .cell").nth(0).click()
        visit.press(str(black), str(common - black))
        if black == 3:
            break
    page.wait_for_selector("play-view >> text=I found it")


def test_a_puzzle_is_posed_and_solved(visit):
    visit.open("3x4").wait_for_verdict("64 codes are possible")
    page = visit.screen("play").page
    page.click("text=New puzzle")
    page.wait_for_selector("play-view >> text=which code gets all these scores")
    board = Board.parse(visit.line())
    (code,) = mmsat.codes(board)
    wrong = tuple((color + 1) % 4 for color in code)
    for guess, answer in ((wrong, "/Not [1-4]{3}: then/"), (code, "that is the code")):
        page.locator(".row.draft .guess .cell").nth(0).click()
        visit.press(*(str(color + 1) for color in guess), "Enter")
        page.wait_for_selector(f"play-view >> text={answer}")
    visit.wait_for_verdict("Solved: the code is")


def test_a_word_game_has_tiles(visit):
    visit.open("daily-word/FROTH=--Y--").wait_for_verdict("are possible")
    page = visit.page
    assert page.locator(".row .peg.mark-elsewhere").count() == 1
    page.locator(".row").nth(1).locator(".guess .cell").nth(0).click()
    visit.press(*"cloud", *"-yy--")
    visit.wait_for_verdict("104 words are possible")
    assert visit.line() == "daily-word/FROTH=--Y--/CLOUD=-YY--"


def test_a_shared_grid_is_checked(visit):
    visit.open().wait_for_verdict("are possible")
    visit.tab("share").page.fill(
        "#paste", "Daily 1,234 3/6\n\n⬛⬛🟨⬛⬛\n⬛🟨🟨⬛⬛\n🟩🟩🟩🟩🟩\n"
    )
    visit.page.click("share-view >> text=Load")
    visit.page.wait_for_selector(".board-line >> text=daily-word")
    visit.wait_for_verdict("possible|Solved")
    assert visit.line() == "daily-word/?????=--Y--/?????=-YY--/?????=GGGGG"


def test_a_board_is_pasted_and_faults_are_shown(visit):
    visit.open().wait_for_verdict("are possible")
    page = visit.tab("share").page
    page.fill("#paste", "4x6\n1122 1 1\n3345 0 2\n")
    page.click("share-view >> text=Load")
    visit.wait_for_verdict("36 codes are possible")
    page.fill("#paste", "4x6/1177=1.1")
    page.click("share-view >> text=Load")
    page.wait_for_selector(".fault mark")
    assert page.locator(".fault mark").all_text_contents() == ["7", "7"]
    assert visit.line() == LINE


@pytest.mark.parametrize(
    ("button", "start"),
    [("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("JSON", b"{"), ("Proof", b"mmsat proof")],
)
def test_files_are_saved(visit, button, start):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    visit.tab("share")
    with visit.page.expect_download() as waiting:
        visit.page.click(f"share-view >> text={button}")
    content = waiting.value.path().read_bytes()
    assert content.startswith(start)
    if button == "JSON":
        assert len(json.loads(content)["rows"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=window.hit=1>",
        '"><script>window.hit=1</script>',
        "javascript:window.hit=1",
        "4x6/<b>=1.1",
        "${window.hit=1}",
        "__proto__/1122=1.1",
        "%E0%A4%A",
    ],
)
def test_text_from_links_is_escaped(visit, text):
    visit.open(text).page.wait_for_selector(".fault")
    page = visit.page
    if page.is_visible("#link"):  # nothing of the link can be read
        page.fill("#link", text)
        page.keyboard.press("Enter")
        page.click("text=Use an empty board")
    visit.menu().page.fill("#size", text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")  # on phones, the open menu covers the tabs
    for tab, field in (("guesses", "#own"), ("share", "#paste")):
        visit.tab(tab).page.fill(field, text)
        page.keyboard.press("Enter")
    page.click("share-view >> text=Load")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit") is None
    assert page.locator("board-view img, board-view script, board-view b").count() == 0


def test_nothing_is_fetched_from_another_host(browser, address):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    Visit(page, address).open(LINE).wait_for_verdict("36 codes are possible")
    assert asked
    assert all(url.startswith((address, "data:", "blob:")) for url in asked)
    context.close()


def test_an_open_page_survives_a_restart_of_the_server(browser):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    with serving() as (_, address):
        visit = Visit(page, address).open(LINE)
        visit.wait_for_verdict("36 codes are possible")
    port = re.search(r":(\d+)/", address)[1]
    visit.change_row(2, "Ignore")
    page.wait_for_selector("verdict-view >> text=cannot be reached")
    with serving("--port", port):
        visit.change_row(1, "Ignore")
        page.wait_for_selector("verdict-view >> text=are possible")
    context.close()
