"""Boards that would be too large are refused at once, with their size and the limit.

That the predicted size is the size of the board is a property of every reduction
(tests/support/reduction_laws.py).
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

SOON = 10.0
"""CPU seconds, ten times the need of a slow machine; building such a board would take minutes."""
HUGE = 10**9
CLAUSE = "p cnf 3 1\n1 2 3 0\n"
EDGE = "p edge 2 1\ne 1 2\n"
ROWS = "4x6b/1122=1/3345=0"
WIDE = {
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
HOSTILE = [
    ("sat", WIDE["cnf"], {}),
    ("sat", WIDE["wide cnf"], {}),
    ("another-solution", CLAUSE, {"k": 2000}),
    ("another-solution", CLAUSE, {"k": HUGE}),
    ("one-in-three-3sat", WIDE["cnf"], {}),
    ("consistent-mastermind", WIDE["cnf"], {}),
    ("vertex-cover", WIDE["edges"], {"k": 1}),
    ("graph-coloring", WIDE["edges"], {"k": 3}),
    ("graph-coloring", EDGE, {"k": HUGE}),
    ("exact-cover", WIDE["cover"], {}),
    ("three-dimensional-matching", WIDE["3dm"], {}),
    ("linear-system", WIDE["system"], {}),
    ("linear-system", WIDE["far variable"], {}),
    ("linear-system", WIDE["many equations"], {}),
    ("linear-system", WIDE["coefficient"], {}),
    ("k-permanent", "1 0\n0 1\n", {"k": HUGE}),
    ("lies", ROWS, {"lies": HUGE}),
]


@pytest.mark.parametrize(("name", "text", "numbers"), HOSTILE)
def test_what_is_too_large_is_refused_at_once(name, text, numbers):
    started = time.process_time()
    with pytest.raises(InputError, match=r"at most|to 100000"):
        mmsat.reduce(name, text, **numbers)
    assert time.process_time() - started < SOON


def test_the_error_has_the_numbers_and_every_limit():
    with pytest.raises(InputError) as caught:
        mmsat.reduce("k-permanent", "1 0\n0 1\n", k=HUGE)
    found = "1,000,000,002 pegs, 2 colors, 6 rows (the board of k-permanent is too large)"
    assert str(caught.value).splitlines() == [
        f"the board: expected at most {limit}, found {found}"
        for limit in ("100,000 pegs", "1,000,000 pegs times colors", "100,000,000 pegs times rows")
    ]


def test_chains_refuse_each_of_their_boards():
    for names, numbers in (
        (["k-permanent", "lies"], {"k": 1, "lies": HUGE}),
        (["k-permanent", "lies"], {"k": HUGE, "lies": 1}),
        (["three-sat", "sat", "lies"], {"lies": HUGE}),
    ):
        text = CLAUSE if names[0] == "three-sat" else "1\n"
        with pytest.raises(InputError, match="at most"):
            chain(names, text, **numbers)


@pytest.mark.parametrize("name", REDUCTIONS)
def test_no_board_is_built_that_is_larger_than_it_may_be(name, monkeypatch):
    """Whoever makes the reduction, and from whatever: the limit is the board's."""
    reduction = shown(name)
    monkeypatch.setattr(LIMITS, "guessed_pegs", 0)
    with pytest.raises(InputError, match="pegs times rows"):
        _ = reduction.board


def test_the_command_refuses_with_exit_code_2():
    result = run("reduce", "lies", "-", "--lies", str(HUGE), stdin=ROWS)
    assert result.exit_code == 2
    assert "pegs times rows" in result.stderr
