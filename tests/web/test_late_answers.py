"""No answer takes the focus away, whatever control has it when the answer arrives, in any order."""

from __future__ import annotations

import pytest

from tests.support.late_answers import LateAnswers
from tests.support.page_states import PLAYED, PUZZLE
from tests.support.page_visit import DESKTOP, LINE, PHONE, SLIPPED


def click(selector):
    return lambda page: page.locator(selector).first.press("Enter")  # a pointer would hover


def fill(selector, text):
    return lambda page: (page.fill(selector, text), page.press(selector, "Enter"))


def enter(*keys):
    def press(page):
        page.focus(".rows .cell[tabindex='0']")
        for key in keys:
            page.keyboard.press(key)

    return press


PLAY = click(".screens [data-screen=play]")
SCREENS = {
    "link of a game": ("3x4", []),
    "example": ("", [click(".gallery button")]),
    "corrections": (f"{SLIPPED}&unsure=3", [click(".corrections button")]),
    "guesses": (
        LINE,
        [click(".guess-split"), fill("#own", "1111"), enter(*"116611")],
    ),
    "codes": (LINE, [click("#tab-codes"), click("codes-view summary"), click("text=Next")]),
    "steps": (PUZZLE, [click("#tab-why"), click("text=Explain step by step"), enter("2")]),
    "review": (
        PLAYED,
        [
            click("#tab-review"),
            click("text=Review this game"),
            click("text=Find better guesses"),
            fill("#better", "1111"),
        ],
    ),
    "other game": ("daily-word/CRANE=-YY--", [click(".game-menu summary"), fill("#size", "3x4")]),
    "puzzle": (
        f"{PUZZLE}&puzzle=1",
        [click("text=Hint"), enter(*"1111", "Enter"), click("text=Give up")],
    ),
    "new puzzle": ("", [PLAY, click("text=New puzzle")]),
    "player guesses": (
        "2x2",
        [
            PLAY,
            click("text=Start guessing"),
            *(enter(*code, "Enter") for code in ("11", "12", "21", "22")),
        ],
    ),
    "computer guesses": ("2x2", [PLAY, click("text=Let it guess"), enter("1", "0")]),
    "invalid link": ("4x6/1177=1.1", []),
    "load": (
        LINE,
        [click("#tab-share"), fill("#paste", "3x4/112=1.1"), click("share-view >> text=Load")],
    ),
}
"""A link, and actions, each of which asks questions."""


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("device", "order"),
    [(DESKTOP, 1), (PHONE, "last")],
    ids=["desktop, shuffled", "phone, last"],
)
def test_no_answer_takes_the_focus_away(visit_in, screen, device, order):
    """Only a control that an arrival removes, hides or disables can lose the focus."""
    late = LateAnswers(visit_in, device, *SCREENS[screen], order)
    lost = {
        (step, name, control): late.focus_after(step, index)
        for step, name, index, control in late.lost_controls()
    }
    assert {place: focused for place, focused in lost.items() if focused is None} == {}
