"""Boards that would be too large are refused at once, with their size and the limit.

tests/support/reduction_laws.py checks for every reduction that the computed size is the size of the
board.
"""

from __future__ import annotations

import time

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.limits import LIMITS
from mmsat.reductions.reduce import REDUCTIONS, chain
from tests.support.cli_runner import run
from tests.support.reduction_examples import shown

MAX_SECONDS = 10.0
"""CPU seconds, ten times what a slow machine needs. Building such a board would take minutes."""
HUGE = 10**9
CLAUSE = "p cnf 3 1\n1 2 3 0\n"
EDGE = "p edge 2 1\ne 1 2\n"
ROWS = "4x6b/1122=1/3345=0"
LARGE = {
    "cnf": f"p cnf {10**6} 0\n",
    "wide cnf": f"p cnf 99999 1\n{' '.join(map(str, range(1, 60_000)))} 0\n",
    "edges": f"p edge {HUGE} 0\n",
    "cover": f"p cover {HUGE} 1\n1\n",
    "3dm": f"p 3dm {HUGE} 1\n1 1 1\n",
    "system": f"p system {HUGE} 1\nx1 = 1\n",
    "far variable": f"x{HUGE - 1} = 1\n",
    "many equations": "p system 90000 3000\n" + "x1 = 1\n" * 3000,
    "coefficient": "20000 x1 + 3 x2 = 3\n",
}
TOO_LARGE = [
    ("sat", LARGE["cnf"], {}),
    ("sat", LARGE["wide cnf"], {}),
    ("another-solution", CLAUSE, {"k": 2000}),
    ("another-solution", CLAUSE, {"k": HUGE}),
    ("one-in-three-3sat", LARGE["cnf"], {}),
    ("consistent-mastermind", LARGE["cnf"], {}),
    ("vertex-cover", LARGE["edges"], {"k": 1}),
    ("graph-coloring", LARGE["edges"], {"k": 3}),
    ("graph-coloring", EDGE, {"k": HUGE}),
    ("exact-cover", LARGE["cover"], {}),
    ("three-dimensional-matching", LARGE["3dm"], {}),
    ("linear-system", LARGE["system"], {}),
    ("linear-system", LARGE["far variable"], {}),
    ("linear-system", LARGE["many equations"], {}),
    ("linear-system", LARGE["coefficient"], {}),
    ("k-permanent", "1 0\n0 1\n", {"k": HUGE}),
    ("lies", ROWS, {"lies": HUGE}),
]


@pytest.mark.parametrize(("name", "text", "parameters"), TOO_LARGE)
def test_boards_that_are_too_large_are_refused_at_once(name, text, parameters):
    started = time.process_time()
    with pytest.raises(InputError, match=r"at most|to 100000"):
        mmsat.reduce(name, text, **parameters)
    assert time.process_time() - started < MAX_SECONDS


def test_the_error_states_the_size_and_every_limit():
    with pytest.raises(InputError) as caught:
        mmsat.reduce("k-permanent", "1 0\n0 1\n", k=HUGE)
    found = "1,000,000,002 pegs, 2 colors, 6 rows (the board of k-permanent is too large)"
    assert str(caught.value).splitlines() == [
        f"the board: expected at most {limit}, found {found}"
        for limit in ("100,000 pegs", "1,000,000 pegs times colors", "100,000,000 pegs times rows")
    ]


def test_chains_refuse_large_boards_of_any_link():
    for names, parameters in (
        (["k-permanent", "lies"], {"k": 1, "lies": HUGE}),
        (["k-permanent", "lies"], {"k": HUGE, "lies": 1}),
        (["three-sat", "sat", "lies"], {"lies": HUGE}),
    ):
        text = CLAUSE if names[0] == "three-sat" else "1\n"
        with pytest.raises(InputError, match="at most"):
            chain(names, text, **parameters)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_reduction_checks_the_size_before_the_board_is_built(name, monkeypatch):
    """Reductions that are created without `reduce` check the size, too."""
    reduction = shown(name)
    monkeypatch.setattr(LIMITS, "reduction_cells", 0)
    with pytest.raises(InputError, match="pegs times rows"):
        _ = reduction.board


def test_the_command_refuses_with_exit_code_2():
    result = run("reduce", "lies", "-", "--lies", str(HUGE), stdin=ROWS)
    assert result.exit_code == 2
    assert "pegs times rows" in result.stderr
