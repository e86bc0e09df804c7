"""Laws for strategies, engines, encodings, scorings, reductions and games, such as plug-ins.

Each function compares an object with plain definitions on random boards of small games, by brute
force. If a law is violated, it raises AssertionError with a board line that reproduces the fault.
The same seed gives the same boards. No test framework is needed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from mmsat._util import np
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.encoding import Encoding, Formula, find_encoding
from mmsat.encoding.cnf import cnf
from mmsat.errors import InputError, PluginError, SizeError
from mmsat.game import Code, Row
from mmsat.game.board import PRINTERS, Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs, Scoring
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap
from mmsat.reductions.reduce import reduce
from mmsat.reductions.reduction import Reduction
from mmsat.solving import Engine, find_engine
from mmsat.solving.deadline import Deadline
from mmsat.strategy.strategies import find_strategy
from mmsat.strategy.strategy import State, Strategy

# The games of the laws, as in board lines. After PEGSxCOLORS, d means no repeated colors. b, w, p
# and o are kinds of scoring: black only, color, places and order. In PEGSxCOLORSxSHAPES, colors are
# pairs; with k, a peg gets at most one key peg.
STRATEGY_GAMES = ("3x4", "2x5", "4x3", "3x5d", "3x4b", "3x4w", "3x4p")
CLASSIC_GAME = "4x6"
"""The game for strategies that support no smaller one."""
ENGINE_GAMES = ("1x4", "3x3", "4x3", "3x5d", "3x4b", "3x4w", "3x4p", "2x4o", "2x2x2", "2x2x2k")
ENCODING_GAMES = ("2x3", "3x2", "3x3d", "4x2b", "3x3w")
MAX_ROWS = 4
"""Maximum number of rows of a random board."""
MAX_TURNS = 60
"""Maximum number of guesses that a strategy may need in the small games of `check_strategy`."""
MAX_COMPARED_CODES = 20_000
"""Maximum number of codes of a game for which brute force lists the consistent codes."""
DECISION_SECONDS = 60.0
"""Time limit of an engine for a small board, in seconds."""


def check_strategy(
    strategy: str | Strategy | type[Strategy], *, boards: int = 20, seed: int = 0
) -> None:
    """Check the laws of strategies.

    A guess is a sequence that the game allows, it is new, it is the same for the same board, and it
    is a possible code if the strategy claims this. Every code is found. The laws are checked in
    small games that the strategy supports.

    Parameters
    ----------
    strategy : str, Strategy or type
        Strategy, its class or its name.
    boards : int, default 20
        Number of random boards.
    seed : int, default 0
        Seed of the boards.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_strategy
    >>> check_strategy("knuth", boards=5)
    """
    instance = find_strategy(strategy, seed=seed)
    games = [game for game in map(Game.parse, STRATEGY_GAMES) if _supports(instance, game)]
    if not games and _supports(instance, Game.parse(CLASSIC_GAME)):
        games = [Game.parse(CLASSIC_GAME)]
    tried = ", ".join((*STRATEGY_GAMES, CLASSIC_GAME))
    _require(bool(games), instance.name, f"supports none of the games {tried}")
    must_be_consistent = instance.is_consistent or instance.consistent_only
    rng = random.Random(seed)
    for _ in range(boards):
        game = rng.choice(games)
        instance.check(game)  # parses the guesses of an opening, which depend on the game
        secret = rng.choice(_codes(game))
        state = State.start(game)
        for _ in range(MAX_TURNS):
            guess = _guess(instance, state)
            _require(game.is_sequence(guess), state.board, f"{guess} is not a guess")
            is_new = guess not in {row.guess for row in state.rows}
            _require(is_new, state.board, f"{guess} is repeated, which gives no information")
            again = _guess(instance, State(state.board))
            _require(again == guess, state.board, f"the guess is {guess}, then {again}")
            is_possible = guess in _consistent_codes(state.board)
            _require(is_possible or not must_be_consistent, state.board, f"{guess} is no code")
            score = game.score(secret, guess)
            if score == game.score(guess, guess):
                break
            state = state.after(guess, score)
        else:
            _require(False, state.board, f"{secret} is not found in {MAX_TURNS} guesses")


def check_engine(engine: str | Engine | type[Engine], *, boards: int = 100, seed: int = 0) -> None:
    """Check the laws of engines.

    The verdict is that of a trial of all codes, a witness gets the scores, and the same seed gives
    the same witness. Boards that the engine refuses are skipped.

    Parameters
    ----------
    engine : str, Engine or type
        Engine, its class or its spec.
    boards : int, default 100
        Number of random boards.
    seed : int, default 0
        Seed of the boards, and of the engine.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_engine
    >>> check_engine("brute", boards=10)
    """
    tested_engine = find_engine(engine)
    num_decided = 0
    for board in _boards(ENGINE_GAMES, boards, seed):
        try:
            decision = tested_engine.decide(board, Deadline(DECISION_SECONDS), seed)
        except PluginError as error:
            raise AssertionError(f"{board}: {error}") from error
        except (SizeError, InputError):
            continue
        num_decided += 1
        codes = _consistent_codes(board)
        expected = Status.CONSISTENT if codes else Status.INCONSISTENT
        _require(decision.status is expected, board, f"is {expected}, not {decision.status}")
        _require(not codes or decision.code in codes, board, f"{decision.code} is no witness")
        again = tested_engine.decide(board, Deadline(DECISION_SECONDS), seed)
        _require(again.code == decision.code, board, f"{decision.code}, then {again.code}")
    _require(num_decided > 0, tested_engine.name, "refuses every board")


def check_encoding(
    encoding: str | Encoding | type[Encoding], *, boards: int = 20, seed: int = 0
) -> None:
    """Check the laws of encodings.

    Output t of `count` is true exactly if at least t literals are true, and the literals determine
    all helper variables. The formula of a board has one model per consistent code.

    Parameters
    ----------
    encoding : str, Encoding or type
        Encoding, its class or its name.
    boards : int, default 20
        Number of random boards.
    seed : int, default 0
        Seed of the boards.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_encoding
    >>> check_encoding("totalizer", boards=3)
    """
    tested_encoding = find_encoding(encoding() if isinstance(encoding, type) else encoding)
    for n in range(1, 6):
        for bound in range(1, n + 1):
            formula = Formula(n, n)
            subject = f"count of {quantity(n, 'literal')} up to {bound}"
            try:
                outputs = tested_encoding.outputs(range(1, n + 1), bound, formula)
            except PluginError as error:
                raise AssertionError(str(error)) from error
            for inputs in product((False, True), repeat=n):
                models = _extensions(formula, inputs)
                number = ("no assignment", "one assignment", "several assignments")[len(models)]
                fault = f"{inputs} allows {number} of the helper variables, expected one"
                _require(len(models) == 1, subject, fault)
                values = [models[0][abs(output)] == (output > 0) for output in outputs]
                expected = [sum(inputs) >= t for t in range(1, bound + 1)]
                _require(values == expected, subject, f"the outputs of {inputs} are {values}")
    for board in _boards(ENCODING_GAMES, boards, seed):
        formula = cnf(System.of(board), tested_encoding)
        codes = _consistent_codes(board)
        for code in product(range(board.game.colors), repeat=board.game.pegs):
            inputs = tuple(color == at for at in code for color in range(board.game.colors))
            num_models = len(_extensions(formula, inputs))
            num_expected = 1 if code in codes else 0
            _require(num_models == num_expected, board, f"{code} has {num_models} models")


def check_scoring(
    scoring: str | Scoring | type[Scoring], *, boards: int = 100, seed: int = 0
) -> None:
    """Check the laws of scorings.

    The methods `score`, `score_all`, `score_matrix`, `flaw`, `constraints` and `gauges` of the
    `Scoring` agree for all codes of small games. If `are_pegs_alike` or `are_colors_alike` is
    claimed, scores do not depend on the order of pegs or on the names of colors. If the scoring is
    built-in or an installed plug-in, boards are read back from their lines.

    Parameters
    ----------
    scoring : str, Scoring or type
        Scoring, its class or its name.
    boards : int, default 100
        Number of random boards.
    seed : int, default 0
        Seed of the boards.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_scoring
    >>> check_scoring("black-white", boards=10)
    """
    tested_scoring: Scoring = (
        SCORINGS[scoring] if isinstance(scoring, str) else SCORINGS.adapt(scoring)
    )
    kinds = (
        [type(tested_scoring)(shapes) for shapes in (1, 2)]
        if isinstance(tested_scoring, Pairs)
        else [tested_scoring]
    )
    rng = random.Random(seed)
    games = [
        Game(pegs, colors, scoring=kind)
        for kind in kinds
        for pegs, colors in product(range(1, 4), range(1, 5))
        if kind.unfit(pegs, colors) is None
    ]
    _require(bool(games), tested_scoring.name, "is unfit for all small games")
    for _ in range(boards):
        game = rng.choice(games)
        kind = game.scoring
        codes = _codes(game)
        secret, guess = rng.choice(codes), rng.choice(codes)
        score = kind.score(secret, guess)
        board = Board(game, (Row(guess, score),))
        _require(len(score) == len(kind.parts(game.pegs)), board, f"{score} has other parts")
        _require(all(0 <= part <= kind.highest for part in score), board, f"{score} is no score")
        _require(kind.flaw(game.pegs, score) is None, board, f"{secret} gets the refused {score}")
        scores = [tuple(row) for row in kind.score_all(np.array(codes), guess).tolist()]
        _require(scores == [kind.score(code, guess) for code in codes], board, "score_all differs")
        matrix = kind.score_matrix(np.array(codes), np.array([secret, guess, secret]))
        expected = [[kind.score(code, row) for code in codes] for row in (secret, guess, secret)]
        _require(
            [[*map(tuple, row)] for row in matrix.tolist()] == expected,
            board,
            "score_matrix differs",
        )
        partly_read = tuple(None if rng.random() < 0.2 else part for part in score)
        constraints = [*kind.constraints(game.variables, guess, partly_read)]
        gauges = [*kind.gauges(game.variables, guess, score)]
        for code, true_score in zip(codes, scores, strict=True):
            satisfies = all(_deviation(c, code, game.variables) == 0 for c in constraints)
            _require(
                satisfies == _agrees(true_score, partly_read),
                Board(game, (Row(guess, partly_read),)),
                f"the constraints {'accept' if satisfies else 'refuse'} {code}",
            )
            distance = max((_deviation(c, code, game.variables) for c in gauges), default=0)
            is_exact = kind.marks or distance == kind.distance(true_score, score)
            _require(bool(is_exact), board, f"the gauges of {code} give the distance {distance}")
        _check_symmetries(board, secret, rng)
        if kind.name in SCORINGS:
            _require(Board.parse(str(board)) == board, board, "is read back as another board")


def check_reduction(
    reduction: str | type[Reduction[Any, Any]], source: Any, **parameters: int
) -> None:
    r"""Check the laws of reductions for one small source.

    The board has the size that the formulas state. Every consistent code means a certificate, and
    the certificate means a consistent code.

    Parameters
    ----------
    reduction : str or type
        Class of the reduction, or its name.
    source : str or object
        The problem: its text, or an object of its kind.
    **parameters : int
        The parameters of the reduction, such as `k`.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_reduction
    >>> check_reduction("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    """
    tested_reduction = reduce(reduction, source, **parameters)
    board, sizes = tested_reduction.board, tested_reduction.sizes()
    size = board.game.pegs, board.game.colors, len(board.rows)
    expected = sizes.pegs, sizes.colors, sizes.rows
    _require(size == expected, board, f"the formulas give the size {expected}")
    codes = _consistent_codes(board)
    for code in codes:
        certificate = tested_reduction.decode(code)
        _require(tested_reduction.is_certificate(certificate), board, f"{code} means {certificate}")
        _require(
            tested_reduction.encode(certificate) in codes,
            board,
            f"{certificate} means another code",
        )


def check_game(game: str | Game, *, boards: int = 20, seed: int = 0) -> None:
    """Check the laws of games.

    The game is found by its name, and boards are read back from every notation. In a game of up to
    20,000 codes, the consistent codes are the codes that brute force finds.

    Parameters
    ----------
    game : str or Game
        Game, or its size or name.
    boards : int, default 20
        Number of random boards.
    seed : int, default 0
        Seed of the boards.

    Raises
    ------
    AssertionError
        If a law is violated.

    Examples
    --------
    >>> from mmsat.testing import check_game
    >>> check_game("mini", boards=5)
    """
    from mmsat.counting.codes import codes as list_codes

    tested_game = Game.of(game)
    _require(
        Game.parse(str(tested_game)) == tested_game,
        tested_game,
        "is another game if it is found by its name",
    )
    rng = random.Random(seed)
    for _ in range(boards):
        secret = tested_game.space.draw(tested_game.pegs, tested_game.colors, rng)
        guesses = [
            tested_game.space.draw(tested_game.pegs, tested_game.colors, rng)
            for _ in range(MAX_ROWS)
        ]
        board = Board(
            tested_game, tuple(Row(guess, tested_game.score(secret, guess)) for guess in guesses)
        )
        for name, print_board in PRINTERS.items():
            _require(Board.parse(print_board(board)) == board, board, f"is not read back ({name})")
        _require(Board.parse(json.dumps(board.to_dict())) == board, board, "is not read from JSON")
        if tested_game.size <= MAX_COMPARED_CODES:
            expected = _consistent_codes(board)
            _require([*list_codes(board)] == expected, board, f"has {len(expected)} codes")


def _require(holds: bool, subject: object, fault: str) -> None:
    """Raise AssertionError with the board, or another subject, unless a law holds."""
    if not holds:
        raise AssertionError(f"{subject}: {fault}")


def _guess(strategy: Strategy, state: State) -> Code:
    """Return the guess of a strategy; raise AssertionError if it is not a guess."""
    try:
        return strategy.guess(state)
    except PluginError as error:
        raise AssertionError(f"{state.board}: {error}") from error


def _supports(strategy: Strategy, game: Game) -> bool:
    try:
        strategy.check(game)
    except (InputError, SizeError):
        return False
    return True


def _codes(game: Game) -> list[Code]:
    """Return all codes of a small game by trial."""
    sequences = game.space.table() or product(range(game.colors), repeat=game.pegs)
    return [tuple(code) for code in sequences if game.space.contains(code)]


def _agrees(true_score: Sequence[int], read_score: Sequence[int | None]) -> bool:
    """Return whether the parts of a score that were read are right."""
    pairs = zip(true_score, read_score, strict=True)
    return all(part is None or part == true_part for true_part, part in pairs)


def _consistent_codes(board: Board) -> list[Code]:
    """Return the consistent codes of a board of a small game by trial."""
    scoring = board.game.scoring
    return [
        code
        for code in _codes(board.game)
        if all(_agrees(scoring.score(code, row.guess), row.score) for row in board.rows)
    ]


def _boards(names: Sequence[str], number: int, seed: int) -> Iterator[Board]:
    """Yield random boards of small games; scores of different codes make some inconsistent."""
    rng = random.Random(seed)
    for _ in range(number):
        game = Game.parse(rng.choice(names))
        codes = _codes(game)
        secrets = rng.choices(codes, k=rng.choice((1, 1, 2)))
        rows = []
        for _ in range(rng.randrange(MAX_ROWS + 1)):
            guess = rng.choice(codes)
            score = game.score(rng.choice(secrets), guess)
            rows.append(Row(guess, tuple(None if rng.random() < 0.1 else n for n in score)))
        yield Board(game, tuple(rows))


def _holds(literal: Literal, code: Sequence[int], variables: VariableMap) -> bool:
    """Return whether a literal, or each literal of a conjunction, is true of a code."""
    if isinstance(literal, tuple):
        return all(_holds(member, code, variables) for member in literal)
    if literal < 0:
        return not _holds(-literal, code, variables)
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return code[peg] == color
    color, count = variables.color_count(literal)
    return list(code).count(color) >= count


def _deviation(
    constraint: CardinalityConstraint, code: Sequence[int], variables: VariableMap
) -> int:
    """Return by how much the number of true literals misses the bounds of a constraint."""
    number = sum(_holds(literal, code, variables) for literal in constraint.literals)
    return max(constraint.low - number, number - constraint.high, 0)


def _check_symmetries(board: Board, secret: Code, rng: random.Random) -> None:
    """Check that scores do not change if pegs or colors are permuted, if this is claimed."""
    game, ((guess, score),) = board.game, board.rows
    scoring = game.scoring
    pegs, colors = [*range(game.pegs)], [*range(game.colors)]
    rng.shuffle(pegs)
    rng.shuffle(colors)
    moved = [tuple(code[peg] for peg in pegs) for code in (secret, guess)]
    if scoring.are_pegs_alike and not scoring.marks:
        _require(scoring.score(*moved) == score, board, "the score depends on the order of pegs")
    renamed = [tuple(colors[color] for color in code) for code in (secret, guess)]
    if scoring.are_colors_alike:
        _require(scoring.score(*renamed) == score, board, "the score depends on the colors")


def _extensions(formula: Formula, inputs: Sequence[bool]) -> list[dict[int, bool]]:
    """Return up to two models of a formula in which the first variables have these values."""
    # Literals, each with the minimum number of true ones.
    clauses = [([*clause], 1) for clause in formula.clauses]
    # At most `bound` of n literals are true: at least n - bound of their negations are.
    clauses += [([-x for x in lits], len(lits) - bound) for lits, bound in formula.at_most]
    models: list[dict[int, bool]] = []

    def is_possible(model: dict[int, bool]) -> bool:
        # Variables without a value count as true in each literal.
        return all(
            sum(model.get(abs(x), x > 0) == (x > 0) for x in literals) >= minimum
            for literals, minimum in clauses
        )

    def search(model: dict[int, bool]) -> None:
        if len(models) == 2 or not is_possible(model):
            return
        variable = len(model) + 1
        if variable > formula.variables:
            models.append(model)
            return
        for value in (False, True):
            search(model | {variable: value})

    search(dict(enumerate(inputs, 1)))
    return models
