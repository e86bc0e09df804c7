"""Public calls accept board lines, and refuse wrong arguments with the expected value."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from numpydoc.docscrape import FunctionDoc

import mmsat
from mmsat._util.arguments import OPTIONAL, RULES

LINE = "4x6/1122=1.1/3345=0.2"
VALID = {
    "extreme": "most",
    "board": LINE,
    "game": "2x3",
    "code": "11",
    "guess": "12",
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
    "count": 1,
    "slips": 0.5,
    "guesses": [[0, 1]],
    "scores": [[0, 0]],
    "starts": [0, 1],
    "optimum": mmsat.optimal("2x2"),
    "value": mmsat.game_value("2x2"),
    "players": [mmsat.Machine(mmsat.Game(2, 3), "first-consistent", seed=1)] * 2,
}
CALLS = {name: thing for name in mmsat.__all__ if inspect.isfunction(thing := getattr(mmsat, name))}
LARGE = 10**30
WRONG_VALUES = [
    *(None, True, False, 0, 1, -1, LARGE, 1.5, -0.5, float("nan"), float("inf"), 1j),
    *(
        "",
        " ",
        "x",
        "\0",
        "4x6/1",
        "4y6",
        "super!",
        "sat:foo",
        "tree:none",
        "sampled:nan",
        "\u2603",
    ),
    *(b"4x6", [], (), {}, set(), [None], ["x"], [[]], [[0, 9]], [-1], [9], [True], [["x"]]),
    *(object(), int, range(3), iter([]), mmsat.Game(2, 2), mmsat.Board.parse("2x2")),
]
"""Values that are wrong for most arguments."""
UNRULED = ("source", "parameters")
"""Arguments that are validated by each reduction."""


def valid_arguments(call):
    """Return valid values of the required arguments of a call."""
    parameters = inspect.signature(call).parameters.values()
    given = {
        parameter.name: VALID[parameter.name]
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.name in VALID
    }
    return given | ({"rows": [0]} if call is mmsat.suspect else {})


def run_call(call, given):
    """Call the function and fetch the first results if it returns an iterator."""
    result = call(**given)
    return [*islice(result, 2)] if hasattr(result, "__next__") else result


ENVIRONMENT_ERRORS = (mmsat.MissingError, mmsat.LibraryError, mmsat.DiedError)
"""Errors that any call may raise, as documented in the overview of the package."""


def documented_errors(call):
    """Return the errors in the section Raises of a docstring."""
    return tuple(getattr(mmsat, error.type) for error in FunctionDoc(call)["Raises"])


CASES = [
    pytest.param(call, argument, id=f"{name}-{argument}")
    for name, call in CALLS.items()
    for argument in inspect.signature(call).parameters
    if argument not in UNRULED
]


@pytest.mark.parametrize(("call", "argument"), CASES)
@pytest.mark.filterwarnings("ignore::mmsat.GameWarning")
def test_the_error_of_a_wrong_argument_states_the_expected_value(
    call, argument, tmp_path, monkeypatch
):
    """For every value, a call returns or raises InputError with the expected value."""
    monkeypatch.chdir(tmp_path)
    refused = 0
    for value in WRONG_VALUES:
        if argument == "on_progress" and value is int:
            continue  # int is callable, so the rule accepts it
        given = valid_arguments(call) | {argument: value}
        if "timeout" in inspect.signature(call).parameters:
            given = {"timeout": 0.2} | given
        rule = RULES.get(f"{call.__name__}.{argument}") or RULES.get(argument)
        is_optional = {argument, f"{call.__name__}.{argument}"} & OPTIONAL
        if rule is None or rule.accepts(value) or (value is None and is_optional):
            with suppress(*documented_errors(call), *ENVIRONMENT_ERRORS):
                run_call(call, given)
            continue
        refused += 1
        with pytest.raises(mmsat.InputError, match="expected ") as caught:
            run_call(call, given)
        assert [fault.part for fault in caught.value.faults] == [argument]
    assert refused or argument not in RULES


@pytest.mark.parametrize(
    ("argument", "values"),
    {
        "board": [3, None, ["4x6"], b"4x6", "4x6/1", ""],
        "game": [3, None, "4y6", "super!", ""],
        "lies": [-1, "x", True, 1.5, None],
        "by": ["row", 1, None],
        "timeout": [-1, float("nan"), float("inf"), "1", True, 10**8],
        "engine": ["foo", "sat:foo", "", None],
        "strategy": ["foo", "tree:none", "sampled:-1", None],
    }.items(),
)
def test_invalid_values_are_refused_by_all_calls_with_the_argument(argument, values):
    for name, call in CALLS.items():
        if argument not in inspect.signature(call).parameters:
            continue
        for value in values:
            if (name, argument, value) in VALID_EXCEPTIONS:
                continue
            with pytest.raises(
                mmsat.InputError, match=r"expected |No such \w+ .*(Expected |Did you mean )"
            ):
                run_call(call, valid_arguments(call) | {argument: value})


VALID_EXCEPTIONS = [("verify", "board", None), ("audit", "game", None)]
"""Arguments of calls for which the value is valid."""


@pytest.mark.parametrize("name", CALLS)
def test_the_errors_of_a_call_are_documented(name):
    """Calls with a timeout document TimeLimitError, unless they return partial results."""
    errors = documented_errors(CALLS[name])
    assert mmsat.InputError in errors or not inspect.signature(CALLS[name]).parameters
    assert all(issubclass(error, mmsat.MmsatError) for error in errors)
    if "timeout" in inspect.signature(CALLS[name]).parameters:
        doc = CALLS[name].__doc__
        is_partial = "When it passes" in doc or "time is up" in doc
        assert is_partial or mmsat.TimeLimitError in errors


def test_arguments_of_another_board_and_other_wrong_arguments_are_refused():
    board, weights = "4x6/1122=1.1", mmsat.Weights.of_colors(mmsat.Game(2, 2), [1, 2])
    other = mmsat.check("5x6/11222=1.1")
    for call in (
        lambda: mmsat.prove(board, verdict=other),
        lambda: mmsat.codes(board, weights=weights).odds(),
        lambda: mmsat.count(board, weights=weights),
        lambda: mmsat.suggest(board, weights=weights),
        lambda: mmsat.review(board, weights=weights),
        lambda: mmsat.codes(board).sample(-1),
        lambda: mmsat.codes(board).sample(1.5),
        lambda: mmsat.codes(board).format((0, 9, 9, 9)),
        lambda: mmsat.Board.parse(board).only([1]),
        lambda: mmsat.Board.parse(board).changed({-1: (1, 1)}),
        lambda: mmsat.Board("4x6", [3]),
        lambda: mmsat.Board(4),
        lambda: mmsat.Board.parse(4),
        lambda: mmsat.Game.parse(4),
        lambda: mmsat.reduce("sat", "p cnf 1 1\n1 0\n").lift((0,)),
    ):
        with pytest.raises(mmsat.InputError, match="expected "):
            call()


METHODS = {
    "Game, size": lambda value: mmsat.Game(value, value),
    "Game, space": lambda value: mmsat.Game(4, 6, value),
    "Game, scoring": lambda value: mmsat.Game(4, 6, scoring=value),
    "Game, symbols": lambda value: mmsat.Game(4, 6, symbols=value),
    "Game, name": lambda value: mmsat.Game(4, 6, name=value),
    "Game.of": mmsat.Game.of,
    "Board, game": mmsat.Board,
    "Board, rows": lambda value: mmsat.Board("4x6", value),
    "Board, row": lambda value: mmsat.Board("4x6", [value]),
    "Board, guess": lambda value: mmsat.Board("4x6", [(value, (1, 1))]),
    "Board, score": lambda value: mmsat.Board("4x6", [("1122", value)]),
    "Board, known": lambda value: mmsat.Board("4x6", (), value),
    "Board.only": mmsat.Board.parse(LINE).only,
    "Board.changed": mmsat.Board.parse(LINE).changed,
    "Board.with_row": lambda value: mmsat.Board.parse(LINE).with_row(value, value),
    "Tolerance": lambda value: mmsat.Tolerance(value, value),
    "Weights.of_colors, game": lambda value: mmsat.Weights.of_colors(value, [1, 2]),
    "Weights.of_colors": lambda value: mmsat.Weights.of_colors("2x2", value),
    "Weights.of_colors, weight": lambda value: mmsat.Weights.of_colors("2x2", [value, value]),
    "Weights.of_codes, game": lambda value: mmsat.Weights.of_codes(value, {"11": 1}),
    "Weights.of_codes": lambda value: mmsat.Weights.of_codes("2x2", value),
    "Weights.of_codes, weight": lambda value: mmsat.Weights.of_codes("2x2", {"11": value}),
    "Codes.sample": mmsat.codes(LINE).sample,
    "Codes.sample, seed": lambda value: mmsat.codes(LINE).sample(1, seed=value),
    "Codes.odds": lambda value: mmsat.codes(LINE).odds(timeout=value),
}
"""Constructors and methods, each with one wrong argument."""


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.filterwarnings("ignore::mmsat.GameWarning")
def test_constructors_and_methods_refuse_wrong_arguments(name):
    refused = 0
    for value in WRONG_VALUES:
        try:
            METHODS[name](value)
        except mmsat.MmsatError:
            refused += 1
    assert refused > len(WRONG_VALUES) / 2


PLACEHOLDERS = {"board": LINE, "game": mmsat.Game(2, 3), "pegs": 4, "colors": 6, "boards": [LINE]}
CONSTRUCTORS = {
    **{name: {} for name in ("Board", "Codes", "Evader", "Game", "Machine", "Round", "State")},
    **{name: {} for name in ("SeveralBoards", "Symbols", "Tolerance")},
    "Chain": {"links": [], "last": mmsat.reduce("sat", "p cnf 1 1\n1 0\n")},
    "Strategy": {},
    "Weights": {"game": mmsat.Game(2, 2), "colors": [Fraction(1)] * 2},
}
"""The public classes that users construct, with valid arguments that `PLACEHOLDERS` lacks."""
PLAIN = {
    *("CardinalityConstraint", "Conventions", "Mark", "Row", "VariableMap"),
    *("Player", "Ranking", "Reduction", "Scoring", "Space"),
}
"""Public named tuples, which the calls that accept them check, and abstract base classes."""
NONE = type(None)
ACCEPTED = {
    **dict.fromkeys(("board", "game", "name", "noun"), (str,)),
    **dict.fromkeys(("consistent_only", "hard", "worst"), (bool,)),
    **dict.fromkeys(("lies", "memory", "pegs", "colors"), (int,)),
    **dict.fromkeys(("attributes", "names", "opening", "rows", "known", "links"), (Iterable,)),
    **dict.fromkeys(("codes", "before", "secret", "symbols", "weights"), (NONE,)),
    **dict.fromkeys(("seed", "turns"), (int, NONE)),
    "printed_symbols": (tuple,),
}
"""The types of values that a constructor may accept."""


class FirstCode(mmsat.Strategy):
    """A strategy that inherits the constructor of `mmsat.Strategy`."""

    name = "first"

    def choose(self, state):
        return state.code(0)


def result_types():
    """Return the names of the public classes that public calls return, or that fields have."""
    classes = [thing for name in mmsat.__all__ if inspect.isclass(thing := getattr(mmsat, name))]
    members = [member for thing in classes for member in vars(thing).values()]
    functions = [getattr(member, "fget", getattr(member, "func", member)) for member in members]
    calls = [*CALLS.values(), *filter(inspect.isfunction, functions)]
    hints = [typing.get_type_hints(call).get("return") for call in calls]
    for thing in classes:
        hints += typing.get_type_hints(thing).values()
    for hint in hints:
        hints += typing.get_args(hint)
    return {hint.__name__ for hint in hints if inspect.isclass(hint) and hint in classes}


def test_each_public_class_is_a_result_or_checks_its_arguments():
    classes = {name for name in mmsat.__all__ if inspect.isclass(getattr(mmsat, name))}
    errors = {name for name in classes if issubclass(getattr(mmsat, name), Exception)}
    assert classes - errors - result_types() <= {*CONSTRUCTORS} | PLAIN | {"Fault"}
    assert {*CONSTRUCTORS} | PLAIN <= classes
    for name in PLAIN:
        assert inspect.isabstract(getattr(mmsat, name)) or issubclass(getattr(mmsat, name), tuple)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, argument)
        for name in CONSTRUCTORS
        for argument, parameter in inspect.signature(getattr(mmsat, name)).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ],
)
@pytest.mark.filterwarnings("ignore::mmsat.GameWarning")
def test_a_constructor_names_the_wrong_argument(name, argument):
    """Each wrong value is refused at once, not by an error of a later call."""
    constructor = FirstCode if name == "Strategy" else getattr(mmsat, name)
    valid = {
        parameter: value
        for parameter, value in PLACEHOLDERS.items()
        if parameter in inspect.signature(constructor).parameters
    } | CONSTRUCTORS[name]
    constructor(**valid)
    accepted = (*ACCEPTED.get(argument, ()), mmsat.Game, mmsat.Board)
    refused = 0
    for value in WRONG_VALUES:
        with suppress(mmsat.InputError):
            constructor(**valid | {argument: value})
            assert isinstance(value, accepted), value
            continue
        refused += 1
        with pytest.raises(mmsat.InputError, match=argument.removesuffix("s")):
            constructor(**valid | {argument: value})
    assert refused > len(WRONG_VALUES) / 3


def test_numpy_integers_are_accepted_for_samples():
    codes = mmsat.codes(LINE)
    assert codes.sample(np.int8(3), seed=np.int64(5)) == codes.sample(3, seed=5)


@pytest.mark.parametrize(
    ("weights", "lines"),
    [
        ([1, "2", 0.5, Fraction(1, 3), Decimal("0.25"), np.float32(0.5)], []),
        (np.arange(6), []),
        (
            [-1, float("nan"), True, "x", None, 1],
            [
                f"the weights, color {number}: expected a number from 0, "
                f"such as 3, 0.25, 1/4 or 25%, found {result}"
                for number, result in enumerate(["-1", "nan", "True", "'x'", "nothing"], 1)
            ],
        ),
        ("111111", ["the weights: expected a list of 6 weights, found '111111'"]),
        (5, ["the weights: expected a list of 6 weights, found 5"]),
    ],
)
def test_errors_about_weights_name_the_color(weights, lines):
    if not lines:
        assert mmsat.Weights.of_colors("4x6", weights).colors == tuple(
            Fraction(weight.item() if isinstance(weight, np.generic) else weight)
            for weight in weights
        )
        return
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.Weights.of_colors("4x6", weights)
    assert str(caught.value).split("\n") == lines


def test_errors_about_weights_name_the_code():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.Weights.of_codes("4x6", {"1122": -1, "9999": 1, (0, 0, 0, 0): "x"})
    assert str(caught.value).split("\n") == [
        "the weights, code 1122: expected a number from 0, such as 3, 0.25, 1/4 or 25%, found -1",
        "the weights, code 9999: expected 4 colors of 1 to 6, found '9999'",
        (
            "the weights, code (0, 0, 0, 0): expected a number from 0, such as 3, 0.25, 1/4 or "
            "25%, found 'x'"
        ),
    ]


SLOW_BOARD = (
    "14x14/AABBCCDDEEFFGG=3.4/ABCDEFGHIJABKL=2.6/JJIIHHGGFFEENN=2.5/AKKBCCDDNEFFGM=3.4"
    "/LLLDEFGHIJABKL=2.6"
)
"""A board whose odds take seconds."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda limit: mmsat.suggest("8x12", timeout=limit),
            "the suggestion: {}",
        ),
        (
            lambda limit: mmsat.analyze("5x8", "knuth", timeout=limit),
            "the analysis: {}; try a sample",
        ),
        (
            lambda limit: mmsat.game_value("4x6", timeout=limit),
            "the value of the game: {}",
        ),
        (lambda limit: mmsat.puzzle("6x9", grade=6, timeout=limit), "the puzzle: {}"),
        (
            lambda limit: mmsat.minimal_puzzle("3x6", "most", timeout=limit),
            "the puzzle with the most rows: {}",
        ),
        (lambda limit: mmsat.review("4x6/1122=1.1", timeout=limit), "the review: {}"),
        (
            lambda limit: mmsat.suggest_many(["4x6", "4x6"], timeout=limit),
            "the suggestion: {}",
        ),
        (
            lambda limit: mmsat.encode(
                "30x30/" + "/".join(["1-" * 29 + "1=1.1"] * 9), timeout=limit
            ),
            "the text of the board: {}",
        ),
        (lambda limit: mmsat.codes(SLOW_BOARD).odds(timeout=limit), "the odds: {}"),
    ],
)
@pytest.mark.parametrize(("limit", "words"), [(0, "0 seconds"), (0.01, "0.01 seconds")])
def test_a_passed_time_limit_raises_time_limit_error(call, message, limit, words):
    with pytest.raises(mmsat.TimeLimitError) as caught:
        call(limit)
    assert str(caught.value) == message.format(f"not finished within {words}")
    assert isinstance(caught.value, mmsat.MmsatError)
    assert not isinstance(caught.value, mmsat.SizeError)


