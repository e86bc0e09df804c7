"""The palette of a phone, marks of letters, and the way from the start page to the board."""

from __future__ import annotations

import pytest

from tests.support.page_visit import PHONE

WORDS = "daily-word/CRANE=-YY--/MARSH=YYY--"


@pytest.fixture
def phone(visit_in):
    new_visit = visit_in(**PHONE)
    yield new_visit
    assert new_visit.errors == []


def tap(visit, selector):
    page = visit.page
    getattr(page, "tap" if page.evaluate("navigator.maxTouchPoints") else "click")(selector)


def show_palette(visit):
    """Tap the board: on a phone, the palette does not cover the start page."""
    if visit.page.locator(".palette").is_hidden():
        tap(visit, ".rows .cell[tabindex='0']")


def type_word(visit, word):
    show_palette(visit)
    for letter in word.upper():
        tap(visit, f".palette [aria-label='put letter {letter}']")


def tile(row, place):
    return f".row >> nth={row - 1} >> .guess .cell >> nth={place - 1}"


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def test_letters_without_a_mark_do_not_look_absent(visit):
    visit.open("daily-word").wait_for_verdict("are possible")
    type_word(visit, "crane")
    paint = """index => {
      const tile = document.querySelectorAll('.row .guess .tile')[index];
      const { fill, strokeDasharray } = getComputedStyle(tile);
      return [fill, strokeDasharray];
    }"""
    page = visit.page
    unmarked = [page.evaluate(paint, n) for n in range(5)]
    assert all(each == unmarked[0] for each in unmarked)
    assert unmarked[0][1] != "none"
    tap(visit, tile(1, 1))
    assert page.locator(".row .guess .peg.mark-absent").count() == 1
    fill, dashes = page.evaluate(paint, 0)
    assert fill != unmarked[0][0]
    assert dashes == "none"


def test_the_rest_of_a_word_is_marked_absent_at_once(visit):
    visit.open("daily-word").wait_for_verdict("are possible")
    type_word(visit, "crane")
    page = visit.page
    for place, taps in ((3, 3), (4, 3)):
        for _ in range(taps):
            tap(visit, tile(1, place))
            assert page.locator(".palette [aria-label='put green: in place']").is_visible()
            assert page.locator(".palette [aria-label='put letter A']").count() == 0
    tap(visit, "text=The rest is grey")
    assert visit.line() == "daily-word/CRANE=--GG-"
    assert page.get_attribute(".palette", "aria-label") == "Row 2, letter of place 1"
    visit.wait_for_verdict("words are possible")


def test_a_word_without_any_letter_is_marked_by_one_button(desk):
    desk.open("daily-word").wait_for_verdict("are possible")
    desk.page.focus(".rows .cell[tabindex='0']")
    desk.press(*"crane")
    desk.page.get_by_role("button", name="The rest is grey").press("Enter")
    assert desk.line() == "daily-word/CRANE=-----"
    desk.press("Control+z", "ArrowUp", "End")
    desk.page.get_by_role("button", name="Change the letter").click()
    desk.press("b")
    assert desk.page.locator(tile(1, 5)).get_attribute("aria-label") == "place 5: letter B"


def test_games_without_an_absent_mark_have_no_such_button(desk):
    desk.open("secret-search-4").wait_for_verdict("are possible")
    desk.page.focus(".rows .cell[tabindex='0']")
    desk.press(*"milk")
    assert desk.page.get_by_role("button", name="Change the letter").is_visible()
    assert desk.page.get_by_role("button", name="The rest is grey").count() == 0


@pytest.mark.parametrize("width", [360, 1280])
def test_letters_are_laid_out_as_on_a_keyboard(visit_in, width):
    visit = visit_in(viewport={"width": width, "height": 740}, has_touch=width == 360)
    visit.open("daily-word").wait_for_verdict("are possible")
    show_palette(visit)
    boxes = {
        letter: box(visit.page, f".palette [aria-label='put letter {letter}']")
        for letter in "QWERTYUIOPASDFGHJKLZXCVBNM"
    }
    for line in ("QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"):
        tops = {boxes[letter]["y"] for letter in line}
        lefts = [boxes[letter]["x"] for letter in line]
        assert len(tops) == 1
        assert lefts == sorted(lefts)
        assert min(boxes[letter]["width"] for letter in line) >= 30
        assert min(boxes[letter]["height"] for letter in line) >= 44
    assert boxes["Q"]["y"] < boxes["A"]["y"] < boxes["Z"]["y"]


