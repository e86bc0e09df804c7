"""During a game, the cursor stays in the cells that the player fills in."""

from __future__ import annotations

import pytest

from tests.support import page_states
from tests.support.page_visit import HOLD
from tests.support.web_client import ask

CURSOR = "() => [window.mmsat.store.cursor.row, window.mmsat.store.cursor.cell]"
FIRST = {"4x6": "1122", "daily-word": "crane", "bulls-and-cows": "0123", "4x5x5": "1a1b2c3d"}
OTHER = {"4x6": "3456", "daily-word": "moist", "bulls-and-cows": "4567", "4x5x5": "2a2b3c4d"}


def hit(visit, locator):
    """Tap a cell on a phone, click it on a desktop."""
    touches = visit.page.evaluate("matchMedia('(pointer: coarse)').matches")
    if touches:
        locator.tap()
    else:
        locator.click()


def cells(page, row, kind):
    return page.locator(".row").nth(row).locator(f".{kind} .cell")


def has_focus(page, row):
    """Return whether the focus is in a row."""
    return page.evaluate(
        "row => document.activeElement.closest('.row')"
        " === document.querySelectorAll('.rows > .row')[row]",
        row,
    )


def keep(visit, game):
    visit.open(game).wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.get_by_role("button", name="Let it guess", exact=True).click()
    page.wait_for_selector("play-view >> text=My guess 1 is")
    return page


@pytest.mark.parametrize("game", FIRST)
def test_a_tap_on_an_old_row_leaves_the_cursor_in_the_open_row(visit, game):
    page_states.guessing(visit, game=game, guess=FIRST[game])
    page = visit.page
    line = visit.line()
    page.focus(".rows .cell[tabindex='0']")
    symbols = [OTHER[game][n : n + 2] for n in range(0, 8, 2)] if game == "4x5x5" else OTHER[game]
    visit.press(*symbols[0])
    for kind in ("guess", "score"):
        for _ in range(2):  # a second tap on a mark would change it
            hit(visit, cells(page, 0, kind).first)
            assert page.evaluate(CURSOR) == [1, 1]
            assert "stays as it is" in page.inner_text(".refusal")
            assert has_focus(page, 1)
    for symbol in symbols[1:]:
        visit.press(*symbol)
    assert visit.line() == line
    visit.press("Enter")
    page.wait_for_selector("play-view >> text=/Guess 2, .*Guess 3:|Found in 2/")
    assert visit.line().lower().startswith(f"{line}/{OTHER[game]}=".lower())


def test_what_is_typed_over_an_old_row_goes_to_the_open_row(visit):
    """Arrow keys lead to old rows, so that they can be read."""
    page_states.guessing(visit)
    page = visit.page
    page.focus(".rows .cell[tabindex='0']")
    visit.press("3", "ArrowUp", "ArrowUp")
    assert page.evaluate(CURSOR)[0] == 0
    visit.press("4", "ArrowUp", "5", "6", "Enter")
    page.wait_for_selector("play-view >> text=/Guess 2, 3456|Found in 2/")


@pytest.mark.parametrize("row", [0, 2])
def test_given_rows_of_a_puzzle_do_not_take_the_cursor(visit, row):
    page_states.puzzle(visit)
    page = visit.page
    hit(visit, cells(page, 4, "guess").nth(1))
    hit(visit, cells(page, row, "score").first)
    assert page.evaluate(CURSOR) == [4, 1]
    visit.press("5")
    assert cells(page, 4, "guess").nth(1).get_attribute("aria-label") == "peg 2: color 5"


def test_a_color_that_is_dropped_on_an_old_row_changes_nothing(desk):
    page_states.guessing(desk)
    page = desk.page
    line = desk.line()
    page.drag_and_drop(".palette [aria-label='put color 5']", ".row >> nth=0 >> .cell >> nth=0")
    assert "stays as it is" in page.inner_text(".refusal")
    assert page.evaluate(CURSOR)[0] == 1
    assert desk.line() == line


