"""A server for the tests of the page and of its interface, as a user starts it."""

from __future__ import annotations

import pytest

from tests.support import external
from tests.support.page_visit import CHROMIUM, DESKTOP, PHONE, Visit
from tests.support.web_server import serving


@pytest.fixture(scope="session")
def address():
    """Start one server for all tests of the session, and return its address."""
    with serving() as (_, result):
        yield result


@pytest.fixture(scope="session")
def browser():
    """Start one Chromium for all tests of the session."""
    playwright = external.module("playwright.sync_api")
    path = external.browser()
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def visit_in(browser, address):
    """Return a function that makes a `Visit` in a new browser context with the given options."""
    contexts = []

    def visit(**options):
        contexts.append(browser.new_context(**options))
        return Visit(contexts[-1].new_page(), address)

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture(params=["desktop", "phone"])
def visit(visit_in, request):
    """Run the test twice, with a `Visit` in a browser of the size of a desktop and of a phone.

    After the test, the page must have reported no error.
    """
    new_visit = visit_in(**(PHONE if request.param == "phone" else DESKTOP))
    yield new_visit
    assert new_visit.errors == []


@pytest.fixture
def desk(visit_in):
    """Run the test once, with a `Visit` in a browser of the size of a desktop."""
    new_visit = visit_in(**DESKTOP)
    yield new_visit
    assert new_visit.errors == []