def test_a_phone_has_delete_and_enter(phone):
    page = phone.open("daily-word").page
    phone.wait_for_verdict("are possible")
    type_word(phone, "cr")
    page.tap("[aria-label='Delete']")
    page.tap("[aria-label='Delete']")
    assert page.locator(".row >> nth=0 >> .guess .hole").count() == 4
    type_word(phone, "row")
    page.tap("[aria-label='Next row']")
    assert page.get_attribute(".palette", "aria-label") == "Row 2, letter of place 1"


def test_a_guess_is_made_with_the_enter_key_of_a_phone(phone):
    phone.open("daily-word").wait_for_verdict("are possible")
    page = phone.screen("play").page
    page.tap("text=Start guessing")
    type_word(phone, "crane")
    page.tap("[aria-label='Make this guess'] >> nth=0")
    page.wait_for_selector("play-view >> text=Guess 2:")
    type_word(phone, "moist")
    assert page.locator(tile(2, 5)).get_attribute("aria-label") == "place 5: letter T"


def test_the_palette_can_be_put_away(phone):
    page = phone.open("4x6/1122=1.1").page
    phone.wait_for_verdict("are possible")
    assert page.is_visible(".palette")
    page.tap("[aria-label='Put the keys away']")
    assert page.is_hidden(".palette")
    assert page.evaluate("document.documentElement.style.getPropertyValue('--dock')") == "0px"
    assert page.evaluate("document.activeElement !== document.body")
    page.tap(".row.empty .guess .cell >> nth=1")
    page.tap(".palette [aria-label='put color 5']")
    label = page.locator(".row >> nth=1 >> .guess .cell >> nth=1").get_attribute("aria-label")
    assert label == "peg 2: color 5"


@pytest.mark.parametrize("way", ["tap", "scroll"])
def test_the_palette_goes_away_while_the_analysis_is_read(phone, way):
    page = phone.open(WORDS).page
    phone.wait_for_verdict("are possible")
    page.wait_for_selector("guesses-view tr.best")
    assert page.is_visible(".palette")
    if way == "tap":
        page.evaluate("document.querySelector('.tabs').scrollIntoView({ block: 'center' })")
        page.tap("#tab-guesses")
    else:
        page.context.new_cdp_session(page).send(
            "Input.synthesizeScrollGesture", {"x": 180, "y": 150, "yDistance": -120, "speed": 600}
        )
        assert page.evaluate("scrollY") > 40
    page.wait_for_selector(".palette", state="hidden")
    page.tap(".row.empty .guess .cell >> nth=0")
    page.wait_for_selector(".palette", state="visible")


def test_a_keyboard_on_a_desktop_keeps_its_palette(desk):
    desk.open("4x6/1122=1.1").wait_for_verdict("are possible")
    desk.tab("codes")
    assert desk.page.is_visible(".palette")
    assert desk.page.locator(".touch-keys button:visible").count() == 0


@pytest.mark.parametrize("way", ["tap", "keys"])
@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("4x6", "Enter your first guess: 4 colors, then the score: black, then white."),
        ("daily-word", "Enter your first guess: 5 letters, then the mark of each letter."),
        ("4x6b", "Enter your first guess: 4 colors, then the score: black."),
    ],
)
def test_the_first_door_leads_to_the_board_and_says_what_to_do(visit, game, text, way):
    page = visit.open(game).page
    visit.wait_for_verdict("are possible")
    page.wait_for_selector(".door")
    assert page.locator(".invitation").count() == 0
    if way == "tap":
        tap(visit, ".door >> text=Find the mistake")
    else:
        page.focus(".door >> nth=0")
        visit.press("Enter")
    assert page.is_hidden("start-view")
    assert page.inner_text(".invitation").startswith(text)
    top = box(page, ".invitation")
    assert 0 <= top["y"] < page.viewport_size["height"] / 2
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.split(":")[0] in ("peg 1", "place 1")


def test_the_invitation_goes_with_the_first_whole_row(desk):
    desk.open().wait_for_verdict("are possible")
    desk.page.click(".door >> text=Find the mistake")
    desk.press(*"11221")
    assert desk.page.is_visible(".invitation")
    desk.press("1")
    assert desk.page.locator(".invitation").count() == 0
