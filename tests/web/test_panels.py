"""The panels next to the board work after any input and explain it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import log2

import pytest

from mmsat import Board
from tests.support.page_visit import DESKTOP, LINE, PHONE, SLIPPED, Visit
from tests.support.web_client import ENDLESS, ask
from tests.support.web_server import serving

WORD_LIST_DOCUMENT = {
    "mmsat": 1,
    "game": {"pegs": 5, "words": ["APPLE", "GRAPE", "LEMON", "MELON", "PEARS"]},
}
FOCUS = "() => document.activeElement === document.body ? '' : document.activeElement.outerHTML"
IS_VISIBLE = """selector => {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
}"""


def compare(page, guess):
    page.fill("#own", guess)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("wrong", ["9999", "12", "banana", "1 2 3 9", "-"])
def test_an_invalid_guess_to_compare_is_reported_next_to_its_field(visit, wrong):
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    page.wait_for_selector("guesses-view tr.best")
    compare(page, wrong)
    page.wait_for_selector("#own-fault >> text=expected")
    assert "line 1" not in page.inner_text("#own-fault")
    assert page.locator("guesses-view tr.best").count() == 1
    compare(page, "1234")
    page.wait_for_selector("guesses-view tr.own")
    assert page.inner_text("#own-fault") == ""


def test_a_guess_is_evaluated_before_the_best_guesses_are_known(visit_in):
    """A page that waits for the best guesses shows the numbers of a guess of the user."""
    desk = visit_in(**DESKTOP)
    page = desk.page
    page.route("**/api/suggest", lambda _: None)
    desk.open("daily-word").wait_for_verdict("words are possible")
    desk.tab("guesses")
    compare(page, "crane")
    page.wait_for_selector("guesses-view tr.own")
    left, worst = page.locator("guesses-view tr.own td").all_inner_texts()[1:3]
    answer = ask(desk.address, "evaluate", board="daily-word", guess="crane")[1]["answer"]
    assert float(left) == pytest.approx(float(Fraction(answer["expected"])), rel=0.01)
    assert worst == str(answer["worst"])
    assert "Looking for the best guesses" in page.inner_text("guesses-view")
    assert desk.errors == []


@pytest.mark.parametrize("first", ["1234", "9999"])
def test_a_guess_to_compare_is_removed_with_its_game(desk, first):
    desk.open(LINE).wait_for_verdict("36 codes are possible")
    page = desk.page
    compare(page, first)
    page.wait_for_selector("#own-fault >> text=expected" if first == "9999" else "tr.own")
    for game in ("super", "daily-word", "mastermind"):
        desk.choose_game(game)
        page.wait_for_function(
            "() => document.querySelector('#own').value === ''"
            " && document.querySelector('guesses-view tr.best')"
        )
        assert page.inner_text("#own-fault") == ""
        assert page.locator("tr.own").count() == 0


@pytest.mark.parametrize(
    ("line", "by"),
    [
        ("daily-word/CRANE=-YY--", "words"),
        ("5x8/11223=1.1/14356=1.2/15647=0.2", "codes"),
        ("secret-search-4", "words"),
        ("4x6/1234=1.1/5612=0.2", "guesses"),
        ("bulls-and-cows/0123=1.1/2456=0.1/7819=0.2", "guesses"),
    ],
)
def test_the_best_guess_has_the_minimum_of_the_deciding_column(desk, line, by):
    desk.open(line).wait_for_verdict("are possible")
    page = desk.tab("guesses").page
    page.wait_for_selector("guesses-view >> text=The best guess comes first", timeout=60_000)
    column = page.evaluate(
        "() => [...document.querySelectorAll('.guesses th')]"
        ".findIndex(each => each.getAttribute('aria-sort') === 'ascending') + 1"
    )
    heading = page.inner_text(f".guesses th:nth-child({column})")
    assert heading == ("average guesses left" if by == "guesses" else f"{by} left on average")
    values = [
        float(text.replace(",", "").replace("\u202f", ""))
        for text in page.locator(f".guesses td:nth-child({column})").all_inner_texts()
    ]
    assert len(values) > 3
    assert values == sorted(values)
    assert page.locator(".guesses tbody tr").first.get_attribute("class").strip() == "best"


@pytest.mark.parametrize(
    ("before", "played"),
    [("daily-word/CRANE=-YY--", "ROATE"), ("4x6/1234=1.1/5612=0.2", "1111"), ("5x8", "12345")],
)
def test_the_review_and_the_best_guesses_agree(address, before, played):
    _, document = ask(address, "suggest", board=before, compare=True)
    best = document["compared"]["guesses"][0]
    after = f"{before}/{played}={'-----' if before.startswith('d') else '0.0'}"
    _, review = ask(address, "review", board=after)
    move = review["answer"]["moves"][-1]
    assert move["by"] == document["compared"]["by"]
    assert (move["best"], move["best_cost"]) == (best["guess"], best["cost"])


def test_expected_remaining_codes_are_those_of_brute_force(address):
    board = Board.parse("4x6/1234=1.1/5612=0.2")
    _, document = ask(address, "suggest", board=str(board), guess="1111", compare=True)
    codes = [code for code in board.game.codes() if board.is_consistent(code)]
    for entry in document["compared"]["guesses"]:
        guess = [color - 1 for color in entry["guess"]]
        scores = [board.game.score(code, guess) for code in codes]
        total = sum(scores.count(score) for score in scores)
        numerator, _, denominator = entry["expected"].partition("/")
        assert int(numerator) * len(codes) == total * int(denominator or 1)


@pytest.mark.parametrize("device", [DESKTOP, PHONE])
@pytest.mark.parametrize("origin", ["paste", "file", "size"])
def test_a_fault_is_shown_next_to_the_input(browser, address, device, origin):
    context = browser.new_context(**device)
    visit = Visit(context.new_page(), address).open(LINE)
    visit.wait_for_verdict("36 codes are possible")
    page = visit.page
    visit.tab("share").page.click("share-view >> text=Copy the link")
    if origin == "paste":
        page.fill("#paste", "4x6/1177=1.1")
        page.click("share-view >> text=Load")
    elif origin == "file":
        page.set_input_files(
            "#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"4x6/1177=1.1"}
        )
    else:
        visit.menu().page.fill("#size", "4x6/1177=1.1")
        page.keyboard.press("Enter")
    page.wait_for_selector(".fault mark")
    assert page.evaluate(IS_VISIBLE, ".fault mark")
    assert page.inner_text("share-view > p[role=status]") == "" or origin == "size"
    assert page.locator(".fault li").first.inner_text().endswith("“7”: expected a color, 1 to 6.")
    page.fill("#paste", LINE)
    page.click("share-view >> text=Load")
    page.wait_for_selector(".fault mark", state="detached")
    assert page.inner_text("share-view > p[role=status]") == "The board was read: 2 rows."
    context.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Paste a board first."),
        ("  \n", "Paste a board first."),
    ],
)
def test_an_empty_input_is_reported(desk, text, message):
    desk.open().wait_for_verdict("are possible")
    desk.tab("share").page.fill("#paste", text)
    desk.page.click("share-view >> text=Load")
    assert desk.page.inner_text("share-view > p[role=status]") == message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{address}#4x6/1122=1.1&lies=1", "4x6/1122=1.1"),
        ("4x6/1122=1.1&lies=1", "4x6/1122=1.1"),
        (LINE, LINE),
    ],
)
def test_a_link_of_the_page_is_read(desk, text, line):
    desk.open().wait_for_verdict("are possible")
    desk.tab("share").page.fill("#paste", text.format(address=desk.address))
    desk.page.click("share-view >> text=Load")
    desk.page.wait_for_selector(f".board-line >> text='{line}'")
    assert desk.page.input_value("#lies") == ("1" if "lies" in text else "0")


@pytest.mark.parametrize("name", [None, "game:my", "my"])
def test_a_custom_word_list_can_be_used(visit, name):
    game = WORD_LIST_DOCUMENT["game"] | ({"name": name} if name else {})
    rows = [{"guess": "PEARS", "black": 1, "white": 0}]
    document = WORD_LIST_DOCUMENT | {"game": game, "rows": rows}
    visit.open().wait_for_verdict("are possible")
    page = visit.tab("share").page
    page.fill("#paste", json.dumps(document))
    page.click("share-view >> text=Load")
    words = game["words"]
    board = Board.parse(json.dumps(document | {"game": game | {"name": "game:my"}}), files=False)
    remaining = [word for word in words if board.is_consistent([ord(c) - 65 for c in word])]
    visit.wait_for_verdict(f"{len(remaining)} words are possible")
    visit.tab("guesses").page.wait_for_selector("guesses-view tr.best")
    visit.tab("codes").page.click("codes-view summary")
    page.wait_for_selector("codes-view li")
    listed = page.locator("codes-view li .code").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-label'))"
    )
    assert listed == remaining
    visit.tab("why").page.click("text=Explain step by step")
    page.wait_for_selector("why-view .now")
    visit.tab("review").page.click("text=Review this game")
    page.wait_for_selector("review-view li")
    page.reload()  # the link has the whole game
    visit.wait_for_verdict(f"{len(remaining)} words are possible")
    visit.screen("play").page.get_by_role("button", name="Let it guess", exact=True).click()
    page.wait_for_selector("play-view >> text=My guess 1 is")
    assert page.locator("main .fault:not(:empty)").count() == 0


def test_custom_symbols_of_a_document_need_no_name(address):
    _, result = ask(
        address, "board", board='{"mmsat":1,"game":{"pegs":3,"symbols":"RGB"},"rows":[]}'
    )
    assert [symbol["symbol"] for symbol in result["answer"]["game"]["symbols"]] == ["R", "G", "B"]


@pytest.mark.parametrize("line", ["5000x10", "15000x2", "100000x2"])
def test_long_numbers_are_printed_in_full(address, line):
    size, colors = map(int, line.split("x"))
    for question, key in (("board", "codes"), ("count", "count"), ("check", None)):
        status, document = ask(address, question, board=line)
        assert status == 200
        if key:
            answer = document["answer"]
            digits = answer["game"][key] if question == "board" else answer[key]
            last = str(pow(colors, size, 10**30)).zfill(30)
            assert len(digits) == int(size * log2(colors) / log2(10)) + 1
            assert digits.endswith(last)


def test_a_long_number_is_abbreviated(desk):
    desk.open("5000x10").wait_for_verdict("about 1.00 \u00d7 10⁵⁰⁰⁰ codes are possible")
    desk.open("100x9")
    desk.wait_for_verdict("about 2.65 \u00d7 10⁹⁵ codes are possible")


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        ("12x10/AABBCCDDEEFF=3.4", 3_000_000_000, None),
        ("20x10", 123_456_789_012_345_678, "AABCDEFGHIJABCDEFGHH"),
        ("40x10", 10**39 + 6, "B" + "A" * 38 + "F"),
    ],
)
def test_listed_codes_have_their_numbers(desk, address, line, number, code):
    desk.open(line).wait_for_verdict("codes are possible")
    page = desk.tab("codes").page
    page.click("codes-view summary")
    page.wait_for_selector("codes-view li")
    page.fill("#from", f"{number:,}")
    page.keyboard.press("Enter")
    shown = f"{number:,}".replace(",", "\u202f")
    page.wait_for_selector(f"codes-view li:first-child .place >> text='{shown}.'")
    page.wait_for_selector("codes-view li:nth-child(20)")
    label = page.locator("codes-view li .code").first.get_attribute("aria-label")
    if code is None:
        _, result = ask(address, "codes", board=line, limit=1, **{"from": str(number)})
        code = "".join("ABCDEFGHIJ"[color - 1] for color in result["answer"]["listed"][0])
    assert label == code


def test_the_focus_never_moves_to_the_body(visit):
    visit.open(SLIPPED).wait_for_verdict("Likely corrections")
    page = visit.page

    def push(selector):
        page.locator(selector).first.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(700)
        assert page.evaluate(FOCUS), selector

    push(".corrections button")
    visit.wait_for_verdict("possible|Solved")
    visit.tab("why")
    push("text=Explain step by step")
    while page.is_enabled("why-view button >> text=Next"):
        push("why-view button >> text=Next")
    push("why-view button >> text=Back")
    visit.tab("review")
    push("text=Review this game")
    while page.is_enabled("text=Undo"):
        push("board-view button >> text=Undo")
    while page.is_enabled("board-view button >> text=Redo"):
        push("board-view button >> text=Redo")
    visit.screen("play")
    push("play-view button >> text='Start guessing'")
    push("play-view button >> text=End the game")
    push("play-view button >> text='Let it guess'")
    page.wait_for_selector("play-view >> text=My guess 1")
    push("play-view button >> text=End the game")
    visit.screen("board").tab("guesses")
    push("guesses-view tr.best button")
    for action in ("Ignore", "Not sure of", "Remove"):
        push("[aria-label='Change row 1']")
        push(f"[aria-label='{action} row 1']")
    push("board-view button >> text=Clear")


def test_a_stopped_count_is_marked_and_resumes(desk):
    desk.open(ENDLESS).wait_for_verdict("At least 1 code, counting|codes so far")
    page = desk.page
    page.wait_for_selector("verdict-view .code")
    page.click("verdict-view >> text=Stop")
    desk.wait_for_verdict("At least [1-9][0-9\u202f]* codes? (is|are) possible")
    desk.wait_for_verdict("Some questions were stopped")
    assert "Thinking" not in page.inner_text("main")
    assert "Looking for" not in page.inner_text("main")
    page.click("verdict-view >> text=Go on")
    page.wait_for_selector("verdict-view progress")


def test_choosing_a_game_by_keys_does_not_start_it(desk):
    desk.open("4x5x5/1A1B2C3D=1.1.1").wait_for_verdict("are possible")
    page = desk.page
    page.wait_for_function("() => document.querySelector('#game').value === 'grand'")
    desk.menu().page.focus("#game")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(500)
    assert desk.line() == "4x5x5/1A1B2C3D=1.1.1"
    chosen = page.input_value("#game")
    assert page.input_value("#size") == chosen != "grand"
    page.click("text=Start")
    page.wait_for_function(
        "name => document.querySelector('#game').value === name"
        " && !document.querySelector('.board-line').innerText.includes('1A1B')",
        arg=chosen,
    )
    assert "1 row was removed." in page.inner_text(".notice")
    page.click("text=Bring back")
    desk.wait_for_verdict("are possible")
    assert desk.line() == "4x5x5/1A1B2C3D=1.1.1"
    page.wait_for_function("() => document.querySelector('#game').value === 'grand'")


def test_start_with_the_same_game_keeps_the_rows(desk):
    desk.open(LINE).wait_for_verdict("36 codes are possible")
    desk.menu().page.click("text=Start")
    desk.page.wait_for_selector(".notice >> text=This game is on the board.")
    assert desk.line() == LINE


def test_a_lost_server_is_reported_once_and_retried(browser):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    with serving() as (_, address):
        visit = Visit(page, address).open(LINE)
        visit.wait_for_verdict("36 codes are possible")
        page.wait_for_function("() => document.querySelector('#game').options.length > 5")
    port = re.search(r":(\d+)/", address)[1]
    visit.menu().page.select_option("#game", "super")
    page.wait_for_selector("game-view .fault")
    assert page.input_value("#game") == "mastermind"
    visit.change_row(2, "Ignore")
    page.wait_for_selector("verdict-view >> text=cannot be reached")
    assert page.inner_text(".side").count("cannot be reached") == 1
    assert page.locator("verdict-view >> text=Try again").count() == 1
    with serving("--port", port):
        page.wait_for_selector("verdict-view >> text=208 codes are possible", timeout=30_000)
        assert page.inner_text(".side").count("cannot be reached") == 0
    context.close()


def test_an_answer_that_was_on_its_way_does_not_mean_that_the_server_is_back(visit_in):
    visit = visit_in(**DESKTOP)
    page, held = visit.page, []
    page.route("**/api/odds", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.route("**/api/count", lambda route: route.abort())
    visit.open(LINE)
    page.wait_for_selector("verdict-view >> text=Try again")
    page.unroute("**/api/odds")
    (first, *_) = held
    first.continue_()
    page.wait_for_selector("codes-view table", state="attached")
    assert page.locator("verdict-view >> text=Try again").count() == 1
    page.unroute("**/api/count")
    visit.wait_for_verdict("36 codes are possible")
    page.wait_for_selector("verdict-view >> text=Try again", state="detached")


COMMAND_LINE_WORDS = re.compile(
    r"\bmmsat (check|explain|suggest|optimal|games|analyze|list|count|play|puzzle)\b"
    r"|`|--[a-z]|line \d+, column|game:FILE|\bbytes\b|^; |; write"
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4x6/11223=1.1",
        "4x6/112?=1",
        "mastermin/1122=1.1",
        "nothing like a game",
        "word:list.txt/ABCDE=1.1",
        '{"mmsat":1,"game":{"pegs":5,"words":["APPLE","PEAR"]},"rows":[]}',
        '{"mmsat":1,"game":{"name":"x","pegs":3,"symbols":"RGB"},"rows":[]}',
        '{"mmsat":1}',
        "4x6/1122=1.1/3431=known",
        "x" * 300_000,
    ],
    ids=range(11),
)
def test_the_page_does_not_mention_commands(desk, text):
    desk.open().wait_for_verdict("are possible")
    page = desk.tab("share").page
    page.fill("#paste", text)
    page.click("share-view >> text=Load")
    page.wait_for_function(
        "() => document.querySelector('share-view .fault')"
        " || document.querySelector('share-view > p[role=status]').innerText"
    )
    page.wait_for_timeout(300)
    desk.errors = [error for error in desk.errors if "Too Large" not in error]
    shown = page.inner_text("share-view")
    assert not COMMAND_LINE_WORDS.search(shown.replace(text, "") if text else shown), shown


@pytest.mark.parametrize(
    ("line", "strategy"),
    [("5x8", "optimal"), ("4x6/1122=4.0/1133=4.0", "auto"), ("30x30", "knuth")],
)
def test_errors_of_suggestions_do_not_mention_commands(address, line, strategy):
    _, document = ask(address, "suggest", board=line, strategy=strategy)
    assert not COMMAND_LINE_WORDS.search(document["error"]["message"])


def test_an_impossible_puzzle_has_a_reason(desk):
    desk.open("12x10").wait_for_verdict("are possible")
    page = desk.screen("play").page
    page.click("text=New puzzle")
    page.wait_for_selector("play-view >> text=Puzzles")
    assert page.inner_text(".play-message") == (
        "Puzzles: possible for a game of up to 1,000,000 codes; "
        "this is 12x10 with 1,000,000,000,000 codes."
    )


def test_the_page_works_with_blocked_storage(browser, address):
    context = browser.new_context(**DESKTOP)
    context.add_init_script(
        "for (const area of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, area, { get() { throw new Error('blocked'); } });"
    )
    visit = Visit(context.new_page(), address).open(LINE)
    visit.wait_for_verdict("36 codes are possible")
    visit.page.click("footer >> text=Theme: auto")
    assert visit.page.locator("text=Theme: light").count() == 1
    assert visit.errors == []
    context.close()
