"""The command `mmsat match`."""

import random
from typing import Any

import click

from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE
from mmsat.cli.human_player import HumanPlayer, LeftError
from mmsat.cli.output import leave_early, print_result
from mmsat.cli.parameters import Name, Number, misuse, refuse_with
from mmsat.cli.play_options import StrategyName, usual_turns, usual_turns_of_several
from mmsat.cli.progress import Job
from mmsat.game.names import find_game
from mmsat.play.match import MatchResult, SeveralMatch, match, match_many
from mmsat.play.players import Evader, Machine, Player
from mmsat.play.rules import MATCHES
from mmsat.strategy.selection import AUTO
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, TOGETHER

DEFAULT_GAMES = 10
"""Default number of games of several boards."""
HUMAN, EVIL, WORST = "human", "evil", "evil-worst"


@options.command(
    "match",
    "mmsat match mastermind --player sampled --player first-consistent --seed 1",
    "mmsat match super --rules challenge --player entropy --player auto --seed 1",
    "mmsat match 4x6 --player evil:knuth --player knuth --seed 1",
    "mmsat match 4x6 --boards 2 --player together --player one-by-one --seed 1",
    "mmsat match 3x4p --player entropy --player knuth --hard --seed 1",
)
@click.argument("game")
@click.option(
    "--player",
    "chosen",
    type=StrategyName("auto", HUMAN, EVIL, WORST, *MULTI_BOARD_STRATEGIES),
    multiple=True,
    help="Add a player: a strategy, human, evil[:STRATEGY] or evil-worst[:STRATEGY].",
)
@click.option(
    "--rules",
    type=Name("rules", lambda: MATCHES),
    default="points",
    help="points, key-pegs, new-mastermind (2 to 5 players) or challenge.",
)
@click.option(
    "--boards",
    type=Number(2, 1000),
    help="Play N boards at once with shared guesses.",
)
@click.option("--games", type=Number(1, 1_000_000), help="Play N games [default: one per player].")
@click.option("--turns", type=Number(1, 1_000_000), help="Allow up to N guesses in a round.")
@click.option(
    "--penalty",
    type=Number(0, 1000),
    default=1,
    help="Points that a wrong score costs the codemaker.",
)
@options.consistent_only
@options.hard
@options.seed()
@options.as_json
@options.verbose
def command(
    game: str,
    *,
    chosen: tuple[str, ...],
    rules: str,
    boards: int | None,
    turns: int | None,
    consistent_only: bool,
    hard: bool,
    seed: int | None,
    as_json: bool,
    verbose: bool,
    **settings: Any,
) -> None:
    """Play a match of several games in which the players change roles.

    The codemaker scores one point for each guess, and one more if the code is not found; --rules
    selects other rules. The player `evil` does not commit to a code and picks the score that leaves
    the most codes; `evil-worst` picks the score that forces the most guesses.

    With --boards N, strategies for several boards (together, summed-entropy, one-by-one) play the
    same random codes, and their wins and guesses are printed. A game is won within --turns guesses;
    by default, N - 1 more than the published game allows, or N + 5.
    """
    if boards is not None:
        match_boards(game, chosen, boards, turns, seed, as_json=as_json, verbose=verbose)
        return
    source = random.Random(seed)
    parsed_game = find_game(game)
    if len(chosen) < 2:
        misuse("A match needs two players or more. Give --player NAME for each of them.")
    players: list[Player] = []
    restrictions = {"consistent_only": consistent_only, "hard": hard}
    for number, name in enumerate(chosen, 1):
        if name == HUMAN:
            players.append(HumanPlayer(f"human {number}"))
            continue
        kind, _, strategy = name.partition(":")
        player_seed = source.randrange(1 << 31)
        if kind in (EVIL, WORST):
            players.append(
                Evader(
                    parsed_game, strategy or AUTO, player_seed, worst=kind == WORST, **restrictions
                )
            )
        else:
            players.append(Machine(parsed_game, name, player_seed, **restrictions))
    names = tuple(player.name for player in players)
    num_rounds = (settings["games"] or len(players)) * MATCHES[rules].rounds_per_game
    job = Job(
        MatchResult(parsed_game, rules, names, (), is_complete=False),
        "playing",
        lambda result: f"{len(result.played):,} of {quantity(num_rounds, 'round')} played",
        share=lambda result: len(result.played) / num_rounds,
    )
    code, failure_message = 0, None
    settings |= {"rules": rules, "turns": turns or usual_turns(game)}
    settings |= {**restrictions, "on_round": job.note}
    try:
        job.run(lambda: match(parsed_game, players, **settings))
        code = job.code
    except LeftError:
        code, failure_message = FAILURE, "the match was left before its end"
    result = job.answer
    print_result(result, as_json=as_json, in_full=verbose)
    leave_early(code, failure_message)


def match_boards(
    name: str,
    player_names: tuple[str, ...],
    boards: int,
    turns: int | None,
    seed: int | None,
    *,
    as_json: bool,
    verbose: bool,
) -> None:
    """Play games of several boards at once, by one or more strategies, and print the results."""
    context_params = click.get_current_context().params
    excluded_options = ("consistent_only", "hard")
    refuse_with(
        "--boards", [options.option_name(name) for name in excluded_options if context_params[name]]
    )
    game, names = find_game(name), player_names or (TOGETHER,)
    max_guesses = turns or usual_turns_of_several(name, boards)
    games = context_params["games"] or DEFAULT_GAMES
    job = Job(
        SeveralMatch(game, boards, max_guesses, names, (), ()),
        "playing",
        lambda result: f"{quantity(len(result.guesses), 'game')} of {games:,} played",
    )
    settings: dict[str, Any] = {"count": boards, "games": games, "turns": max_guesses, "seed": seed}
    job.run(lambda: match_many(game, names, on_progress=job.note, **settings))
    print_result(job.answer, as_json=as_json, in_full=verbose)
    leave_early(job.code)