@pytest.mark.parametrize(
    "call",
    [
        lambda **options: mmsat.suggest("4x6/1122=1.1", **options),
        lambda **options: mmsat.analyze("2x3", "knuth", **options),
        lambda **options: mmsat.game_value("2x3", **options),
        lambda **options: mmsat.review("4x6/1122=1.1/1345=0.2", **options),
    ],
)
def test_a_time_limit_changes_neither_progress_nor_result(call):
    """With a time limit, the call runs in another process."""
    outcomes = []
    for timeout in (None, 60):
        reports = []
        result = call(
            timeout=timeout, on_progress=lambda *report, reports=reports: reports.append(report)
        )
        assert reports
        outcomes.append((reports, str(result)))
    assert outcomes[0] == outcomes[1]


def test_all_faults_of_the_arguments_are_reported_together():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.check(LINE, timeout=-1, seed=-1, on_progress=3)
    assert [fault.part for fault in caught.value.faults] == ["timeout", "seed", "on_progress"]
    argument_names = {*RULES} | {f"{call}.{name}" for call in (*CALLS, "puzzles") for name in RULES}
    assert argument_names >= OPTIONAL


@pytest.mark.parametrize(
    "name", [name for name, call in CALLS.items() if "board" in valid_arguments(call)]
)
def test_a_board_line_is_accepted_like_its_board(name):
    call = CALLS[name]
    arguments = valid_arguments(call)
    by_line, by_board = (
        call(**(arguments | {"board": board})) for board in (LINE, mmsat.Board.parse(LINE))
    )
    if isinstance(by_line, str | type(None)) or name == "codes":
        assert str(by_line) == str(by_board)
    else:
        assert getattr(by_line, "board", None) == getattr(by_board, "board", None)


