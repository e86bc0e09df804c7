"""The campaign of trust: random boards by the million, every public question held to the truth.

    python -m benchmarks trust [--boards N] [--seed S] [--processes P] [-o FOLDER]

The seed of a board is its number; board S is the first. What was asked is written down by blocks of
boards, so that a run that was ended in any way goes on; a disagreement is written with the seed and
the line of its board, and the campaign goes on. Ends with 1 where there was one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.table import Table
from benchmarks.trust.case import Case
from benchmarks.trust.questions import QUESTIONS
from mmsat.tasks import in_order, open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path("build/trust")
BLOCK = 100
"""Boards that are written down together."""
NAMES = tuple(dict.fromkeys(question.name for question in QUESTIONS))


class Block(NamedTuple):
    """What came of some boards."""

    seconds: float
    """Of the processor, without those of other processes that answer."""
    asked: Counter[str]
    disagreements: list[tuple[int, str, str, str]]
    """Seed, question, board, and what disagrees."""


def ask_block(first: int, boards: int, share: float = 0) -> Block:
    """Ask about the boards of some seeds, each question on its share, or on more."""
    start = process_time()
    block = Block(0, Counter(), [])
    for seed in range(first, first + boards):
        case = Case.of_seed(seed)
        for question in QUESTIONS:
            chance = random.Random(f"{seed} {question.name}").random()
            if question.suits(case) and chance < max(share, question.share):
                block.asked[question.name] += 1
                try:
                    question.ask(case)
                except Exception as error:  # noqa: BLE001  (whatever it is, it is told)
                    told = f"{type(error).__name__}: {error}"
                    block.disagreements.append((seed, question.name, str(case.board), told))
    return block._replace(seconds=process_time() - start)


def campaign(folder: Path, first: int, boards: int, processes: int) -> int:
    """Ask what has not been asked yet, write it down, and print the table."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = Table(folder / "blocks.csv", ("first", "boards", "seconds", *NAMES), 2)
    faults = Table(folder / "disagreements.csv", ("seed", "question", "board", "told"), 2)
    tasks = [
        (start, min(BLOCK, first + boards - start))
        for start in range(first, first + boards, BLOCK)
        if blocks.find(start, min(BLOCK, first + boards - start)) is None
    ]
    with open_executor(processes) as executor:
        for task, block in zip(tasks, in_order(executor, ask_block, tasks), strict=True):
            for line in block.disagreements:
                found = faults.add(dict(zip(faults.columns, line, strict=True)))
                print(
                    f"seed {found['seed']}, {found['question']}: {found['told']}", file=sys.stderr
                )
            numbers = {"first": task[0], "boards": task[1], "seconds": round(block.seconds, 1)}
            blocks.add(numbers | {name: block.asked[name] for name in NAMES})
    show(blocks, faults)
    return int(bool(list(faults)))


def show(blocks: Table, faults: Table) -> None:
    """Print what has been asked in this folder, by this run and those before it."""
    lines = list(blocks)
    many = sum(int(line["boards"]) for line in lines)
    seeds = (
        min(int(line["first"]) for line in lines),
        max(int(line["first"]) + int(line["boards"]) - 1 for line in lines),
    )
    hours = sum(float(line["seconds"]) for line in lines) / 3600
    print(
        f"{many:,} boards, seeds {seeds[0]} to {seeds[1]}, {hours:.2f} processor hours of its own"
    )
    print("| question | asked | disagreements |\n|---|---|---|")
    wrong = Counter(line["question"] for line in faults)
    for name in NAMES:
        print(f"| {name} | {sum(int(line[name]) for line in lines):,} | {wrong[name]} |")


def main(words: Sequence[str]) -> int:
    """Run the campaign as the options say."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks trust")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="the number of the first board")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("-o", dest="folder", type=Path, default=FOLDER)
    options = parser.parse_args(words)
    return campaign(options.folder, options.seed, options.boards, options.processes)
