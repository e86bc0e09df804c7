"""A server for the tests of the page and of its interface, as a user starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests import external
from tests.cli.runner import environment
from tests.web.visit import DESKTOP, PHONE, Visit

CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def serving(*arguments, prefix=()):
    """Start `mmsat serve`; gives its process and address, and ends it by Ctrl-C.

    `prefix` is a program with arguments that runs the command.
    """
    command = [
        *prefix,
        sys.executable,
        "-m",
        "mmsat",
        "serve",
        "--no-browser",
        "--port",
        "0",
        *arguments,
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def address():
    with serving() as (_, found):
        yield found


@pytest.fixture(scope="session")
def browser():
    playwright = external.module("playwright.sync_api")
    path = external.program("chromium")
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
    made = visit_in(**(PHONE if request.param == "phone" else DESKTOP))
    yield made
    assert made.errors == []


@pytest.fixture
def desk(visit_in):
    """A visit at desktop width."""
    made = visit_in(**DESKTOP)
    yield made
    assert made.errors == []
