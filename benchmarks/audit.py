"""Logs in bulk, one core: boards a second from arrays, and games a second from JSON lines.

The rival from arrays is what one would write with numpy: a table of the codes that each guess and
score leave, a bit each in words of 64, and the rows of all boards intersected, first ones, second
ones and so on.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import mmsat
from benchmarks.timing import in_turn, report
from mmsat.game.names import find_game
from mmsat.strategy.code_list import all_codes

BOARDS, ROWS, DIFFERENT = 40_000, 5, 2000
GAMES = ("4x6", "5x8", "daily-word", "bulls-and-cows")
LOG = 20_000
"""Games of a log."""


def make(name: str) -> tuple[mmsat.Game, np.ndarray, np.ndarray, np.ndarray]:
    """Boards of five random guesses, one in ten with a wrong score; two thousand different ones."""
    game, rng = find_game(name), np.random.default_rng(1)
    codes = all_codes(game).tolist()
    guesses, scores = [], []
    for _ in range(DIFFERENT):
        code, wrong = (codes[index] for index in rng.integers(len(codes), size=2))
        slip = int(rng.integers(ROWS)) if rng.random() < 0.1 else None
        for row, index in enumerate(rng.integers(len(codes), size=ROWS).tolist()):
            guesses.append(codes[index])
            scores.append(game.score(wrong if row == slip else code, codes[index]))
    many = BOARDS // DIFFERENT
    starts = np.arange(BOARDS + 1) * ROWS
    return game, np.tile(np.array(guesses), (many, 1)), np.tile(np.array(scores), (many, 1)), starts


class BitTable:
    """The codes that each guess and score of a small game leave, a bit each."""

    def __init__(self, game: mmsat.Game) -> None:
        """Score all pairs."""
        codes = all_codes(game)
        self.places = game.colors ** np.arange(game.pegs)[::-1]
        self.side = game.pegs + 1
        words = -(-len(codes) // 64)
        self.table = np.zeros((len(codes), self.side**2, words), dtype=np.uint64)
        for number, guess in enumerate(codes.tolist()):
            packed = game.scoring.score_all(codes, guess) @ (self.side, 1)
            for score in np.unique(packed).tolist():
                bits = np.zeros(64 * words, dtype=bool)
                bits[: len(codes)] = packed == score
                self.table[number, score] = np.packbits(bits).view(np.uint64)

    def check(self, guesses: np.ndarray, scores: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Whether boards, all of as many rows, have a code."""
        asked, told = guesses @ self.places, scores @ (self.side, 1)
        left = self.table[asked[starts[:-1]], told[starts[:-1]]]
        for row in range(1, ROWS):
            left &= self.table[asked[starts[:-1] + row], told[starts[:-1] + row]]
        return left.any(axis=1)


def main() -> None:
    """Print boards and games a second."""
    rows = []
    for name in GAMES:
        boards = make(name)
        checked, counted = in_turn(
            [lambda b=boards: mmsat.check_arrays(*b), lambda b=boards: mmsat.count_arrays(*b)], 5
        )
        told = f"{BOARDS / checked:11,.0f} checked, {BOARDS / counted:11,.0f} counted"
        rows.append((name, told))
        if name == "4x6":
            game, *arrays = boards
            table = BitTable(game)
            if (table.check(*arrays) != mmsat.check_arrays(*boards)).any():
                raise SystemExit("the bit table and the kernel do not agree")
            (rival,) = in_turn([lambda t=table, a=arrays: t.check(*a)], 5)
            rows.append(("4x6, bit table of numpy", f"{BOARDS / rival:11,.0f} checked"))
    with tempfile.TemporaryDirectory() as folder:
        log, out = str(Path(folder) / "log.jsonl"), str(Path(folder) / "out.jsonl")
        Path(log).write_text("".join(mmsat.generate_log(find_game("4x6"), LOG, 0.1)), "utf-8")
        for depth in ("verdict", "reasons"):
            (spent,) = in_turn([lambda d=depth: mmsat.audit([log], out, depth=d)], 3)
            rows.append((f"4x6 from JSON lines, {depth}", f"{LOG / spent:11,.0f} games"))
    report(f"Audits, a second, median over {BOARDS:,} boards of {ROWS} rows", rows)
