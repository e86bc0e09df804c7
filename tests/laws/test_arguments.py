"""Every public call refuses every wrong argument with the rule, and takes a line for a board."""

from __future__ import annotations

import inspect

import pytest

import mmsat
from mmsat.arguments import OPTIONAL, RULES

LINE = "4x6/1122=1.1/3345=0.2"
GOOD = {
    "board": LINE,
    "game": "2x3",
    "rows": None,
    "family": "sat",
    "strategy": "knuth",
    "proof": "",
    "boards": [LINE],
    "name": "sat",
    "names": ["sat"],
    "source": "p cnf 1 1\n1 0\n",
    "answer": "s UNSATISFIABLE\n",
    "paths": [],
    "output": "none",
    "games": 1,
    "slips": 0.5,
    "guesses": [[0, 1]],
    "scores": [[0, 0]],
    "starts": [0, 1],
}
CALLS = {name: thing for name in mmsat.__all__ if inspect.isfunction(thing := getattr(mmsat, name))}
WRONG = {name: [-1, "x", 1.5j, [], float("nan")] for name in RULES} | {
    "reason": [-1, "x", []],
    "consistent_only": [1, "yes", None],
    "on_progress": [1, "x"],
    "board": [3, None, ["4x6"], b"4x6", "4x6/1", ""],
    "game": [3, None, "4y6", "super!", ""],
    "lies": [-1, "x", True, 1.5, None],
    "by": ["row", 1, None],
}
"""Values that are none, for each name of an argument."""
ANY = [("verify", "board", None), ("audit", "game", None)]
"""What is right after all: any board."""


def wanted(call):
    """Good values of the arguments that a call needs."""
    parameters = inspect.signature(call).parameters.values()
    given = {
        each.name: GOOD[each.name]
        for each in parameters
        if each.default is each.empty and each.name in GOOD
    }
    return given | ({"rows": [0]} if call is mmsat.suspect else {})


def ask(call, given):
    """Call, and go through what is made one by one."""
    found = call(**given)
    return list(found) if inspect.isgenerator(found) else found


CASES = [
    pytest.param(name, argument, value, id=f"{name}-{argument}-{value!r}")
    for name, call in CALLS.items()
    for argument in inspect.signature(call).parameters
    for value in WRONG.get(argument, ())
    if (name, argument, value) not in ANY and (name, argument) != ("suspect", "rows")
]


@pytest.mark.parametrize(("name", "argument", "value"), CASES)
def test_a_wrong_argument_is_told_with_what_is_expected(name, argument, value):
    given = wanted(CALLS[name]) | {argument: value}
    with pytest.raises(mmsat.InputError, match="expected ") as caught:
        ask(CALLS[name], given)
    if argument in RULES:
        assert [fault.part for fault in caught.value.faults] == [argument]


def test_every_fault_of_the_arguments_is_told_at_once():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.check(LINE, timeout=-1, seed=-1, on_progress=3)
    assert [fault.part for fault in caught.value.faults] == ["timeout", "seed", "on_progress"]
    assert RULES.keys() >= OPTIONAL


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if "board" in wanted(call)])
def test_a_board_line_is_taken_wherever_a_board_is(name):
    call = CALLS[name]
    arguments = wanted(call)
    by_line, by_board = (
        call(**(arguments | {"board": board})) for board in (LINE, mmsat.Board.parse(LINE))
    )
    if isinstance(by_line, str | type(None)) or name == "codes":
        assert str(by_line) == str(by_board)
    else:
        assert getattr(by_line, "board", None) == getattr(by_board, "board", None)


def test_colors_and_codes_of_another_game_have_no_score():
    game = mmsat.Game(4, 6)
    for code in ((0, 0, 1), (0, 0, 0, 9), "1122", None, (0, 0, 0, True), 7):
        with pytest.raises(mmsat.InputError, match="4 colors from 0 to 5"):
            game.score(code, (0, 0, 0, 0))


def test_a_verdict_is_true_when_the_board_is_consistent():
    assert mmsat.check("4x6/1122=1.1")
    assert not mmsat.check("4x6/1122=1.1/1122=0.2")
    unknown = mmsat.results.verdict.Verdict(
        mmsat.Board.parse(LINE), mmsat.Status.UNKNOWN, None, "none", 0.0
    )
    with pytest.raises(mmsat.MmsatError, match="unknown"):
        bool(unknown)
