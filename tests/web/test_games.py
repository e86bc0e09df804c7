"""Games and puzzles on the page: their state follows from the rows of the board."""

from __future__ import annotations

import pytest

import mmsat
from mmsat import Board
from tests.support.page_visit import LISTEN
from tests.support.web_client import ask


def begin(visit, game, button):
    visit.open(game).wait_for_verdict("are possible")
    visit.screen("play").page.evaluate(LISTEN)
    visit.page.get_by_role("button", name=button, exact=True).click()
    return visit.page


def message(page, pattern):
    page.wait_for_function(
        "pattern => new RegExp(pattern).test(document.querySelector('play-view').innerText)",
        arg=pattern,
    )
    return page.inner_text("play-view .play-message")


def wait_for_announcement(page, pattern):
    """Wait until a live region contains the text."""
    page.wait_for_function(
        "pattern => new RegExp(pattern).test(window.heard.join(' '))", arg=pattern
    )
    page.evaluate("() => { window.heard = []; }")


def guess(page, row):
    return "".join(page.locator(".row").nth(row).locator(".guess text").all_text_contents())


def score(visit, row, *parts):
    visit.page.locator(".row").nth(row).locator(".score .cell").nth(0).click()
    visit.press(*parts)


def test_a_contradiction_in_you_guess_is_fixed_and_the_game_continues(visit):
    page = begin(visit, "4x6", "Let it guess")
    message(page, "My guess 1 is")
    score(visit, 0, "0", "0")
    message(page, "My guess 2 is")
    score(visit, 1, "0", "0")
    assert "mmsat" not in message(page, "No code gets these scores. Correct a row, and I go on.")
    score(visit, 0, "1", "0")
    message(page, "My guess 3 is")
    assert (
        page.locator(".row").count() == 3
    )  # without the empty row, which only the computer fills in


def test_undo_in_you_guess_removes_a_score(visit):
    page = begin(visit, "4x6", "Let it guess")
    message(page, "My guess 1 is")
    first = guess(page, 0)
    score(visit, 0, "1", "1")
    message(page, "My guess 2 is")
    second = guess(page, 1)
    page.click("text=Undo")
    message(page, "My guess 1 is")
    assert guess(page, 0) == first
    assert page.locator(".row").count() == 1
    page.click("text=Undo")
    message(page, "My guess 1 is")
    assert guess(page, 0) == first
    assert page.is_disabled("text=Undo")
    score(visit, 0, "1", "1")
    message(page, "My guess 2 is")
    assert guess(page, 1) == second
    score(visit, 1, "0", "1")
    message(page, "My guess 3 is")
    score(visit, 0, "2", "0")  # an earlier row is corrected
    line = f"4x6/{first}=2.0/{second}=0.1"
    wanted = ask(visit.address, "suggest", board=line)[1]["answer"]["guess"]
    message(page, f"My guess 3 is {''.join(map(str, wanted))}")
    assert visit.line() == line
    assert guess(page, 2) == "".join(map(str, wanted))


@pytest.mark.parametrize("way", ["the same score", "another score"])
def test_an_old_score_of_the_computers_guess_is_entered_anew(visit, way):
    """While a part of the score is missing, the later rows stay."""
    page = begin(visit, "4x6", "Let it guess")
    message(page, "My guess 1 is")
    score(visit, 0, "1", "1")
    message(page, "My guess 2 is")
    score(visit, 1, "0", "1")
    message(page, "My guess 3 is")
    guesses = [guess(page, row) for row in range(3)]
    line = visit.line()
    page.locator(".row").nth(0).locator(".score .cell").nth(1).click()
    visit.press("Backspace")
    message(page, "My guess 1 is")
    assert [guess(page, row) for row in range(3)] == guesses
    visit.press("1" if way == "the same score" else "0")
    message(page, "My guess 3 is")
    assert [guess(page, row) for row in range(2)] == guesses[:2]
    assert (visit.line() == line) == (way == "the same score")
    assert (guess(page, 2) == guesses[2]) == (way == "the same score")


