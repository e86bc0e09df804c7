"""Every call with a code or guess argument accepts text, sequences and arrays."""

from __future__ import annotations

import numpy as np
import pytest

import mmsat
from mmsat.errors import Fault
from mmsat.game.names import PUBLISHED_GAMES
from tests.support import twins

BOARD = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
CONSISTENT_CODES = twins.consistent(BOARD)
CODE, OTHER = CONSISTENT_CODES[5], (0, 1, 2, 3)
PROBLEM = "p cnf 2 1\n1 2 0\n"
"""A formula for a reduction; its board has two colors and some consistent codes."""


def text(code):
    """Return a code of up to 9 colors as digits."""
    return "".join(str(color + 1) for color in code)


FORMS = {
    "text": text,
    "text with spaces": lambda code: f" {text(code)} ",
    "joined text": lambda code: "-".join(text(code)),
    "list": list,
    "array of bytes": lambda code: np.array(code, dtype=np.uint8),
    "array of longs": np.array,
    "row of an array": lambda code: np.array([code, code], dtype=np.uint16)[1],
    "tuple of numpy integers": lambda code: tuple(np.array(code, dtype=np.uint8)),
    "tuple of arrays of shape ()": lambda code: tuple(np.array(color) for color in code),
    "array of objects": lambda code: np.array([*code], dtype=object),
}
WRONG_FORMS = {
    "short text": lambda code: text(code)[1:],
    "long text": lambda code: text(code) + "1",
    "text of other colors": lambda code: "9" * len(code),
    "empty text": lambda _: "",
    "floats": lambda code: [float(color) for color in code],
    "array of floats": lambda code: np.array(code, dtype=float),
    "truth values": lambda code: [color > 0 for color in code],
    "array of truth values": lambda code: np.array(code) > 0,
    "array of two dimensions": lambda code: np.array([code]),
    "array of shape ()": lambda _: np.array(3),
    "characters": lambda code: [*text(code)],
    "bytes": bytes,
    "set": set,
    "dictionary": dict.fromkeys,
    "number": lambda _: 1122,
    "None": lambda _: None,
}


def reduction():
    """Return a reduction, and its first consistent code."""
    result = mmsat.reduce("sat", PROBLEM)
    return result, twins.consistent(result.board)[0]


CALLS = {
    "Game.score code": lambda code: BOARD.game.score(code, OTHER),
    "Game.score guess": lambda code: BOARD.game.score(OTHER, code),
    "Game.contains": BOARD.game.contains,
    "Board rows": lambda code: mmsat.Board("4x6", [(code, (1, 1))]),
    "Board known": lambda code: mmsat.Board("4x6", BOARD.rows, [code]),
    "Board.is_consistent": BOARD.is_consistent,
    "Board.missed": BOARD.missed,
    "Board.with_row": lambda code: BOARD.with_row(code, (0, 0)),
    "Codes in": lambda code: code in mmsat.codes(BOARD),
    "Codes in, with lies": lambda code: code in mmsat.codes(BOARD, lies=1),
    "Codes.index": lambda code: mmsat.codes(BOARD).index(code),
    "Codes.format": lambda code: mmsat.codes(BOARD).format(code),
    "Game.format_code": BOARD.game.format_code,
    "score code": lambda code: mmsat.score("4x6", code, OTHER),
    "slice in": lambda code: code in mmsat.codes(BOARD)[3:9],
    "slice index": mmsat.codes(BOARD)[3:9].index,
    "Tolerance.allows": lambda code: mmsat.Tolerance(1).allows(BOARD, code),
    "Tolerance.misses": lambda code: mmsat.Tolerance(1).misses(BOARD, code),
    "suggest own": lambda code: mmsat.suggest(BOARD, own=[code, OTHER], seed=1).own,
    "suggest opening": lambda code: mmsat.suggest("4x6", opening=[code]).guess,
    "analyze opening": lambda code: mmsat.analyze("4x6", "knuth", opening=[code]).total,
    "Strategy opening": lambda code: mmsat.analyze("4x6", First(opening=[code]), sample=3, seed=1),
    "SeveralBoards.with_guess": lambda code: mmsat.SeveralBoards.of(["4x6", "4x6"]).with_guess(
        code, [OTHER, code]
    ),
    "SeveralBoards.with_scores": lambda code: mmsat.SeveralBoards.of(["4x6"]).with_scores(
        code, ["1.1"]
    ),
}


