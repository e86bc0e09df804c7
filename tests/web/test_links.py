"""The page in other places: in a frame of another site, in a tab, and without its server."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.cli_runner import run
from tests.support.page_visit import DESKTOP, LINE
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