def test_you_guess_survives_clear_removal_and_another_game(visit):
    page = begin(visit, "4x6", "Let it guess")
    message(page, "My guess 1 is")
    score(visit, 0, "1", "1")
    message(page, "My guess 2 is")
    page.click("text=Clear")
    message(page, "My guess 1 is")
    score(visit, 0, "1", "1")
    message(page, "My guess 2 is")
    visit.change_row(1, "Remove")
    message(page, "My guess 1 is")
    visit.menu().page.fill("#size", "3x4")
    page.keyboard.press("Enter")
    message(page, "My guess 1 is [1-4]{3}\\.")
    assert len(guess(page, 0)) == 3
    page.reload()
    message(page, "My guess 1 is [1-4]{3}\\.")


def test_guesses_of_the_computer_cannot_be_changed(desk):
    page = begin(desk, "4x6", "Let it guess")
    message(page, "My guess 1 is")
    before = guess(page, 0)
    page.locator(".row .guess .cell").nth(0).click()
    assert page.inner_text(".refusal") == "In this game the computer chooses the guesses."
    desk.press("ArrowLeft", "1")
    assert guess(page, 0) == before
    assert page.locator(".row .score .cell").nth(0).inner_text().strip() == "1"


def test_scores_are_announced(desk):
    page = begin(desk, "4x6", "Start guessing")
    wait_for_announcement(page, "I have a code. Guess 1: choose 4 pegs, then make the guess.")
    for number in (1, 2):
        page.focus(".rows .cell[tabindex='0']")
        desk.press(*"1122", "Enter")
        message(page, f"Guess {number}, 1122: \\d black \\d white")
        wait_for_announcement(page, f"Guess {number}, 1122: \\d black \\d white")
    page.get_by_role("button", name="End the game and keep its rows").click()
    desk.screen("board").wait_for_verdict("possible|Solved|contradict")
    wait_for_announcement(page, "The scores fit. [0-9\u202f]+ codes? (is|are) possible")


def test_verdicts_and_refusals_are_announced(desk):
    desk.open("4x6/1122=1.1").wait_for_verdict("208 codes are possible")
    page = desk.page
    page.evaluate(LISTEN)
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"112202")
    desk.wait_for_verdict("contradict each other")
    wait_for_announcement(page, "Rows? [12 and]+ (is|are) the most likely mistakes?")
    desk.press(*"7")
    wait_for_announcement(page, "“7” is no color of this game")


