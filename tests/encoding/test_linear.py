"""The linear constraints of a board, compared with a list of all assignments."""

from itertools import product

from hypothesis import assume, given, settings

from mmsat.constraints import System
from mmsat.encoding.integer_models import LinearSystem
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint, VariableMap
from tests.support import strategies, tiers, twins
from tests.support.systems import systems

TINY = strategies.small_games(pegs=3, colors=2)


def satisfies(system, values):
    """Return whether an assignment, 0 or 1 for each variable, satisfies every constraint."""
    for _, terms, low, high in system.constraints:
        total = sum(coefficient * values[variable - 1] for coefficient, variable in terms)
        if (low is not None and total < low) or (high is not None and total > high):
            return False
    return True


def conjunctions(system):
    """Return the conjunctions that get a variable, in the order of their use in the constraints."""
    literals = dict.fromkeys(
        f for c in system.constraints for f in c.literals if isinstance(f, tuple)
    )
    return [members for members in literals if len(members) != 1]


def assignments(system, linear, codes):
    """Return the sorted values of the variables for all codes, by the meaning of their names."""
    variables = system.variables
    literal_of_name = {
        variables.name(n): n for n in range(1, 2 * variables.pegs * variables.colors + 1)
    }
    for number, members in enumerate(conjunctions(system), 1):
        literal_of_name[f"together{number}"] = members
    literals = [
        literal_of_name[linear.names[variable]] for variable in range(1, linear.variables + 1)
    ]
    return sorted(
        tuple(int(twins.holds(variables, literal, code)) for literal in literals) for code in codes
    )


def solutions(linear):
    """Return every assignment that satisfies the constraints, in order."""
    assume(linear.variables <= 12)
    return [v for v in product((0, 1), repeat=linear.variables) if satisfies(linear, v)]


@settings(deadline=None, max_examples=tiers.share(60))
@given(strategies.boards(TINY, max_rows=2) | strategies.played_boards(TINY, 2).map(lambda x: x[0]))
def test_there_is_one_assignment_per_consistent_code(board):
    """Exactly the assignments of the consistent codes satisfy the constraints."""
    system = System.of(board)
    linear = LinearSystem.of(system)

    assert solutions(linear) == assignments(system, linear, twins.consistent(board))


@settings(deadline=None, max_examples=tiers.share(150))
@given(systems(pegs=2, colors=2, most=3))
def test_there_is_one_assignment_per_solution_of_any_constraints(system):
    """The variable of a conjunction is true exactly when its members are."""
    linear = LinearSystem.of(system)
    codes = [code for code, _ in twins.solutions(system)]

    assert linear.variables >= linear.code_variables + len(conjunctions(system))
    assert solutions(linear) == assignments(system, linear, codes)


def test_the_documented_constraints_of_a_conjunction():
    """The members are a code variable, a negated code variable and a count."""
    variables = VariableMap(2, 2)
    members = (variables.at(0, 1), -variables.at(1, 0), variables.least(0, 1))
    system = LinearSystem.of(
        System(variables, (CardinalityConstraint((members, variables.at(0, 0)), 1, 1),), ())
    )
    constraints = {constraint.name: constraint[1:] for constraint in system.constraints}

    assert system.names[6] == "together1"
    conjunction_constraints = {
        name: constraint
        for name, constraint in constraints.items()
        if name.startswith(("together", "game"))
    }
    assert conjunction_constraints == {
        "together1_1": (((1, 2), (-1, 6)), 0, None),
        "together1_2": (((-1, 3), (-1, 6)), -1, None),
        "together1_3": (((1, 5), (-1, 6)), 0, None),
        "together1_all": (((1, 6), (-1, 2), (1, 3), (-1, 5)), -1, None),
        "game_1": (((1, 6), (1, 1)), 1, 1),
    }


@settings(deadline=None)
@given(strategies.boards(strategies.small_games()))
def test_names_and_order_of_variables_and_constraints(board):
    """Code variables first, one group per row, distinct names, and no trivial constraints."""
    system = LinearSystem.of(System.of(board))
    constraints = list(system.constraints)

    assert system.code_variables == board.game.pegs * board.game.colors
    assert list(system.names) == list(range(1, system.variables + 1))
    assert system.names[1] == "peg1color1"
    assert len(system.rows) == len(board.rows)
    assert len({constraint.name for constraint in constraints}) == len(constraints)
    for constraint in constraints:
        assert (constraint.low, constraint.high) != (None, None)
        assert len({variable for _, variable in constraint.terms}) == len(constraint.terms)
        assert all(coefficient != 0 for coefficient, _ in constraint.terms)


def test_the_documented_constraints_of_a_color():
    """The constraints of a color that appears on two of three pegs of a guess."""
    constraints = {
        constraint.name: constraint[1:]
        for constraint in LinearSystem.of(System.of(Board.parse("3x2/122=?.0"))).constraints
    }

    counts = {name: terms for name, terms in constraints.items() if name.startswith("color2")}
    assert counts == {
        "color2_low": (((1, 2), (1, 4), (1, 6), (-1, 8), (-1, 9)), 0, None),
        "color2_high": (((1, 2), (1, 4), (1, 6), (-1, 8), (-2, 9)), None, 0),
        "color2_1": (((1, 8), (-1, 9)), 0, None),
    }
