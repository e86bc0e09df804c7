"""The deduction step by step, and corrections with their chance and kind of mistake."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

import mmsat
from mmsat import Board
from tests.support.page_visit import SLIPPED
from tests.support.web_client import ask

LINE = "4x6/1122=1.1/3345=0.2/6616=1.0/4132=1.1"


@pytest.mark.parametrize("way", ["keys", "click", "hover", "next"])
def test_the_rows_of_a_step_light_up_as_it_is_read(visit, way):
    visit.open(LINE).wait_for_verdict("possible|Solved")
    page = visit.hit("#tab-why").hit("why-view >> text=Explain step by step").page
    page.wait_for_selector("why-view .steps li")
    _, document = ask(visit.address, "steps", board=LINE)
    page.wait_for_selector("why-view >> text=Looking for more steps", state="detached")
    sentences = document["answer"]["sentences"]
    assert visit.said(".steps li") == sentences
    for index in (1, 2, 3):
        if way == "keys":
            page.locator(".steps .step[tabindex='0']").press("ArrowDown")
        elif way == "click":
            visit.hit(f".steps .step >> nth={index}")
        elif way == "hover":
            page.locator(".steps .step").nth(index).hover()
        else:
            visit.hit("why-view >> text=Next")
        rows = [str(row) for row in document["frames"][index]["rows"]]
        page.wait_for_function(
            "rows => [...document.querySelectorAll('.row.used .number')]"
            ".map(each => each.textContent.trim()).join() === rows",
            arg=",".join(rows),
        )
        check_pegs(page, LINE, document["frames"][index])
        if way != "hover":
            assert visit.said(".reading .sentence") == sentences[index : index + 1]


def check_pegs(page, line, frame):
    """The pegs that a step decides or counts are ringed, and the pegs of other rows are dimmed."""
    rows = mmsat.Board.parse(line).rows
    for index, (guess, _) in enumerate(rows):
        pegs = page.locator(".row").nth(index).locator(".guess .cell")
        ringed = pegs.evaluate_all("all => all.map(each => each.matches('.ringed'))")
        opacity = pegs.first.locator(".peg").evaluate(
            "each => Number(getComputedStyle(each).opacity)"
        )
        if index + 1 not in frame["rows"]:
            assert (any(ringed), opacity < 0.5) == (False, True)
            continue
        assert opacity == 1
        assert any(ringed)
        decided = [
            [peg, color] in frame["new"] or color in frame["new_counts"]
            for peg, color in enumerate(guess)
        ]
        assert not any(decided) or ringed == decided


def test_a_step_is_large_and_dims_only_while_it_is_read(visit_in):
    desk = visit_in(viewport={"width": 960, "height": 540})  # 1920 px at 200 %
    desk.open(LINE).wait_for_verdict("possible|Solved")
    page = desk.tab("why").page
    page.click("why-view >> text=Explain step by step")
    page.wait_for_selector("why-view .steps li")
    page.click("why-view >> text=Next")
    page.wait_for_selector(".row.used")
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert page.locator(".reading .sentence").evaluate(size) >= 20
    assert page.locator(".steps .step").first.evaluate(size) == 16
    is_bright = "all => all.every(e => getComputedStyle(e).opacity === '1')"
    assert not page.locator(".row .peg").evaluate_all(is_bright)
    page.emulate_media(media="print")
    assert page.locator(".row .peg").evaluate_all(is_bright)
    page.emulate_media(media="screen")
    desk.tab("guesses")
    assert page.locator(".row .peg").evaluate_all(is_bright)
    assert desk.errors == []


def test_corrections_have_a_chance_and_a_kind_of_mistake(visit):
    visit.open(SLIPPED).wait_for_verdict("contradict")
    page = visit.page
    page.wait_for_selector(".corrections .plausibility")
    _, document = ask(visit.address, "explain", board=SLIPPED)
    explanation = mmsat.explain(SLIPPED)
    corrections = document["answer"]["corrections"]
    assert sum(Fraction(each["chance"]) for each in corrections) == 1
    for each, correction in zip(corrections, explanation.corrections, strict=True):
        slips = [change["slip"] for change in each["changes"]]
        assert slips == [change.slip for change in correction.changes]
    assert set(document) == {"answer", "sentences"}
    rows = {row: Fraction(0) for row in range(1, 4)}
    for each in corrections:
        for change in each["changes"]:
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


COUNTS = "4x6/1122=1.0/3344=1.0/3235=2.2/6535=1.2"
MENDED = COUNTS.replace("2.2", "2.1")


def begin_lesson(visit, line=COUNTS):
    visit.open(line).wait_for_verdict("possible|Solved|contradict")
    page = visit.tab("why").page
    page.click("why-view >> text=Explain step by step")
    page.wait_for_selector("why-view .steps li:nth-child(3)")
    page.wait_for_selector("why-view >> text=Looking for more steps", state="detached")
    return page


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        ("#why", ("ArrowDown", "ArrowRight", "PageDown")),
        ("why-view .steps .step[tabindex='0']", ("ArrowDown", "ArrowRight", "PageDown")),
        ("why-view button >> text=Next", ("ArrowDown", "ArrowRight", "PageDown")),
        ("#tab-why", ("ArrowDown", "PageDown")),
    ],
)
def test_keys_go_through_the_steps_from_everywhere_in_the_panel(visit, place, keys):
    page = begin_lesson(visit)
    shown = "why-view .sentence"
    sentences = visit.said("why-view .steps li")
    page.locator(place).focus()
    position = page.evaluate("scrollY")
    for index, key in enumerate(keys, 1):
        visit.press(key)
        assert visit.said(shown) == sentences[index : index + 1]
    for index, key in reversed(list(enumerate(keys))):
        visit.press({"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}.get(key, "PageUp"))
        assert visit.said(shown) == sentences[index : index + 1]
    if "steps" not in place:  # in the list, the focused step is scrolled into view
        assert page.evaluate("scrollY") == position
    assert page.is_visible("#why")


def test_after_a_click_on_its_tab_the_lesson_has_the_keys(desk):
    page = begin_lesson(desk)
    desk.tab("codes").tab("why").press("ArrowRight")
    page.wait_for_selector("why-view .counter >> text=/Step 1 of/")
    assert page.inner_text("why-view .counter").startswith("Step 1 of ")
    page.focus("#tab-why")
    desk.press("ArrowRight")  # between tabs, as everywhere
    assert page.is_visible("#review")


def test_steps_have_the_numbers_of_the_counter(desk):
    page = begin_lesson(desk, "4x6/1122=1.1/3345=0.2/3611=0.2")
    for text in desk.said("why-view .steps li"):
        counter = page.inner_text("why-view .counter")
        label = re.match(r"([\d.]+)\. |So .* \[([\d.]+)\]$", text)
        if label:
            assert counter.startswith(f"Step {label[1] or label[2]} of ")
        else:
            assert counter in ("Introduction", "Conclusion")
        desk.press("PageDown")


@pytest.mark.parametrize("line", [MENDED, LINE, "5x8/11223=1.1"])
def test_each_step_frames_its_facts(address, line):
    """Facts about pegs in the table of pegs, facts about numbers in the column of numbers."""
    _, document = ask(address, "steps", board=line)
    frames = [frame for frame in document["frames"] if frame is not None]
    outer_steps = document["answer"]["steps"]
    steps = [inner for step in outer_steps for inner in walk(step)]
    pegs = int(line[0])
    codes = [
        code
        for code in product(range(int(line[2])), repeat=pegs)
        if Board.parse(line).is_consistent(code)
    ]
    for step, frame in zip(steps, frames, strict=True):
        for fact in step["found"]:
            color = fact["color"] - 1
            if "peg" in fact:
                assert [fact["peg"] - 1, color] in frame["new"]
                assert frame["has"][fact["peg"] - 1][color] is fact["true"]
                continue
            assert color in frame["new_counts"]
            low, high = frame["counts"][color]
            assert low >= fact["least"] if fact["true"] else high < fact["least"]
        if codes and any(step is outer for outer in outer_steps):
            for color, (low, high) in enumerate(frame["counts"]):
                assert all(low <= code.count(color) <= high for code in codes)


@pytest.mark.parametrize("line", [MENDED, LINE, "4x6/1122=0.1/3344=1.0/3155=1.2/3561=2.2/3615=2.2"])
def test_a_table_has_no_fact_of_a_later_step(address, line):
    _, document = ask(address, "steps", board=line)
    frames = [frame for frame in document["frames"] if frame is not None]
    steps = document["answer"]["steps"]
    assert len(frames) == len(steps)
    checked = 0
    for index, frame in enumerate(frames):
        stated = {str(fact) for step in steps[: index + 1] for fact in step["found"]}
        for fact in (fact for step in steps[index + 1 :] for fact in step["found"]):
            if str(fact) in stated:
                continue
            checked += 1
            color = fact["color"] - 1
            if "peg" in fact:
                assert frame["has"][fact["peg"] - 1][color] is None
            else:
                low, high = frame["counts"][color]
                assert low < fact["least"] if fact["true"] else high >= fact["least"]
    assert checked


def walk(step):
    for nested in step["steps"]:
        yield from walk(nested)
    yield step


def test_the_table_shows_numbers_of_colors(visit):
    page = begin_lesson(visit)
    visit.press("PageDown")
    assert "color 3 has at most 1 peg" in visit.said("why-view .sentence")[0]
    framed = page.locator("why-view .known .new")
    assert framed.all_inner_texts() == ["0\u20131"]
    assert page.locator("why-view .known tbody tr").nth(2).locator(".new").count() == 1


def test_a_final_elimination_has_one_step_per_peg(address):
    _, document = ask(address, "steps", board=MENDED)
    eliminations = [step for step in document["answer"]["steps"] if step["way"] == "rules"]
    assert [[fact["peg"] for fact in step["found"]] for step in eliminations] == [[2], [3], [4]]
    assert all(len(step["facts"]) <= 6 for step in eliminations)
    assert not any("steps 1, 2" in text for text in document["answer"]["sentences"])


def test_nothing_is_concluded_while_more_steps_are_looked_for(desk):
    desk.hold("steps").open(LINE).wait_for_verdict("possible|Solved")
    page = desk.tab("why").page
    page.click("why-view >> text=Explain step by step")
    page.wait_for_selector("why-view .steps li >> nth=1")
    assert "Time limit" not in page.inner_text("why-view")
    desk.release()
    page.wait_for_selector("why-view .steps li >> text=/^Grade/")


VISIBLE = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  return document.elementFromPoint(x, y)?.closest(selector) !== null;
}"""