def test_only_enter_and_the_button_submit_a_guess(visit):
    page = begin(visit, "4x6", "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"112")
    visit.press("Enter")
    assert page.inner_text(".refusal") == "The guess is not complete: peg 4 is missing."
    visit.press("3", "Backspace", "2")
    page.wait_for_timeout(300)
    assert page.locator(".row.draft:not(.empty)").count() == 1
    page.click(".submit")
    message(page, "Guess 1, 1122: \\d black \\d white")


def test_a_played_row_cannot_be_changed(desk):
    page = begin(desk, "4x6", "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"1122", "Enter")
    message(page, "Guess 2:")
    line = desk.line()
    page.locator(".row").nth(0).locator(".score .cell").nth(0).click()
    assert "stays as it is" in page.inner_text(".refusal")
    buttons = page.locator("board-view button:not(.cell):visible").all_inner_texts()
    assert buttons == ["Make this guess"]  # neither Undo nor Clear
    desk.press("4", "3", "Delete", "i", "b")
    assert desk.line() == line
    desk.press("ArrowUp", "Delete")
    assert desk.line() == line
    assert "stays as it is" in page.inner_text(".refusal")
    assert page.locator("#lies").count() == 0


def test_a_game_survives_a_reload(desk):
    page = begin(desk, "4x6", "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"1122", "Enter")
    message(page, "Guess 2:")
    line = desk.line()
    page.reload()
    message(page, "Guess 2:")
    assert "Hidden while you play" in page.inner_text("verdict-view")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"3344", "Enter")
    message(page, "Guess 3:")
    assert desk.line().startswith(f"{line}/3344=")
    page.get_by_role("button", name="Give up and show the code").click()
    code = message(page, "The code was [1-6]{4}").split()[-1].strip(".")
    assert Board.parse(desk.line()).is_consistent([int(digit) - 1 for digit in code])


def test_another_board_ends_a_game(desk):
    page = begin(desk, "4x6", "Start guessing")
    desk.menu().page.fill("#size", "super")
    page.keyboard.press("Enter")
    message(page, "The game is over, because the board was changed")
    desk.wait_for_verdict("32.768 codes are possible")
    assert desk.line() == "5x8"


def test_the_previous_board_is_restored_after_a_game(desk):
    page = begin(desk, "4x6/1122=1.1", "Start guessing")
    assert desk.line() == "4x6"
    page.get_by_role("button", name="End the game and keep its rows").click()
    page.get_by_role("button", name="Return to my earlier board").click()
    desk.wait_for_verdict("208 codes are possible")
    assert desk.line() == "4x6/1122=1.1"


@pytest.mark.parametrize("game", ["4x5x5", "3x30", "daily-word", "3x2x3k"])
def test_other_games_can_be_played_with_the_keyboard(desk, address, game):
    words = {"4x5x5": "1A1B2C3D", "3x30": "1-17-30", "daily-word": "CRANE", "3x2x3k": "1A2B1C"}
    said = words | {"4x5x5": "1A 1B 2C 3D", "3x2x3k": "1A 2B 1C"}
    page = begin(desk, game, "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*words[game].lower(), "Enter")
    message(page, f"Guess 1, {said[game]}: .*Guess 2:")
    assert desk.line().startswith(f"{game}/{words[game]}=")
    assert ask(address, "check", board=desk.line())[1]["answer"]["verdict"] == "consistent"


def test_a_puzzle_can_be_stopped_and_explains_where_to_enter_the_code(visit):
    visit.open("4x6").wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.select_option("#grade", "6")
    page.click("text=New puzzle")
    page.click("play-view >> text=Stop")
    page.select_option("#grade", "1")
    page.click("text=New puzzle")
    message(page, "which code gets all these scores")
    board = Board.parse(visit.line())
    assert f"Put it into row {len(board.rows) + 1}," in page.inner_text(".turn")
    (code,) = mmsat.codes(board)
    page.locator(".row.empty .guess .cell").nth(0).click()
    visit.press(*(str(color + 1) for color in code))
    page.wait_for_timeout(200)
    assert page.locator(".submit").count() == 1  # no answer before it is handed in
    page.click(".submit")
    message(page, "that is the code")
    assert page.locator(".submit").count() == 0


def test_a_guess_made_by_mouse_leads_to_the_next_row(visit):
    page = begin(visit, "4x6", "Start guessing")
    for number in (1, 2):
        for color in "1122":
            page.click(f".palette [aria-label='put color {color}']")
        assert page.locator(".palette [aria-label='not read']").count() == 0
        page.click(".submit")
        message(page, f"Guess {number + 1}:")
        row = page.locator(".row").nth(number)
        assert row.locator(".cell.here").count() == 1
        assert row.locator(".cell").first.get_attribute("tabindex") == "0"


def test_a_word_outside_the_list_is_refused(desk):
    page = begin(desk, "daily-word", "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"ZZZZZ", "Enter")
    message(page, "is not in the word list")
    assert "ZZZZZ=" not in desk.line()


def test_the_rows_of_a_finished_game_cannot_be_changed(desk):
    page = begin(desk, "4x6", "Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"1122", "Enter")
    message(page, "Guess 2:")
    page.click("text=Give up and show the code")
    page.wait_for_selector(".result")
    line = desk.line()
    page.locator(".row").first.locator(".cell").first.click()
    desk.press("6", "Delete", "i")
    assert desk.line() == line
    assert page.locator(".result").count() == 1


def test_the_skip_link_leads_to_the_board(desk):
    desk.open("4x6/1122=1.1/3345=0.2").wait_for_verdict("36 codes are possible")
    page = desk.page
    line = desk.line()
    page.locator(".skip").focus()
    desk.press("Enter")
    assert page.evaluate("document.activeElement.matches('.rows .cell')")
    assert desk.line() == line
    assert page.locator("board-view .fault").count() == 0


@pytest.mark.parametrize("by_mouse", [False, True])
def test_a_wrong_code_of_a_puzzle_is_changed_in_its_row(visit, by_mouse):
    visit.open("4x6").wait_for_verdict("are possible")
    page = visit.screen("play").page
    page.select_option("#grade", "1")
    page.click("text=New puzzle")
    message(page, "which code gets all these scores")
    number = len(Board.parse(visit.line()).rows) + 1
    (code,) = mmsat.codes(visit.line())
    wrong = [str(color % 6 + 1) for color in (code[0] + 1, *code[1:])]
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*wrong)
    if by_mouse:
        page.click(".submit")
    else:
        visit.press("Enter")
    message(page, f"Not {''.join(wrong)}: then .*Change row {number}, and try again")
    assert page.locator(".row").count() == number
    assert page.evaluate("document.activeElement.ariaLabel").startswith("peg 1: ")
    visit.press(str(code[0] + 1))
    message(page, f"Not {''.join(wrong)}: ")  # the text is about the code that was handed in
    for color in code[1:]:
        visit.press(str(color + 1))
    visit.press("Enter")
    message(page, "that is the code")
    assert page.locator(".row").count() == number


def test_four_blacks_end_the_game_of_the_computer(visit):
    page = begin(visit, "4x6", "Let it guess")
    message(page, "My guess 1")
    visit.press("3")
    impossible = page.locator(".palette [aria-disabled=true]").evaluate_all(
        "all => all.map(each => each.ariaLabel)"
    )
    assert impossible == [f"put {n} white" for n in (1, 2, 3, 4)]
    page.click("[aria-label='put 1 white']", force=True)  # a disabled button is clickable here
    assert "the last has nowhere else to go" in page.inner_text(".refusal")
    assert "=" not in visit.line()
    visit.press("ArrowLeft", "4")
    message(page, "I found it in 1 guess")


def test_contradicting_scores_are_corrected_during_a_game_of_the_computer(visit):
    page = begin(visit, "4x6", "Let it guess")
    while page.locator(".corrections").count() == 0:
        message(page, "My guess|No code gets")
        if page.locator("play-view >> text=No code gets").count() == 0:
            page.focus(".rows .cell.here")
            visit.press("0", "0")
        page.wait_for_timeout(300)
    # they have probabilities when all corrections are known
    page.wait_for_function(
        """() => {
            const texts = [...document.querySelectorAll(".corrections .plausibility")];
            const isKnown = (text) => /^\\s*(< )?[\\d.]+ %/.test(text.textContent);
            return texts.length && texts.every(isKnown);
        }"""
    )
    page.locator(".corrections button >> text=Apply").first.click()
    message(page, "My guess")
    visit.wait_for_verdict("[0-9]+ codes? (is|are) possible")


def test_the_letter_keys_show_what_is_known_of_their_letters(visit):
    visit.open("daily-word/SLATE=---GY/TITAN=---GY").wait_for_verdict("possible|contradict|word")
    page = visit.page
    page.locator(".row.empty .guess .cell").first.click()
    names = {
        "letter S, grey": "mark-absent",
        "letter T, green": "mark-in-place",
        "letter E, yellow": "mark-elsewhere",
    }
    for name, mark in names.items():
        assert page.locator(f".palette [aria-label='put {name}'] .peg.{mark}").count() == 1
    assert page.locator(".palette [aria-label='put letter Z'] .peg[class*=mark-]").count() == 0


def test_the_keys_of_the_board_are_those_of_the_game(desk):
    desk.open("grand/1A1B2A2B=1.1.1").wait_for_verdict("possible")
    page = desk.page
    page.click("board-view summary >> text=Keys")
    keys = page.locator(".keys-help dt").all_inner_texts()
    assert "b, w" in keys
    assert len(keys) == len(set(keys))
    assert "adds one black or one white" in page.inner_text(".keys-help")
    desk.press("3")
    page.wait_for_selector(".rows .cell.here >> text=3…")
    desk.screen("play").page.click("text=Start guessing")
    keys = page.locator(".keys-help dt").all_text_contents()
    assert not {"b, w", "i", "u", "?"} & set(keys)
    assert "Your board is kept" in page.inner_text(".notice")
    page.get_by_role("button", name="End the game and return to my earlier board").click()
    assert desk.line() == "4x5x5/1A1B2A2B=1.1.1"
