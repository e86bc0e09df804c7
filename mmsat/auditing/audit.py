"""Audits of logs: judge every game, write one flat record per game, and return a summary.

`read_chunks` reads files as streams, except tables with one row per guess, whose rows are grouped
by game (tables.py). It yields lines of JSON in blocks, without parsing them.

`judge_block` judges such a block. The kernel parses lines in the form that programs write,
`{"id": "7", "board": "4x6/1122=1.1"}` with boards as mmsat prints them, directly into arrays. All
other lines are passed to `Judge`, which supports all notations and reports every fault. Both ways
produce the same records.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from mmsat._core import Notation, read_lines
from mmsat._util import Array, np
from mmsat._util.arguments import check_arguments
from mmsat._util.files import decode
from mmsat._util.processes import in_order
from mmsat._util.text import join_words
from mmsat.auditing import (
    NO_NAMED_COLUMNS,
    SECRET_KEY,
    Block,
    Chunk,
    ReadProgress,
    Record,
    check_roles,
    list_files,
    read_array,
    record_of_json,
    rejected_record,
)
from mmsat.auditing.batch import (
    Batch,
    EncodedRows,
    find_batch,
    find_unsupported,
    has_batch,
    is_batch_worthwhile,
    select_boards,
)
from mmsat.auditing.grids import check_text_games, read_grids, read_text_games
from mmsat.auditing.judge import (
    DEPTHS,
    Judge,
    Judgment,
    Request,
    common_entries,
    judge_supported,
    slip_entries,
    unlisted_entry,
)
from mmsat.auditing.output import ChunkResult, Journal, as_lines, open_records, write_records
from mmsat.auditing.summary import Summary
from mmsat.auditing.tables import ARROW_ENDINGS, CSV_ENDINGS, GameTable
from mmsat.errors import Description, Fault, InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller

OTHER_GAME, FALLBACK, BLANK, PARSED = range(4)
"""States of a line, which the kernel sets.

- OTHER_GAME: it was not parsed yet, because its game differs from those parsed so far.
- FALLBACK: `Judge` has to parse it.
- BLANK: it is blank.
- PARSED: the kernel parsed it.
"""
NUM_FIELDS, ROW_COUNT_FIELD = 8, 4
"""Number of integers (fields) that the kernel returns for each line, and the index of the field
with the number of rows.

