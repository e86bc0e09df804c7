"""Load test of the analysis board: many clients with mixed boards, and a flood of hard ones.

    python -m benchmarks serve [--clients 200] [--requests 10] [--seed 1]
    python -m benchmarks serve --minutes 60 [--share 0.15] [--seed 1] [-o FOLDER]

The second form is the endurance test; see endurance.py.

Each client has its own address on the loopback network (Linux), because the server is fair per
client. Times are wall-clock waiting times of a client, which depend on the load of the machine.
Memory is the sum over the server's processes, in MiB.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.serve.clients import CLASSIC, HARD, QUESTIONS, ask
from benchmarks.serve.endurance import FOLDER, endure
from benchmarks.serve.processes import Family

if TYPE_CHECKING:
    from mmsat.game.library import Instance

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The browser that types on the page; None to omit this measurement."""
LAST_KEYS = [
    (f"4x6/1122=1.1/{guess}=0.{white}", str(white + 1))
    for guess in ("3345", "1345", "2516", "3456", "4153")
    for white in (0, 1)
]
"""Boards, and what their last number is changed to."""
WAIT = """key => new Promise(done => {
  const start = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const { analysis } = window.mmsat;
  const look = () => {
    const { check, count, odds, suggest } = analysis.known;
    const all = [check, count, odds, suggest].every(each => each?.isDone);
    if (all) requestAnimationFrame(() => done(performance.now() - start));
    else setTimeout(look, 1);
  };
  look();
})"""


def visit(
    address: str, number: int, requests: int, seed: int, waits: list[tuple[int, float]]
) -> None:
    """Ask about mixed boards, with pauses as a person makes them."""
    source = random.Random(f"{seed} {number}")
    for _ in range(requests):
        client = f"127.0.1.{number % 250 + 1}"
        waits.append(ask(address, client, source.choice(QUESTIONS), source.choice(CLASSIC)))
        time.sleep(source.random())


def flood_with(address: str, client: str, hard: Instance, waits: list[tuple[int, float]]) -> None:
    """Ask for the explanation of a hard board."""
    waits.append(ask(address, client, "explain", str(hard.board)))


def run_all(threads: list[threading.Thread]) -> None:
    """Run them to their end."""
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def tell(name: str, waits: list[tuple[int, float]]) -> None:
    """A line of the table."""
    times = sorted(seconds for _, seconds in waits)
    failed = sum(status != 200 for status, _ in waits)
    median, late = times[len(times) // 2], times[int(0.99 * len(times))]
    print(f"{name:34} {len(waits):6} {failed:6} {median:8.3f} {late:8.3f} {times[-1]:8.3f}")


def type_on_page(address: str) -> None:
    """Type the last number of classic boards on the page, and wait until all answers are shown."""
    from playwright.sync_api import sync_playwright

    waits = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("guesses-view tr.best")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        for line, key in LAST_KEYS:
            page.goto(f"{address}#{line}")
            page.wait_for_function("document.querySelectorAll('.row').length > 1")
            page.wait_for_timeout(500)
            page.locator(".row:not(.draft) .score .cell >> nth=-1").click()
            waits.append((200, page.evaluate(WAIT, key) / 1000))
        browser.close()
    tell("from the last key to all answers", waits)
    print(f"{'':34} first paint after {paint / 1000:.3f} s")


def main(arguments: list[str]) -> int:
    """Start a server and hold it out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--requests", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="the long form, for so long")
    parser.add_argument("--share", type=float, default=0.15, help="of one core, that it may take")
    parser.add_argument("-o", dest="folder", type=Path, default=FOLDER)
    given = parser.parse_args(arguments)
    command = [sys.executable, "-m", "mmsat", "serve", "--no-browser", "--port", "0"]
    own = {"start_new_session": True}  # Ctrl-C is for this process, which ends the server
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **own) as server:
        try:
            address = server.stdout.readline().strip()
            family = Family(server.pid)
            if given.minutes:
                return endure(address, family, given)
            print(f"{'':34} asked  failed   median      p99    worst")
            alone = [ask(address, "127.0.0.1", question, CLASSIC[2]) for question in QUESTIONS * 10]
            tell("one client, a classic board", alone)
            if CHROMIUM:
                type_on_page(address)
            print(f"{'':34} {family.sample().memory:.0f} MiB")
            crowd: list[tuple[int, float]] = []
            run_all(
                [
                    threading.Thread(
                        target=visit, args=(address, n, given.requests, given.seed, crowd)
                    )
                    for n in range(given.clients)
                ]
            )
            tell(f"{given.clients} clients, mixed boards", crowd)
            print(f"{'':34} {family.sample().memory:.0f} MiB")
            flood: list[tuple[int, float]] = []
            hostile = [
                threading.Thread(
                    target=flood_with,
                    args=(address, f"127.0.3.{number % 4 + 1}", HARD[number % len(HARD)], flood),
                    daemon=True,
                )
                for number in range(60)
            ]
            for thread in hostile:
                thread.start()
            time.sleep(1)
            beside = [
                ask(address, "127.0.2.1", question, CLASSIC[1]) for question in QUESTIONS * 10
            ]
            tell("one client beside 60 hard boards", beside)
            print(f"{'':34} {family.sample().memory:.0f} MiB")
        finally:
            server.send_signal(signal.SIGINT)
    return 0
