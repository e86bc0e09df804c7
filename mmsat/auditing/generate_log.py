"""Logs of simulated games with known scoring errors, for tests and demonstrations."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from fractions import Fraction
from itertools import chain, product

from mmsat._util.arguments import check_arguments
from mmsat._util.processes import in_order
from mmsat.diagnosis.corrections import repeats_slip, slip
from mmsat.errors import InputError
from mmsat.game import Code, Row, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.strategy.answers import all_codes
from mmsat.strategy.strategy import State

MAX_GUESSES = 10
"""Maximum number of guesses per game."""
RANDOM_GUESS_PERIOD = 4
"""On average, one of this many guesses is drawn from all codes of the game.

The other guesses are consistent with the scores so far."""
MAX_CODES = 100_000
"""Maximum `Game.size` for which logs are made."""
MAX_SCORE_BOUND = 10_000
"""Maximum of (pegs + 1) ** (number of parts of a score), so that all wrong scores can be listed."""
GAMES_PER_TASK = 200
"""Number of games that one task of an executor simulates."""


@check_arguments
def generate_log(
    game: Game | str,
    games: int,
    slips: float,
    seed: int = 0,
    *,
    executor: Executor | None = None,
) -> Iterator[str]:
    """Simulate games with known scoring errors, for tests of audits and for demonstrations.

    Parameters
    ----------
    game : Game or str
        A game of up to 100,000 codes, or its size or name.
    games : int
        Number of games.
    slips : float
        Fraction of the games, from 0 to 1, in which one score is recorded wrongly. Each kind of
        slip has the probability that `explain` assumes.
    seed : int, default 0
        Seed of all random choices. The same seed gives the same games.
    executor : concurrent.futures.Executor, optional
        Executor that simulates the games. By default, this process simulates them.

    Returns
    -------
    iterator of str
        One line of JSON per game, with its `id`, its `board` and, if a score is wrong, its `slip`:
        the row, from 1, and the true score.

    Raises
    ------
    InputError
        If the game or its number of scores is too large, or if a number is out of range.

    Notes
    -----
    On average, three of four guesses are consistent with all scores before them. The others are
    drawn from all codes. A game ends when the code is found, or after ten guesses.

    Examples
    --------
    >>> print(next(mmsat.generate_log("2x3", 1, 0.0)), end="")
    {"id": "1", "board": "2x3/23=1.0/13=1.0/33=2.0"}
    """
    game = Game.of(game)
    if game.size > MAX_CODES or (game.pegs + 1) ** len(game.parts) > MAX_SCORE_BOUND:
        scores = f"up to {MAX_SCORE_BOUND:,} combinations of score parts"
        expected = f"a game of up to {MAX_CODES:,} codes, and {scores}"
        raise InputError.of("the game", expected, str(game))
    starts = range(0, games, GAMES_PER_TASK)
    tasks = (
        (game, range(start, min(start + GAMES_PER_TASK, games)), Fraction(slips), seed)
        for start in starts
    )
    return chain.from_iterable(in_order(executor, make_lines, tasks))


def make_lines(game: Game, numbers: Iterable[int], slips: Fraction, seed: int) -> list[str]:
    """Return the lines of the log for the games with these numbers, from 0."""
    return [_make_line(game, number, slips, seed) for number in numbers]


def _make_line(game: Game, number: int, slips: Fraction, seed: int) -> str:
    """Return the line of one game, in which one score is wrong with the probability `slips`."""
    rng = random.Random(f"{seed} {game} {number}")
    board, code = simulate_game(game, rng)
    record = {"id": str(number + 1), "board": str(board)}
    if rng.randrange(slips.denominator) >= slips.numerator:  # with probability 1 - slips
        return json.dumps(record) + "\n"
    row = rng.randrange(len(board.rows))
    guess, true_score = board.rows[row]
    wrong_scores = [score for score in _scores(game) if score != true_score]
    weights = {score: slip(score, true_score, game).weight for score in wrong_scores}
    score_with_repeats = game.scoring.score_with_repeats(code, guess)
    # The score in which repeated colors count twice is a slip with its own weight.
    if score_with_repeats != true_score:
        weights[score_with_repeats] = repeats_slip(game).weight
    if not weights:
        return json.dumps(record) + "\n"
    wrong_score = rng.choices([*weights], [*weights.values()])[0]
    record["board"] = str(board.changed({row: wrong_score}))
    recorded_slip = {"row": row + 1, "true": speller(game).print_score(true_score)}
    return json.dumps({**record, "slip": recorded_slip}) + "\n"


def simulate_game(game: Game, rng: random.Random) -> tuple[Board, Code]:
    """Play until the code is found or ten guesses are made; return the board and the code."""
    all_game_codes = all_codes(game)
    code: Code = tuple(all_game_codes[rng.randrange(len(all_game_codes))].tolist())
    state = State.start(game)
    while len(state.rows) < MAX_GUESSES and not (state.rows and state.rows[-1].guess == code):
        candidates = state.codes if rng.randrange(RANDOM_GUESS_PERIOD) else all_game_codes
        guess = tuple(candidates[rng.randrange(len(candidates))].tolist())
        state = state.after(guess, game.score(code, guess))
    return Board(game, tuple(Row(*row) for row in state.rows)), code


def _scores(game: Game) -> list[Score]:
    """Return every score that is possible in the game."""
    scores = product(range(game.part_values), repeat=len(game.parts))
    return [score for score in scores if game.scoring.flaw(game.pegs, score) is None]
