"""Each screen has at most one primary action: one filled button."""

from __future__ import annotations

import pytest

from tests.support import page_states
from tests.support.page_visit import DESKTOP, LINE, SLIPPED

FILLED = """() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--accent)';
  const accent = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll('button, summary, a')]
    .filter(each => each.checkVisibility() && each.offsetWidth)
    .filter(each => getComputedStyle(each).backgroundColor === accent)
    .map(each => each.ariaLabel || each.textContent.trim());
}"""
WIDTHS = (1400, 360)


def contradiction_and(tab):
    def state(visit):
        page_states.contradiction(visit)
        visit.tab(tab)

    state.__name__ = f"contradiction_and_{tab}"
    return state


def unreadable_link(visit):
    visit.open("nonsense").page.wait_for_selector("text=Correct the link")
    visit.page.wait_for_selector(".door, .tabs")
    visit.errors.clear()


def offline(visit):
    """Make the server unreachable while the page requests the steps."""
    visit.open(LINE).wait_for_verdict("36 codes")
    page = visit.page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    visit.tab("why").page.route("**/api/**", lambda route: route.abort())
    page.click("text=Explain step by step")
    page.wait_for_selector("text=Try again")
    visit.errors.clear()


def offline_in_a_game(visit):
    page_states.guessing(visit)
    page = visit.page
    page.route("**/api/**", lambda route: route.abort())
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"3344", "Enter")
    page.wait_for_selector("play-view >> text=Try again")
    visit.errors.clear()


def offline_while_the_computer_guesses(visit):
    page_states.keeping(visit)
    page = visit.page
    page.route("**/api/**", lambda route: route.abort())
    page.focus(".rows .cell[tabindex='0']")
    visit.press("1", "1")
    page.wait_for_selector("play-view >> text=Try again")
    page.wait_for_selector("verdict-view >> text=Try again")
    visit.errors.clear()


def marks(visit):
    visit.open("daily-word").wait_for_verdict("are possible")
    page = visit.tab("why").page
    page.locator(".row .cell").first.focus()
    visit.press(*"crane")
    page.wait_for_selector("text=The rest is grey")


def ready_guess(visit):
    page_states.guessing(visit)
    visit.page.focus(".rows .cell[tabindex='0']")
    visit.press(*"3344")
    visit.page.wait_for_selector(".submit:enabled")


def contradiction_of_the_player(visit):
    page_states.keeping(visit)
    page = visit.page
    for _ in range(6):
        page.focus(".rows .cell[tabindex='0']")
        visit.press("0", "0")
        page.wait_for_selector("play-view >> text=/My guess|Correct a row/")
        if page.locator("play-view >> text=Correct a row").count():
            break
    page.wait_for_selector(".corrections")


def training_on_a_contradiction(visit):
    visit.open(SLIPPED).wait_for_verdict("contradict")
    page = visit.tab("review").page
    page.click("text=Review this game")
    page.wait_for_selector("review-view .move")
    page.wait_for_selector("verdict-view progress", state="detached")


STATES = (
    *page_states.STATES,
    *(contradiction_and(tab) for tab in ("why", "review", "share")),
    *(
        unreadable_link,
        offline,
        offline_in_a_game,
        offline_while_the_computer_guesses,
        marks,
        ready_guess,
    ),
    *(contradiction_of_the_player, training_on_a_contradiction),
)
EXPECTED = {
    "start": "Find the mistake in my game",
    "contradiction": "Apply",
    "share": "Copy the link",
    "offers": "Start guessing",
    "ready_guess": "Make this guess",
    "found": "Play again",
    "revealed": "Play again",
    "training": "Try it",
    "unreadable_link": "Read it",
    "offline": "Try again",
    "offline_in_a_game": "Try again",
    "offline_while_the_computer_guesses": "Try again",
    "contradiction_and_why": "Apply",
}


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_at_most_one_filled_button_is_visible(visit_in, state):
    visit = visit_in(**DESKTOP, reduced_motion="reduce")
    state(visit)
    for width in WIDTHS:
        visit.page.set_viewport_size({"width": width, "height": 800})
        filled = visit.page.evaluate(FILLED)
        assert len(filled) <= 1, (width, filled)
        if state.__name__ in EXPECTED:
            assert len(filled) == 1, width
            assert filled[0].startswith(EXPECTED[state.__name__]), width
    assert visit.errors == []
