"""A server for the tests of the page and of its interface, as a user starts it."""

from __future__ import annotations

import pytest

from tests.support import external
from tests.support.page_visit import CHROMIUM, DESKTOP, PHONE, Visit
from tests.support.web_server import serving


@pytest.fixture(scope="session")
def address():
    with serving() as (_, result):
        yield result


@pytest.fixture(scope="session")
def browser():
    playwright = external.module("playwright.sync_api")
    path = external.browser()
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=path, args=CHROMIUM)
        yield opened
        opened.close()


@pytest.fixture
def visit_in(browser, address):
    """Return a function that opens the page in a new browser context with the given options."""
    contexts = []

    def visit(**options):
        contexts.append(browser.new_context(**options))
        return Visit(contexts[-1].new_page(), address)

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture(params=["desktop", "phone"])
def visit(visit_in, request):
    new_visit = visit_in(**(PHONE if request.param == "phone" else DESKTOP))
    yield new_visit
    assert new_visit.errors == []


@pytest.fixture
def desk(visit_in):
    """A visit at desktop width."""
    new_visit = visit_in(**DESKTOP)
    yield new_visit
    assert new_visit.errors == []
