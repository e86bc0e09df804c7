"""An audit of logs: every game judged, told as a flat record, and added up."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import lru_cache

from mmsat.arguments import check_arguments
from mmsat.auditing.journal import Journal
from mmsat.auditing.judge import DEPTHS, Judge, Request
from mmsat.auditing.lines import judge_block
from mmsat.auditing.reading import Reading
from mmsat.auditing.records import Block, Chunk
from mmsat.auditing.sources import check_paths, read_chunks
from mmsat.auditing.summary import Summary
from mmsat.auditing.tables import check_output, write_told
from mmsat.auditing.told import Told
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.tasks import in_order

CHUNK = 2000
"""Games that are judged together."""


@check_arguments
def audit(
    paths: Sequence[str],
    output: str,
    *,
    game: Game | str | None = None,
    depth: str = "reasons",
    weights: str = "",
    executor: Executor | None = None,
    chunk: int = CHUNK,
    on_progress: Callable[[int, float], None] | None = None,
) -> Summary:
    """Judge every game of some logs, and write a flat record of each.

    - `paths`: files of JSON lines, CSV, Parquet, Arrow or shared grids, or folders of board files;
      mmsat/auditing/README.md describes them.
    - `output`: a file that ends with .jsonl, .csv or .parquet. Beside it, `output.rejected.jsonl`
      has what could not be read, if anything, with file, line and faults; `output.part` is there
      until all is done, and an audit that was ended by anything goes on from there.
    - `game`: the game of shared grids, and of tables with one row per guess that do not name it.
    - `depth`: "verdict" tells verdicts and the codes left; "reasons" also conflicts, corrections
      and guesses that could not be the code; "review" also skill and luck.
    - `weights`: how likely codes are, where not equally, as `Weights.parse` reads it: those left
      that weigh something are told with their weight, and a review goes by it.
    - `executor`: where the work is done, as `concurrent.futures` has it; None for here. The records
      are the same, whoever does it.
    - `chunk`: games that are judged together.
    - `on_progress`: called now and then with the number of records that are done, and the part of
      the logs' bytes that they are, from 0 to 1.

    Raises InputError for paths that are not logs, and for tables with unclear columns, before
    anything is written.
    """
    game = None if game is None else Game.of(game)
    paths, output = [os.fspath(path) for path in paths], os.fspath(output)
    if depth not in DEPTHS:
        rule = "an audit tells verdicts, reasons or a review"
        raise InputError.of("the audit", " or ".join(DEPTHS), depth, rule)
    check_paths(paths, game)
    check_output(output)
    logs = [[path, os.path.getsize(path)] for path in paths]
    asked = {
        "logs": logs,
        "game": None if game is None else str(game),
        "depth": depth,
        "weights": weights,
    }
    with Journal(output, asked) as journal:
        summary = journal.sum_up()
        request = Request(depth, weights=weights)
        reading = Reading(paths)
        shares: deque[float] = deque()

        def tasks() -> Iterator[tuple[Request, Chunk]]:
            for some in read_chunks(paths, game, chunk, reading, journal.done):
                shares.append(reading.share)
                yield request, some

        for told in in_order(executor, judge_chunk, tasks()):
            journal.add(told)
            summary.merge(told.summary)
            share = shares.popleft()
            if on_progress is not None:
                on_progress(journal.done, share)
    write_told(journal.path, output)
    os.unlink(journal.path)
    if not os.path.getsize(journal.rejected):
        os.unlink(journal.rejected)
    return summary


def judge_chunk(request: Request, chunk: Chunk) -> Told:
    """Judge some games; what was learned of their rows is kept in the process."""
    judge = _judge(request)
    return judge_block(judge, chunk) if isinstance(chunk, Block) else Told.of(judge.judge(chunk))


@lru_cache(maxsize=4)
def _judge(request: Request) -> Judge:
    return Judge(request)
