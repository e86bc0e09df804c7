"""The deduction step by step, and corrections with their chance and kind of mistake."""

from __future__ import annotations

from fractions import Fraction

import pytest

import mmsat
from tests.support.page_visit import SLIPPED
from tests.support.web_client import ask

LINE = "4x6/1122=1.1/3345=0.2/6616=1.0/4132=1.1"


@pytest.mark.parametrize("way", ["keys", "click", "hover", "next"])
def test_the_rows_of_a_step_light_up_as_it_is_read(visit, way):
    visit.open(LINE).wait_for_verdict("possible|Solved")
    page = visit.tab("why").page
    page.click("why-view >> text=Show how it follows")
    page.wait_for_selector("why-view .steps li")
    _, document = ask(visit.address, "steps", board=LINE)
    page.wait_for_function(
        "sentences => [...document.querySelectorAll('.steps li')]"
        ".map(each => each.innerText).join() === sentences.join()",
        arg=document["sentences"],
    )
    for index in (1, 2, 3):
        if way == "keys":
            page.locator(".steps .step[tabindex='0']").press("ArrowDown")
        elif way == "click":
            page.locator(".steps .step").nth(index).click()
        elif way == "hover":
            page.locator(".steps .step").nth(index).hover()
        else:
            page.click("why-view >> text=Next")
        rows = [str(row) for row in document["frames"][index]["rows"]]
        page.wait_for_function(
            "rows => [...document.querySelectorAll('.row.used .number')]"
            ".map(each => each.textContent.trim()).join() === rows",
            arg=",".join(rows),
        )
        if way != "hover":
            assert page.inner_text(".reading .sentence") == document["sentences"][index]


def test_corrections_have_a_chance_and_a_kind_of_mistake(visit):
    visit.open(SLIPPED).wait_for_verdict("contradict")
    page = visit.page
    page.wait_for_selector(".corrections .plausibility")
    _, document = ask(visit.address, "explain", board=SLIPPED)
    explanation = mmsat.explain(SLIPPED)
    plausibility = document["plausibility"]
    assert sum(Fraction(each["chance"]) for each in plausibility) == 1
    for each, correction in zip(plausibility, explanation.corrections, strict=True):
        assert each["slips"] == [change.slip for change in correction.changes]
    rows = {row: Fraction(0) for row in range(1, 4)}
    for each, correction in zip(plausibility, document["answer"]["corrections"], strict=True):
        for change in correction["changes"]:
            rows[change["row"]] += Fraction(each["chance"])
    assert [str(rows[entry["row"]]) for entry in document["answer"]["mistaken"]] == [
        entry["chance"] for entry in document["answer"]["mistaken"]
    ]
    shown = page.locator(".corrections .plausibility").all_inner_texts()
    assert shown == [
        "67 %: a black was taken for a white",
        "33 %: a white was taken for a black",
    ]
    assert page.locator(".corrections button >> text=Apply").count() == len(shown)
