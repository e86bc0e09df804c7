"""The table of guesses: a guess shows how its score splits the codes."""

from __future__ import annotations

import re

import pytest

from tests.support.page_visit import LINE
from tests.support.web_client import ask


def parts(page):
    page.wait_for_selector(".parts li")
    scores = page.locator(".parts .part-score").all_inner_texts()
    counts = page.locator(".parts li > span:last-child").all_inner_texts()
    return [
        (" ".join(text.split()), int(n.split()[0])) for text, n in zip(scores, counts, strict=True)
    ]


@pytest.mark.parametrize("way", ["click", "keys", "hover"])
@pytest.mark.parametrize(
    "line", [LINE, "daily-word/CRANE=-YY--", "bulls-and-cows/0123=1.1/2456=0.1"]
)
def test_a_guess_shows_how_it_splits_the_codes(visit, way, line):
    visit.open(line).wait_for_verdict("possible")
    page = visit.page
    page.wait_for_selector("guesses-view tr.best")
    guess = page.locator("tr.best .code").get_attribute("aria-label")
    button = page.locator("tr.best .guess-split")
    if way == "click":
        button.click()
    elif way == "keys":
        button.focus()
        page.keyboard.press("Enter")
    else:
        page.locator("tr.best").hover()
    shown = parts(page)
    _, document = ask(visit.address, "split", board=line, guess=guess)
    answer = document["answer"]
    assert [count for _, count in shown] == [part["codes"] for part in answer["parts"]][:40]
    signs = ["".join(str(sign) for sign in part["score"]) for part in answer["parts"]][:40]
    assert [re.sub("[a-z ]", "", text) for text, _ in shown] == signs
    assert button.get_attribute("aria-expanded") == "true"
    button.press("Enter")
    page.wait_for_selector(".parts", state="detached")


@pytest.mark.parametrize("line", [LINE, "bulls-and-cows/0123=1.1/2456=0.1"])
def test_the_guesses_do_not_move_under_the_pointer(visit, line):
    """The end of a comparison changes texts, but no place of a guess."""
    visit.hold("suggest").open(line).wait_for_verdict("possible")
    page = visit.page
    row = page.locator("tr.best")
    row.hover()
    y = row.bounding_box()["y"]
    visit.release()
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    assert abs(row.bounding_box()["y"] - y) < 1
    assert parts(page)


def test_use_is_visible_without_scrolling(visit):
    visit.open(LINE).wait_for_verdict("36 codes")
    page = visit.page
    page.wait_for_selector("guesses-view tr.best")
    buttons = page.locator("guesses-view [aria-label^='Use ']").all()
    assert len(buttons) > 1
    for button in buttons:
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]


def test_samples_of_an_unknown_number_of_codes_are_not_taken_for_all_codes(desk):
    """The suggestion for a large game knows only that at least some thousand codes remain."""
    line = "12x12/AABBCCDDEEFF=3.4/ABCDEFGHIJKL=4.5"
    _, document = ask(desk.address, "suggest", board=line)
    answer = document["answer"]
    assert not answer["codes_exact"]
    desk.open(line).wait_for_verdict("404.090.380 codes are possible")
    page = desk.page
    page.wait_for_selector("guesses-view tr.best")
    page.wait_for_function(
        """() => ["0 %", "< 0.001 %"].includes(
            document.querySelector("tr.best td:last-child").innerText
        )"""
    )
    cells = page.locator("tr.best td").all_inner_texts()
    least = 404_090_380 // answer["scores"]  # of the codes per score, as an average
    units = {"million": 10**6, "billion": 10**9}
    for text in cells[1:3]:
        _, amount, unit = text.split()
        assert float(amount) * units[unit] >= least / 10
    share = page.evaluate(
        "async () => (await import('/js/core/numbers.js')).percent('1/404090380')"
    )
    assert share == "< 0.001 %"
    assert set(page.locator("guesses-view td:last-child").all_inner_texts()) <= {"0 %", share}