def test_show_why_leads_to_the_first_step_and_its_buttons_stay_in_place(visit):
    """What answers and tables add to the page does not move what is read."""
    visit.open("4x6/1123=1.1/3426=2.0/5324=2.1/3551=2.1").wait_for_verdict("contradict each other")
    page = visit.page
    page.wait_for_selector(".corrections .plausibility")
    visit.hit("verdict-view >> text=Show why")
    page.wait_for_selector("why-view .steps li >> nth=1")
    page.wait_for_selector("why-view >> text=Looking for more steps", state="detached")
    page.wait_for_function(f"() => ({VISIBLE})('.reading .sentence')")
    next_step = page.locator(".reading button").last
    for _ in range(4):
        if next_step.is_disabled():
            break
        top = page.evaluate(
            "() => document.querySelector('.reading button').getBoundingClientRect().top"
        )
        visit.hit(".reading button:last-child")
        page.wait_for_timeout(100)
        assert page.evaluate(f"() => ({VISIBLE})('.reading button:last-child')")
        assert page.evaluate(
            "() => document.querySelector('.reading button').getBoundingClientRect().top"
        ) == pytest.approx(top, abs=2)
    page.evaluate("() => scrollBy(0, 300)")
    page.wait_for_timeout(100)
    covered = page.evaluate(
        """() => {
            const verdict = document.querySelector('.verdict-line').getBoundingClientRect();
            const reading = document.querySelector('.reading').getBoundingClientRect();
            return verdict.top < reading.bottom && reading.top < verdict.bottom - 1;
        }"""
    )
    assert not covered
