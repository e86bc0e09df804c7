"""Logs in bulk: boards a second from arrays, and games a second from JSON lines, of one core.

The rivals know 4x6 only. With numpy: a table of the codes that each guess and score leave, a bit
each in words of 64, and the rows of all boards intersected, first ones, second ones and so on. With
polars: the same table, joined to the rows by guess and score, or by their text, and intersected by
board. Time is the processor's.
"""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

os.environ.setdefault("POLARS_MAX_THREADS", "1")
import numpy as np
import polars as pl

import mmsat
from benchmarks.timing import in_turn, report
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller
from mmsat.strategy.answers import all_codes

BOARDS, ROWS, LOG = 10_000, 5, 10_000
"""Boards of arrays and their rows, and games of a log."""
SEEDS, ROUNDS = range(1, 11), 3
GAMES = ("4x6", "5x8", "daily-word", "bulls-and-cows")
SIDE = 5
"""Number of values of one component of a 4x6 score."""

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


def make(game: mmsat.Game, seed: int) -> Arrays:
    """Boards of five random guesses, one in ten with a wrong score."""
    codes, rng = all_codes(game).tolist(), np.random.default_rng(seed)
    guesses, scores = [], []
    for _ in range(BOARDS):
        code, wrong = (codes[index] for index in rng.integers(len(codes), size=2))
        slip = int(rng.integers(ROWS)) if rng.random() < 0.1 else None
        for row, index in enumerate(rng.integers(len(codes), size=ROWS).tolist()):
            guesses.append(codes[index])
            scores.append(game.score(wrong if row == slip else code, codes[index]))
    return np.array(guesses), np.array(scores), np.arange(BOARDS + 1) * ROWS


class BitTable:
    """The codes of 4x6 that each guess and score leave, a bit each, for numpy and for polars."""

    def __init__(self, game: mmsat.Game) -> None:
        """Score all pairs."""
        codes = all_codes(game)
        self.places = game.colors ** np.arange(game.pegs)[::-1]
        words = -(-len(codes) // 64)
        self.table = np.zeros((len(codes), SIDE**2, words), dtype=np.uint64)
        texts, result = [], []
        spell = speller(game)
        for number, guess in enumerate(codes.tolist()):
            packed = game.scoring.score_all(codes, guess) @ (SIDE, 1)
            for score in np.unique(packed).tolist():
                bits = np.zeros(64 * words, dtype=bool)
                bits[: len(codes)] = packed == score
                self.table[number, score] = np.packbits(bits).view(np.uint64)
                texts.append(f"{spell.print_code(guess)}={score // SIDE}.{score % SIDE}")
                result.append((number, score))
        asked, text = np.array(result).T
        self.words = [f"w{word}" for word in range(words)]
        frame = pl.DataFrame(self.table[asked, text], schema=self.words)
        self.frame = frame.with_columns(row=pl.Series(asked * SIDE**2 + text))
        self.by_text = frame.with_columns(row=pl.Series(texts))
        self.any_left = pl.any_horizontal(pl.col(self.words) != 0).alias("consistent")

    def check(self, guesses: np.ndarray, scores: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Whether boards, all of as many rows, have a code, with numpy."""
        asked, text = guesses @ self.places, scores @ (SIDE, 1)
        remaining = self.table[asked[starts[:-1]], text[starts[:-1]]]
        for row in range(1, ROWS):
            remaining &= self.table[asked[starts[:-1] + row], text[starts[:-1] + row]]
        return remaining.any(axis=1)

    def check_frame(
        self, guesses: np.ndarray, scores: np.ndarray, starts: np.ndarray
    ) -> np.ndarray:
        """The same with polars."""
        rows = guesses @ self.places * SIDE**2 + scores @ (SIDE, 1)
        boards = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return self._judge(pl.DataFrame({"board": boards, "row": rows}).lazy(), self.frame)[
            "consistent"
        ].to_numpy()

    def check_log(self, log: str, output: str) -> None:
        """Verdicts of the boards of a log, with polars."""
        lines = pl.scan_ndjson(log, schema={"id": pl.String, "board": pl.String})
        rows = (
            lines.with_row_index()
            .select(board="index", row=pl.col("board").str.split("/").list.slice(1))
            .explode("row", empty_as_null=False)
        )
        text = self._judge(rows, self.by_text)
        pl.concat([lines.select("id").collect(), text], how="horizontal").write_ndjson(output)

    def _judge(self, rows: pl.LazyFrame, table: pl.DataFrame) -> pl.DataFrame:
        joined = rows.join(table.lazy(), on="row", how="left", maintain_order="left")
        every = pl.col(self.words).fill_null(0).bitwise_and()
        remaining = joined.group_by("board", maintain_order=True).agg(every)
        return remaining.select(
            self.any_left, left=sum(pl.col(w).bitwise_count_ones() for w in self.words)
        ).collect()


def measure(table: BitTable, seed: int, folder: str) -> dict[str, float]:
    """Return boards or games per second for each operation."""
    results = {}
    for name in GAMES:
        game = find_game(name)
        arrays = make(game, seed)
        works = {
            f"{name}, checked": partial(mmsat.check_arrays, game, *arrays),
            f"{name}, counted": partial(mmsat.count_arrays, game, *arrays),
        }
        if name == "4x6":
            works["4x6, checked by numpy"] = partial(table.check, *arrays)
            works["4x6, checked by polars"] = partial(table.check_frame, *arrays)
            answers = [work() for what, work in works.items() if "checked" in what]
            if any((answer != answers[0]).any() for answer in answers):
                raise SystemExit("the tables and the kernel do not agree")
        spent = in_turn([*works.values()], ROUNDS, process_time)
        results |= {what: BOARDS / time for what, time in zip(works, spent, strict=True)}
    log, out = f"{folder}/log.jsonl", f"{folder}/out.jsonl"
    Path(log).write_text("".join(mmsat.generate_log(find_game("4x6"), LOG, 0.1, seed)), "utf-8")
    works = {
        f"log of 4x6, {depth}": partial(mmsat.audit, [log], out, depth=depth)
        for depth in ("verdict", "reasons")
    }
    works["log of 4x6, verdict by polars"] = partial(table.check_log, log, out)
    spent = in_turn([*works.values()], ROUNDS, process_time)
    return results | {what: LOG / time for what, time in zip(works, spent, strict=True)}


def main() -> None:
    """Print boards and games a second."""
    table = BitTable(find_game("4x6"))
    with tempfile.TemporaryDirectory() as folder:
        results = [measure(table, seed, folder) for seed in SEEDS]
    rows = []
    for what in results[0]:
        rates = [result[what] for result in results]
        rows.append((what, f"{median(rates):11,.0f}, at worst {min(rates):11,.0f}"))
    ratios = [result["4x6, checked"] / result["4x6, checked by numpy"] for result in results]
    rows.append(("4x6, times numpy", f"{median(ratios):11.1f}, at worst {min(ratios):11.1f}"))
    report(f"Audits, a second of the processor, {len(SEEDS)} seeds, {BOARDS:,} boards each", rows)
