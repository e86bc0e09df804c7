"""The review: cost and luck of each guess, stepping through the game, and training."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.web_client import ask

PLAYED = "4x6/1122=1.1/3345=0.2/6616=1.0"


def review(visit, line):
    visit.open(line).wait_for_verdict("possible|left")
    visit.tab("review").page.click("review-view >> text=Review this game")
    visit.page.wait_for_selector("review-view .move")
    return visit.page, ask(visit.address, "review", board=line)[1]["answer"]


def test_each_guess_has_its_class_cost_and_luck(visit):
    page, answer = review(visit, PLAYED)
    costs = page.locator(".move .cost").all_inner_texts()
    for move, text in zip(answer["moves"], costs, strict=True):
        loss = Fraction(move["loss"])
        assert text == (f"costs {round(float(f'{float(loss):.3g}'), 3):g} guesses" if loss else "")
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
        page.locator(".move .step").nth(2).click()
    else:
        page.locator("review-view circle").nth(3).click()
    page.wait_for_selector(".move.here >> text=Best guess")
    assert page.locator(".move .step").nth(2).get_attribute("aria-current") == "step"
    assert "36 codes before, 8 codes after." in page.inner_text(".move.here .detail")
    assert page.locator(".row.used .number").all_inner_texts() == ["3"]
    assert page.evaluate("document.activeElement.matches('.step[aria-current]')")


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
