"""Logs of games that were never played, with known slips: for tests and demonstration."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from fractions import Fraction
from itertools import chain, product

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.slips import repeats_slip, slip
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score
from mmsat.notation.speller import speller
from mmsat.strategy.code_list import all_codes
from mmsat.strategy.state import State
from mmsat.tasks import in_order

TURNS = 10
"""Guesses of a game at most."""
CAREFUL = 4
"""One guess of so many is any code; the others could be the code."""
MOST_CODES = 100_000
"""Codes of a game of which logs are made."""
MOST_SCORES = 10_000
"""Scores of a game that are slipped to."""
CHUNK = 200
"""Games that are made together."""


@check_arguments
def generate_log(
    game: Game | str,
    games: int,
    slips: float,
    seed: int = 0,
    *,
    executor: Executor | None = None,
) -> Iterator[str]:
    """Yield a JSON object a game: its id, its board, and the slip that was made, if any.

    - `game`: of up to 100,000 codes.
    - `games`: how many.
    - `slips`: the part of games, 0 to 1, in which one score is put down wrongly, each kind of slip
      as often as `mmsat explain` takes it to be. `slip` tells its row, from 1, and the true score.
    - `seed`: the same seed gives the same games.
    - `executor`: where the work is done, as `concurrent.futures` has it; None for here.

    The player guesses what could be the code, or one time in four any code, for up to ten guesses.
    Raises InputError for a larger game, and for other numbers.
    """
    game = Game.of(game)
    if game.size > MOST_CODES or (game.pegs + 1) ** len(game.parts) > MOST_SCORES:
        rule = f"logs are made of games of up to {MOST_CODES:,} codes and few scores"
        raise InputError.of("the log", "a smaller game", str(game), rule)
    starts = range(0, games, CHUNK)
    tasks = ((game, range(games)[start : start + CHUNK], Fraction(slips), seed) for start in starts)
    return chain.from_iterable(in_order(executor, make_games, tasks))


def make_games(game: Game, numbers: Iterable[int], slips: Fraction, seed: int) -> list[str]:
    """Some lines of a log."""
    return [_make(game, number, slips, seed) for number in numbers]


def _make(game: Game, number: int, slips: Fraction, seed: int) -> str:
    source = random.Random(f"{seed} {game} {number}")
    board, code = play(game, source)
    told = {"id": str(number + 1), "board": str(board)}
    if source.randrange(slips.denominator) >= slips.numerator:
        return json.dumps(told) + "\n"
    row = source.randrange(len(board.rows))
    guess, true = board.rows[row]
    weights = {score: slip(score, true, game).weight for score in _scores(game)}
    weights[game.scoring.score_with_repeats(code, guess)] = repeats_slip(game).weight
    del weights[true]
    if not weights:
        return json.dumps(told) + "\n"
    wrong = source.choices([*weights], [*weights.values()])[0]
    told["board"] = str(board.changed({row: wrong}))
    said = {"row": row + 1, "true": speller(game).print_score(true)}
    return json.dumps({**told, "slip": said}) + "\n"


def play(game: Game, source: random.Random) -> tuple[Board, Code]:
    """A game that was played, to its end or for ten guesses, and its code."""
    every = all_codes(game)
    code: Code = tuple(every[source.randrange(len(every))].tolist())
    state = State.start(game)
    while len(state.rows) < TURNS and not (state.rows and state.rows[-1].guess == code):
        codes = state.codes if source.randrange(CAREFUL) else every
        guess = tuple(codes[source.randrange(len(codes))].tolist())
        state = state.after(guess, game.score(code, guess))
    return Board(game, tuple(Row(*row) for row in state.rows)), code


def _scores(game: Game) -> list[Score]:
    """Every score that may be told."""
    scores = product(range(game.part_values), repeat=len(game.parts))
    return [score for score in scores if game.scoring.flaw(game.pegs, score) is None]
