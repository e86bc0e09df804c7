"""Truncated, oversized and foreign files of every kind of proof are refused at their place.

Memory and time are bounded: a file of a gigabyte with nothing after a proof is not read whole.
"""

from __future__ import annotations

import json
import random
import re
import resource
import sys
from functools import cache
from time import process_time

import pytest

import mmsat
from mmsat.proof import PROOF_METHODS
from mmsat.proof.bundle import METHODS, Bundle
from mmsat.proof.layered_count import write_layers
from mmsat.proof.prove_veripb import prove_veripb
from tests.support.cli_runner import program
from tests.support.refutations import pigeonhole
from tests.support.tiers import SLOWNESS, share

CONSISTENT = "4x6/1122=1.1/3345=0.2"
INCONSISTENT = "4x6/1122=0.4/1122=0.2"
TWO_COLORS = "6x2/111222=2.?/121212=3.?/112122=4.?/222222=3.0"
PLACE = re.compile(
    r"\b(lines? \d|head\b|section\b|\[\w|file continues|file was changed|begins with|reads version|"
    r"end of the proof is missing|expected a board given by)"
)
"""Matches a reason that names a place."""
STARTS = (
    b"mmsat proof 2\n",
    b"mmsat proof 1\r\n",
    b"pseudo-Boolean proof version 2.0\n",
    b"p cnf 3 2\n1 2 0\n",
    b"* #variable= 3 #constraint= 1\n",
    b'{"board": 1}\n',
    b"\xef\xbb\xbf",
    b"\xff\xfem\0m\0s\0a\0t\0",
    b"\x7fELF\x02\x01\x01\0",
    b"\x1f\x8b\x08\0",
    b"\x89PNG\r\n\x1a\n",
    b"%PDF-1.7\n",
    b"a\x80\x01\0d\x80\x01\0",
)
"""First bytes of other files: of another version, for another tool, marked, or binary."""
SECONDS = 2 * SLOWNESS
MEBIBYTES = 200


@cache
def proof_of(method):
    """Return a proof of a kind as bytes, and the board that `verify` needs for it."""
    match method:
        case "witness":
            proof = mmsat.prove(CONSISTENT)
        case "lrat":
            proof = mmsat.prove(INCONSISTENT)
        case "algebra":
            proof = mmsat.prove(TWO_COLORS)
        case "sums":
            proof = mmsat.prove(pigeonhole(2))
        case "explanation":
            proof = mmsat.prove_explanation(INCONSISTENT)
        case "count":
            proof = mmsat.prove_count(CONSISTENT)
        case "layers":
            *_, (count, states) = write_layers(mmsat.Board.parse(CONSISTENT))
            proof = Bundle(CONSISTENT, "counted", method, {"count": str(count)}, {"states": states})
        case "list":
            proof = mmsat.prove_codes(CONSISTENT)
        case "strategy":
            proof = mmsat.prove_optimum(mmsat.optimal("3x3"))
        case "value":
            proof = mmsat.prove_value(mmsat.game_value("2x3"))
        case "veripb":
            verdict = mmsat.check(INCONSISTENT)
            proof = prove_veripb(verdict.board, verdict=verdict)
            return str(proof).encode(), INCONSISTENT
    return str(proof).encode(), None


def changed_files(method, rng):
    """Yield foreign, truncated, longer and partly binary variants of a proof."""
    data, _ = proof_of(method)
    other, _ = proof_of(rng.choice([name for name in PROOF_METHODS if name != method]))
    first, _, rest = data.partition(b"\n")
    for start in STARTS:
        yield start + rest
        yield start + data
    yield b""
    yield first
    for name in METHODS:
        if name != method:
            yield data.replace(f"\nmethod {method}\n".encode(), f"\nmethod {name}\n".encode())
    for _ in range(share(60, least=20)):
        place = rng.randrange(len(data))
        yield data[:place]
        yield data[:place] + rng.choice([b"\0", b"\xff", rng.randbytes(30), data]) + data[place:]
        yield data + rng.choice([b"0", b"\0", b"1 2 0\n", rng.randbytes(30), data, other])


@pytest.mark.parametrize("method", PROOF_METHODS)
def test_bad_files_are_refused_at_their_place(method):
    """Only further line feeds at the end are no fault, and only in the format of VeriPB."""
    data, board = proof_of(method)
    assert mmsat.verify(data, board=board).method == method
    refused = 0
    for changed in changed_files(method, random.Random(method)):
        if method == "veripb" and changed.rstrip(b"\n") == data.rstrip(b"\n"):
            continue
        start = process_time()
        try:
            report = mmsat.verify(changed, board=board)
        except mmsat.InputError as error:
            reason = str(error)
        else:
            assert report.holds is False, changed
            reason = report.reason
        assert process_time() - start < SECONDS
        assert PLACE.search(reason), reason
        assert len(reason) < 1000
        refused += 1
    assert refused > 50


def with_little_memory():
    """Limit the memory of a process."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEBIBYTES << 20, MEBIBYTES << 20))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
@pytest.mark.parametrize("method", PROOF_METHODS)
def test_a_gigabyte_is_refused_with_little_memory(method, tmp_path):
    """The file is the proof, or only its beginning, and a hole."""
    data, board = proof_of(method)
    for number, size in enumerate((len(data), len(data) // 2)):
        file = tmp_path / f"{number}.proof"
        with file.open("wb") as output:
            output.write(data[:size])
            output.truncate(1 << 30)
        options = () if board is None else ("--board", board)
        result = program("verify", file, "--json", *options, preexec_fn=with_little_memory)
        assert result.returncode == 1, result.stderr
        line = data[:size].count(b"\n") + 1
        reason = json.loads(result.stdout)["reason"]
        assert reason == f"line {line}: a proof is text, and has no zero byte"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
@pytest.mark.parametrize("method", PROOF_METHODS)
def test_much_text_is_refused_with_memory_for_a_few_copies(method, tmp_path):
    """30 MB of lemmas, before the last third of the file or after it."""
    data, board = proof_of(method)
    for place in (len(data), len(data) * 2 // 3):
        file = tmp_path / "long.proof"
        file.write_bytes(data[:place] + b"1 2 3 0\n" * 3_750_000 + data[place:])
        options = () if board is None else ("--board", board)
        result = program("verify", file, *options, preexec_fn=with_little_memory)
        assert result.returncode == 1, result.stderr
        assert PLACE.search(result.stdout), result.stdout
