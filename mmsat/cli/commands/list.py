"""The command `mmsat list`."""

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Any

import click

import mmsat
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, INTERRUPTED, leave
from mmsat.cli.output import print_message, say
from mmsat.cli.parameters import Number, refuse_with
from mmsat.cli.progress import UPDATE_SECONDS, Job
from mmsat.cli.streams import is_reader_gone
from mmsat.cli.time_limit import late_message
from mmsat.counting.codes import codes_from, draw_codes
from mmsat.counting.listing import list_codes
from mmsat.game.board import Board
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code
from mmsat.game.tolerance import Tolerance
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.isolation import stream


@options.command(
    "list",
    "mmsat list 4x6/1122=1.1/3345=0.2 -n 5",
    "mmsat list 4x6/1122=1.1/3345=0.2 --from 30",
    "mmsat list 4x6/1122=1.1/3345=0.2 --lies 1 --by pegs -n 5",
    "mmsat list 4x6/1122=1.1/3345=0.2 --sample 3 --seed 1",
)
@options.board
@options.as_json
@options.lies
@click.option(
    "--from",
    "start",
    type=Number(1),
    help="Start with code number N.",
)
@options.limit(None, "codes")
@click.option(
    "--sample",
    type=Number(1),
    help="Draw N different codes at random.",
)
@options.memory
@options.solver_options("seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    start: int | None,
    limit: int | None,
    sample: int | None,
    memory: int,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """List the codes that get exactly these scores; with --lies, a few may be wrong.

    Prints one code per line, in order. --from N starts with code number N directly, without
    computing the codes before it. With --json, colors are numbers from 1, and `complete` states
    whether the list has all codes.
    """
    if sample is not None:
        given = {"--from": start, "--limit": limit}
        refuse_with("--sample", filter(given.get, given))
    start_time = monotonic()
    sink = JsonSink(board, Tolerance(lies, by).optional_dict()) if as_json else TextSink(board)
    sequence = mmsat.codes(board, lies=lies, by=by, memory=memory)
    deadline = Deadline(timeout)
    codes: Iterator[Code]
    if sample is not None:
        sink.is_excerpt = True
        codes = stream(deadline, draw_codes, sequence, sample, seed)
    elif start is not None and start > 1:
        sink.is_excerpt = True
        codes = stream(deadline, codes_from, sequence, start - 1)
    else:
        codes = list_codes(board, deadline, tolerance=sequence.tolerance)
    end_reason = sink.take(codes, limit)
    if verbose:
        say(f"{quantity(sink.num_codes, 'code')} in {monotonic() - start_time:.3f} s")
    options.print_known_codes(board)
    if not sink.num_codes and not end_reason:
        say("no code gets these scores")
    if end_reason:
        print_message(end_reason)
        leave(INTERRUPTED if end_reason == "interrupted" else FAILURE)


class TextSink:
    """Writes codes as they arrive, and flushes the output every UPDATE_SECONDS."""

    def __init__(self, board: Board) -> None:
        """Start the list."""
        self.board = board
        self.speller = speller(board.game)
        self.num_codes = 0
        self.flush_time = 0.0
        self.is_excerpt = False  # whether the list is incomplete even if it ends normally

    def take(self, codes: Iterator[Code], limit: int | None) -> str | None:
        """Write up to `limit` codes; return the reason if the list ended early, else None."""
        job: Job[str | None] = Job("interrupted", message="")
        end_reason = job.run(lambda: self._write_all(islice(codes, limit)))
        self.close(complete=not (end_reason or self.is_excerpt or self.num_codes == limit))
        return end_reason

    def _write_all(self, codes: Iterator[Code]) -> str | None:
        """Write all codes; return a message if the time limit was reached."""
        try:
            for code in codes:
                self.write(code)
                self.num_codes += 1
                if monotonic() > self.flush_time + UPDATE_SECONDS:
                    sys.stdout.flush()
                    self.flush_time = monotonic()
                if is_reader_gone():  # the reader closed the pipe, as `head` does
                    break
        except TimeUpError:
            return late_message()
        return None

    def write(self, code: Code) -> None:
        """Write one code."""
        sys.stdout.write(f"{self.speller.print_code(code)}\n")

    def close(self, *, complete: bool) -> None:
        """End the list; text needs no end."""


class JsonSink(TextSink):
    """Writes one JSON document (ListJson) in pieces; it is valid however the list ends.

    Ctrl-C can interrupt a write after its text was written. So `prefix`, the text that precedes the
    next code, is updated before each write.
    """

    def __init__(self, board: Board, extra_keys: Mapping[str, Any]) -> None:
        super().__init__(board)
        self.extra_keys = "".join(
            f"{json.dumps(key)}: {json.dumps(extra_keys[key])}, " for key in extra_keys
        )
        self.prefix = f'{{"board": {json.dumps(str(board))}, "listed": ['

    def write(self, code: Code) -> None:
        """Write one code as a list of colors from 1."""
        prefix, self.prefix = self.prefix, ", "
        sys.stdout.write(f"{prefix}{json.dumps([color + 1 for color in code])}")

    def close(self, *, complete: bool) -> None:
        """Close the document."""
        prefix = "" if self.prefix == ", " else self.prefix
        sys.stdout.write(f'{prefix}], {self.extra_keys}"complete": {json.dumps(complete)}}}\n')
