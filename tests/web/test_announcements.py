"""Announcements are delayed. A state that changes during the delay is not announced."""

from __future__ import annotations

import pytest

from tests.support.page_states import PLAYED, PUZZLE, offers
from tests.support.page_visit import LISTEN, SLIPPED


@pytest.fixture
def listening(desk):
    """A visit with stopped timers, and a function that runs them and returns the announcements."""
    desk.page.clock.install(time=0)
    desk.page.clock.pause_at(1000)

    def heard(milliseconds):
        desk.page.clock.run_for(milliseconds)
        return desk.page.evaluate("window.heard.splice(0)")

    return desk, heard


def wait_for_answers(visit):
    visit.page.wait_for_function("() => !window.mmsat.analysis.isWorking")
    visit.page.evaluate("window.heard ?? (" + LISTEN + ")()")


def opened(visit, line):
    visit.open(line)
    wait_for_answers(visit)
    visit.page.clock.run_for(500)  # the position rests, and its verdict is about to be announced
    visit.page.focus(".rows .cell[tabindex='0']")


PEGS = [f"peg {n + 1}: color {color}" for n, color in enumerate("1122")]
EMPTY_BOARD = "Enter your guesses and scores. 1\u202f296 codes are possible."


def test_the_verdict_of_an_earlier_board_is_not_announced(listening):
    visit, heard = listening
    opened(visit, "")
    visit.press(*"112211")
    assert heard(200) == [*PEGS, "black: 1", "white: 1"]
    wait_for_answers(visit)
    assert heard(1000) == ["The scores fit. 208 codes are possible."]


def test_a_verdict_waits_until_a_row_is_entered(listening):
    visit, heard = listening
    opened(visit, "")
    for key, text in zip("1122", PEGS, strict=True):
        visit.press(key)
        assert heard(300) == [text]
    assert heard(1000) == [EMPTY_BOARD]


def test_a_verdict_is_announced_once_after_undo_and_redo(listening):
    visit, heard = listening
    opened(visit, "4x6/1122=1.1")
    visit.press("Control+z", "Control+y")
    wait_for_answers(visit)
    assert heard(1000) == ["The scores fit. 208 codes are possible."]
    visit.press("Control+z")
    wait_for_answers(visit)
    visit.press("Control+y")
    wait_for_answers(visit)
    assert heard(1000) == []


def computer_guesses(visit):
    offers(visit)
    visit.page.get_by_role("button", name="Let it guess", exact=True).click()
    visit.page.wait_for_selector("play-view >> text=My guess 1 is")


def hint(visit):
    visit.open(f"{PUZZLE}&puzzle=1")
    visit.page.get_by_role("button", name="Hint", exact=True).click()
    visit.page.wait_for_selector(".puzzle-hint")


def best_guess(visit):
    visit.open(PLAYED).wait_for_verdict("possible|Solved")
    page = visit.tab("review").page
    page.click("review-view >> text=Review this game")
    page.click("text=Find better guesses")
    page.click("text=Show the best guess")


def correction(visit):
    visit.open(SLIPPED).wait_for_verdict("contradict each other")
    visit.page.locator(".corrections button").first.click()


@pytest.mark.parametrize(
    ("state", "change", "text"),
    [
        (computer_guesses, lambda visit: visit.press("0", "0"), "My guess 1 is"),
        (hint, lambda visit: visit.page.click("text=End the game"), "row"),
        (best_guess, lambda visit: visit.page.click("text=Clear"), "The best guess is"),
        (correction, lambda visit: visit.press("Control+z"), "is now"),
    ],
    ids=["guess of the computer", "hint", "best guess", "correction"],
)
@pytest.mark.parametrize("is_changed", [False, True])
def test_what_has_changed_is_not_announced(listening, state, change, text, is_changed):
    visit, heard = listening
    state(visit)
    visit.page.evaluate(LISTEN)
    if is_changed:
        change(visit)
    assert any(text in each for each in heard(300)) is not is_changed
