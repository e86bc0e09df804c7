"""Every call with a code or guess argument accepts text, sequences and arrays."""

from __future__ import annotations

import numpy as np
import pytest

import mmsat
from mmsat.errors import Fault
from mmsat.game.published import PUBLISHED_GAMES
from tests.support import twins

BOARD = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
LISTED = twins.consistent(BOARD)
CODE, OTHER = LISTED[5], (0, 1, 2, 3)
PROBLEM = "p cnf 2 1\n1 2 0\n"
"""Its board has codes of two colors, of which some are consistent."""


def text(code):
    """The digits of a code of up to 9 colors."""
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
WRONG = {
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
    """A reduction, and its first consistent code."""
    created = mmsat.reduce("sat", PROBLEM)
    return created, twins.consistent(created.board)[0]


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
    "Codes.print": lambda code: mmsat.codes(BOARD).print(code),
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
def test_all_forms_of_a_code_have_the_answer_of_its_tuple(call, form):
    expected = CALLS[call](CODE)
    assert CALLS[call](FORMS[form](CODE)) == expected or (
        str(CALLS[call](FORMS[form](CODE))) == str(expected)
    )


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_code_is_an_input_error_that_can_be_printed(call, wrong):
    with pytest.raises(mmsat.InputError, match="expected ") as caught:
        CALLS[call](WRONG[wrong](CODE))
    assert "exception str() failed" not in str(caught.value)


@pytest.mark.parametrize("form", FORMS)
def test_guesses_of_an_optimal_search_are_read(form):
    expected = mmsat.optimal("2x3d", guesses=[(0, 0)])
    optimum = mmsat.optimal("2x3d", guesses=[FORMS[form]((0, 0))])
    assert optimum.guesses == expected.guesses
    assert optimum.analysis.total == expected.analysis.total


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_guesses_of_an_optimal_search_are_input_errors(wrong):
    with pytest.raises(mmsat.InputError, match="guesses"):
        mmsat.optimal("2x3d", guesses=[WRONG[wrong]((0, 1))])


@pytest.mark.parametrize("form", FORMS)
def test_reductions_decode_and_lift_all_forms(form):
    created, code = reduction()
    given = FORMS[form](code)
    assert created.decode(given) == created.decode(code)
    assert created.lift(given) == created.lift(code)
    assert all(type(value) is bool for value in created.decode(given))


@pytest.mark.parametrize("wrong", WRONG)
def test_reductions_refuse_invalid_codes(wrong):
    created, code = reduction()
    for call in (created.decode, created.lift):
        with pytest.raises(mmsat.InputError, match="expected "):
            call(WRONG[wrong](code))


def test_many_codes_come_as_an_array_of_two_dimensions():
    guesses = np.array([CODE, OTHER], dtype=np.uint8)
    for guess_list in (guesses, guesses.tolist(), [*map(text, guesses.tolist())], tuple(guesses)):
        own = mmsat.suggest(BOARD, own=guess_list, seed=1).own
        assert [entry.guess for entry in own] == [CODE, OTHER]
        assert mmsat.analyze("4x6", "knuth", opening=guess_list).total > 0
    codes = mmsat.codes(BOARD)
    own = mmsat.suggest(BOARD, own=codes[:3], seed=1).own
    assert [entry.guess for entry in own] == LISTED[:3]


def test_weights_of_codes_have_text_or_colors():
    game = BOARD.game
    expected = mmsat.Weights.of_codes(game, {CODE: 2, OTHER: 1})
    assert mmsat.Weights.of_codes(game, {text(CODE): 2, OTHER: np.int64(1)}) == expected
    with pytest.raises(mmsat.InputError, match="expected each code of the game at most once"):
        mmsat.Weights.of_codes(game, {text(CODE): 2, CODE: 1})


@pytest.mark.parametrize("name", PUBLISHED_GAMES)
def test_every_published_game_scores_text_as_colors(name):
    game = PUBLISHED_GAMES[name].game
    codes = mmsat.codes(mmsat.Board(game))
    table = game.space.table()
    code, guess = (table[3], table[-3]) if table else (next(iter(codes)), game_guess(game))
    spelled = [codes.print(code), codes.print(guess)]
    assert game.score(*spelled) == game.score(code, guess) == game.scoring.score(code, guess)
    assert game.score(np.array(code), [*guess]) == game.score(code, guess)


def game_guess(game):
    """A guess of different colors, as far as there are."""
    return tuple(peg % game.colors for peg in reversed(range(game.pegs)))


NUMBERS = {
    "numpy byte": np.uint8,
    "numpy long": np.int64,
    "array of shape ()": np.array,
}
NOT_NUMBERS = {
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
COUNTS = {
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


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("call", COUNTS)
def test_integers_of_numpy_are_whole_numbers(call, kind):
    assert COUNTS[call](NUMBERS[kind](1)) == COUNTS[call](1)


def test_rows_to_change_are_whole_numbers():
    changed = BOARD.changed({np.int64(1): np.array([0, 1])})
    assert changed == BOARD.changed({1: "0.1"}) == BOARD.changed({1: (0, 1)})
    assert [row.score for row in changed.rows] == [(1, 1), (0, 1)]
    for wrong in (1.0, "1", True, 2, -1):
        with pytest.raises(mmsat.InputError, match="the rows: expected a row from 0 to 1, found"):
            BOARD.changed({wrong: (0, 1)})


@pytest.mark.parametrize("kind", NOT_NUMBERS)
@pytest.mark.parametrize("call", COUNTS)
def test_other_objects_are_no_whole_numbers(call, kind):
    with pytest.raises(mmsat.InputError, match="expected ") as caught:
        COUNTS[call](NOT_NUMBERS[kind](1))
    assert "exception str() failed" not in str(caught.value)


class Hostile:
    """Raise an error in every method that an error message might use."""

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __index__ = __repr__
    __getitem__ = __contains__ = __format__ = __repr__

    def __getattr__(self, name):
        raise RuntimeError(name)


class Mute:
    """Return an object that is not text as its repr."""

    def __repr__(self):
        return 3


class Tuple(tuple):
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
STRANGE = {
    "hostile": (Hostile(), "an object of the class Hostile"),
    "mute": (Mute(), "an object of the class Mute"),
    "hostile in a list": ([Hostile()], "an object of the class list"),
    "tuple": (Tuple((1, 2)), "(1, 2)"),
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


@pytest.mark.parametrize("kind", STRANGE)
def test_an_error_about_any_object_can_be_printed(kind):
    result, shown = STRANGE[kind]
    error = mmsat.InputError([Fault("", result, "a code", part="guess 1")], "the arguments")
    assert str(error) == f"the arguments, guess 1: expected a code, found {shown}"


@pytest.mark.parametrize(
    "kind", sorted(STRANGE.keys() - {"tuple", "array", "no array", "long list"})
)
@pytest.mark.parametrize("call", CALLS)
def test_strange_objects_as_codes_are_input_errors(call, kind):
    """Except for whole numbers, which are sequences of another length."""
    with pytest.raises(mmsat.InputError, match="expected "):
        CALLS[call](STRANGE[kind][0])
