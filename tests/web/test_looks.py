"""Appearance: contrast, forced colors, print, and widths from phone to desktop."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmsat.game.notation import COLOR_NAMES
from mmsat.render import NAMED_COLORS
from tests.support import page_states
from tests.support.page_pictures import FOLDER, PICTURES
from tests.support.page_visit import DESKTOP, LINE, PHONE, SLIPPED
from tests.support.web_client import ask

WIDTHS = {"phone": 390, "tablet": 820, "desktop": 1280, "wide": 1920}
GAMES = [
    LINE,
    SLIPPED + "&unsure=3",
    "daily-word/FROTH=--Y--",
    "3x9do/523=ELR",
    "4x5x5/1A2B3C4D=1.1.1",
    "3x30/1-17-30=1.1",
    "5x8/11223=1.1",
    "12x10/AABBCCDDEEFF=3.4",
]
CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text("utf-8")


def boxes(page, selector):
    """Return the boxes of all elements at one moment, because answers move them."""
    return page.locator(selector).evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().toJSON())"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("line", ["", *GAMES])
def test_every_character_has_enough_contrast(visit_in, theme, line):
    """Single characters and disabled buttons are included, which axe-core omits."""
    visit = visit_in(**DESKTOP, color_scheme=theme)
    visit.open(line).wait_for_verdict("possible|Solved|contradict")
    page = visit.page
    for cell in (".guess .cell", ".score .cell"):
        page.locator(".row").last.locator(cell).nth(0).click()
        page.mouse.move(0, 0)
        assert page.evaluate(CONTRASTS) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_have_their_colors_in_the_palette(visit_in, theme):
    visit = visit_in(**DESKTOP, color_scheme=theme)
    visit.open("daily-word/CRANE=-YG--").wait_for_verdict("possible|Solved")
    page = visit.page
    page.locator(".row").last.locator(".score .cell").nth(0).click()
    paint = "each => getComputedStyle(each).backgroundColor"
    for place, name in enumerate(("grey: absent", "yellow: elsewhere", "green: in place")):
        button = page.locator(f".palette [aria-label='put {name}']").evaluate(paint)
        assert button == page.locator(".row").nth(0).locator(".score .cell").nth(place).evaluate(
            paint
        )


def test_named_colors_are_in_the_order_of_their_letters(address):
    """In RGBYOPWK: red, green, blue, yellow, orange, purple, white, black."""
    hues = {"R": (340, 20), "G": (90, 170), "B": (190, 250), "Y": (50, 65), "O": (22, 45)}
    hues["P"] = (260, 320)
    symbols = ask(address, "board", board="4x8")[1]["answer"]["game"]["symbols"]
    _, position = ask(address, "board", board="4x6/RGBY=1.1")
    assert position["answer"]["rows"][0]["guess"] == [1, 2, 3, 4]
    for letter, symbol in zip("RGBYOPWK", symbols, strict=True):
        red, green, blue = (int(symbol["background"][n : n + 2], 16) for n in (1, 3, 5))
        high, low = max(red, green, blue), min(red, green, blue)
        if letter in "WK":
            assert high == low
            assert low >= 220 if letter == "W" else high <= 80
            continue
        turn = {
            red: (green - blue) / (high - low),
            green: 2 + (blue - red) / (high - low),
            blue: 4 + (red - green) / (high - low),
        }
        hue = 60 * turn[high] % 360
        first, last = hues[letter]
        assert first <= hue <= last if first < last else hue >= first or hue <= last


def test_letters_of_other_colors_are_drawn_in_their_colors(desk):
    desk.open("4x6/RGYW=1.1/KBRR=0.1").wait_for_verdict("possible|Solved|contradict")
    page = desk.page
    fills = (
        page.locator(".row")
        .nth(0)
        .locator(".guess circle")
        .evaluate_all("all => all.map(each => each.getAttribute('fill'))")
    )
    fills += [page.locator(".row").nth(1).locator(".guess circle").first.get_attribute("fill")]
    names = ("red", "green", "yellow", "white", "black")
    assert fills == [f"#{NAMED_COLORS[name]}" for name in names]
    assert page.inner_text(".notice") == (
        "Colors by name: red is 1, green is 2, blue is 3, yellow is 4, white is 6, black is 5."
    )


def test_the_palette_has_the_names_of_the_notation():
    assert list(NAMED_COLORS) == [name for name, _, _ in COLOR_NAMES]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_keys_and_marks_differ_with_forced_colors(visit_in, theme):
    visit = visit_in(**DESKTOP, forced_colors="active", color_scheme=theme)
    visit.open(SLIPPED).wait_for_verdict("contradict each other")
    page = visit.page
    page.wait_for_selector(".row.conflict")
    keys = [page.locator(f".row .key-{name}").first.screenshot() for name in ("black", "white")]
    assert keys[0] != keys[1]
    assert lightness(page, ".row .key-black") < 100
    assert lightness(page, ".row .key-white") > 200
    bars = [
        row.evaluate("each => getComputedStyle(each).borderLeftColor")
        for row in page.locator(".row").all()
    ]
    first, free, third, empty = bars  # rows 1 and 3 conflict
    assert first == third != free == empty
    assert free == page.locator("main").evaluate(
        "() => { const probe = document.body.appendChild(document.createElement('i'));"
        " probe.style.color = 'Canvas'; const found = getComputedStyle(probe).color;"
        " probe.remove(); return found; }"
    )
    visit.open("daily-word/CRANE=-YG--").wait_for_verdict("possible|Solved")
    colors = {
        page.locator(".row")
        .nth(0)
        .locator(".score .cell")
        .nth(n)
        .evaluate("each => getComputedStyle(each).backgroundColor")
        for n in range(3)
    }
    assert len(colors) == 3


def lightness(page, selector):
    """Return the gray value in the middle of an element."""
    image = page.locator(selector).first.screenshot()
    return page.evaluate(
        """async bytes => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context.drawImage(image, 0, 0);
          return context.getImageData(image.width >> 1, image.height >> 1, 1, 1).data[0];
        }""",
        [*image],
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_printed_page_has_the_board_and_no_controls(visit_in, theme):
    visit = visit_in(**DESKTOP, color_scheme=theme)
    visit.open(LINE).wait_for_verdict("36 codes are possible")
    page = visit.page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    page.wait_for_selector("codes-view td.possible", state="attached")
    page.emulate_media(media="print")
    assert lightness(page, ".row .key-black") < 100
    assert lightness(page, ".row .key-white") > 200
    shown = page.evaluate(
        "() => [...document.querySelectorAll('button, input, select, textarea, h2, summary, .row')]"
        ".filter(each => each.checkVisibility() && each.offsetHeight)"
        ".map(each => each.matches('.cell') ? 'cell' : each.matches('.row') ? 'row'"
        " : each.matches('.guess-split') ? 'guess' : each.textContent || each.id)"
    )
    guesses = page.locator("guesses-view tbody tr").count()
    assert shown == [
        *("Board", "row", *["cell"] * 6, "row", *["cell"] * 6),
        *("Verdict", "Best guesses", *["guess"] * guesses, "Remaining codes"),
    ]
    key, number = (
        page.locator(f".row .score .cell >> nth=0 >> {part}").bounding_box()
        for part in ("svg", "span")
    )
    assert key["x"] + key["width"] <= number["x"]
    assert key["y"] < number["y"] + number["height"] / 2 < key["y"] + key["height"]
    assert page.evaluate(CONTRASTS) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(22, 32, 42)"
    page.emulate_media(media="screen")
    visit.tab("why").page.click("text=Explain step by step")
    page.wait_for_selector("why-view .now")
    visit.tab("review").page.click("text=Review this game")
    page.wait_for_selector("review-view .graph")  # all guesses are judged
    page.emulate_media(media="print")
    headings = page.locator("h2").evaluate_all(
        "all => all.filter(each => each.checkVisibility()).map(each => each.textContent)"
    )
    assert headings[-2:] == ["Why, step by step", "Review of the game"]
    for texts in (".steps .step", ".moves .step"):
        assert page.locator(texts).count() > 1
        assert all(each.is_visible() for each in page.locator(texts).all())
    assert page.pdf().startswith(b"%PDF")


PRINTED_PARTS = {
    "Verdict and solution": "verdict-view",
    "Best guesses": "#guesses",
    "Chances of the colors": "#codes",
    "Explanation, step by step": "#why",
    "Review of the game": "#review",
}


@pytest.mark.parametrize("left_out", [None, *PRINTED_PARTS, "all"])
def test_the_chosen_parts_are_printed(desk, left_out):
    desk.open(LINE).wait_for_verdict("36 codes are possible")
    page = desk.tab("guesses").page
    page.wait_for_selector("guesses-view tr.best")
    page.evaluate("() => { window.print = () => { window.isPrinted = true; }; }")
    desk.tab("share")
    for name in PRINTED_PARTS:
        page.get_by_label(name).set_checked(left_out not in (name, "all"))
    page.get_by_role("button", name="Print", exact=True).click()
    page.wait_for_function("() => window.isPrinted")
    page.emulate_media(media="print")
    shown = {
        name for name, part in PRINTED_PARTS.items() if page.locator(f"{part} *:visible").count()
    }
    assert shown == {name for name in PRINTED_PARTS if left_out not in (name, "all")}
    # A page with the board alone is for solving on paper, and has an empty row to write in.
    is_board_alone = left_out == "all"
    assert page.locator(".row.empty").is_visible() == is_board_alone
    assert page.locator(".row:visible").count() == 2 + is_board_alone
    assert page.locator(".on-paper").inner_text().startswith("Mastermind (4x6). ")
    assert page.locator(".how:visible, button:not(.cell, .guess-split, .step):visible").count() == 0
    page.emulate_media(media="screen")
    page.reload()
    desk.tab("share")  # the choice is kept
    for name in PRINTED_PARTS:
        assert page.get_by_label(name).is_checked() == (left_out not in (name, "all"))


@pytest.mark.parametrize("name", ["mastermind", "super", "daily-word", "3x7", "4x6!"])
def test_the_printed_board_has_its_game_before_the_list_of_games_arrives(desk, name):
    titles = {
        game["name"]: game["title"] for game in ask(desk.address, "games")[1]["answer"]["games"]
    }
    desk.page.route("**/api/games", lambda _: None)  # stays open
    desk.open(name).wait_for_verdict("are possible")
    line = desk.line()
    expected = f"{titles.get(name, 'Your own size')} ({line}). "
    assert desk.page.locator(".on-paper").text_content().startswith(expected)
    assert desk.page.locator(".game-menu summary").get_attribute("aria-label").endswith(line)


def test_a_solved_board_is_printed_without_tables_and_focus_frames(desk):
    desk.open("4x6/1122=1.1/3345=0.2/6616=1.0/1413=2.0").wait_for_verdict("Solved")
    page = desk.tab("why").page
    page.click("text=Explain step by step")
    page.click("why-view >> text=Next")
    page.wait_for_selector("why-view .known")
    page.focus("#why")
    page.emulate_media(media="print")
    for table in ("#guesses", "#codes", ".known"):
        assert not page.locator(table).is_visible()
    assert page.locator(".steps .step").first.is_visible()
    assert page.locator("#why").evaluate("each => getComputedStyle(each).outlineStyle") == "none"


def test_marks_are_printed_in_their_colors(visit_in):
    visit = visit_in(**DESKTOP)
    visit.open("daily-word/CRANE=-YG--").wait_for_verdict("possible|Solved")
    page = visit.page
    page.emulate_media(media="print")
    adjust = page.locator(".row .score .cell").first.evaluate(
        "each => getComputedStyle(each).printColorAdjust"
    )
    assert adjust == "exact"
    assert page.evaluate(CONTRASTS) == []


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("line", [LINE, *GAMES[2:], "1000x1000"])
def test_guesses_and_their_buttons_are_completely_visible(visit_in, width, line):
    visit = visit_in(viewport={"width": width, "height": 900})
    visit.open(line).wait_for_verdict("possible|Solved|contradict")
    page = visit.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if line == "1000x1000":
        return
    page.wait_for_selector("guesses-view tr.best")
    for row in page.locator("guesses-view tbody tr").all():
        panel = page.locator("guesses-view").bounding_box()
        for part in (".code", "button", "td:last-child"):
            box = row.locator(part).first.bounding_box()
            assert panel["x"] - 1 <= box["x"]
            assert box["x"] + box["width"] <= panel["x"] + panel["width"] + 1


@pytest.mark.parametrize(
    "line",
    ["4x6/1122=1.1", "9x6/112233445=2.3", "12x10/AABBCCDDEEFF=3.4", f"20x3/{'1' * 20}=5.0"],
)
def test_scores_are_drawn_as_key_pegs_within_their_row(visit_in, line):
    """On a wide board: one key peg, or its empty place, for each peg of the game."""
    visit = visit_in(viewport={"width": 1920, "height": 900})
    visit.open(line).wait_for_verdict("possible|Solved")
    page = visit.page
    row = page.locator(".row").first
    pegs = int(line.split("x")[0])
    black, white = (int(text) for text in line.split("=")[1].split("."))
    drawn = [row.locator(f".keys .key-{name}").count() for name in ("black", "white", "none")]
    assert drawn == [black, white, pegs - black - white]
    box, keys = row.bounding_box(), row.locator(".keys").bounding_box()
    assert box["y"] <= keys["y"]
    assert keys["y"] + keys["height"] <= box["y"] + box["height"]
    page.set_viewport_size({"width": 1280, "height": 900})
    if pegs <= 12:  # the menu of the row stays in its line
        row.locator(".actions").wait_for()
        cells, menu = (
            row.locator(part).bounding_box() for part in (".guess .cell >> nth=0", ".actions")
        )
        assert cells["y"] < menu["y"] + menu["height"] / 2 < cells["y"] + cells["height"]


@pytest.mark.parametrize("width", [320, 390, 960])
@pytest.mark.parametrize("line", [LINE, "4x5x5/1A2B3C4D=1.1.1", "bulls-and-cows/0123=1.1"])
def test_rows_and_guesses_take_one_line_in_narrow_windows(visit_in, width, line):
    visit = visit_in(viewport={"width": width, "height": 800})
    visit.open(line).wait_for_verdict("possible|Solved")
    page = visit.page
    page.wait_for_selector("guesses-view tr.best")
    for pegs in ("tr.best .code .peg", ".row:first-child .guess .cell"):
        assert len({box["y"] for box in boxes(page, pegs)}) == 1
    cells = boxes(page, ".row:first-child .cells, .row:first-child .actions")
    middles = [box["y"] + box["height"] / 2 for box in cells]
    assert max(middles) - min(middles) < 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_is_empty_while_an_answer_is_awaited(visit):
    """In this test, the answers to the questions `games` and `steps` never arrive."""
    page = visit.page
    for question in ("games", "steps"):
        page.route(f"**/api/{question}*", lambda _: None)
    visit.open(LINE).wait_for_verdict("36 codes")
    assert "Mastermind" in page.inner_text(".game-menu summary")
    visit.tab("why").page.click("text=Explain step by step")
    page.wait_for_selector("why-view >> text=Looking for more steps")
    assert page.locator("why-view button:visible, why-view .sentence:visible").count() == 0


def test_faults_are_printed_with_small_gaps(visit):
    visit.open("4y6/1122=1.1").page.wait_for_selector(".fault mark")
    outer, first, second = boxes(visit.page, "div.fault, div.fault > *")
    assert first["y"] - outer["y"] < 12
    assert second["y"] - first["bottom"] < 24
    assert outer["bottom"] - second["bottom"] < 24
    visit.open("4x6/1177=1.1/9999=0.1").page.wait_for_selector(".row-fault mark")
    row_faults = boxes(visit.page, "div.row-fault, div.row-fault > *")
    assert len(row_faults) == 4
    for outer, inner in zip(row_faults[::2], row_faults[1::2], strict=True):
        assert inner["y"] - outer["y"] < 12
        assert outer["bottom"] - inner["bottom"] < 24


@pytest.mark.parametrize("boards", [4, 8])
@pytest.mark.parametrize("game", ["4x6", "4x5x5", "bulls-and-cows", "daily-word", "12x10"])
def test_the_rows_stay_in_view_with_several_boards_on_a_phone(visit_in, game, boards):
    """`play-view`, which has the state of every board, takes less than half of the screen.

    Each score is inside the button of its board.
    """
    visit = visit_in(**PHONE)
    guess = {"4x5x5": "1A2B3C4D", "bulls-and-cows": "0123", "daily-word": "CRANE"}.get(
        game, "AABBCCDDEEFF" if game == "12x10" else "1122"
    )
    page_states.guessing(visit, boards, guess, game)
    page = visit.page
    height = page.viewport_size["height"]
    assert page.locator("play-view").bounding_box()["height"] < 0.5 * height
    assert page.locator(".rows .row").first.bounding_box()["y"] < 0.62 * height
    for board in page.locator(".boards button").all():
        outer = board.bounding_box()
        for part in board.locator(".keys, .amounts, .peg").all():
            if (inner := part.bounding_box())["width"] > 1:
                assert outer["x"] <= inner["x"]
                assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
        tops = {peg.bounding_box()["y"] for peg in board.locator(".code:not(.scored *) .peg").all()}
        assert len(tops) <= 1  # a guess stays in one line
    noun = "words" if game == "daily-word" else "codes"
    assert page.get_by_role("button", name=f"Give up and show the {noun}").is_visible()


@pytest.mark.parametrize("device", [DESKTOP, PHONE])
@pytest.mark.parametrize("line", ["12x10/AABBCCDDEEFF=3.4", "30x6", "3x30/1-17-30=1.1"])
def test_listed_codes_do_not_overlap(visit_in, device, line):
    visit = visit_in(**device)
    visit.open(line).wait_for_verdict("possible|Solved|contradict")
    page = visit.page
    visit.tab("codes").page.click("codes-view summary")
    page.wait_for_selector("codes-view li")
    items = boxes(page, "codes-view li")
    for n, one in enumerate(items):
        for other in items[n + 1 :]:
            assert (
                one["x"] + one["width"] <= other["x"] + 0.5
                or one["y"] + one["height"] <= other["y"] + 0.5
            )


def test_each_picture_of_the_page_is_drawn_by_a_script():
    """By `python -m tests.support.page_pictures`; each has the size of its viewport in pixels.

    Each file has less than 80 kB.
    """
    names = {path.stem for path in FOLDER.glob("*.png")}
    assert names == set(PICTURES)
    for name, (_, options) in PICTURES.items():
        content = (FOLDER / f"{name}.png").read_bytes()
        size = int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
        assert size == tuple(options["viewport"].values()), name
        assert len(content) < 80_000, name


@pytest.mark.parametrize("line", [LINE, "daily-word/CRANE=-YY--/MARSH=YYY--"])
@pytest.mark.parametrize("width", [480, 768, 960, 1280, 1920])
def test_every_guess_of_the_table_takes_one_line(visit_in, width, line):
    """The best guess, which has a mark, takes one line, too. No column is cut off."""
    visit = visit_in(viewport={"width": width, "height": 800})
    visit.open(line).wait_for_verdict("are possible")
    page = visit.tab("guesses").page
    page.wait_for_selector("guesses-view >> text=The best guess comes first")
    heights = page.locator(".guesses tbody tr").evaluate_all("all => all.map(e => e.offsetHeight)")
    assert len({*heights}) == 1
    assert page.locator("guesses-view .scroll").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_the_palette_of_a_puzzle_is_below_the_row_that_it_fills(desk):
    page_states.puzzle(desk)
    row = desk.page.locator(".row.empty").bounding_box()
    palette = desk.page.locator(".palette").bounding_box()
    assert 0 <= palette["y"] - (row["y"] + row["height"]) < 20


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_numbers_of_a_result_are_in_one_line(visit_in, width):
    visit = visit_in(viewport={"width": width, "height": 800})
    page_states.found(visit)
    items = boxes(visit.page, ".result dl div")
    assert len(items) == 3
    assert len({box["y"] for box in items}) == 1


@pytest.mark.parametrize("width", [320, 390, 960, 1280])
@pytest.mark.parametrize("line", [LINE, "4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2"])
def test_the_scores_of_a_split_are_not_covered(visit_in, width, line):
    visit = visit_in(viewport={"width": width, "height": 800})
    page_states.guesses(visit, line)
    gaps = visit.page.locator(".parts li").evaluate_all("""all => all.map(item => {
      const range = document.createRange();
      range.selectNodeContents(item.querySelector('.part-score'));
      const meter = item.querySelector('meter').getBoundingClientRect();
      return meter.left - range.getBoundingClientRect().right;
    })""")
    assert min(gaps) > 0
