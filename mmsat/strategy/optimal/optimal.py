"""The best strategy of a game, as a call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.strategy.optimal.optimum import OBJECTIVES, Optimum
from mmsat.strategy.optimal.search import Standing

MOST_GUESSES = 64


def optimal(
    game: Game | str,
    *,
    max_guesses: int | None = None,
    consistent_only: bool = False,
    objective: str = "average",
    cores: int | None = None,
    checkpoint: Path | str | None = None,
    timeout: float | None = None,
    on_progress: Callable[[Standing], None] | None = None,
) -> Optimum:
    """Find the strategy with the least total of guesses, or the fewest in the worst case.

    A complete search: what comes back is proven to be best, unless the time is up first; then it is
    the best strategy found, with a bound. The same request gives the same total and the same tree.
    The cost grows steeply with the number of codes: 4x6 takes hundredths of a second, 4x8 seconds,
    5x6 minutes.

    - `game`: a game, or its size or name.
    - `max_guesses`: how many guesses any code may take, None for any number.
    - `consistent_only`: whether every guess must itself be able to be the code.
    - `objective`: "average", "worst" or "worst-then-average".
    - `cores`: processor cores to use, None for all.
    - `checkpoint`: a file; the search goes on where an earlier one with the same request ended.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called now and then with the standing of the search.

    Raises SizeError for games of more than 32,768 codes or 64 scores, and InputError with every
    fault of the request.
    """
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415
    from mmsat.strategy.optimal.search import Search  # noqa: PLC0415  (loads the kernel)

    if isinstance(game, str):
        from mmsat.game.variants import find_game  # noqa: PLC0415

        game = find_game(game)
    faults = []
    if objective not in OBJECTIVES:
        faults.append(Fault("an objective is known by name", objective, " or ".join(OBJECTIVES)))
    if max_guesses is not None and not 1 <= max_guesses <= MOST_GUESSES:
        rule = f"max_guesses is a whole number from 1 to {MOST_GUESSES}"
        faults.append(Fault(rule, max_guesses, "such a number, or None"))
    if cores is not None and not 1 <= cores <= 1024:
        faults.append(Fault("cores is a whole number from 1 to 1024", cores, "such a number"))
    if faults:
        raise InputError(faults, "the request")
    search = Search(
        game,
        max_guesses=max_guesses,
        consistent_only=consistent_only,
        objective=objective,
        cores=cores,
        checkpoint=None if checkpoint is None else Path(checkpoint),
    )
    search.run(Deadline(timeout), on_progress or (lambda _: None))
    return search.result
