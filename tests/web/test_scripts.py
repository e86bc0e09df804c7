"""The JavaScript of the page: its unit tests pass, and its tools are pinned."""

from __future__ import annotations

import json
import random
import subprocess
from itertools import islice
from pathlib import Path

import mmsat
from mmsat.diagnosis.sentences import conflict_reason
from mmsat.diagnosis.steps import Steps
from mmsat.diagnosis.steps.stepwise import find_steps
from mmsat.game.board import Board, Status
from mmsat.solving.deadline import Deadline
from mmsat.solving.searches import Brute
from mmsat.web import view_model
from tests.support import external
from tests.support.random_boards import inconsistent_boards, random_board, scorings_of
from tests.support.tiers import share

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".ci" / "page"


def test_the_unit_tests_pass():
    node = external.program("node")
    result = subprocess.run(
        [node, "--test", "tests/web/js/"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout
    assert len(list((ROOT / "tests/web/js").glob("*.test.mjs"))) > 3


def test_the_tools_are_pinned_without_a_registry():
    packages = json.loads((TOOLS / "package.json").read_text("utf-8"))["devDependencies"]
    lock = json.loads((TOOLS / "package-lock.json").read_text("utf-8"))["packages"]
    assert {name: lock[f"node_modules/{name}"]["version"] for name in packages} == packages
    for name, package in lock.items():
        assert "resolved" not in package
        assert name == "" or package["integrity"].startswith("sha512-")


def test_core_modules_import_only_core_modules():
    """They are pure, so that they can be tested without a browser."""
    for file in (ROOT / "mmsat/web/page/js/core").glob("*.js"):
        text = file.read_text("utf-8")
        for line in text.splitlines():
            if line.startswith(("import ", "} from ")):
                assert ' from "./' in line, (file.name, line)
        assert "document." not in text
        assert "window" not in text


def say(documents):
    """Return the sentences of the page about each document, by tests/web/js/sentences.mjs."""
    node = external.program("node")
    result = subprocess.run(
        [node, "tests/web/js/sentences.mjs"],
        input="\n".join(map(json.dumps, documents)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in result.stdout.splitlines()]


def position_keys(board):
    """Return the game and the rows of a board, as the server sends them."""
    position = view_model.position(board)
    return {"game": position["game"], "rows": position["rows"]}


PUBLISHED = (
    "daily-word/CRANE=-YY--/MARSH=YYY--",
    "bulls-and-cows/1234=1.1/5678=0.2",
    "4x5x5/1A2B3C4D=1.1.1/1E2E3A4B=1.0.2",
    "3x9do/258=---",
)


def explain_here(board):
    """Return the steps of a board, found in this process."""
    code = Brute().decide(board, Deadline()).code
    status = Status.INCONSISTENT if code is None else Status.CONSISTENT
    plan, *_, steps = find_steps(board, code)
    goals, certain, conflict = plan
    return Steps(
        board, status, steps, goals, conflict, is_complete=True, seconds=0, certain=certain
    )


def test_the_page_explains_as_the_command_line_does():
    """The server sends data, from which the page makes the sentences of the command line.

    Boards of every kind of game are compared.
    """
    rng = random.Random(49)
    boards = [
        *(random_board(rng, pegs=4, colors=5, rows=5) for _ in range(share(400, least=60))),
        *inconsistent_boards(share(200, least=30), seed=49),
        *map(Board.parse, PUBLISHED[1:2]),
    ]
    explanations = [explain_here(board) for board in boards]
    page_sentences = say(
        {**position_keys(result.board), "steps": result.to_dict()} for result in explanations
    )
    for result, sentences in zip(explanations, page_sentences, strict=True):
        assert sentences == [line.text for line in result.lines()], str(result.board)
    assert len(scorings_of(boards)) > 6


def test_the_page_gives_the_reason_of_a_conflict_as_the_command_line_does():
    verdicts = [
        mmsat.check(board, lies=lies, by=by)
        for lies, by, number in ((0, "rows", 150), (1, "rows", 20), (2, "pegs", 20))
        for board in islice(inconsistent_boards(share(200, least=40), seed=50), share(number))
    ]
    with_conflicts = [verdict for verdict in verdicts if verdict.conflict and verdict.conflict.rows]
    page_sentences = say(
        {
            **position_keys(verdict.board),
            "conflict": verdict.conflict.to_dict(),
            "reason": view_model.conflict_reason(verdict),
            "lies": verdict.tolerance.lies,
            "by": verdict.tolerance.by,
        }
        for verdict in with_conflicts
    )
    for verdict, sentences in zip(with_conflicts, page_sentences, strict=True):
        assert sentences == [conflict_reason(verdict)], str(verdict.board)
