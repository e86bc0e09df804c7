"""The command `mmsat optimal`, which searches for the best strategy of a game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypedDict

import click

import mmsat
from mmsat._util.arguments import OBJECTIVES
from mmsat.cli import options
from mmsat.cli.commands.proofs import ProofFileJson, refuse_standard_output, write_proof
from mmsat.cli.options import save_tree
from mmsat.cli.output import (
    FAILURE,
    Job,
    leave,
    leave_early,
    print_json,
    print_message,
    print_result,
)
from mmsat.cli.parameters import Choice, Number, refuse_combination
from mmsat.game.game import Game
from mmsat.strategy.optimal.search import BEAM, Optimum, OptimumJson, Search, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game import Code


class OptimalOptionsJson(TypedDict, total=False):
    """Keys that options add."""

    proof: ProofFileJson | None
    """With --proof: the proof; null if none was found."""


class OptimalJson(OptimumJson, OptimalOptionsJson):
    """The best strategy, and what options add."""


@options.command(
    "optimal",
    "mmsat optimal 4x6",
    "mmsat optimal 4x6 --max-guesses 5 --json",
    "mmsat optimal 4x6 --consistent-only -o tree.json",
    "mmsat analyze --strategy tree:tree.json",
    "mmsat optimal 3x5d --objective worst-then-average",
    "mmsat optimal 3x3p --hard",
    "mmsat optimal 3x4 --proof optimal.proof",
)
@options.game
@click.option("--max-guesses", type=Number(1, 64), help="Find every code within N guesses.")
@options.consistent_only
@options.hard
@options.file("--guesses", help="File with more words to guess, one per line.")
@click.option(
    "--objective",
    type=Choice(OBJECTIVES),
    default="average",
    metavar="OBJECTIVE",
    help="Minimize the average, the worst case (worst), or worst-then-average.",
)
@click.option(
    "--beam",
    type=Number(1, 1000),
    default=BEAM,
    help="Width of the beam search before the complete search of a large game.",
)
@options.file("-o", "--output", "save", help="Save the tree as JSON.")
@options.file("--proof", help="Write a proof, for `mmsat verify`.")
@options.file("--checkpoint", help="Save progress in FILE, and resume from it.")
@options.jobs(None)
@options.timeout
@options.as_json
def optimal_command(
    game: Game,
    *,
    save: str | None,
    proof: str | None,
    checkpoint: str | None,
    guesses: str | None,
    timeout: float | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Find the best strategy of a game, and prove that it is the best.

    GAME is a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE, with up to
    32,768 codes and 254 different scores. The search is complete, and its strategy is played
    against every code.

    With --max-guesses N, prints whether N guesses are always enough (exit code 1 if not). At the
    time limit or after Ctrl-C, prints the best strategy so far and a lower bound (exit code 1 or
    130).
    """
    if proof is not None:
        refuse_unproved_options(game, proof, guesses, settings)
    words: Sequence[Code] = ()
    if guesses is not None:
        from mmsat.game.words import read_words

        words = read_words(guesses, game.pegs, game.color_symbols.names).space.codes
    search = Search(game, checkpoint=checkpoint, guesses=words, **settings)
    job: Job[None] = Job(None, "looking for strategies")
    job.run(
        lambda: search.run(
            timeout,
            lambda standing: job.progress.report(
                describe_search(standing), standing.finished_fraction or None
            ),
        )
    )
    optimum = search.result
    if save is not None and optimum.tree is not None:
        save_tree(optimum.tree, save)
    option_keys: OptimalOptionsJson = {}
    proof_code: int | None = None
    if not as_json:
        print_result(optimum, as_json=False)
        sys.stdout.flush()
    if proof is not None:
        option_keys["proof"], proof_code = write_optimum_proof(optimum, proof, timeout, job.code)
    if as_json:
        print_json(optimal_document(optimum, option_keys))
    if not optimum.is_proven:
        leave_early(job.code or FAILURE)
    leave(FAILURE if optimum.analysis is None else job.code or proof_code or 0)


def refuse_unproved_options(
    game: Game, proof: str, guesses: str | None, settings: dict[str, Any]
) -> None:
    """Raise an error for options and games of which no proof can be written."""
    from mmsat.proof.check_strategy import require_size

    refuse_standard_output(proof)
    unproved_options = {
        "--max-guesses": settings["max_guesses"] is not None,
        "--hard": settings["hard"],
        "--guesses": guesses is not None,
        "--objective worst-then-average": settings["objective"] == "worst-then-average",
    }
    advice = "Proofs are for --objective average or worst, with all guesses or --consistent-only."
    if unproved_options["--max-guesses"]:
        advice = "A proof for --objective worst states how many guesses are always enough."
    refuse_combination("--proof", filter(unproved_options.get, unproved_options), advice)
    require_size(game)


def optimal_document(optimum: Optimum, option_keys: OptimalOptionsJson) -> OptimalJson:
    """Return the JSON document of an optimum, with the keys that options add."""
    return {**optimum.to_dict(), **option_keys}


def write_optimum_proof(
    optimum: Optimum, file: str, timeout: float | None, exit_code: int
) -> tuple[ProofFileJson | None, int | None]:
    """Write a proof that a strategy is optimal to a file, as `write_proof` does."""
    if not optimum.is_proven:
        print_message(f"the strategy is not proven to be optimal, and {file} was not written")
        return None, exit_code or FAILURE
    remaining = None if timeout is None else max(0.0, timeout - optimum.seconds)
    return write_proof(
        file, mmsat.prove_optimum, optimum, timeout=remaining, exit_code=exit_code or None
    )


def describe_search(standing: Standing) -> str:
    """Return the message of the progress line."""
    total = standing.best_total
    best = "no strategy yet" if total is None else f"best total {total:,}"
    return f"{best}, lower bound {standing.bound:,}"
