"""The linear constraints of a board, against lists of all assignments."""

from itertools import product

from hypothesis import given, settings

from mmsat.constraints.system import System
from mmsat.encode.linear import LinearSystem
from mmsat.game.board import Board
from tests import strategies, twins

TINY = strategies.small_games(pegs=3, colors=2)


def satisfies(system, values):
    """Whether an assignment, 0 or 1 for each variable, satisfies every constraint."""
    for _, terms, low, high in system.lines:
        total = sum(coefficient * values[variable - 1] for coefficient, variable in terms)
        if (low is not None and total < low) or (high is not None and total > high):
            return False
    return True


@settings(deadline=None, max_examples=60)
@given(strategies.boards(TINY, max_rows=2) | strategies.played_boards(TINY, 2).map(lambda x: x[0]))
def test_one_assignment_a_consistent_code(board):
    """Of all assignments, those of the consistent codes satisfy the constraints, each once."""
    system = LinearSystem.of(System.of(board))
    facts = board.game.facts
    solutions = {v for v in product((0, 1), repeat=system.variables) if satisfies(system, v)}
    named = {facts.name(n): n for n in range(1, 2 * facts.pegs * facts.colors + 1)}
    expected = {
        tuple(
            int(twins.holds(facts, named[system.names[variable]], code))
            for variable in range(1, system.variables + 1)
        )
        for code in twins.consistent(board)
    }

    assert expected == solutions


@settings(deadline=None)
@given(strategies.boards(strategies.small_games()))
def test_shape(board):
    """Code variables first, a group a row, distinct names, and constraints that say something."""
    system = LinearSystem.of(System.of(board))
    lines = list(system.lines)

    assert system.code_variables == board.game.pegs * board.game.colors
    assert list(system.names) == list(range(1, system.variables + 1))
    assert system.names[1] == "peg1color1"
    assert len(system.rows) == len(board.rows)
    assert len({line.name for line in lines}) == len(lines)
    for line in lines:
        assert (line.low, line.high) != (None, None)
        assert len({variable for _, variable in line.terms}) == len(line.terms)
        assert all(coefficient != 0 for coefficient, _ in line.terms)


def test_the_published_form():
    """The constraints of a color of which two of three pegs are asked about."""
    lines = {
        line.name: line[1:] for line in LinearSystem.of(System.of(Board.parse("3x2/122=?.0"))).lines
    }

    counts = {name: terms for name, terms in lines.items() if name.startswith("color2")}
    assert counts == {
        "color2_low": (((1, 2), (1, 4), (1, 6), (-1, 8), (-1, 9)), 0, None),
        "color2_high": (((1, 2), (1, 4), (1, 6), (-1, 8), (-2, 9)), None, 0),
        "color2_1": (((1, 8), (-1, 9)), 0, None),
    }