class First(mmsat.Strategy):
    """Guess the first code of the state, which is a row of an array."""

    def choose(self, state):
        return state.codes[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("call", CALLS)
def test_calls_return_the_same_for_all_forms_of_a_code(call, form):
    expected = CALLS[call](CODE)
    assert CALLS[call](FORMS[form](CODE)) == expected or (
        str(CALLS[call](FORMS[form](CODE))) == str(expected)
    )


@pytest.mark.parametrize("wrong", WRONG_FORMS)
@pytest.mark.parametrize("call", CALLS)
def test_wrong_codes_raise_an_input_error_that_can_be_printed(call, wrong):
    with pytest.raises(mmsat.InputError, match="expected ") as caught:
        CALLS[call](WRONG_FORMS[wrong](CODE))
    assert "exception str() failed" not in str(caught.value)


@pytest.mark.parametrize("form", FORMS)
def test_optimal_accepts_all_forms_of_guesses(form):
    expected = mmsat.optimal("2x3d", guesses=[(0, 0)])
    optimum = mmsat.optimal("2x3d", guesses=[FORMS[form]((0, 0))])
    assert optimum.guesses == expected.guesses
    assert optimum.analysis.total == expected.analysis.total


@pytest.mark.parametrize("wrong", WRONG_FORMS)
def test_optimal_refuses_wrong_guesses(wrong):
    with pytest.raises(mmsat.InputError, match="guesses"):
        mmsat.optimal("2x3d", guesses=[WRONG_FORMS[wrong]((0, 1))])


@pytest.mark.parametrize("form", FORMS)
def test_reductions_decode_and_lift_all_forms_of_codes(form):
    instance, code = reduction()
    given = FORMS[form](code)
    assert instance.decode(given) == instance.decode(code)
    assert instance.lift(given) == instance.lift(code)
    assert all(type(value) is bool for value in instance.decode(given))


@pytest.mark.parametrize("wrong", WRONG_FORMS)
def test_reductions_refuse_invalid_codes(wrong):
    instance, code = reduction()
    for call in (instance.decode, instance.lift):
        with pytest.raises(mmsat.InputError, match="expected "):
            call(WRONG_FORMS[wrong](code))


def test_lists_of_codes_may_be_two_dimensional_arrays():
    guesses = np.array([CODE, OTHER], dtype=np.uint8)
    for guess_list in (guesses, guesses.tolist(), [*map(text, guesses.tolist())], tuple(guesses)):
        own = mmsat.suggest(BOARD, own=guess_list, seed=1).own
        assert [entry.guess for entry in own] == [CODE, OTHER]
        assert mmsat.analyze("4x6", "knuth", opening=guess_list).total > 0
    codes = mmsat.codes(BOARD)
    own = mmsat.suggest(BOARD, own=codes[:3], seed=1).own
    assert [entry.guess for entry in own] == CONSISTENT_CODES[:3]


def test_weights_accept_codes_as_text_or_colors():
    game = BOARD.game
    expected = mmsat.Weights.of_codes(game, {CODE: 2, OTHER: 1})
    assert mmsat.Weights.of_codes(game, {text(CODE): 2, OTHER: np.int64(1)}) == expected
    with pytest.raises(mmsat.InputError, match="expected each code of the game at most once"):
        mmsat.Weights.of_codes(game, {text(CODE): 2, CODE: 1})


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_published_games_score_text_like_colors(name):
    game = PUBLISHED_GAMES[name].game
    codes = mmsat.codes(mmsat.Board(game))
    table = game.space.table()
    code, guess = (table[3], table[-3]) if table else (next(iter(codes)), varied_guess(game))
    spelled = [codes.format(code), codes.format(guess)]
    assert game.score(*spelled) == game.score(code, guess) == game.scoring.score(code, guess)
    assert game.score(np.array(code), [*guess]) == game.score(code, guess)


def varied_guess(game):
    """Return a guess with as many different colors as possible."""
    return tuple(peg % game.colors for peg in reversed(range(game.pegs)))


INTEGERS = {
    "numpy byte": np.uint8,
    "numpy long": np.int64,
    "array of shape ()": np.array,
}
NOT_INTEGERS = {
    "float": float,
    "numpy float": np.float64,
    "text": str,
    "bytes": lambda number: str(number).encode(),
    "truth": lambda number: number > 0,
    "numpy truth": lambda number: np.bool_(number > 0),
    "array": lambda number: np.array([number]),
    "complex": complex,
    "list": lambda number: [number],
}
NUMBER_CALLS = {
    "lies": lambda number: mmsat.codes(BOARD, lies=number).count,
    "others": lambda number: len(mmsat.suggest(BOARD, others=number, seed=1).others),
    "seed": lambda number: mmsat.suggest(BOARD, seed=number).guess,
    "sample": lambda number: mmsat.codes(BOARD).sample(number, seed=1),
    "limit": lambda number: len(mmsat.explain("4x6/1122=1.1/1122=2.2", limit=number).conflicts),
    "pegs": lambda number: str(mmsat.Game(number, 6)),
    "colors": lambda number: str(mmsat.Game(4, number)),
    "rows": lambda number: str(BOARD.only([number])),
    "suspects": lambda number: mmsat.suspect("4x6/1122=1.1/1122=2.2", [number]).suspects,
    "k": lambda number: mmsat.reduce("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", k=number).k,
    "score": lambda number: str(BOARD.with_row("1234", (number, 0))),
    "literal": lambda number: mmsat.decode("1x2", [number, -2]),
}


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("call", NUMBER_CALLS)
def test_numpy_integers_are_accepted_as_numbers(call, kind):
    assert NUMBER_CALLS[call](INTEGERS[kind](1)) == NUMBER_CALLS[call](1)


def test_rows_to_change_must_be_row_indices():
    changed = BOARD.changed({np.int64(1): np.array([0, 1])})
    assert changed == BOARD.changed({1: "0.1"}) == BOARD.changed({1: (0, 1)})
    assert [row.score for row in changed.rows] == [(1, 1), (0, 1)]
    for wrong in (1.0, "1", True, 2, -1):
        with pytest.raises(mmsat.InputError, match="the rows: expected a row from 0 to 1, found"):
            BOARD.changed({wrong: (0, 1)})


@pytest.mark.parametrize("kind", NOT_INTEGERS)
@pytest.mark.parametrize("call", NUMBER_CALLS)
def test_other_objects_are_refused_as_numbers(call, kind):
    with pytest.raises(mmsat.InputError, match="expected ") as caught:
        NUMBER_CALLS[call](NOT_INTEGERS[kind](1))
    assert "exception str() failed" not in str(caught.value)


class Hostile:
    """An object whose methods raise errors if an error message uses them."""

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __index__ = __repr__
    __getitem__ = __contains__ = __format__ = __repr__

    def __getattr__(self, name):
        raise RuntimeError(name)


class Mute:
    """An object whose repr is not text."""

    def __repr__(self):
        return 3


class HostileTuple(tuple):
    """A tuple whose comparison fails."""

    __slots__ = ()

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = tuple.__hash__


NESTED: list[object] = []
NESTED.append(NESTED)
DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]
STRANGE_OBJECTS = {
    "hostile": (Hostile(), "an object of the class Hostile"),
    "mute": (Mute(), "an object of the class Mute"),
    "hostile in a list": ([Hostile()], "an object of the class list"),
    "tuple": (HostileTuple((1, 2)), "(1, 2)"),
    "array": (np.array([0, 1]), "array([0, 1])"),
    "array of lines": (np.array([[0, 1], [2, 3]]), "array([[0, 1], [2, 3]])"),
    "no array": (np.array([]), "array([], dtype=float64)"),
    "nested": (NESTED, "[[[[[[[...]]]]]]]"),
    "deep": (DEEP, "[[[[[[[...]]]]]]]"),
    "None": (None, "nothing"),
    "no text": ("", "nothing"),
    "text": ("a\nb", r"'a\nb'"),
    "long text": ("a" * 10**6, "'" + "a" * 115 + " ..."),
    "long list": ([7] * 10**6, ("[" + "7, " * 50)[:116] + " ..."),
    "long number": (10**5000, "an object of the class int"),
}


@pytest.mark.parametrize("kind", STRANGE_OBJECTS)
def test_errors_about_strange_objects_can_be_printed(kind):
    value, shown = STRANGE_OBJECTS[kind]
    error = mmsat.InputError([Fault("", value, "a code", part="guess 1")], "the arguments")
    assert str(error) == f"the arguments, guess 1: expected a code, found {shown}"


@pytest.mark.parametrize(
    "kind", sorted(STRANGE_OBJECTS.keys() - {"tuple", "array", "no array", "long list"})
)
@pytest.mark.parametrize("call", CALLS)
def test_strange_objects_are_refused_as_codes(call, kind):
    """Sequences of whole numbers are omitted: they are codes of another length."""
    with pytest.raises(mmsat.InputError, match="expected "):
        CALLS[call](STRANGE_OBJECTS[kind][0])
