"""The commands about guesses: `mmsat suggest` and `review`.

The options for strategies, openings and numbers of guesses are shared by the commands that play.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import mmsat
from mmsat._util.registry import UnknownName, split_spec
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.output import (
    FAILURE,
    SUCCESS,
    Job,
    leave,
    leave_early,
    print_result,
    say,
    typed_board,
)
from mmsat.cli.parameters import Name, Number, refuse_combination
from mmsat.errors import Fault, InputError, Place
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.notation.board_reader import BoardReader, PlacedText, speller
from mmsat.render.terminal import show_gap, show_table
from mmsat.strategy.answers import class_sizes
from mmsat.strategy.candidates import draw_pool
from mmsat.strategy.strategies import STRATEGIES, SYNONYMS
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import MAX_POOL_CODES, Suggestion

if TYPE_CHECKING:
    from mmsat.cli.options import NamedBoard
    from mmsat.play.review_result import Review
    from mmsat.strategy.several import SeveralSuggestion


class StrategyName(Name):
    """The name of a strategy, a saved tree as `tree:FILE`, or one of `extra_names`.

    A name may be followed by a colon and a budget: `sampled:0.5`.
    """

    def __init__(self, *extra_names: str) -> None:
        super().__init__("strategy", lambda: [*extra_names, *STRATEGIES], STRATEGIES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; the file of a tree and a budget are read later, for a game."""
        name, settings = split_spec(str(value), (*self.names(), "tree"))
        if name in SYNONYMS and name not in self.names():
            fault = UnknownName.of("strategy", name, self.names(), suggestions=SYNONYMS[name])
            raise InputError([fault], "")
        if not (settings and name == "tree"):
            super().convert(name, param, ctx)
        return str(value)


def strategy_option(*extra_names: str, default: str | None) -> Callable[[Any], Any]:
    """Add --strategy NAME; `extra_names` are names in addition to those of the registry."""
    return click.option(
        "--strategy",
        type=StrategyName(*extra_names),
        default=default,
        help="Name of a strategy; `mmsat strategies` lists them.",
    )


def usual_turns(game: str) -> int | None:
    """Return the maximum number of guesses of a published game.

    Return None for other games, and for published games without a limit.
    """
    return max(PUBLISHED_GAMES[game].turns, default=None) if game in PUBLISHED_GAMES else None


def usual_turns_of_several(game: str, boards: int) -> int:
    """Return the maximum number of guesses if several boards are played at once.

    It is that of the game, or EXTRA_GUESSES + 1 for a game without a limit, plus one for each board
    after the first.
    """
    from mmsat.play.match import EXTRA_GUESSES

    return (usual_turns(game) or EXTRA_GUESSES + 1) + boards - 1


def read_opening(game: Game, text: str | None) -> tuple[Code, ...]:
    """Return the guesses of a comma-separated opening; raise InputError with every fault."""
    return read_guesses(BoardReader(speller(game)), text, "the opening")


def read_guesses(reader: BoardReader, text: str | None, source: str) -> tuple[Code, ...]:
    """Return comma-separated guesses; raise InputError with every fault, named after `source`.

    Return an empty tuple if `text` is None.
    """
    if text is None:
        return ()
    faults: list[Fault] = []
    column, guess_texts = 1, []
    for piece in text.split(","):
        guess_texts.append(PlacedText(piece.strip(), Place(1, column)))
        column += len(piece) + 1
    guesses = reader.read_codes(guess_texts, faults)
    InputError.refuse(faults, source)
    return tuple(guess for guess in guesses if guess is not None)