def test_enter_confirms_the_score_of_a_guess_of_the_computer(visit):
    """A complete score is accepted at once, so a following Enter changes nothing."""
    page = keep(visit, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    visit.press("Enter")
    assert page.evaluate(CURSOR) == [0, 4]
    visit.press("1", "Enter")
    assert page.inner_text(".refusal") == "The score of row 1 is not complete: white is missing."
    assert page.evaluate(CURSOR) == [0, 5]
    for number in (2, 3):
        visit.press("1" if number == 2 else "0", *("1" if number == 3 else ""), "Enter", "Enter")
        page.wait_for_selector(f"play-view >> text=My guess {number} is")
        visit.press("Enter")
        assert page.evaluate(CURSOR) == [number - 1, 4]
        assert page.inner_text(".refusal") == ""
        assert has_focus(page, number - 1)


def test_the_score_is_given_by_the_palette(visit):
    page = keep(visit, "4x6")
    names = page.locator(".touch-keys button").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert names[1] == "Confirm the score"
    for number in (1, 2):
        hit(visit, cells(page, number - 1, "guess").nth(2))
        assert page.evaluate(CURSOR) == [number - 1, 4]
        for part in ("1 black", "1 white"):
            hit(visit, page.locator(f".palette [aria-label='put {part}']"))
        page.wait_for_selector(f"play-view >> text=/My guess {number + 1} is|No code/")


def test_words_of_the_computer_get_their_marks(visit):
    page = keep(visit, "daily-word")
    page.focus(".rows .cell[tabindex='0']")
    visit.press("-", "-", "Enter")
    assert page.inner_text(".refusal") == (
        "The score of row 1 is not complete: mark of place 3 is missing."
    )
    assert page.evaluate(CURSOR) == [0, 7]
    assert page.locator("text=Change the letter").count() == 0
    visit.press("Y")
    page.click("text=The rest is grey")
    page.wait_for_selector("play-view >> text=/My guess 2 is/")
    assert page.evaluate(CURSOR) == [1, 5]


def test_scores_that_are_repeated_after_undo_go_to_their_cells(desk):
    """After undo, the guess of the computer is known already, so it is shown at once."""
    page = keep(desk, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    desk.press("1", "1")
    page.wait_for_selector("play-view >> text=My guess 2 is")
    for _ in range(2):
        page.click("text=Undo")
    page.wait_for_selector("play-view >> text=My guess 1 is")
    page.focus(".rows .cell[tabindex='0']")
    assert page.evaluate(CURSOR) == [0, 4]
    desk.press("1", "1", "0", "2")
    page.wait_for_selector("play-view >> text=My guess 3 is")
    assert desk.line().count("=1.1") == 1
    assert desk.line().count("=0.2") == 1


def test_backspace_and_clear_stay_in_the_score(desk):
    page = keep(desk, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    desk.press("Backspace", "Backspace", "1", "1")
    page.wait_for_selector("play-view >> text=My guess 2 is")
    page.click("text=Clear")
    page.wait_for_selector("play-view >> text=My guess 1 is")
    assert page.evaluate(CURSOR) == [0, 4]
    assert has_focus(page, 0)


def test_a_guess_that_is_made_too_early_is_refused_until_the_score_is_there(desk):
    desk.hold("play")
    page_states.offers(desk)
    page = desk.page
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"1122", "Enter", *"3344", "Enter")
    assert page.inner_text(".refusal") == "The score of the last guess is not here yet."
    desk.release()
    page.wait_for_selector("play-view >> text=/Guess 2:|Found in 1/")
    assert page.inner_text(".refusal") == ""
    desk.press("Enter")
    page.wait_for_selector("play-view >> text=/Guess 3:|Found in 2/")


CORRECTIONS = {
    "parts": ("4x6", "11", 4, ["2", "0"], "2.1", "2.0"),
    "key pegs": ("4x6", "00", 4, ["b", "w"], "1.0", "1.1"),
    "marks": ("daily-word", "-----", 5, ["Y", "G"], "Y----", "YG---"),
}
"""Game, first score, cell of the correction, its keys, the score after one key, and after all."""


def hold_guesses(page):
    """Hold back the next guesses of the computer until `window.release()`."""
    page.evaluate(f"({HOLD})('suggest')")


def computer_guess(visit, line):
    guess = ask(visit.address, "suggest", board=line)[1]["answer"]["guess"]
    return guess if isinstance(guess, str) else "".join(map(str, guess))


@pytest.mark.parametrize("kind", CORRECTIONS)
def test_a_guess_that_arrives_leaves_the_cursor_in_the_row_that_is_corrected(visit, kind):
    game, first, cell, keys, begun, whole = CORRECTIONS[kind]
    page = keep(visit, game)
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*first)
    page.wait_for_selector("play-view >> text=My guess 2 is")
    before = page.inner_text("play-view .play-message")
    board = visit.line().rsplit("=", 1)[0]
    hold_guesses(page)
    target = cells(page, 0, "score").first
    if kind == "marks":
        target.focus()  # a tap would change the mark
    else:
        hit(visit, target)
    visit.press(keys[0])
    assert visit.line() == f"{board}={begun}"
    place = page.evaluate(CURSOR)
    visit.release()
    page.wait_for_function(
        "before => document.querySelector('play-view .play-message').innerText !== before"
        " && /My guess 2 is/.test(document.querySelector('play-view').innerText)",
        arg=before,
    )
    assert page.evaluate(CURSOR) == place
    assert has_focus(page, 0)
    visit.press(keys[1])
    page.wait_for_function(
        "line => document.querySelector('.board-line').textContent.includes(line)",
        arg=f"{board}={whole}",
    )
    visit.press("Enter")
    page.wait_for_function(f"() => ({CURSOR})().join() === '1,{cell}'")
    assert has_focus(page, 1)


def test_the_cursor_goes_to_the_next_guess_after_the_last_part(visit):
    page = keep(visit, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    hold_guesses(page)
    visit.press("1", "1", "0")
    assert page.inner_text(".refusal") == "My next guess is not here yet."
    assert visit.line().endswith("=1.1")
    visit.release()
    page.wait_for_selector("play-view >> text=My guess 2 is")
    assert page.evaluate(CURSOR) == [1, 4]
    assert has_focus(page, 1)
    visit.press("0")
    assert page.inner_text(".refusal") == ""
    assert page.evaluate(CURSOR) == [1, 5]


@pytest.mark.parametrize("points", [False, True])
def test_the_cursor_after_undo_stays_in_a_row_only_if_the_player_points_at_it(visit, points):
    page = keep(visit, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    visit.press("1", "1")
    page.wait_for_selector("play-view >> text=My guess 2 is")
    board = visit.line().rsplit("=", 1)[0]
    hold_guesses(page)
    hit(visit, cells(page, 0, "score").first)
    visit.press("2", "0")
    page.click("text=Undo")
    assert visit.line() == f"{board}=2.1"
    if points:
        hit(visit, cells(page, 0, "score").nth(1))
    visit.release()
    wanted = computer_guess(visit, f"{board}=2.1")
    page.wait_for_selector(f"play-view >> text=My guess 2 is {wanted}")
    assert page.evaluate(CURSOR) == ([0, 5] if points else [1, 4])


def test_undo_leads_to_the_score_that_it_empties(visit):
    page = keep(visit, "4x6")
    page.focus(".rows .cell[tabindex='0']")
    visit.press("1", "1")
    page.wait_for_selector("play-view >> text=My guess 2 is")
    hit(visit, cells(page, 0, "score").nth(1))
    visit.press("Backspace", "0")
    page.wait_for_function(f"() => ({CURSOR})()[0] === 1")
    page.click("text=Undo")
    assert page.evaluate(CURSOR) == [0, 5]


def test_a_late_verdict_on_a_code_leaves_the_cursor_in_the_row_that_is_changed(visit):
    visit.hold("scores")
    page_states.puzzle(visit)
    page = visit.page
    hit(visit, cells(page, 4, "guess").first)
    visit.press(*"1111", "Enter", "ArrowLeft", "3")
    place = page.evaluate(CURSOR)
    visit.release()
    page.wait_for_selector("play-view >> text=Not 1111")
    assert page.evaluate(CURSOR) == place
