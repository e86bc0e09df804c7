"""The page in other places: in a frame of another site, in a tab, and without its server."""

from __future__ import annotations

import json
import threading
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mmsat import Board
from mmsat.game.notation.board_reader import speller
from tests.support.cli_runner import run
from tests.support.page_visit import DESKTOP, LINE, SLIPPED, Visit
from tests.support.web_client import fetch
from tests.support.web_server import serving


@contextmanager
def site(frame_address):
    """Serve a page of another origin with one frame, and yield its origin."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<iframe src='{frame_address[0]}#{LINE}'></iframe>".encode())

        def log_message(self, *_):
            pass

    other = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{other.server_port}"
    finally:
        other.shutdown()
        other.server_close()


@pytest.mark.parametrize("is_allowed", [True, False])
def test_allowed_sites_show_the_board_in_a_frame(browser, is_allowed):
    frame_address = [""]
    context = browser.new_context(**DESKTOP)
    with (
        site(frame_address) as origin,
        serving("--embed", origin if is_allowed else "https://example.org") as (_, address),
    ):
        frame_address[0] = address
        page = context.new_page()
        page.goto(origin)
        verdict = page.frame_locator("iframe").locator("verdict-view")
        if is_allowed:
            verdict.get_by_text("36 codes are possible").wait_for()
        else:
            page.wait_for_timeout(1000)
            assert verdict.count() == 0
    context.close()


@pytest.mark.parametrize(
    ("origins", "policy"),
    [
        ((), "'none'"),
        (
            ("https://example.org/", "http://localhost:80"),
            "https://example.org http://localhost:80",
        ),
        (("*",), "*"),
    ],
)
def test_the_policy_names_the_sites_that_may_embed_the_page(origins, policy):
    options = [part for origin in origins for part in ("--embed", origin)]
    with serving(*options) as (_, address):
        _, headers, _ = fetch(address, "/")
    assert headers["content-security-policy"].endswith(f"frame-ancestors {policy}")
    assert ("x-frame-options" in headers) is not bool(origins)


@pytest.mark.parametrize("origin", ["example.org", "https://", "https://a b", "'self'", "a;b", ""])
def test_an_invalid_origin_is_refused(origin):
    result = run("serve", "--no-browser", "--embed", origin)
    assert result.exit_code == 2
    assert "--embed: expected an origin such as https://example.org" in result.stderr


def clipboard(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return lambda text: page.evaluate("text => navigator.clipboard.writeText(text)", text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (LINE, LINE),
        ("4x6\n1122 1 1\n3345 0 2\n", LINE),
        ("http://example.org/#4x6/1122=1.1&lies=1", "4x6/1122=1.1"),
        ("crane -yy--", "daily-word/CRANE=-YY--"),
        ("CRANE -YY--\nmarsh=yyyxx\n", "daily-word/CRANE=-YY--/MARSH=YYY--"),
        ("4x6/1122=1.1\n3345=0.2", LINE),
        ("1122=1.1\n3345 0 2", LINE),
        ("5x8\n11223 1 1", "5x8/11223=1.1"),
        ("⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩", "daily-word/?????=--Y--/?????=GGGGG"),
    ],
)
def test_a_board_is_pasted_anywhere(desk, text, line):
    page = desk.open().page
    desk.wait_for_verdict("are possible")
    clipboard(page)(text)
    page.click("footer")
    desk.press("Control+v")
    page.wait_for_selector(".row:not(.empty)")
    assert desk.line() == line


def test_a_fault_in_a_pasted_text_is_shown_on_the_board(desk):
    page = desk.open(LINE).page
    desk.wait_for_verdict("36 codes are possible")
    clipboard(page)("4x6/1177=1.1")
    page.focus(".rows .cell[tabindex='0']")
    desk.press("Control+v")
    page.wait_for_selector("board-view .fault mark")
    assert desk.line() == LINE


@pytest.mark.parametrize(
    ("line", "row", "text", "kept"),
    [
        ("4x6/1122=1.1/9999=0.2", 2, "9999", "4x6/1122=1.1"),
        ("4x6/1122=1/3345=0.2/5566=1.1", 1, "1", "4x6/3345=0.2/5566=1.1"),
        ("bulls-and-cows/0123=1.1/456=1.1", 2, "456", "bulls-and-cows/0123=1.1"),
        ("daily-word/CRANE=-YY--/MARSH=YZY--", 2, "Z", "daily-word/CRANE=-YY--"),
        ("4x5x5/1A2B3C4D=1.1.1/1Z2E3A4B=1.0.2", 2, "1Z", "4x5x5/1A2B3C4D=1.1.1"),
    ],
)
def test_a_link_keeps_its_good_rows_and_names_the_fault_of_the_other(visit, line, row, text, kept):
    visit.open(line).wait_for_verdict("possible|Solved|contradict")
    page = visit.page
    broken = page.locator(".row").nth(row - 1)
    assert broken.locator(".row-fault mark").inner_text() == text
    assert "has a fault" in broken.get_attribute("aria-label")
    assert page.inner_text(".fault[role=alert]").startswith(f"Row {row} of this link has a fault")
    assert broken.locator(".cell[tabindex='0']").count() == 1
    rows = page.locator(".row:not(.empty):not(.broken)").count()
    assert rows == kept.count("/")
    page.locator(".row.empty .guess .cell").first.focus()
    visit.press(page.evaluate("window.mmsat.store.state.game.symbols[3].symbol[0]"))
    assert page.url.endswith(line)
    assert broken.locator(".row-fault mark").inner_text() == text
    page.reload()
    page.wait_for_selector(".row-fault mark")
    visit.tab("share")
    assert visit.line() == kept


def test_a_row_with_a_fault_is_completed_or_removed(desk):
    page = desk.open("4x6/1122=1.1/9945=0.2/66=1&off=1").page
    page.wait_for_selector(".row-fault >> nth=1")
    assert "ignored" in page.locator(".row").first.get_attribute("aria-label")
    page.focus(".rows .cell[tabindex='0']")
    desk.press("3")
    assert page.url.endswith("4x6/1122=1.1/9945=0.2/66=1&off=1")
    desk.press("3")
    page.wait_for_function("() => location.hash === '#4x6/1122=1.1/3345=0.2/66=1&off=1'")
    assert page.locator(".row-fault").count() == 1
    desk.change_row(3, "Remove")
    page.wait_for_function("() => location.hash === '#4x6/1122=1.1/3345=0.2&off=1'")
    assert page.locator("board-view .fault").count() == 0
    desk.press("Control+z")
    page.wait_for_selector(".row-fault mark >> text=66")


@pytest.mark.parametrize("line", ["foo/1122=1.1", "foo", '{"mmsat": 1}'])
def test_a_link_that_is_not_a_board_stays_until_it_is_corrected(visit_in, line):
    visit = visit_in(**DESKTOP)
    page = visit.open(line).page
    page.wait_for_selector("board-view .fault >> text=This link cannot be read")
    visit.wait_for_verdict("This link cannot be read")
    assert page.locator(".rows").is_hidden()
    address = page.url
    page.click("h1")
    visit.press("1", "Delete", "Control+z")
    assert page.url == address
    assert page.inner_text("board-view .refusal").startswith("The link cannot be read")
    page.fill("#link", LINE)
    page.click("text='Read it'")
    visit.wait_for_verdict("36 codes are possible")
    assert page.locator("board-view .fault").count() == 0
    page.go_back()
    page.wait_for_selector("board-view .fault >> text=This link cannot be read")
    page.click("text=Use an empty board")
    visit.wait_for_verdict("1.296 codes are possible")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"112211")
    visit.tab("share")
    assert visit.line() == "4x6/1122=1.1"


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("foo%0A1122=1.1%0A3345=0.2", "foo\n1122=1.1\n3345=0.2"),
        ('{"mmsat": 1, "game": "x & y"}&lies=1', '{"mmsat": 1, "game": "x & y"}'),
        ("%7B%22a%22%3A%0A%22b%26c%22%7D", '{"a":\n"b&c"}'),
    ],
)
def test_a_link_of_several_lines_is_shown_as_it_is_and_corrected(visit_in, link, text):
    visit = visit_in(**DESKTOP)
    page = visit.open(link).page
    page.wait_for_selector("board-view .fault >> text=This link cannot be read")
    assert page.input_value("#link") == text
    page.click("text=Read it")
    assert page.input_value("#link") == text
    correct = "4x6\n1122=1.1\n3345=0.2"
    if text.startswith("{"):
        rows = [
            {"guess": "1122", "black": 1, "white": 1},
            {"guess": "3345", "black": 0, "white": 2},
        ]
        correct = json.dumps({"game": "4x6", "rows": rows}, indent=1)
    page.fill("#link", correct)
    page.click("text=Read it")
    page.wait_for_selector("board-view .fault", state="detached")
    assert visit.line() == LINE
    assert page.evaluate("window.mmsat.store.state.lies") == int("lies" in link)


def test_a_game_is_chosen_on_the_page_of_a_link_that_cannot_be_read(visit_in):
    visit = visit_in(**DESKTOP)
    page = visit.open("foo/1122=1.1").page
    page.wait_for_selector("board-view .fault")
    visit.choose_game("bulls-and-cows").wait_for_verdict("codes are possible")
    assert page.locator("board-view .fault").count() == 0
    assert page.locator(".rows").is_visible()


def test_the_board_is_copied_as_text_and_as_a_link(desk):
    page = desk.open(f"{SLIPPED}&off=2").page
    desk.wait_for_verdict("contradict each other")
    clipboard(page)("")
    desk.tab("share")
    assert "on this computer only" in page.inner_text("share-view")
    read = "() => navigator.clipboard.readText()"
    page.click("text=Copy as text")
    page.wait_for_selector("share-view >> text=The board is copied as text.")
    assert page.evaluate(read) == "4x6/1122=1.1/1122=0.2"
    page.click("text=Copy the link")
    page.wait_for_selector("share-view >> text=The link is copied.")
    assert page.evaluate(read) == f"{desk.address}#{SLIPPED}&off=2"


def test_the_tab_has_the_verdict_in_its_title(desk):
    for line, title in (
        ("4x6", "4x6 · mmsat"),
        (LINE, "36 codes, 4x6 · mmsat"),
        (SLIPPED, "Wrong score, 4x6 · mmsat"),
        ("daily-word/CRANE=GGGGG", "1 word, daily-word · mmsat"),
    ):
        desk.open(line)
        desk.page.wait_for_function("title => document.title === title", arg=title)


@pytest.mark.parametrize("line", [SLIPPED, "daily-word/CRANE=-YY--", "4x5x5/1A2B3C4D=1.1.1"])
def test_the_picture_has_the_rows_and_their_scores(desk, line):
    page = desk.open(line).page
    desk.wait_for_verdict("possible|contradict")
    picture = page.evaluate(
        "async () => { const { draw } = await import('./js/picture.js');"
        " return draw(window.mmsat.store.state, window.mmsat.analysis); }"
    )
    document = ET.fromstring(picture)  # noqa: S314  (made by us)
    texts = [each.text for each in document.iter("{http://www.w3.org/2000/svg}text")]
    board = Board.parse(line)
    for row in board.rows:
        assert speller(board.game).print_code(row.guess) in "".join(filter(None, texts))
    fills = [each.get("fill") for each in document.iter("{http://www.w3.org/2000/svg}circle")]
    if board.game.parts[0] == "black":
        assert fills.count("#000000") == sum(row.score[0] for row in board.rows)
    else:
        tiles = [each.get("fill") for each in document.iter("{http://www.w3.org/2000/svg}rect")]
        assert tiles.count("#e0b32c") == 2
    assert len(list(document.iter("{http://www.w3.org/2000/svg}path"))) == 3 * ("x5x" in line)


def test_the_page_opens_without_its_server_and_continues_with_it(browser):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    with serving() as (_, address):
        Visit(page, address).open(LINE).wait_for_verdict("36 codes are possible")
        page.wait_for_function(
            "async () => (await (await caches.open('static')).keys()).length > 30"
        )
        page.wait_for_function("() => navigator.serviceWorker.controller")
        cached = page.evaluate(
            "async () => (await (await caches.open('static')).keys()).map(each => each.url)"
        )
        assert not [url for url in cached if "/api/" in url]
    page.reload()
    page.wait_for_selector("verdict-view .fault >> text=cannot be reached")
    assert page.locator(".row:not(.empty)").count() == 2
    port = address.rstrip("/").rpartition(":")[2]
    with serving("--port", port):
        Visit(page, address).wait_for_verdict("36 codes are possible")
    context.close()


def test_a_link_that_cannot_be_read_is_kept_until_it_can_be_read(visit_in):
    """The board of a new link is not known while the server is away, so nothing replaces it."""
    visit = visit_in(**DESKTOP)
    page = visit.page
    page.route("**/api/*", lambda route: route.abort())
    visit.open(LINE)
    page.wait_for_selector("board-view .fault >> text=cannot be reached")
    assert page.locator("[role=alert]:visible:not(:empty)").count() == 1
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"334502")
    page.wait_for_selector(".refusal >> text=The board of this link is not known yet")
    page.click(".palette .cell >> nth=0")
    visit.press("Control+z")
    assert page.url.endswith(f"#{LINE}")
    assert page.locator(".row").count() == page.locator(".row.empty").count() == 1
    page.unroute("**/api/*")
    visit.wait_for_verdict("36 codes are possible")
    page.focus(".rows .cell[tabindex='0']")
    visit.press(*"334502")
    assert visit.line() == f"{LINE}/3345=0.2"


def test_rows_that_are_entered_without_a_server_stay_after_a_reload(browser):
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    with serving() as (_, address):
        visit = Visit(page, address).open(LINE)
        visit.wait_for_verdict("36 codes are possible")
        page.wait_for_function("() => navigator.serviceWorker.controller")
    page.focus(".row.empty .cell[tabindex='0']")
    visit.press(*"661610")
    page.wait_for_function("() => location.hash.endsWith('/6616=1.0')")
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.row:not(.empty)').length === 3")
    page.focus(".row.empty .cell >> nth=0")
    visit.press(*"141320")
    assert page.url.endswith(f"#{LINE}/6616=1.0/1413=2.0")
    context.close()


def test_the_page_can_be_installed(address):
    manifest = json.loads(fetch(address, "/manifest.webmanifest")[2])
    assert manifest["start_url"] == manifest["scope"] == "."
    for icon in manifest["icons"]:
        assert fetch(address, f"/{icon['src']}")[1]["content-type"] == icon["type"]


def test_the_picture_is_dark_on_a_dark_page(visit_in):
    fills = {}
    for scheme in ("light", "dark"):
        visit = visit_in(**DESKTOP, color_scheme=scheme)
        visit.open(LINE).wait_for_verdict("36 codes are possible")
        picture = visit.page.evaluate("document.querySelector('share-view').svg()")
        document = ET.fromstring(picture)  # noqa: S314  (made by us)
        rects = document.iter("{http://www.w3.org/2000/svg}rect")
        fills[scheme] = [each.get("fill") for each in rects][1]
    visit.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert "#ffffff" in visit.page.evaluate("document.querySelector('share-view').svg()")
    assert fills == {"light": "#ffffff", "dark": "#1a242d"}


@pytest.mark.parametrize("line", ["4x6/1122=0.0/3344=1.1/3563=4.0", SLIPPED])
def test_a_picture_tells_the_verdict_only_if_it_is_wanted(visit, line):
    visit.open(line).wait_for_verdict("Solved|contradict")
    page = visit.tab("share").page
    draw = "() => document.querySelector('share-view').svg()"
    told = "Solved: the code is 3563." if "3563" in line else "#fdeceb"
    assert told in page.evaluate(draw)
    page.locator("text=Pictures show the verdict").click()
    assert told not in page.evaluate(draw)
    page.reload()
    visit.tab("share").wait_for_verdict("Solved|contradict")
    assert told not in page.evaluate(draw)


def test_the_link_of_a_puzzle_does_not_show_its_solution(visit):
    visit.page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value:"
        " { writeText: async text => { window.copied = text; } } })"
    )
    visit.open(LINE).wait_for_verdict("36 codes")
    page = visit.tab("share").page
    assert page.locator("text=Copy as a puzzle").count() == 0
    visit.open("4x6/1122=1.1/3345=0.2/6616=1.0/1413=2.0").wait_for_verdict("Solved")
    page.click("text=Copy as a puzzle")
    page.wait_for_selector("text=It does not show the solution")
    link = page.evaluate("window.copied")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("play-view >> text=which code gets all these scores")
    assert "Solved" not in page.inner_text("body")
