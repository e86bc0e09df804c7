"""The review: cost and luck of each guess, stepping through the game, and training."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.web_client import ask

PLAYED = "4x6/1122=1.1/3345=0.2/6616=1.0"


def review(visit, line):
    visit.open(line).wait_for_verdict("possible|Solved")
    visit.hit("#tab-review").hit("review-view >> text=Review this game")
    visit.page.wait_for_selector("review-view .move")
    return visit.page, ask(visit.address, "review", board=line)[1]["answer"]


def test_each_guess_has_its_class_cost_and_luck(visit):
    page, answer = review(visit, PLAYED)
    costs = page.locator(".move .cost").all_inner_texts()
    for move, text in zip(answer["moves"], costs, strict=True):
        loss = Fraction(move["loss"])
        assert text == (f"costs {round(float(loss), 2):g} guesses" if loss else "")
    classes = page.locator(".move .class").all_inner_texts()
    assert [text.split()[-1] for text in classes] == ["good", "inaccurate", "mistake"]
    assert page.locator(".move .luck").all_inner_texts() == ["lucky", "lucky", "lucky"]


@pytest.mark.parametrize("way", ["keys", "click", "graph"])
def test_guesses_are_stepped_through(visit, way):
    page, _ = review(visit, PLAYED)
    if way == "keys":
        page.focus(".move .step[tabindex='0']")
        visit.press("ArrowRight", "ArrowDown", "ArrowUp", "End")
    elif way == "click":
        visit.hit(".move .step >> nth=2")
    else:
        visit.hit("review-view circle >> nth=3")
    page.wait_for_selector(".move.here >> text=Best guess")
    assert page.locator(".move .step").nth(2).get_attribute("aria-current") == "step"
    assert "36 codes before, 8 codes after." in page.inner_text(".move.here .detail")
    assert page.locator(".row.used .number").all_inner_texts() == ["3"]
    assert page.evaluate("document.activeElement.matches('.step[aria-current]')")


def test_a_step_of_the_review_is_shown_on_the_board(visit):
    page, _ = review(visit, f"{PLAYED}/1413=2.0")
    page.wait_for_selector("review-view >> text=Skill")  # all guesses are reviewed
    page.focus("#review")  # arrow keys work in the whole panel
    visit.press("ArrowRight")
    page.wait_for_selector(".verdict-line .moment >> text=After row 2: 36 codes")
    assert page.locator(".verdict-line .headline:visible").count() == 1
    opacity = "all => all.map(each => Number(getComputedStyle(each).opacity))"
    faded = page.locator(".row").evaluate_all(opacity)
    assert faded[:2] == [1, 1]
    assert max(faded[2:]) < 0.5
    visit.press("End")
    page.wait_for_selector(".verdict-line .moment >> text=After row 4: 1 code")
    visit.tab("codes")
    assert set(page.locator(".row").evaluate_all(opacity)) == {1}
    assert page.locator(".verdict-line .moment").is_hidden()


def test_guesses_are_shown_as_they_are_judged(visit):
    visit.hold("review").open(PLAYED).wait_for_verdict("possible")
    page = visit.tab("review").page
    page.click("text=Review this game")
    page.wait_for_selector("review-view >> text=/Judging guess [23] of 3/")
    page.wait_for_selector("review-view .move")
    assert page.locator("review-view .move").count() >= 1
    visit.release()
    page.wait_for_selector("review-view .graph")
    assert page.locator("review-view .move").count() == 3


def test_a_review_is_stopped_and_continued(desk):
    line = "bulls-and-cows/0123=1.1/0456=1.1/0517=0.2"
    desk.open(line).wait_for_verdict("possible")
    page = desk.tab("review").page
    page.click("text=Review this game")
    page.wait_for_selector("review-view .move")
    page.click("review-view >> text=Stop")
    page.wait_for_selector("review-view >> text=/Stopped at guess [23] of 3/")
    assert page.locator("review-view .move").count() in (1, 2)
    page.click("review-view >> text=Go on")
    page.wait_for_selector("review-view .graph")
    assert page.locator("review-view .move").count() == 3


def test_training_has_a_palette_and_hides_the_solution(visit):
    page, answer = review(visit, f"{PLAYED}/1413=2.0")
    visit.hit(".move .step >> nth=2")
    visit.hit("text=Find better guesses")
    assert page.locator(".move .detail").count() == 0
    assert page.locator(".row:visible").count() == 1  # only the rows before the guess
    best = answer["moves"][1]["best"]
    assert page.locator(".keypad .cell").count() == 7  # six colors and Delete
    for color in best:
        visit.hit(f".keypad [aria-label='put color {color}']")
    assert page.input_value("#better") == "".join(map(str, best))
    visit.hit(".keypad [aria-label=Delete]")
    visit.hit(f".keypad [aria-label='put color {best[-1]}']")
    visit.hit("text=Try it")
    page.wait_for_selector(".lesson [role=status] >> text=no guess is better")
    page.keyboard.type("1111")  # replaces the guess that was tried
    assert page.input_value("#better") == "1111"


def test_training_judges_other_guesses_for_the_same_position(visit):
    page, answer = review(visit, PLAYED)
    page.click("text=Find better guesses (2)")
    second, third = answer["moves"][1:]

    def attempt(guess, pattern):
        page.fill("#better", guess)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".lesson [role=status] >> text={pattern}")

    text = {n: "".join(map(str, move["best"])) for n, move in ((2, second), (3, third))}
    assert text[2] not in page.inner_text(".lesson")
    attempt("1111", "Not better")
    attempt("99", "expected")
    attempt(text[2], "no guess is better")
    page.click("text=Next one")
    page.wait_for_selector(".lesson >> text=for row 3")
    page.click("text=Show the best guess")
    page.wait_for_selector(f".lesson >> text=The best guess is {text[3]}.")
    page.click(".lesson >> text=Close")
    assert page.locator(".lesson").count() == 0


@pytest.mark.parametrize("way", ["keys", "touch"])
def test_training_works_in_games_of_words(visit, way):
    page, answer = review(visit, "daily-word/CRANE=-YY--/FUZZY=-----")
    (lesson, *_) = [move for move in answer["moves"] if move["row"] == 2]
    page.click("text=Find better guesses")
    while "for row 2" not in page.inner_text(".lesson"):
        page.click("text=Next one")
    letters = [chr(ord("A") + color - 1) for color in lesson["best"]]
    if way == "keys":
        page.fill("#better", "".join(letters).lower())
        page.keyboard.press("Enter")
    else:
        boxes = [
            page.locator(f".keypad [aria-label='put letter {letter}']").bounding_box()
            for letter in "QPAM"
        ]
        assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"] < boxes[3]["y"]
        assert all(box["width"] >= 24 for box in boxes)
        for letter in letters:
            page.click(f".keypad [aria-label='put letter {letter}']")
        page.click("text=Try it")
    page.wait_for_selector(".lesson [role=status] >> text=no guess is better")


def test_escape_leaves_the_training_and_the_position_of_a_guess(desk):
    page, _ = review(desk, PLAYED)
    page.click("text=Find better guesses")
    assert page.locator(".row:visible").count() == 1
    desk.press("Escape")
    assert page.locator(".lesson").count() == 0
    assert page.locator(".row:visible").count() == 4
    assert page.evaluate("document.activeElement.innerText").startswith("Find better guesses")
    page.locator(".move .step").first.click()
    page.wait_for_selector(".verdict-line .moment:visible")
    desk.press("Escape")
    page.wait_for_selector(".verdict-line .moment", state="detached")
    assert page.locator(".row.used").count() == 0
    assert page.evaluate("document.activeElement.matches('.step')")
