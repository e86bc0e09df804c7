"""The card at the end of a game or a puzzle: its numbers, and what can be done next."""

from __future__ import annotations

import pytest

import mmsat
from tests.support import page_states
from tests.support.web_client import ask

COPY = (
    "Object.defineProperty(navigator, 'clipboard', { value:"
    " { writeText: async text => { window.copied = text; } } })"
)


def found_by_the_computer(visit):
    page_states.keeping(visit)
    page = visit.page
    page.focus(".rows .cell[tabindex='0']")
    visit.press("1", "1")
    page.wait_for_selector("play-view >> text=My guess 2")
    page.focus(".rows .cell[tabindex='0']")
    visit.press("4")


def several_given_up(visit):
    page_states.guessing(visit, boards=2)
    visit.page.click("text=Give up")


def cheated(visit):
    page_states.offers(visit)
    page = visit.page
    page.check("text=The computer cheats")
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"1122", "Enter")
    page.wait_for_selector("play-view >> text=Guess 2:")
    page.click("text=Give up")


def given_up_at_once(visit):
    page_states.offers(visit)
    visit.page.click("text=Start guessing")
    visit.page.click("text=Give up")


def game_changed_while_guessing(visit):
    page_states.guessing(visit)
    visit.menu().page.fill("#size", "super")
    visit.page.keyboard.press("Enter")


def solved(visit):
    page_states.puzzle(visit)
    (code,) = mmsat.codes(page_states.PUZZLE)
    visit.page.focus(".rows .cell[tabindex='0']")
    visit.press(*(str(color + 1) for color in code), "Enter")


def stopped_puzzle(visit):
    page_states.puzzle_failed(visit)
    visit.page.click("text=Give up")


AGAIN, COPIED, REVIEWED = "Play again", "Copy the result", "Review this game"
PUZZLED = ["Another puzzle", COPIED, "Explain this puzzle", "Close"]
BEST = "best play, on average"
CARDS = {
    page_states.found: (["guesses", BEST, "skill, of 100"], [AGAIN, COPIED, REVIEWED, "Close"]),
    page_states.revealed: (["guesses", BEST, "skill, of 100"], [AGAIN, COPIED, REVIEWED, "Close"]),
    found_by_the_computer: (
        ["guesses", BEST, "skill of the computer, of 100"],
        [AGAIN, COPIED, REVIEWED, "Close"],
    ),
    cheated: (["guesses", "skill, of 100"], [AGAIN, COPIED, REVIEWED, "Close"]),
    several_given_up: (
        ["guesses", "codes found in guesses"],
        [AGAIN, COPIED, REVIEWED, "Close"],
    ),
    given_up_at_once: ([], [AGAIN, REVIEWED, "Close"]),
    game_changed_while_guessing: ([], [AGAIN, "Close"]),
    solved: (["wrong codes", "hints"], PUZZLED),
    stopped_puzzle: (["wrong codes", "hints"], PUZZLED),
}
"""For each end of a game, the names of its numbers and its buttons."""


@pytest.mark.parametrize("state", CARDS, ids=lambda state: state.__name__)
def test_the_result_has_its_numbers_and_buttons(visit, state):
    state(visit)
    page = visit.page
    page.wait_for_selector(".result")
    names, buttons = CARDS[state]
    page.wait_for_function(
        "names => JSON.stringify([...document.querySelectorAll('.result dt')]"
        ".map(each => each.innerText)) === JSON.stringify(names)",
        arg=names,
    )
    assert page.locator(".result .bar > button").all_inner_texts() == buttons
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_numbers_of_a_game_of_the_computer_are_those_of_the_review(visit):
    visit.page.add_init_script(COPY)
    found_by_the_computer(visit)
    page = visit.page
    page.wait_for_selector("play-view >> text=skill of the computer")
    line = visit.line()
    review = ask(visit.address, "review", board=line)[1]["answer"]
    average = ask(visit.address, "suggest", board="4x6")[1]["answer"]["expected_guesses"]
    above, below = map(int, average.split("/"))
    assert page.locator(".result dd").all_inner_texts() == [
        "2",
        f"{above / below:.3g}",
        str(round(100 * review["skill"])),
    ]
    page.click("text=Copy the result")
    page.wait_for_selector("text=Copied, without the guesses.")
    text = page.evaluate("window.copied").replace("\u2796", ".")
    assert text == "Mastermind 4x6: found by the computer in 2\n⚫⚪..\n⚫⚫⚫⚫"
    page.click("text=Review this game")
    page.wait_for_selector("review-view .move")
    assert visit.line() == line


def test_the_result_of_a_puzzle_is_copied_without_its_code(desk):
    desk.page.add_init_script(COPY)
    stopped_puzzle(desk)
    page = desk.page
    assert page.locator(".result dd").all_inner_texts() == ["1", "1"]
    page.click("text=Copy the result")
    page.wait_for_selector("text=Copied, without the code.")
    assert page.evaluate("window.copied") == "Mastermind 4x6, Puzzle: not solved"
    page.click("text=Explain this puzzle")
    page.wait_for_selector("why-view .steps li")


def test_a_game_that_was_given_up_is_copied_as_not_found(desk):
    desk.page.add_init_script(COPY)
    page_states.revealed(desk)
    desk.page.click("text=Copy the result")
    desk.page.wait_for_selector("text=Copied, without the guesses.")
    first, *rows = desk.page.evaluate("window.copied").split("\n")
    assert first == "Mastermind 4x6: not found"
    assert len(rows) == 1


@pytest.mark.parametrize("state", [page_states.found, solved], ids=["game", "puzzle"])
def test_back_from_the_review_leads_to_the_result(visit, state):
    state(visit)
    page = visit.page
    page.wait_for_selector(".result dd")
    if state is page_states.found:
        page.wait_for_selector("play-view >> text=best play, on average")
    before = page.inner_text(".result")
    page.click("text=/Review this game|Explain this puzzle/")
    page.wait_for_selector("review-view .move, why-view .steps li")
    page.wait_for_selector(".result", state="hidden")
    page.go_back()
    page.wait_for_selector(".result")
    assert page.inner_text(".result") == before
    page.go_forward()
    page.wait_for_selector("review-view .move, why-view .steps li")
    visit.screen("play")
    assert page.inner_text(".result") == before
    page.click(".result >> text=Close")
    page.wait_for_selector(".offers")