@options.command(
    "suggest",
    "mmsat suggest 4x6/1122=1.1/3345=0.2",
    "mmsat suggest 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
    "mmsat suggest daily-word/CRANE=-Y---/TRAIL=YY-Y- --hard",
    "mmsat suggest 24x6/112233445566112233445566=5.15 --json",
    "mmsat suggest 4x6/1122=1.1 4x6/1122=0.2",
)
@options.board_lists()
@options.as_json
@options.weights
@options.lies
@strategy_option("auto", default="auto")
@options.consistent_only
@options.hard
@options.limit(3, "other good guesses", low=0, high=100)
@click.option(
    "--size",
    type=Number(1, 10_000_000),
    default=MAX_POOL_CODES,
    help="Maximum size of the sample.",
)
@click.option(
    "--guess",
    "guesses",
    metavar="GUESSES",
    help="Evaluate these guesses as well, separated by commas.",
)
@options.solver_options(
    "seed", "timeout", timeout_help="Stop after N seconds; exit code 1 without a guess."
)
@options.verbose
def suggest_command(
    lists: tuple[list[NamedBoard], ...],
    *,
    as_json: bool,
    weights: str | None,
    verbose: bool,
    limit: int,
    guesses: str | None,
    **settings: Any,
) -> None:
    """Suggest the next guess, with reasons.

    Prints how many codes remain, how many the guess leaves on average and at worst, and the
    probability that it is the code; in small games also the best possible average number of
    guesses; with -v also the number of codes for each score of --guess. If more than --size codes
    remain, these numbers are estimates from a random sample. After --timeout, the guess is an
    estimate. Exit code 1 if the scores contradict each other.

    For several BOARDs of one game that share their guesses, or a file with one per line, suggests
    one guess for all unsolved boards.
    """
    boards = tuple(named.board for board_list in lists for named in board_list)
    settings["others"] = limit
    job: Job[Suggestion | SeveralSuggestion | None] = Job(None, "comparing guesses")
    call: Callable[..., Suggestion | SeveralSuggestion]
    if len(boards) > 1:
        call = several_call(boards, weights, guesses, **settings)
    else:
        (board,) = boards
        parsed_weights = options.read_weights(board, weights)
        reader = BoardReader(speller(board.game), board.conventions)
        own = read_guesses(reader, guesses, "--guess")
        board = typed_board(board, reader.conventions, *own)
        call = partial(mmsat.suggest, board, weights=parsed_weights, own=own, **settings)
    suggestion = job.run(lambda: call(on_progress=job.progress.report))
    if suggestion is None:
        leave_early(job.code)
    print_result(suggestion, as_json=as_json)
    if verbose and not as_json and isinstance(suggestion, Suggestion):
        show_classes(suggestion, settings["size"], settings["seed"])
    if verbose:
        say(f"suggested by {suggestion.strategy} in {suggestion.seconds:.3f} s")


def show_classes(suggestion: Suggestion, size: int, seed: int | None) -> None:
    """Print, for each guess of --guess, the number of remaining codes for each score.

    If more than `size` codes remain, a sample of this size is used.
    """
    if not suggestion.own:
        return
    board, spell = suggestion.board, speller(suggestion.board.game)
    pool = draw_pool(State(board, tolerance=suggestion.tolerance), size, seed)
    for guess in (prospect.guess for prospect in suggestion.own):
        sizes = class_sizes(board.game, pool.codes, guess)
        rows = [[spell.print_score(score), f"{size:,}"] for score, size in sizes]
        show_gap()
        heads = [f"score of {spell.print_code(guess)}", "codes" if pool.is_all else "in a sample"]
        show_table(heads, rows, (1,))


def several_call(
    boards: tuple[Board, ...], weights: str | None, guesses: str | None, **settings: Any
) -> partial[SeveralSuggestion]:
    """Return the call for several boards; raise InputError for options that need one board."""
    strategy = settings["strategy"]
    single_board_options = {
        "--weights": weights is not None,
        "--guess": guesses is not None,
        "--lies": settings["lies"] > 0,
        "--consistent-only": settings["consistent_only"],
        "--hard": settings["hard"],
        f"--strategy {strategy}": strategy != "auto",
        "--size": settings["size"] != MAX_POOL_CODES,
    }
    given = filter(single_board_options.get, single_board_options)
    refuse_combination(
        "Several boards", given, "They share each guess; run the command for one board."
    )
    shared = {name: settings[name] for name in ("seed", "others", "timeout")}
    return partial(mmsat.suggest_many, boards, **shared)


@options.command(
    "review",
    "mmsat review 4x6/1122=1.1/1345=0.2/2416=1.1",
    "mmsat review daily-word/CRANE=-Y---/TRAIL=YY-Y- --json",
    "mmsat review daily-word/CRANE=-Y---/TRAIL=YY-Y- --hard",
)
@options.board
@options.as_json
@options.weights
@options.picture("Draw the game to FILE: .svg, .png or .pdf.")
@options.hard
@options.solver_options("seed", "timeout")
@options.verbose
def review_command(
    board: Board,
    *,
    as_json: bool,
    plot: str | None,
    hard: bool,
    seed: int | None,
    weights: str | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Review a played game guess by guess: skill, luck, and the best guess instead.

    Cost: expected number of guesses with optimal play, or if that takes too long to compute,
    expected number of remaining codes. Skill: cost of the best guess divided by the cost of this
    guess. Luck: how much better the score was than expected.

    If the scores contradict each other, only the guesses before the contradiction are reviewed
    (exit code 1). mmsat/play/reviews.md has the definitions.
    """
    job: Job[Review | None] = Job(None, "reviewing guesses")
    parsed_weights = options.read_weights(board, weights)
    result = job.run(
        lambda: mmsat.review(
            board,
            seed=seed,
            weights=parsed_weights,
            hard=hard,
            timeout=timeout,
            on_progress=job.progress.count("guess", "reviewed"),
        )
    )
    if result is None:
        leave_early(job.code)
    if plot is not None and result.moves:
        from mmsat.render.reports.games import draw_review

        draw_review(result, plot)
        say(f"{plot}: {quantity(len(result.moves), 'guess')}")
    print_result(result, as_json=as_json, in_full=verbose)
    if verbose:
        say(f"reviewed in {result.seconds:.3f} s")
    leave(SUCCESS if result.is_consistent else FAILURE)
