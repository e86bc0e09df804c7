"""Audits of logs: judge every game, write one flat record per game, and return a summary."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache

from mmsat._util.arguments import check_arguments
from mmsat._util.processes import in_order
from mmsat._util.text import join_words
from mmsat.auditing.judge import DEPTHS, Judge, Request
from mmsat.auditing.output import ChunkResult, Journal, check_output, write_records
from mmsat.auditing.records import Block, Chunk, ReadProgress
from mmsat.auditing.sources import check_paths, judge_block, read_chunks
from mmsat.auditing.summary import Summary
from mmsat.errors import InputError
from mmsat.game.game import Game

GAMES_PER_CHUNK = 2000
"""Number of games that are judged together."""


@check_arguments
def audit(
    paths: Sequence[str],
    output: str,
    *,
    game: Game | str | None = None,
    depth: str = "reasons",
    weights: str = "",
    executor: Executor | None = None,
    chunk: int = GAMES_PER_CHUNK,
    on_progress: Callable[[int, float], None] | None = None,
) -> Summary:
    r"""Judge every game of log files, and write one flat record per game.

    Parameters
    ----------
    paths : sequence of str
        Files of JSON Lines, CSV, Parquet, Arrow or shared grids of emoji, or folders of board
        files. `mmsat/auditing/README.md` describes the formats.
    output : str
        Name of the file of records; it ends with ".jsonl", ".csv" or ".parquet". Records that
        cannot be read are written to `output` + ".rejected.jsonl", with file, line and faults.
    game : Game or str, optional
        The game of shared grids, and of tables of guesses that do not name their game.
    depth : {"verdict", "reasons", "review"}, default "reasons"
        "verdict" writes verdicts and the number of remaining codes. "reasons" adds conflicts,
        corrections and guesses that could not be the code. "review" adds skill and luck.
    weights : str, default ""
        The weights of the codes in the format of `Weights.parse`; "" if all codes are equally
        likely. With weights, records also have the number and the total weight of the remaining
        codes of positive weight, and reviews use the weights.
    executor : concurrent.futures.Executor, optional
        Executor that judges the games. By default, this process judges them. The records do not
        depend on it.
    chunk : int, default 2000
        Number of games that are judged together.
    on_progress : callable, optional
        Called after each group of games with the number of finished records, and with the fraction
        of all bytes of the logs that has been read, from 0 to 1.

    Returns
    -------
    Summary
        The numbers of games and of scoring errors.

    Raises
    ------
    InputError
        If a path is not a log, if the columns of a table are unclear, or if another argument is
        invalid. Nothing is written then.

    Notes
    -----
    The file `output` + ".part" exists until the audit is complete. An interrupted audit resumes
    from it.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = os.path.join(folder, "log.jsonl")
    ...     with open(log, "w") as file:
    ...         _ = file.write('{"id": "1", "board": "4x6/1122=1.1/1122=0.2"}\n')
    ...     summary = mmsat.audit([log], os.path.join(folder, "records.csv"))
    >>> summary.games, summary.verdicts["inconsistent"]
    (1, 1)
    """
    game = None if game is None else Game.of(game)
    paths, output = [os.fspath(path) for path in paths], os.fspath(output)
    if depth not in DEPTHS:
        raise InputError.of("the depth", join_words(DEPTHS, "or"), depth)
    check_paths(paths, game)
    check_output(output)
    logs = [[path, os.path.getsize(path)] for path in paths]
    options = {
        "logs": logs,
        "game": None if game is None else str(game),
        "depth": depth,
        "weights": weights,
    }
    # Load numpy before anything is written, because it ends the process if memory is short.
    import numpy  # noqa: F401, ICN001

    with Journal(output, options) as journal:
        summary = journal.sum_up()
        request = Request(depth, weights=weights)
        progress = ReadProgress(paths)
        read_shares: deque[float] = deque()

        def tasks() -> Iterator[tuple[Request, Chunk]]:
            for games in read_chunks(paths, game, chunk, progress, journal.done):
                read_shares.append(progress.share)
                yield request, games

        for results in in_order(executor, judge_chunk, tasks()):
            journal.add(results)
            summary.merge(results.summary)
            share = read_shares.popleft()
            if on_progress is not None:
                on_progress(journal.done, share)
    write_records(journal.path, output)
    os.unlink(journal.path)
    if not os.path.getsize(journal.rejected):
        os.unlink(journal.rejected)
    return summary


def judge_chunk(request: Request, chunk: Chunk) -> ChunkResult:
    """Judge a chunk of games. The process caches their parsed rows for later chunks."""
    judge = _judge(request)
    return (
        judge_block(judge, chunk)
        if isinstance(chunk, Block)
        else ChunkResult.of(judge.judge(chunk))
    )


@lru_cache(maxsize=4)
def _judge(request: Request) -> Judge:
    return Judge(request)
