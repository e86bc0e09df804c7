"""Screens and states of the page, for tests of all of them and for pictures.

Each function opens the page at a position and brings it to one state.
"""

from __future__ import annotations

from tests.support.page_visit import LINE, SLIPPED
from tests.support.web_client import ask

WRONG = "4x6/1122=1.1/3344=1.0/1356=2.1/1435=1.3"
PLAYED = "4x6/1122=1.1/3345=0.2/6616=1.0"
PUZZLE = f"{PLAYED}/1413=2.0"
FREEZE = "() => { Date.now = () => 1; crypto.getRandomValues = array => (array[0] = 5, array); }"
"""Fixes the time, and makes 5 the seed of games."""


def start(visit):
    visit.open().wait_for_verdict("codes are possible")
    visit.page.wait_for_function(
        "() => document.querySelectorAll('.gallery .thumbnail').length === 6"
    )


def contradiction(visit, line=f"{SLIPPED}&unsure=3"):
    visit.open(line).wait_for_verdict("contradict each other")
    visit.page.wait_for_selector(".corrections .plausibility")
    visit.page.wait_for_selector("verdict-view progress", state="detached")


def guesses(visit, line=LINE):
    visit.open(line).wait_for_verdict("are possible")
    page = visit.tab("guesses").page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    page.locator(".guess-split").first.click()
    page.wait_for_selector(".parts li")


def codes(visit, line=LINE):
    visit.open(line).wait_for_verdict("are possible")
    page = visit.tab("codes").page
    page.wait_for_selector("codes-view table")
    page.click("codes-view summary")
    page.wait_for_selector("codes-view li")


def why(visit, line=PUZZLE):
    visit.open(line).wait_for_verdict("possible|Solved")
    page = visit.tab("why").page
    page.click("why-view >> text=Explain step by step")
    page.wait_for_selector("why-view .steps li")
    page.wait_for_selector("why-view >> text=Looking for more steps", state="detached")
    page.click("why-view >> text=Next")
    page.wait_for_selector("why-view .known")


def review(visit, line=PLAYED):
    visit.open(line).wait_for_verdict("possible|Solved")
    page = visit.tab("review").page
    page.click("review-view >> text=Review this game")
    page.wait_for_selector("review-view >> text=Skill")  # all guesses are judged
    page.locator(".move .step").last.click()


def training(visit):
    review(visit)
    page = visit.page
    page.click("text=Find better guesses")
    page.fill("#better", "1111")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lesson [role=status] >> text=Not better")


def share(visit, line=LINE):
    visit.open(line).wait_for_verdict("are possible")
    visit.tab("share").page.wait_for_selector(".board-line")


def words(visit):
    guesses(visit, "daily-word/CRANE=-YY--/MARSH=YYY--")


def shapes(visit):
    guesses(visit, "4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2")


def draft(visit):
    visit.open(f"{LINE}&off=1").wait_for_verdict("possible|Solved")
    visit.page.locator(".row.empty .guess .cell").first.focus()
    visit.press("1", "7")
    visit.page.wait_for_selector(".refusal:not(:empty)")
    visit.press("ArrowUp")
    visit.page.wait_for_selector(".row.left")


def game_menu(visit):
    visit.open(LINE).wait_for_verdict("are possible")
    visit.page.wait_for_function("() => document.querySelector('#game').options.length > 5")
    visit.menu()


def row_menu(visit):
    visit.open(LINE).wait_for_verdict("are possible")
    visit.page.click("[aria-label='Change row 1']")


def keys(visit):
    visit.open(LINE).wait_for_verdict("are possible")
    visit.page.click("board-view details.hint summary")


def fault_in_link(visit):
    visit.open("4x6/1177=1.1").page.wait_for_selector(".fault mark")


def fault_in_text(visit):
    share(visit)
    visit.page.fill("#paste", "4x6/1177=1.1")
    visit.page.click("share-view >> text=Load")
    visit.page.wait_for_selector(".fault mark")


def fault_in_guess(visit):
    visit.open(LINE).wait_for_verdict("are possible")
    visit.tab("guesses").page.fill("#own", "9999")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("#own-fault >> text=expected")


def offers(visit, game="4x6"):
    visit.open(game).wait_for_verdict("are possible")
    visit.screen("play").page.evaluate(FREEZE)


def guessing(visit, boards=1, guess="1122", game="4x6"):
    offers(visit, game)
    page = visit.page
    page.select_option("#boards", str(boards))
    page.click("text=Start guessing")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*guess, "Enter")
    page.wait_for_selector("play-view >> text=/Guess 2:|Found in 1/")


def several(visit):
    guessing(visit, boards=4)


def found(visit):
    guessing(visit)
    code = ask(visit.address, "play", board="4x6", seed=5, reveal=True)[1]["answer"]["code"]
    page = visit.page
    for number, guess in ((2, "3344"), (3, code)):
        page.focus(".rows .cell[tabindex='0']")
        visit.press(*guess, "Enter")
        page.wait_for_selector(f"play-view >> text=/Guess {number + 1}:|Found in {number}/")
    page.wait_for_selector("play-view >> text=skill, of 100")
    page.wait_for_selector("play-view >> text=best play, on average")


def keeping(visit):
    offers(visit)
    visit.page.get_by_role("button", name="Let it guess", exact=True).click()
    visit.page.wait_for_selector("play-view >> text=My guess 1 is")


def puzzle(visit):
    visit.open(f"{PUZZLE}&puzzle=1")
    page = visit.page
    page.wait_for_selector("play-view >> text=A puzzle")
    page.get_by_role("button", name="Hint", exact=True).click()
    page.wait_for_selector(".puzzle-hint")


def puzzle_failed(visit):
    puzzle(visit)
    visit.page.focus(".row.draft .guess .cell")
    visit.press(*"1111", "Enter")
    visit.page.wait_for_selector("play-view >> text=Not 1111")


def revealed(visit):
    guessing(visit)
    visit.page.get_by_role("button", name="Give up and show the code").click()
    visit.page.wait_for_selector("play-view >> text=The code was")


STATES = (
    *(start, contradiction, guesses, codes, why, review, training, share, words, shapes),
    *(draft, game_menu, row_menu, keys, fault_in_link, fault_in_text, fault_in_guess),
    *(offers, guessing, several, found, keeping, puzzle, puzzle_failed, revealed),
)
