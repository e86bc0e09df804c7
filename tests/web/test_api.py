"""The HTTP interface gives the same answers as the commands, within its limits, and safely."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given, settings

from mmsat import Board, check
from mmsat.errors import InputError
from mmsat.web.questions import QUESTIONS
from tests.support import tiers
from tests.support.cli_runner import CONSISTENT, SLIPPED, run
from tests.support.schemas import validator
from tests.support.strategies import boards
from tests.support.web_client import ENDLESS, ask, connect, events, fetch
from tests.support.web_server import serving

COMMANDS = {"check": (), "explain": (), "count": (), "odds": (), "steps": (), "suggest": ()}


def command_output(question, line):
    """Return the output of the command for a question, without varying values."""
    arguments = {
        "steps": ["explain", line, "--steps"],
        "suggest": ["suggest", line, "--limit", "5"],
    }
    result = run(*arguments.get(question, [question, line]), "--json")
    return without_times(json.loads(result.stdout)) if result.stdout else None


def without_times(document):
    if isinstance(document, dict):
        return {
            key: without_times(entry) for key, entry in document.items() if "seconds" not in key
        }
    return [without_times(entry) for entry in document] if isinstance(document, list) else document


@pytest.mark.parametrize("question", COMMANDS)
@pytest.mark.parametrize("line", [CONSISTENT, SLIPPED, "4x6", "3x5x5/1A2B3C=0.2.1"])
def test_answers_equal_the_output_of_the_command(address, question, line):
    status, document = ask(address, question, board=line)
    expected = command_output(question, line)
    if expected is None:
        assert status == 422
        assert document["error"]["message"]
        return
    assert status == 200
    validator(QUESTIONS[question].schema).validate(document["answer"])
    assert without_times(document["answer"]) == expected


@settings(max_examples=tiers.share(25))
@given(boards())
def test_verdicts_of_random_boards_equal_those_of_the_library(address, board):
    status, document = ask(address, "check", board=str(board))
    answer = document["answer"]
    assert status == 200
    assert answer["verdict"] == str(check(board).status)
    if answer["witness"]:
        assert board.is_consistent([color - 1 for color in answer["witness"]])
    status, document = ask(address, "board", board=str(board))
    validator("position").validate(document["answer"])
    assert Board.parse(json.dumps(document["answer"]["document"])) == board
    assert document["answer"]["board"] == str(board)


def test_all_answers_follow_their_schemas(address):
    further_arguments = {
        "suspect": {"rows": "1,3"},
        "play": {"guess": "1122", "seed": 3},
        "scores": {"code": "1234"},
        "score": {"game": "4x6", "code": "1234", "guess": "1243"},
        "split": {"guess": "1234"},
        "suggest": {"guess": "1234"},
        "evaluate": {"guess": "1234"},
    }
    for name, question in QUESTIONS.items():
        arguments = (
            {"board": SLIPPED if name == "suspect" else CONSISTENT}
            if "board" in question.parameters
            else {}
        )
        status, document = ask(address, name, **arguments, **further_arguments.get(name, {}))
        assert status == 200, (name, document)
        validator(question.schema).validate(document["answer"])
    status, _, body = fetch(address, "/api/schema/check")
    assert (status, json.loads(body)["$id"]) == (200, "urn:mmsat:schema:check")
    assert fetch(address, "/api/schema/nothing")[0] == 404


def test_the_documentation_lists_every_question_and_parameter(address):
    text = fetch(address, "/api")[2].decode()
    for name, question in QUESTIONS.items():
        assert f"### {name}\n" in text
        assert all(f"- `{parameter}`: " in text for parameter in question.parameters)
    assert "{" + "body" not in text


@pytest.mark.parametrize("line", ["", "4x6/11=1", "4x6/1177=1.1/1=2", "mastermin/1122=1.1", "💥"])
def test_faults_of_a_board_are_reported_like_in_the_library(address, line):
    status, document = ask(address, "check", board=line)
    assert status == 400
    result = document["error"]["faults"]
    assert result
    if line:
        with pytest.raises(InputError) as caught:
            Board.parse(line)
        keys = ("line", "column", "part", "found", "expected", "rule")
        expected = [
            {"source": caught.value.source, **{key: getattr(fault, key) for key in keys}}
            for fault in caught.value.faults
        ]
        for fault in expected:  # the page names no commands
            listed = "a name that `mmsat games` lists"
            fault["expected"] = fault["expected"].replace(listed, "the name of a published game")
        assert result == expected


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("check", {}),
        ("check", {"board": "4x6", "lies": -1}),
        ("check", {"board": "4x6", "by": "moons"}),
        ("check", {"board": "4x6", "color": "red"}),
        ("codes", {"board": "4x6", "from": 0}),
        ("codes", {"board": "4x6", "limit": "many"}),
        ("suggest", {"board": "4x6", "strategy": "tree:/etc/passwd"}),
        ("suggest", {"board": "4x6", "guess": "12"}),
        ("suspect", {"board": SLIPPED, "rows": "9"}),
        ("play", {"board": "4x6", "evil": "perhaps"}),
        ("check", {"board": "game:/etc/passwd"}),
        ("check", {"board": "word:/etc/passwd/ABCD=1.1"}),
        ("check", {"board": '{"game": {"name": "word:/etc/passwd"}}'}),
    ],
)
def test_invalid_arguments_are_reported(address, question, arguments):
    status, document = ask(address, question, **arguments)
    assert status == 400, document
    assert document["error"]["faults"]
    assert "root:" not in json.dumps(document)


@pytest.mark.parametrize(
    ("arguments", "message", "part"),
    [
        (
            {"board": "4x6", "lies": "x"},
            (
                "the question, lies: expected a whole number from 0 to 1,000, found 'x' "
                "(the maximum number of wrong scores)"
            ),
            "lies",
        ),
        (
            {"board": "4x6", "by": "moons"},
            "the question, by: expected rows or pegs, found 'moons' (the unit of wrong scores)",
            "by",
        ),
        (
            {"lies": 1},
            (
                "the question, board: expected a board line, the text of a board file, or a board "
                "document, found nothing"
            ),
            "board",
        ),
        ({"board": "4x6", "lise": 1}, "No such parameter 'lise'. Did you mean 'lies'?", ""),
    ],
)
def test_faults_name_the_parameter(address, arguments, message, part):
    error = ask(address, "check", **arguments)[1]["error"]
    assert error["message"] == message
    assert [fault["part"] for fault in error["faults"]] == [part]


def test_a_strategy_with_a_similar_name_is_proposed(address):
    error = ask(address, "suggest", board="4x6", strategy="knuht")[1]["error"]
    assert error["message"] == "No such strategy 'knuht'. Did you mean 'knuth'?"


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("?board=4x6&lies=1&lies=2", None, "The name 'lies' is given 2 times."),
        (
            "",
            '{"board": "4x6", "board": "4x7", "board": "5x8"}',
            "The name 'board' is given 3 times.",
        ),
        (
            "",
            '{"board": {"mmsat": 1, "game": {"pegs": 4, "colors": 6}, "rows": [], "rows": []}}',
            "The name 'rows' is given 2 times.",
        ),
        ("?lies=1", '{"board": "4x6"}', "The parameters of a POST request must be in its body."),
    ],
)
def test_repeated_names_are_refused(address, path, body, message):
    method = "GET" if body is None else "POST"
    status, _, content = fetch(address, f"/api/check{path}", method=method, body=body)
    error = json.loads(content)["error"]
    assert (status, error["message"]) == (400, message)


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '"4x6"', "[" * 50_000, "\ud800".encode("utf-8", "replace")]
)
def test_bodies_that_are_not_objects_are_refused(address, body):
    assert fetch(address, "/api/check", method="POST", body=body)[0] == 400


def test_large_and_unknown_requests_are_refused(address):
    assert fetch(address, "/api/check", method="POST", body="x" * (1 << 19))[0] == 413
    assert ask(address, "nothing")[0] == 404
    assert fetch(address, "/nothing")[0] == 404
    assert fetch(address, "/api/check", method="DELETE")[0] == 405


@pytest.mark.parametrize(
    ("path", "method", "host", "status"),
    [
        ("/api/check", "PUT", None, 405),
        ("/api/check", "GET", "evil.example", 400),
        ("/", "GET", "evil.example", 400),
        ("/nothing", "GET", None, 404),
        ("/api/nothing", "GET", None, 404),
        ("/api/check/more", "GET", None, 404),
        ("/api", "PATCH", None, 405),
    ],
)
def test_every_error_is_a_document(address, path, method, host, status):
    headers = {} if host is None else {"Host": host}
    found, response_headers, body = fetch(address, path, method=method, headers=headers)
    error = json.loads(body)["error"]
    assert (found, error["status"], error["faults"]) == (status, status, [])
    assert response_headers["content-type"] == "application/json"
    assert response_headers["x-content-type-options"] == "nosniff"
    assert error["message"].endswith(".")


def test_questions_have_the_names_of_commands(address):
    listed = ask(address, "list", board=CONSISTENT)
    assert listed == ask(address, "codes", board=CONSISTENT)
    status, document = ask(address, "score", game="wordle", code="CRANE", guess="TRAIL")
    assert status == 200
    assert document["answer"] == json.loads(
        run("score", "wordle", "CRANE", "TRAIL", "--json").stdout
    )
    status, document = ask(address, "score", game="4x10d", code="ABCC", guess="ABCD")
    assert (status, document["error"]["faults"][0]["rule"]) == (400, "no color repeats in a code")
    assert ask(address, "score", game="game:/etc/passwd", code="1", guess="1")[0] == 400


def test_streams_send_intermediate_results_and_then_the_answer(address):
    kinds = [kind for kind, _ in events(address, "explain", board=SLIPPED)]
    assert kinds[-1] == "answer"
    assert set(kinds[:-1]) == {"note"}
    assert [kind for kind, _ in events(address, "check", board="4x6/1=1")] == ["error"]


@pytest.mark.parametrize("path", ["/", "/api", "/api/check?board=4x6", "/nothing", "/css/base.css"])
def test_every_response_has_security_headers(address, path):
    _, headers, _ = fetch(address, path)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/js/../../server.py",
        "/%2e%2e/server.py",
        "/..%2fserver.py",
        "//etc/passwd",
        "/js/%2e%2e/%2e%2e/pool.py",
        "/api/schema/..%2f..%2fweb%2fpool",
    ],
)
def test_no_path_reaches_a_file_outside_the_folder_of_the_page(address, path):
    status, _, body = fetch(address, path)
    assert status == 404
    assert b"import" not in body


def test_requests_to_other_host_names_are_refused(address):
    """Otherwise, the page of a foreign name that resolves to this machine could send requests."""
    assert fetch(address, "/", headers={"Host": "evil.example"})[0] == 400


def test_an_incomplete_body_times_out_without_blocking_others(address):
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as slow:
        head = f"POST /api/check HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 100\r\n\r\n"
        slow.sendall(f"{head}{{".encode())
        assert ask(address, "check", board=CONSISTENT)[0] == 200
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_many_hard_boards_of_a_client_do_not_delay_other_clients(address):
    flood = [connect(address, source="127.0.0.9") for _ in range(30)]
    for entry in flood:
        entry.request("GET", f"/api/count?board={quote(ENDLESS)}")
    time.sleep(0.5)
    waits = []
    for _ in range(10):
        started = time.monotonic()
        assert ask(address, "suggest", board=CONSISTENT, source="127.0.0.7")[0] == 200
        waits.append(time.monotonic() - started)
    for entry in flood:
        entry.close()
    assert sorted(waits)[5] < 5  # the hard boards take minutes


def test_the_number_of_concurrent_questions_of_a_client_is_limited(address):
    flood = [connect(address, source="127.0.0.8") for _ in range(70)]
    for entry in flood:
        entry.request("GET", f"/api/count?board={quote(ENDLESS)}")
    status, document = ask(address, "count", board=ENDLESS, source="127.0.0.8")
    assert status == 503
    assert "too many" in document["error"]["message"].lower()
    assert ask(address, "check", board=CONSISTENT, source="127.0.0.7")[0] == 200
    for entry in flood:
        entry.close()


def test_ctrl_c_ends_a_busy_server_and_its_processes():
    with serving("4x6/1122=1.1") as (process, address):
        assert address.endswith("/#4x6/1122=1.1")
        hard = connect(address)
        hard.request("GET", f"/api/count?board={quote(ENDLESS)}")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        hard.close()
        assert "Traceback" not in errors
        assert process.returncode == 130
    deadline = time.monotonic() + 5  # a killed process takes a moment to end
    while (running := running_processes(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not running


def running_processes(group):
    """Return the processes of a group or session, without those that have ended."""
    listed = subprocess.run(
        ["ps", "-eo", "pgid,sid,stat,args"], capture_output=True, text=True, check=True
    )
    return [
        row
        for row in listed.stdout.splitlines()
        if str(group) in row.split()[:2] and "Z" not in row.split()[2]
    ]


def test_a_port_in_use_is_reported(address):
    port = urlsplit(address).port
    result = run("serve", "--no-browser", "--port", port)
    assert result.exit_code == 1
    assert f"port {port}" in result.stderr


def test_a_missing_extra_is_named_in_the_error():
    code = "import sys; sys.modules['starlette'] = None; from mmsat.cli import main; main()"
    process = subprocess.run(
        [os.sys.executable, "-c", code, "serve"], capture_output=True, text=True, check=False
    )
    assert process.returncode == 1
    assert 'pip install ".[web]"' in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("evil", [False, True])
def test_the_scores_of_the_codemaker_are_consistent_with_the_revealed_code(address, evil):
    for seed in range(4):
        line = "3x4"
        for guess in ("112", "234", "341", "443"):
            _, document = ask(address, "play", board=line, guess=guess, seed=seed, evil=evil)
            line = document["answer"]["board"]
        _, document = ask(address, "play", board=line, seed=seed, evil=evil, reveal=True)
        code = Board.parse(f"3x4/{document['answer']['code']}=3.0").rows[0].guess
        assert Board.parse(line).is_consistent(code)


def test_a_lying_codemaker_gives_at_most_the_allowed_number_of_wrong_scores(address):
    num_wrong = []
    for seed in range(12):
        line = "3x4"
        _, document = ask(address, "play", board=line, seed=seed, reveal=True)
        code = Board.parse(f"3x4/{document['answer']['code']}=3.0").rows[0].guess
        for guess in ("111", "112", "222", "234", "341", "443", "444", document["answer"]["code"]):
            _, answer = ask(address, "play", board=line, guess=guess, seed=seed, lies=2)
            line = answer["answer"]["board"]
        assert answer["answer"]["found"]
        num_wrong.append(len(Board.parse(line).missed(code)))
    assert max(num_wrong) == 2
