"""The verdict in words: equally likely corrections, and solutions that assume one of them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.support.page_states import WRONG
from tests.support.page_visit import DESKTOP, LINE, LISTEN
from tests.support.web_client import ask

EQUAL = "4x6/1122=1.0/3344=1.0/3235=2.2/6535=1.2"


def contradiction(visit, line=EQUAL):
    visit.open(line).wait_for_verdict("contradict each other")
    visit.page.wait_for_selector(".corrections .plausibility")
    return visit.page


def test_equally_likely_corrections_are_said_as_equal(visit):
    page = contradiction(visit)
    _, document = ask(visit.address, "explain", board=EQUAL)
    chances = [Fraction(each["chance"]) for each in document["answer"]["corrections"]]
    assert chances[0] == chances[1] > chances[2]
    text = page.inner_text("verdict-view")
    assert (
        "2 corrections are equally likely, 49 % each: "
        "row 3 was 1 black 2 white or row 3 was 2 black 1 white."
    ) in text
    assert "If row 3 was" not in text
    assert "row 2 says that color 3 has at most 1 peg" in text


@pytest.mark.parametrize("way", ["tap", "keys"])
def test_a_solution_that_assumes_a_correction_says_so(visit, way):
    page = contradiction(visit)
    button = page.get_by_role("button", name="Apply: row 3 to 2 black 1 white")
    if way == "keys":
        button.press("Enter")
    elif page.evaluate("navigator.maxTouchPoints"):
        button.tap()
    else:
        button.click()
    visit.wait_for_verdict("Solved, if row 3 was 2 black 1 white: the code is")
    assert page.locator(".headline.good").count() == 0
    assert "Other corrections are possible" in page.inner_text(".assumed")
    page.reload()  # the link keeps it
    visit.wait_for_verdict("Solved, if row 3 was 2 black 1 white")
    page.locator(".row >> nth=2 >> .score .cell >> nth=1").focus()
    visit.press("0")
    visit.wait_for_verdict("possible|contradict")
    assert page.locator(".assumed").count() == 0


def test_the_only_correction_solves_without_a_condition(desk):
    line = "3x2/112=1.0/121=1.0/222=0.0/111=0.0"
    _, document = ask(desk.address, "explain", board=line)
    corrections = document["answer"]["corrections"]
    page = contradiction(desk, line)
    page.locator(".corrections button").first.click()
    desk.wait_for_verdict("Solved|are possible")
    assert page.locator(".assumed").count() == (len(corrections) > 1)


def test_each_suspected_row_has_one_button_of_doubt(desk):
    page = contradiction(desk)
    names = page.locator(".doubts button").all_inner_texts()
    assert names == ["I am not sure of row 3"]
    assert page.locator(".corrections li").count() == 5


def test_the_label_and_the_sentence_about_a_row_agree(desk):
    """No row is called more likely wrong than another one with the same probability."""
    line = "4x6/1122=1.1/1122=2.0"
    _, document = ask(desk.address, "explain", board=line)
    chances = [entry["chance"] for entry in document["answer"]["mistaken"]]
    page = contradiction(desk, line)
    notes = page.locator(".row .note").all_inner_texts()
    if chances[0] == chances[1]:
        assert all("perhaps wrong" in note for note in notes)
    else:
        assert sum("probably wrong" in note for note in notes) == 1


def test_the_list_of_words_is_named(visit):
    visit.open("daily-word").wait_for_verdict("words are possible")
    assert "mmsat\u2019s list \u201cenglish\u201d (6\u202f733 words)" in visit.page.inner_text(
        "verdict-view"
    )
    visit.open("4x6").wait_for_verdict("codes are possible")
    assert "list" not in visit.page.inner_text("verdict-view")


def test_the_best_known_games_come_first(desk):
    desk.open().wait_for_verdict("are possible")
    page = desk.page
    page.wait_for_function("() => document.querySelector('#game').options.length > 5")
    desk.menu()
    names = page.locator("#game option").evaluate_all("all => all.map(each => each.value)")[1:]
    assert names[:3] == ["mastermind", "daily-word", "bulls-and-cows"]
    _, document = ask(desk.address, "games")
    assert sorted(names) == sorted(game["name"] for game in document["answer"]["games"])


def test_the_label_of_wrong_scores_is_no_result(desk):
    desk.open(LINE).wait_for_verdict("are possible")
    select = desk.page.get_by_label("Allow wrong scores")
    assert select.locator("option").first.inner_text() == "0"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_an_empty_board_shows_no_work(visit_in, motion):
    desk = visit_in(**DESKTOP, reduced_motion=motion)
    page = desk.page
    page.add_init_script("""
      window.shownStop = 0;
      setInterval(() => {
        const stop = document.querySelector('.working button');
        if (stop?.checkVisibility({ visibilityProperty: true })) window.shownStop += 1;
      }, 50);
    """)
    page.route("**/api/odds*", lambda _: None)  # stays open
    desk.open()
    desk.wait_for_verdict("codes are possible")
    page.wait_for_timeout(2000)
    assert page.evaluate("window.shownStop") == 0


def test_the_button_stop_keeps_the_focus_when_the_board_is_emptied(desk):
    """It appears later on an empty board, but does not disappear while it has the focus."""
    page = desk.page
    page.route("**/api/odds*", lambda _: None)  # stays open
    desk.open().wait_for_verdict("codes are possible")
    page.focus(".rows .cell[tabindex='0']")
    desk.press(*"112211")
    desk.wait_for_verdict("208 codes are possible")
    page.wait_for_selector(".working button")  # visible
    page.focus(".working button")
    desk.press("Control+z")
    page.wait_for_selector(".working.patient")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("document.activeElement.innerText") == "Stop"


def test_what_is_entered_is_announced(visit):
    visit.open().wait_for_verdict("are possible")
    page = visit.page
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('296')")
    page.focus(".rows .cell[tabindex='0']")
    page.evaluate(LISTEN)
    visit.press(*"112211")
    visit.wait_for_verdict("codes are possible")
    pegs = [f"peg {n + 1}: color {color}" for n, color in enumerate("1122")]
    page.wait_for_function("() => window.heard.some(text => text.includes('208 codes'))")
    heard = page.evaluate("window.heard")
    assert heard[:6] == [*pegs, "black: 1", "white: 1"]
    # The count can be announced later than the verdict.
    assert " ".join(heard[6:]) == "The scores fit. 208 codes are possible."


def test_corrections_are_announced(desk):
    page = desk.page
    desk.open(LINE).wait_for_verdict("are possible")
    page.evaluate(LISTEN)
    page.focus(".row.empty .cell >> nth=0")
    desk.press(*"1122", *"02")
    page.wait_for_function("() => window.heard.some(text => text.includes('2 corrections'))")
    heard = " ".join(page.evaluate("window.heard"))
    assert "These scores contradict each other. Row 3 is the most likely mistake (67 %)." in heard


def test_groups_have_names(desk):
    desk.open(LINE).wait_for_verdict("are possible")
    tree = desk.page.locator("board-view").aria_snapshot()
    assert '- group "Keys of the board"' in tree
    assert '- group "Menu of row 1"' in tree
    assert "- group:" not in tree


def test_about_equally_likely_rows_are_named_and_marked_alike(desk):
    page = contradiction(desk, "4x6/1123=1.1/3426=2.0/5324=2.1/3551=2.1")
    text = page.inner_text("verdict-view")
    assert "Rows 3 and 4 are the most likely mistakes (about 50 % each)." in text
    assert page.locator(".row.wrong .number").all_inner_texts() == ["3", "4"]
    assert all("perhaps wrong" in note for note in page.locator(".row .note").all_inner_texts())
    # The probabilities are shown once all corrections are known.
    page.wait_for_function(
        "() => [...document.querySelectorAll('.plausibility')]"
        ".every(each => /^[0-9.]+ %/.test(each.innerText))"
    )
    shown = page.locator(".plausibility").all_inner_texts()
    assert abs(sum(float(each.split()[0]) for each in shown) - 100) < 0.11 * len(shown)


def test_a_contradiction_without_a_short_reason_leads_to_the_steps(visit):
    page = contradiction(visit, "4x6/1123=1.1/3426=2.0/5324=2.1/3551=2.1")
    assert "Rows 3 and 4 can't both be right." in page.inner_text("verdict-view").splitlines()
    page.click("text=Show why")
    page.wait_for_selector("#why:not([hidden]) .steps li")
    assert page.evaluate("document.activeElement.id") == "why"


def test_a_corrected_row_says_what_its_score_was(desk):
    page = contradiction(desk)
    page.locator(".corrections button").first.click()
    desk.wait_for_verdict("Solved|possible")
    assert page.locator(".row.corrected .note").all_inner_texts() == ["was 2 black 2 white"]
    page.locator(".row >> nth=2 >> .score .cell >> nth=1").focus()
    desk.press("0")
    page.wait_for_function("!document.querySelector('.row.corrected')")


TWELVE = "4x6/1551=1.2/5353=2.0/1311=0.2/5124=1.2/3261=1.1/3244=1.2"


def test_many_corrections_are_a_list_without_a_sentence(desk):
    """A correction of several rows is only in the list, whose end is shown on demand."""
    desk.open(TWELVE).wait_for_verdict("contradict each other")
    page = desk.page
    page.wait_for_selector("verdict-view .corrections li")
    page.wait_for_selector("verdict-view progress", state="detached")
    _, document = ask(desk.address, "explain", board=TWELVE)
    found = document["answer"]
    corrections = found["corrections"]
    assert len(corrections) == 12
    assert len(found["conflicts"]) > 3
    assert all(len(each["changes"]) > 1 for each in corrections)
    text = " ".join(page.inner_text("verdict-view").split())
    assert not re.search(r"If row \d was .* and row", text)
    assert " + " not in text
    assert "…" not in text
    page.click("verdict-view details summary")
    assert page.locator("verdict-view .corrections li:visible").count() == len(corrections)
    numbers = page.locator("verdict-view ol").evaluate_all("all => all.map(each => each.start)")
    assert numbers == [1, 9]


def test_a_hypothesis_about_a_doubted_row_is_applied(visit):
    visit.open(WRONG).wait_for_verdict("contradict each other")
    page = visit.page
    doubt = page.locator(".doubts button").first
    row = int(doubt.inner_text().split()[-1])
    doubt.click()
    page.wait_for_selector("verdict-view ul.corrections")
    assert doubt.get_attribute("aria-pressed") == "true"
    doubt.click()  # the row is believed again
    page.wait_for_selector("verdict-view ul.corrections", state="detached")
    doubt.click()
    apply = page.locator("verdict-view ul.corrections button").first
    name = apply.get_attribute("aria-label")
    assert name.startswith(f"Apply: row {row} to ")
    apply.click()
    visit.wait_for_verdict("possible|Solved")
    score = page.locator(f".row >> nth={row - 1} >> .score .cell").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-label').split(': ')[1])"
    )
    assert name.endswith(f"{score[0]} black {score[1]} white")


def test_a_count_that_is_not_known_is_at_least_one(visit):
    line = f"30x30/{'-'.join(str(color) for color in range(1, 31))}=3.10"
    visit.hold("count").open(line).wait_for_verdict("At least|so far")
    assert not re.search(r"\b0 to", visit.page.inner_text("verdict-view"))