The fields are the start and end of the id, the start and end of the board, the number of rows,
the row of the recorded slip (0 without a slip), and the start and end of its true score.
"""
MAX_GAMES = 32
"""Maximum number of different games in a block whose lines the kernel parses. Each game needs a
pass over the block."""
NOT_ALLOWED = 255
"""Table entry of a character that is not a color, a mark or a digit."""


def judge_block(judge: Judge, block: Block) -> ChunkResult:
    """Judge the games in a block of lines."""
    # Reviews, weights and recorded secrets need `Board` objects, which the kernel does not make.
    needs_boards = judge.request.depth == "review" or judge.request.weights
    if needs_boards or SECRET_KEY.search(block.text):
        return ChunkResult.of(judge.judge([*block.records()]))
    return _LineBlock(judge, block).judge()


class _ParsedGame(NamedTuple):
    """The parsed lines of one game, with their boards and judgments."""

    name: str
    batch: Batch
    lines: Array
    """The indices of the lines in the block."""
    rows: EncodedRows
    starts: Array
    """The index of the first row of each board."""
    judgments: list[Judgment]


class _LineBlock:
    """A block of lines, and the record of each line."""

    def __init__(self, judge: Judge, block: Block) -> None:
        self.block = block
        self.fallback = judge
        """Judges the lines that the kernel does not support."""
        self.needs_reasons = judge.request.depth == "reasons"
        # One character per byte, so that the kernel's positions in the bytes are valid here.
        self.text = block.text.decode("latin-1")
        ends = np.flatnonzero(np.frombuffer(block.text, dtype=np.uint8) == ord("\n"))
        if not block.text.endswith(b"\n"):
            ends = np.append(ends, len(block.text))
        self.ends = ends.astype(np.int64)
        """The position of the end of each line."""
        self.states = np.full(len(ends), OTHER_GAME, dtype=np.uint8)
        self.fields = np.zeros((len(ends), NUM_FIELDS), dtype=np.int64)
        self.records = [""] * len(ends)
        """The JSON text of the record of each line."""
        self.rejected: list[dict[str, Any]] = []
        """The records of the lines that cannot be read."""
        self.summary = Summary()

    def judge(self) -> ChunkResult:
        """Judge all lines."""
        # The kernel parses the lines of one game at a time: first the latest game, as most logs
        # have only one, then repeatedly the game of the first line that is not parsed yet.
        parsed_games = []
        name = self.fallback.latest_game
        for _ in range(MAX_GAMES):
            if (parsed := self._parse_game(name)) is not None:
                parsed_games.append(parsed)
            other_lines = np.flatnonzero(self.states == OTHER_GAME)
            if not len(other_lines):
                break
            # The board of the first such line begins with the name of its game.
            self.fallback.latest_game = name = self._board_text(other_lines[0]).split("/", 1)[0]
        self.states[self.states == OTHER_GAME] = FALLBACK
        # Each line that is not blank is a record, with the next number from `block.number` on.
        is_record = self.states != BLANK
        self.numbers = self.block.number - 1 + np.cumsum(is_record)
        for game_lines in parsed_games:
            self._write_records(game_lines)
        self._judge_by_fallback(np.flatnonzero(self.states == FALLBACK).tolist())
        judged = "\n".join([*filter(None, self.records), ""])
        return ChunkResult(
            int(is_record.sum()), judged.encode(), as_lines(self.rejected), self.summary
        )

    def _board_text(self, line: int) -> str:
        """Return the text of a board by the index of its line."""
        begin, end = self.fields[line, 2:4].tolist()
        return self.text[begin:end]

    def _parse_game(self, name: str) -> _ParsedGame | None:
        """Parse and judge the lines of the game `name` that the kernel supports.

        The state of the other lines of this game becomes FALLBACK. Returns None if this is the
        state of all its lines.
        """
        game, notation = find_notation(name)
        pegs, parts = (0, 0) if game is None else (game.pegs, len(game.parts))
        max_rows = self.block.text.count(b"=") if game else 0  # a row has one "="
        guesses, scores = (np.empty((max_rows, width), dtype=np.uint8) for width in (pegs, parts))
        was_unparsed = self.states == OTHER_GAME
        num_rows = read_lines(
            self.block.text, self.ends, notation, self.states, self.fields, guesses, scores
        )
        lines = np.flatnonzero(was_unparsed & (self.states == PARSED))
        batch = None
        if (
            game is not None
            and num_rows
            and (self.needs_reasons or is_batch_worthwhile(game, num_rows))
        ):
            batch = find_batch(game)
        if batch is None:
            self.states[lines] = FALLBACK
            return None
        starts = np.concatenate(([0], np.cumsum(self.fields[lines, ROW_COUNT_FIELD])))
        encoded = batch.translate(guesses[:num_rows], scores[:num_rows])
        is_unsupported = find_unsupported(batch, encoded, starts, with_reasons=self.needs_reasons)
        self.states[lines[is_unsupported]] = FALLBACK
        encoded, starts = select_boards(encoded, starts, np.flatnonzero(~is_unsupported))
        judgments = judge_supported(batch, encoded, starts, with_reasons=self.needs_reasons)
        return _ParsedGame(name, batch, lines[~is_unsupported], encoded, starts, judgments)

    def _write_records(self, parsed: _ParsedGame) -> None:
        """Write the records of the lines of one game.

        The records of consistent boards without a recorded slip, which are the majority, are
        formatted by a template, which is faster than `json.dumps`.
        """
        text, game = self.text, json.dumps(parsed.name)
        source = json.dumps(f"{self.block.path}:")[:-1]  # the line number and a quote are appended
        lines = parsed.lines.tolist()
        numbers = self.numbers[parsed.lines].tolist()
        fields = self.fields[parsed.lines].T.tolist()
        other_indices = []
        num_impossible = 0
        # Of the fields of the kernel, those up to the row of the recorded slip (0: none) are used.
        for index, (line, number, id_start, id_end, start, end, rows, slip, judgment) in enumerate(
            zip(lines, numbers, *fields[: ROW_COUNT_FIELD + 2], parsed.judgments, strict=True)
        ):
            if slip or not judgment.codes:
                other_indices.append(index)
                continue
            reasons = ""
            if self.needs_reasons:
                reasons = f', "board": "{text[start:end]}", "impossible": "{judgment.impossible}"'
                num_impossible += bool(judgment.impossible)
            self.records[line] = (
                f'{{"record": {number}, "source": {source}{self.block.line + line}", '
                f'"id": "{text[id_start:id_end]}", "verdict": "consistent", "game": {game}, '
                f'"rows": {rows}, "codes": "{judgment.codes}"{reasons}}}'
            )
        self.summary.add_plain(len(lines) - len(other_indices), num_impossible)
        self.summary.add(self._write_record(parsed, index) for index in other_indices)

    def _write_record(self, parsed: _ParsedGame, index: int) -> dict[str, Any]:
        """Write the record of one of the boards of a game, and return it as a dictionary."""
        line, judgment = int(parsed.lines[index]), parsed.judgments[index]
        id_start, id_end, _, _, rows, slip, true_start, true_end = self.fields[line].tolist()
        source = f"{self.block.path}:{self.block.line + line}"
        board = self._board_text(line)
        record = Record(int(self.numbers[line]), source, self.text[id_start:id_end], board)
        result = common_entries(record, parsed.name, rows, judgment.codes)
        if slip:
            recorded_number = parsed.rows.scores[parsed.starts[index] + slip - 1]
            true_score = self.text[true_start:true_end]
            result |= slip_entries(
                parsed.batch.game, slip, parsed.batch.score_of_number[recorded_number], true_score
            )
        if self.needs_reasons:
            result |= {"board": board, "impossible": judgment.impossible, **judgment.reason_entries}
            if not judgment.codes and parsed.batch.game.space.table() is not None:
                result |= unlisted_entry(Board.parse(board, files=False))
        self.records[line] = json.dumps(result)
        return result

    def _judge_by_fallback(self, lines: list[int]) -> None:
        """Judge lines, given by their indices, by `Judge`, and write their records."""
        records = [*self.block.records(frozenset(lines))] if lines else []
        results = self.fallback.judge(records)
        self.summary.add(results)
        for line, result in zip(lines, results, strict=True):
            if "fault" in result:
                self.rejected.append(result)
            else:
                self.records[line] = json.dumps(result)


@lru_cache(maxsize=64)
def find_notation(name: str) -> tuple[Game | None, Notation]:
    """Return the game of this name and its notation for the kernel.

    The game is None if `Judge` has to judge its boards. The notation has two tables, which are
    indexed by the byte of a character: its color, and its number as a symbol of a score.
    """
    colors, score_symbols = (np.full(256, NOT_ALLOWED, dtype=np.uint8) for _ in range(2))
    game = _find_supported_game(name)
    if game is None:
        return None, Notation(name, 0, 0, False, colors, score_symbols)
    marks = game.scoring.marks
    # Scores with more than one digit per part are left to `Judge`.
    symbols = [mark.symbol for mark in marks] or [*map(str, range(min(game.pegs, 9) + 1))]
    for table, characters in ((colors, speller(game).symbols), (score_symbols, symbols)):
        for number, symbol in enumerate(characters):
            table[ord(symbol)] = number
    return game, Notation(name, game.pegs, len(game.parts), bool(marks), colors, score_symbols)


def _find_supported_game(name: str) -> Game | None:
    """Return the game of this name if the kernel can parse and judge its boards, else None.

    The game must not be in a file. The kernel must support it in bulk (`has_batch`), and each color
    and mark must have an ASCII character.
    """
    if ":" in name:
        return None
    try:
        game = find_game(name, files=False)
    except InputError:
        return None
    symbols = speller(game).symbols
    is_plain = all(len(symbol) == 1 and symbol.isascii() and symbol.isalnum() for symbol in symbols)
    is_plain &= all(mark.symbol.isascii() for mark in game.scoring.marks)
    return game if symbols and is_plain and str(game) == name and has_batch(game) else None


JSON_LINES_ENDINGS = (".jsonl", ".ndjson")
"""The endings of the names of JSON Lines files."""
JSON_ENDING = ".json"
"""The ending of the names of JSON documents with the games of a log."""
TEXT_ENDING = ".txt"
"""The ending of the names of text files, with shared grids or with the boards of games."""
LOG_ENDINGS = (*JSON_LINES_ENDINGS, JSON_ENDING, *CSV_ENDINGS, *ARROW_ENDINGS, TEXT_ENDING)
"""The endings of the names of log files."""


def read_chunks(
    paths: Sequence[str],
    game: Game | None,
    size: int,
    progress: ReadProgress,
    num_done: int = 0,
    *,
    columns: Mapping[str, str] = NO_NAMED_COLUMNS,
) -> Iterator[Chunk]:
    """Yield the games of files and folders in order, at most `size` at a time.

    The first `num_done` records of all logs are skipped. `game` is the game of grids, and of tables
    of guesses that do not name one. `columns` has the names of columns of tables by role.
    """
    number = 0
    for path in paths:
        if path.lower().endswith(JSON_LINES_ENDINGS) and os.path.isfile(path):
            number = yield from _read_blocks(path, size, number, num_done, progress)
            continue
        records = _read(path, game, progress, columns)
        while chunk := list(islice(records, size)):
            chunk = [Record(n, *record[1:]) for n, record in enumerate(chunk, number)]
            number += len(chunk)
            if number > num_done:
                yield [record for record in chunk if record.number >= num_done]


def check_paths(
    paths: Sequence[str], game: Game | None, columns: Mapping[str, str] = NO_NAMED_COLUMNS
) -> None:
    """Raise InputError with every path that is not a log, or if the start of a log is invalid.

    Later faults in a log do not raise an error; they become rejected records.
    """
    faults = []
    for path in paths:
        lower_path = path.lower()
        is_log = os.path.isdir(path) or (os.path.isfile(path) and lower_path.endswith(LOG_ENDINGS))
        if not os.path.exists(path):
            faults.append(Fault("", path, "an existing file or folder"))
        elif not is_log:
            endings = join_words(LOG_ENDINGS, "or")
            expected = f"a folder, or a file name that ends with {endings}"
            faults.append(Fault("", path, expected))
    InputError.refuse(faults, "the logs")
    for path in paths:
        _check_start(path, game, columns)


def _check_start(path: str, game: Game | None, columns: Mapping[str, str]) -> None:
    """Raise InputError if a log is empty, or if the columns of a table are unclear."""
    if os.path.isdir(path):
        is_empty = not list_files(path)
    elif path.lower().endswith(ARROW_ENDINGS):
        is_empty = False  # the table is checked below
    else:
        with ReadProgress().open(path) as lines:
            is_empty = not any(line.strip("\ufeff \t\r\n\f\v") for line in lines)
    if is_empty:
        raise InputError.of(path, "games")
    if os.path.isfile(path) and path.lower().endswith(JSON_ENDING):
        read_array(path, ReadProgress())
    elif os.path.isfile(path) and path.lower().endswith(TEXT_ENDING) and not _has_grids(game):
        with ReadProgress().open(path) as lines:
            check_text_games(lines, path, game)
    if path.lower().endswith((*CSV_ENDINGS, *ARROW_ENDINGS)):
        GameTable(path, game, columns).check()


def _read(
    path: str, game: Game | None, progress: ReadProgress, columns: Mapping[str, str]
) -> Iterator[Record]:
    """Yield the records of a folder of board files, of a table or of a file of grids."""
    if os.path.isdir(path):
        yield from (_read_board(file, progress) for file in list_files(path))
    elif path.lower().endswith((*CSV_ENDINGS, *ARROW_ENDINGS)):
        yield from GameTable(path, game, columns).records(progress)
    elif path.lower().endswith(JSON_ENDING):
        for number, value in enumerate(read_array(path, progress), 1):
            yield record_of_json(value, 0, f"{path}:{number}", json.dumps(value))
    else:
        with progress.open(path) as lines:
            if game is not None and _has_grids(game):
                yield from read_grids(lines, path, game)
            else:
                yield from read_text_games(lines, path, game)


def _has_grids(game: Game | None) -> bool:
    """Return whether text files have shared grids: `game` is given, and its scores are marks."""
    return game is not None and bool(game.scoring.marks)


def _read_board(path: str, progress: ReadProgress) -> Record:
    """Return the record of a board file; its id is the name of the file without the ending."""
    name = os.path.splitext(os.path.basename(path))[0]
    with progress.open_bytes(path) as file:
        data = file.read()
    if path.lower().endswith((*CSV_ENDINGS, *ARROW_ENDINGS, *JSON_LINES_ENDINGS)):
        rule = "a folder has one board file per game"
        fault = Fault(rule, Description("a log"), f"the log by itself: mmsat audit {path}")
        return rejected_record(path, 1, name, "", [fault])
    try:
        return Record(0, path, name, decode(data, path))
    except InputError as error:
        text = data.decode("utf-8", "surrogateescape")
        return Record(0, path, name, text, fault=str(error))


def _read_blocks(
    path: str, size: int, number: int, num_done: int, progress: ReadProgress
) -> Generator[Block, None, int]:
    """Yield blocks of lines, without the first `num_done` records of all logs.

    `number` is the index of the first record of the file. Return the index of the record after the
    last one.
    """
    start = 1
    with progress.open_lines(path) as file:
        while lines := list(islice(file, size)):
            num_skipped = 0
            while number < num_done and num_skipped < len(lines):
                number += not lines[num_skipped].isspace()  # a blank line is not a record
                num_skipped += 1
            kept_lines = lines[num_skipped:]
            if kept_lines:
                yield Block(number, path, start + num_skipped, b"".join(kept_lines))
            number += len(kept_lines) - sum(map(bytes.isspace, kept_lines))
            start += len(lines)
    return number


GAMES_PER_CHUNK = 2000
"""Number of games that are judged together."""
MAX_REVIEWS_PER_CHUNK = 8
"""Maximum number of games that are reviewed together. It is small because a review takes about a
second, and because an interrupted audit loses the results of unfinished chunks."""


@check_arguments
def audit(
    paths: str | Sequence[str],
    output: str | None = None,
    *,
    game: Game | str | None = None,
    columns: Mapping[str, str] | None = None,
    depth: str = "reasons",
    weights: str = "",
    executor: Executor | None = None,
    chunk: int = GAMES_PER_CHUNK,
    on_progress: Callable[[int, float], None] | None = None,
) -> Summary:
    r"""Judge every game of log files, and write one flat record per game if `output` is given.

    Parameters
    ----------
    paths : str or sequence of str
        One file or folder, or several: files of JSON, JSON Lines, CSV, Parquet, Arrow, boards or
        shared grids of emoji, or folders of board files. `mmsat/auditing/README.md` describes the
        formats.
    output : str, optional
        Name of the file of records; it ends with ".jsonl", ".csv" or ".parquet". Records that
        cannot be read are written to `output` + ".rejected.jsonl", with file, line and faults. By
        default, only the summary is made.
    game : Game or str, optional
        The game of logs that do not name it: shared grids, and tables and boards without a game.
    columns : mapping of str to str, optional
        Names of columns of tables by role, such as `{"guess": "move"}`. Columns with common names
        are recognized without it.
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
        Number of games that are judged together; at most 8 for reviews, which take longer.
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
    from it. An audit without `output` cannot resume.

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
    paths = [os.fspath(path) for path in paths]
    if depth not in DEPTHS:
        raise InputError.of("the depth", join_words(DEPTHS, "or"), depth)
    if depth == "review":
        chunk = min(chunk, MAX_REVIEWS_PER_CHUNK)
    columns = check_roles(columns)
    check_paths(paths, game, columns)
    logs = [[path, os.path.getsize(path)] for path in paths]
    options = {
        "logs": logs,
        "game": None if game is None else str(game),
        **({"columns": columns} if columns else {}),
        "depth": depth,
        "weights": weights,
    }
    # Load numpy before anything is written: if memory is short, loading it ends the process.
    import numpy  # noqa: F401, ICN001

    with open_records(output) as records_file:
        with Journal(records_file, options) as journal:
            summary = journal.sum_up()
            request = Request(depth, weights, "" if game is None else str(game))
            progress = ReadProgress(paths)
            # `in_order` reads chunks ahead. These are the shares of the logs up to each chunk.
            read_shares: deque[float] = deque()

            def tasks() -> Iterator[tuple[Request, Chunk]]:
                """Yield the chunks that are not done yet, each with the request."""
                for games in read_chunks(
                    paths, game, chunk, progress, journal.done, columns=columns
                ):
                    read_shares.append(progress.share)
                    yield request, games

            for results in in_order(executor, judge_chunk, tasks()):
                journal.add(results)
                summary.merge(results.summary)
                share = read_shares.popleft()
                if on_progress is not None:
                    on_progress(journal.done, share)
        write_records(journal.path, records_file)
        os.unlink(journal.path)
        if not os.path.getsize(journal.rejected):
            os.unlink(journal.rejected)
    return summary


def judge_chunk(request: Request, chunk: Chunk) -> ChunkResult:
    """Judge a chunk of games in this process, which caches their parsed rows for later chunks."""
    judge = _judge(request)
    return (
        judge_block(judge, chunk)
        if isinstance(chunk, Block)
        else ChunkResult.of(judge.judge(chunk))
    )


@lru_cache(maxsize=4)
def _judge(request: Request) -> Judge:
    """Return the judge of this process for a request."""
    return Judge(request)
