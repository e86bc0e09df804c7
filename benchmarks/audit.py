"""Measure bulk work on one core: boards per second from arrays, games per second from JSON Lines.

The programs for comparison support 4x6 only. They use a table with a bit set for each guess and
score: the codes that remain. With numpy, the bit sets of the first rows of all boards are
intersected with those of the second rows, and so on. With polars, the table is joined to the rows
by guess and score, or by their text, and the bit sets are intersected by board. Times are processor
times.
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
"""Number of boards in arrays, number of rows of each, and number of games in a log."""
SEEDS, ROUNDS = range(1, 11), 3
"""Seeds of the boards, and number of measurements for each seed."""
GAMES = ("4x6", "5x8", "daily-word", "bulls-and-cows")
PART_VALUES = 5
"""Number of values of a part of a 4x6 score."""

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


def make(game: mmsat.Game, seed: int) -> Arrays:
    """Return boards of five random guesses; one in ten has a wrong score."""
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
    """The bit set of the remaining codes of 4x6 for each guess and score."""

    def __init__(self, game: mmsat.Game) -> None:
        """Score all pairs of codes and guesses."""
        codes = all_codes(game)
        self.places = game.colors ** np.arange(game.pegs)[::-1]
        words = -(-len(codes) // 64)
        self.table = np.zeros((len(codes), PART_VALUES**2, words), dtype=np.uint64)
        texts, pairs = [], []
        spell = speller(game)
        for number, guess in enumerate(codes.tolist()):
            # A score as one number: PART_VALUES * black + white
            packed = game.scoring.score_all(codes, guess) @ (PART_VALUES, 1)
            for score in np.unique(packed).tolist():
                bits = np.zeros(64 * words, dtype=bool)
                bits[: len(codes)] = packed == score
                self.table[number, score] = np.packbits(bits).view(np.uint64)
                score_text = f"{score // PART_VALUES}.{score % PART_VALUES}"
                texts.append(f"{spell.print_code(guess)}={score_text}")
                pairs.append((number, score))
        guess_numbers, score_numbers = np.array(pairs).T
        self.words = [f"w{word}" for word in range(words)]
        frame = pl.DataFrame(self.table[guess_numbers, score_numbers], schema=self.words)
        rows = guess_numbers * PART_VALUES**2 + score_numbers
        self.frame = frame.with_columns(row=pl.Series(rows))
        self.by_text = frame.with_columns(row=pl.Series(texts))
        self.is_consistent = pl.any_horizontal(pl.col(self.words) != 0).alias("consistent")

    def check(self, guesses: np.ndarray, scores: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return whether each board, of ROWS rows, has a code, with numpy."""
        guess_numbers, score_numbers = guesses @ self.places, scores @ (PART_VALUES, 1)
        remaining = self.table[guess_numbers[starts[:-1]], score_numbers[starts[:-1]]]
        for row in range(1, ROWS):
            indices = starts[:-1] + row
            remaining &= self.table[guess_numbers[indices], score_numbers[indices]]
        return remaining.any(axis=1)

    def check_frame(
        self, guesses: np.ndarray, scores: np.ndarray, starts: np.ndarray
    ) -> np.ndarray:
        """Do the same as `check` with polars."""
        rows = guesses @ self.places * PART_VALUES**2 + scores @ (PART_VALUES, 1)
        boards = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return self._judge(pl.DataFrame({"board": boards, "row": rows}).lazy(), self.frame)[
            "consistent"
        ].to_numpy()

    def check_log(self, log: str, output: str) -> None:
        """Write the verdicts of the boards of a log, with polars."""
        lines = pl.scan_ndjson(log, schema={"id": pl.String, "board": pl.String})
        rows = (
            lines.with_row_index()
            .select(board="index", row=pl.col("board").str.split("/").list.slice(1))
            .explode("row", empty_as_null=False)
        )
        verdicts = self._judge(rows, self.by_text)
        pl.concat([lines.select("id").collect(), verdicts], how="horizontal").write_ndjson(output)

    def _judge(self, rows: pl.LazyFrame, table: pl.DataFrame) -> pl.DataFrame:
        """Return the verdict and the number of remaining codes of each board."""
        joined = rows.join(table.lazy(), on="row", how="left", maintain_order="left")
        intersection = pl.col(self.words).fill_null(0).bitwise_and()
        remaining = joined.group_by("board", maintain_order=True).agg(intersection)
        return remaining.select(
            self.is_consistent, left=sum(pl.col(w).bitwise_count_ones() for w in self.words)
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
    """Print boards and games per second."""
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