def test_codes_of_other_games_cannot_be_scored():
    game = mmsat.Game(4, 6)
    for code in ((0, 0, 1), (0, 0, 0, 9), None, (0, 0, 0, True), 7):
        with pytest.raises(mmsat.InputError, match="4 colors from 0 to 5"):
            game.score(code, (0, 0, 0, 0))


def test_a_verdict_is_true_if_and_only_if_the_board_is_consistent():
    assert mmsat.check("4x6/1122=1.1")
    assert not mmsat.check("4x6/1122=1.1/1122=0.2")
    unknown = mmsat.diagnosis.Verdict(
        mmsat.Board.parse(LINE), mmsat.Status.UNKNOWN, None, "none", 0.0
    )
    with pytest.raises(mmsat.MmsatError, match="unknown"):
        bool(unknown)


def test_an_unknown_keyword_is_a_type_error_with_a_hint():
    with pytest.raises(TypeError, match=r"check\(\) .* 'timout'\. Did you mean 'timeout'\?"):
        mmsat.check("4x6", timout=1)
    with pytest.raises(TypeError, match=r"count\(\) .* 'engine'\. Expected board, .* and "):
        mmsat.count("4x6", engine="sat")
    with pytest.raises(mmsat.InputError, match="has no parameter"):  # it accepts any keyword
        mmsat.reduce("sat", [[1]], k=1)
