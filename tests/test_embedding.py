"""mmsat inside other programs: pools of processes, threads, scripts without a main guard."""

from __future__ import annotations

import subprocess
import sys

import pytest

BOARD = "6x6/112233=1.2/445566=2.1/123456=1.3"
ASK = f"""
import mmsat
from mmsat.solving.deadline import Deadline

print("started")

def ask(engine):
    board = mmsat.Board.parse({BOARD!r})
    verdict = mmsat.check(board, engine=engine)
    assert board.is_consistent(verdict.witness)
    return verdict.status.value

def ask_apart(engine):
    from mmsat.solving.deadline import run
    return run(Deadline(), ask, engine)
"""
POOL = """
if __name__ == "__main__":
    import multiprocessing
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(*pool.map(ask, ["sat", "cp"]))
    assert not multiprocessing.active_children()
"""
THREAD = """
import threading
answers = []
thread = threading.Thread(target=lambda: answers.extend(map(ask, ["sat", "cp"])))
thread.start()
thread.join()
print(*answers)
"""
NESTED = """
if __name__ == "__main__":
    print(ask_apart("sat"), ask_apart("cp"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a fork is safe on Linux only")
@pytest.mark.parametrize("use", [POOL, THREAD, NESTED], ids=["pool", "thread", "nested"])
@pytest.mark.parametrize("way", ["file", "standard input"])
def test_engines_answer_whatever_program_asks(use, way, tmp_path):
    """The program runs once, also where it has no guard, and leaves no process."""
    script = tmp_path / "script.py"
    script.write_text(ASK + use, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script) if way == "file" else "-"],
        input=None if way == "file" else ASK + use,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["started", "consistent consistent"]
