"""Compare every public function with ground truth on millions of random boards.

    python -m benchmarks trust [--blocks N] [--processes P] [--again] [--file FILE]
    python -m benchmarks trust --board SEED

The number of a board is its seed, and two thousand boards are a block. Finished blocks are lines of
a file in the repository. A run starts with the first block that is not in it; a killed run loses
its current block. Without options, the contents of the file are summarized. The exit code is 1 if
an answer disagrees.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.trust.campaign import Block, Campaign
from benchmarks.trust.case import Case, published_games
from benchmarks.trust.questions import QUESTIONS
from mmsat._util.processes import in_order, open_executor
from mmsat.solving.deadline import Deadline, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.trust.questions import Question

FILE = Path(__file__).parent.parent / "results" / "trust" / "campaign.jsonl"
BLOCK = 2000
"""Number of boards whose results are one line of the file."""
LIBRARIES = ("numpy", "ortools.sat.python.cp_model", "pyganak", "pysat.solvers")
SECONDS = 86_400.0
"""Seconds per block. Its worker answers all questions without a shorter limit."""


def ask_boards(seeds: Iterable[int], share: float = 0) -> Block:
    """Test the boards of some seeds.

    Each question is tested on its share of the boards, or on `share` if that is larger.
    """
    start = processor_seconds()
    block = Block()
    for seed in seeds:
        case = Case.of_seed(seed)
        kinds = (f"{case.game.scoring.name}, {case.game.space.name}", case.size_class)
        block.boards.update(kinds)
        if not case.is_large and len(case.places):
            block.consistent.update(kinds)
        for question in drawn(seed, case, share):
            block.asked[question.name] += 1
            before = processor_seconds()
            try:
                question.ask(case)
            except Exception as error:  # noqa: BLE001  (any error is recorded)
                text = f"{type(error).__name__}: {error}"
                block.disagreements.append((seed, question.name, str(case.board), text))
            block.costs[question.name] += processor_seconds() - before
    block.seconds = processor_seconds() - start
    return block


def drawn(seed: int, case: Case, share: float) -> list[Question]:
    """Return the questions for a board."""
    rng = random.Random(f"asked {seed}")
    chances = [(question, rng.random()) for question in QUESTIONS]
    return [
        question
        for question, chance in chances
        if chance < max(share, question.share) and question.suits(case)
    ]


def processor_seconds() -> float:
    """Return the processor time of this process and of the children it has waited for."""
    return sum(os.times()[:4])


def ask_block(number: int) -> Block:
    """Run the boards of a block in a subprocess, which may crash."""
    block: Block = run(Deadline(SECONDS), ask_boards, range(number * BLOCK, (number + 1) * BLOCK))
    return block


def commit() -> str:
    """Return the last commit that changed the package, with "+" if files of the package differ."""
    words = (("log", "-1", "--format=%h"), ("status", "--short"))
    try:
        last, changes = (
            subprocess.run(
                ("git", *word, "--", "mmsat"),
                cwd=Path(__file__).parents[2],
                text=True,
                capture_output=True,
                check=True,
            ).stdout.strip()
            for word in words
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return last + "+" * bool(changes)


def main(words: Sequence[str]) -> int:
    """Run the campaign with the given options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks trust")
    parser.add_argument(
        "--blocks", type=int, default=0, help="number of blocks of 2,000 boards to test"
    )
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="first the blocks that disagree")
    parser.add_argument(
        "--board", type=int, metavar="SEED", help="test all questions about one board"
    )
    parser.add_argument("--file", type=Path, default=FILE, help="the blocks so far")
    options = parser.parse_args(words)
    if options.board is not None:
        block = ask_boards([options.board], share=1)
        print(Case.of_seed(options.board).board, ", ".join(block.asked))
        return tell(block)
    campaign = Campaign(options.file)
    numbers = (campaign.wrong() if options.again else []) + campaign.missing(options.blocks)
    version = commit()
    if numbers:  # load shared data once
        published_games()
        for library in LIBRARIES:
            import_module(library)
    with open_executor(options.processes) as executor:
        blocks = in_order(executor, ask_block, [(number,) for number in numbers])
        for number, block in zip(numbers, blocks, strict=True):
            campaign.add(number, version, block)
            dearest = ", ".join(f"{name} {cost:.0f}" for name, cost in block.costs.most_common(5))
            print(f"block {number}: {block.seconds:.0f} seconds, {dearest}", file=sys.stderr)
            tell(block)
    print("\n".join(campaign.table()))
    return int(bool(campaign.wrong()))


def tell(block: Block) -> int:
    """Print the disagreements, and return 1 if there are any, else 0."""
    for seed, question, board, text in block.disagreements:
        print(f"seed {seed}, {question}, {board}: {text}", file=sys.stderr)
    return int(bool(block.disagreements))
