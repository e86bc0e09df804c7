"""Back and Forward of the browser go from screen to screen."""

from __future__ import annotations

import pytest

from tests.support import page_states

GUESSES = {
    "4x6": ("1122", "3344"),
    "daily-word": ("crane", "moist"),
    "bulls-and-cows": ("0123", "4567"),
    "4x5x5": ("1a2b3c4d", "2a2b3c4d"),
    "secret-search-4": ("milk", "bone"),
    "4x6b": ("1122", "3344"),
}
SHOWN = "screen => document.body.dataset.screen === screen"


def go(visit, way, screen):
    getattr(visit.page, f"go_{way}")()
    visit.page.wait_for_function(SHOWN, arg=screen)
    return visit.page


def make_guess(visit, guess, number):
    symbols = [guess[n : n + 2] for n in range(0, 8, 2)] if len(guess) == 8 else guess
    visit.page.focus(".rows .cell[tabindex='0']")
    for symbol in symbols:
        visit.press(*symbol)
    visit.press("Enter")
    visit.page.wait_for_function(
        "text => RegExp(text).test(document.querySelector('play-view').textContent)",
        arg=f"Guess {number + 1}:|Found in {number}",
    )


def has_focus(page):
    return page.evaluate(
        "document.activeElement !== document.body && document.activeElement.checkVisibility()"
    )


@pytest.mark.parametrize("way", ["example", "door", "play"])
def test_back_leads_to_the_start_page(visit, way):
    page_states.start(visit)
    page = visit.page
    door = {"example": ".gallery button", "door": ".door", "play": ".door >> nth=2"}[way]
    page.click(door)
    page.wait_for_selector("start-view", state="hidden")
    go(visit, "back", "board").wait_for_selector(".door")
    assert has_focus(page)
    assert page.locator(".row").count() == 1
    go(visit, "forward", "play" if way == "play" else "board")
    page.wait_for_selector("start-view", state="hidden")
    assert page.locator(".row:not(.empty)").count() == (4 if way == "example" else 0)


def test_the_first_address_is_the_only_entry(desk):
    page = desk.open().page
    desk.wait_for_verdict("are possible")
    before = page.evaluate("history.length")
    page.goto("about:blank")
    desk.open("4X6/1122 = 1.1").wait_for_verdict("are possible")
    assert page.url.endswith("#4x6/1122=1.1")
    assert page.evaluate("history.length") == before + 2


@pytest.mark.parametrize("game", GUESSES)
def test_a_game_is_left_by_back_and_continued(visit, game):
    page = visit.open(game).page
    visit.wait_for_verdict("are possible")
    visit.screen("play").page.evaluate(page_states.FREEZE)
    page.click("text=Start guessing")
    first, second = GUESSES[game]
    make_guess(visit, first, 1)
    line = visit.line()
    visit.press(second[0])
    go(visit, "back", "board").wait_for_selector(".row:not(.empty)", state="detached")
    assert page.locator(".row").count() == 1
    go(visit, "forward", "play").wait_for_selector("play-view >> text=Guess 2:")
    assert visit.line() == line
    assert has_focus(page)
    go(visit, "back", "board").wait_for_selector(".row:not(.empty)", state="detached")
    visit.screen("play").page.click("text=Continue the game that you left")
    page.wait_for_selector("play-view >> text=Guess 2:")
    assert visit.line() == line
    make_guess(visit, second, 2)
    assert visit.line().startswith(line)


def test_back_does_not_take_back_a_guess(visit):
    page_states.guessing(visit)
    make_guess(visit, "3344", 2)
    line = visit.line()
    visit.screen("board")
    make_guess(visit, "5566", 3)
    go(visit, "back", "play").wait_for_selector("play-view >> text=Guess 4:")
    assert visit.line().startswith(f"{line}/5566")
    visit.page.reload()
    visit.page.wait_for_selector("play-view >> text=Guess 4:")


def test_a_board_is_there_again_after_a_game_was_left(visit):
    page = visit.open("4x6/1122=1.1/3345=0.2").page
    visit.wait_for_verdict("36 codes")
    visit.screen("play").page.get_by_role("button", name="Let it guess", exact=True).click()
    page.wait_for_selector("play-view >> text=My guess 1 is")
    visit.press("1", "1")
    page.wait_for_selector("play-view >> text=My guess 2 is")
    go(visit, "back", "board")
    visit.wait_for_verdict("36 codes")
    assert visit.line() == "4x6/1122=1.1/3345=0.2"
    go(visit, "forward", "play").wait_for_selector("play-view >> text=My guess 2 is")


def test_the_solution_of_a_puzzle_is_not_shown_after_back_and_forward(visit):
    page_states.offers(visit)
    page = visit.page
    page.click("text=New puzzle")
    page.wait_for_selector("play-view >> text=A puzzle of grade")
    assert "puzzle=1" in page.url
    go(visit, "back", "board").wait_for_function("() => location.hash === '#4x6'")
    visit.wait_for_verdict("codes are possible")
    go(visit, "forward", "play").wait_for_selector("play-view >> text=A puzzle of grade")
    assert "puzzle=1" in page.url
    assert page.locator("verdict-view .code").count() == 0


def test_a_puzzle_that_is_being_made_does_not_come_to_another_screen(desk):
    page_states.offers(desk)
    page = desk.page
    page.route("**/api/puzzle", lambda _: None)  # no answer
    page.click("text=New puzzle")
    page.wait_for_selector("play-view >> text=Making a puzzle")
    go(desk, "back", "board")
    assert not page.evaluate("document.querySelector('play-view').innerText.includes('Making')")


def test_back_and_forward_lead_out_of_the_training_and_into_it(visit):
    page_states.review(visit)
    page = visit.page
    page.click("text=Find better guesses")
    page.wait_for_selector(".lesson")
    page.click("text=Next one")
    page.wait_for_selector(".lesson >> text=for row 3")
    go(visit, "back", "board").wait_for_selector(".lesson", state="detached")
    assert page.locator(".row:visible").count() == 4
    assert has_focus(page)
    go(visit, "forward", "board").wait_for_selector(".lesson >> text=for row 3")
    page.click(".lesson >> text=Close")
    page.wait_for_function("() => history.state.place.lesson === null")
    assert page.locator(".lesson").count() == 0
    assert page.is_visible("#review .moves")


def test_tabs_are_those_of_the_entry(desk):
    page_states.guesses(desk)
    desk.tab("codes")
    desk.page.reload()
    desk.page.wait_for_selector("#tab-codes[aria-selected=true]")
    desk.page.focus(".row.empty .cell >> nth=0")
    desk.press(*"661610")
    desk.wait_for_verdict("8 codes")
    desk.tab("why")
    desk.page.go_back()
    desk.page.wait_for_selector("#tab-codes[aria-selected=true]")
    desk.wait_for_verdict("36 codes")
