"""mmsat inside other programs: pools of processes, threads, scripts without a main guard."""

from __future__ import annotations

import subprocess
import sys

import pytest

BOARD = "6x6/112233=1.2/445566=2.1/123456=1.3"
PRELUDE = f"""
import mmsat
from mmsat.solving.deadline import Deadline

print("started")

def check_board(engine):
    board = mmsat.Board.parse({BOARD!r})
    verdict = mmsat.check(board, engine=engine)
    assert board.is_consistent(verdict.witness)
    return verdict.status.value

def check_in_subprocess(engine):
    from mmsat.solving.deadline import run
    return run(Deadline(), check_board, engine)
"""
POOL = """
if __name__ == "__main__":
    import multiprocessing
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(*pool.map(check_board, ["sat", "cp"]))
    assert not multiprocessing.active_children()
"""
THREAD = """
import threading
answers = []
thread = threading.Thread(target=lambda: answers.extend(map(check_board, ["sat", "cp"])))
thread.start()
thread.join()
print(*answers)
"""
NESTED = """
if __name__ == "__main__":
    print(check_in_subprocess("sat"), check_in_subprocess("cp"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a fork is safe on Linux only")
@pytest.mark.parametrize("script_part", [POOL, THREAD, NESTED], ids=["pool", "thread", "nested"])
@pytest.mark.parametrize("source", ["file", "standard input"])
def test_engines_work_in_pools_threads_and_subprocesses(script_part, source, tmp_path):
    """The script runs once, even without a main guard. The pool leaves no process."""
    script = tmp_path / "script.py"
    script.write_text(PRELUDE + script_part, "utf-8")
    process = subprocess.run(
        [sys.executable, str(script) if source == "file" else "-"],
        input=None if source == "file" else PRELUDE + script_part,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == ["started", "consistent consistent"]
