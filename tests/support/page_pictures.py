"""The pictures of the analysis board in the documentation.

`python -m tests.support.page_pictures` draws all of them again, in docs/pictures.
"""

from __future__ import annotations

import io
from pathlib import Path

from tests.support import external, page_states
from tests.support.page_visit import CHROMIUM, PHONE, Visit
from tests.support.web_server import serving

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
WIDE = {"viewport": {"width": 1280, "height": 800}}
MAX_COLORS = 128


def wrong(visit):
    page_states.contradiction(visit, page_states.WRONG)


PICTURES = {
    "analysis-board": (wrong, WIDE),
    "board-codes": (page_states.codes, WIDE),
    "board-game": (page_states.guessing, PHONE),
    "board-grand-dark": (page_states.shapes, WIDE | {"color_scheme": "dark"}),
    "board-guesses": (page_states.guesses, WIDE),
    "board-phone": (wrong, PHONE),
    "board-puzzle": (page_states.puzzle, WIDE),
    "board-result": (page_states.found, WIDE),
    "board-result-phone": (page_states.found, PHONE),
    "board-review": (page_states.training, WIDE),
    "board-review-phone": (page_states.review, PHONE),
    "board-share": (page_states.share, WIDE),
    "board-start": (page_states.start, WIDE),
    "board-start-phone": (page_states.start, PHONE),
    "board-why": (page_states.why, WIDE),
    "board-words-phone": (page_states.words, PHONE),
}
"""The state of the page in each picture, and the options of the browser."""


def draw(browser, address, name):
    """Return a picture as PNG with few colors."""
    from PIL import Image

    state, options = PICTURES[name]
    context = browser.new_context(**options, reduced_motion="reduce")
    visit = Visit(context.new_page(), address)
    state(visit)
    visit.page.evaluate("() => { scrollTo(0, 0); document.activeElement.blur(); }")
    visit.page.wait_for_selector("verdict-view .working", state="detached")
    image = Image.open(io.BytesIO(visit.page.screenshot())).convert("RGB").quantize(MAX_COLORS)
    context.close()
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def main():
    playwright = external.module("playwright.sync_api")
    with serving() as (_, address), playwright.sync_playwright() as started:
        path = external.browser()
        browser = started.chromium.launch(executable_path=path, args=CHROMIUM)
        for name in PICTURES:
            (FOLDER / f"{name}.png").write_bytes(draw(browser, address, name))
        browser.close()


if __name__ == "__main__":
    main()
