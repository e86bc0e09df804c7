"""Compare the grades of puzzles with search effort, and measure generation times.

There are three measures of effort:

- the number of conflicts of a clause-learning solver (minisat, with our formula) until it has found
  the code and proven that there is no other one;
- the number of prefixes that a plain search visits until all codes are found. It assigns peg by
  peg, and backtracks when a prefix has too many blacks or cannot reach enough;
- for two pegs, the size of the smallest analytic tableau, in which each row splits each branch by
  the ways in which its score can arise. With it, Gierasimczuk, van der Maas and Raijmakers (2013,
  "An analytic tableaux model for Deductive Mastermind") predict how hard children find 321 boards.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from contextlib import suppress
from itertools import islice, permutations
from math import ceil, sqrt
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from mmsat._util import np
from mmsat.constraints import System
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError, MmsatError
from mmsat.game.game import Game
from mmsat.play.minimal_puzzle import CoverSearch, cover_searches
from mmsat.play.puzzle import puzzle, puzzles
from mmsat.render.reports.games import pdf_sheet
from mmsat.strategy.answers import iterate_codes
from mmsat.strategy.optimal import AnswerTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.board import Board
    from mmsat.play.puzzle import Puzzle

GAMES = ("4x6", "3x6", "4x6b")
TWO_PEGS = ("2x3", "2x4", "2x5", "2x6")
EXTREMES = (
    *("2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x2", "3x3", "3x4", "3x5", "3x6"),
    *("4x2", "4x3", "5x2", "5x3", "6x2", "7x2"),
    *("2x2b", "2x3b", "2x4b", "2x5b", "2x6b", "2x7b", "3x2b", "3x3b", "3x4b", "4x2b", "4x3b"),
    *("5x2b", "6x2b", "2x3w", "2x4w", "3x3w", "3x4w", "4x4w", "3x3d", "3x4d", "3x5d", "4x4d"),
    *("4x5d", "3x5b", "4x4", "3x7", "8x2", "7x2b", "4x5w", "4x3o"),
)
MAX_PUZZLES = 1000
"""Maximum number of puzzles of a game."""
SEED = 1
SEEDS = range(10)
DRAWS = 1000
"""Number of bootstrap samples of an interval."""


def conflicts(board: Board) -> int:
    """Return the number of conflicts of a solver until it has found all codes."""
    system = System.of(board)
    codes = 0
    with Solver("minisat22", bootstrap_with=cnf(system).clauses) as solver:
        while solver.solve():
            codes += 1
            places = solver.get_model()[: board.game.pegs * board.game.colors]
            solver.add_clause([-place for place in places if place > 0])
        result: int = solver.accum_stats()["conflicts"]
    if codes != 1:
        message = f"{board} has {codes} codes"
        raise InternalError(message)
    return result


def effort(board: Board) -> int:
    """Return the number of prefixes of codes that a plain search visits."""
    game = board.game
    place = game.parts.index("black")
    num_visited = 0

    def visit(code: tuple[int, ...]) -> None:
        nonlocal num_visited
        num_visited += 1
        remaining = game.pegs - len(code)
        for row in board.rows:
            hits = sum(map(int.__eq__, code, row.guess))
            if not hits <= (row.score[place] or 0) <= hits + remaining:
                return
        if remaining:
            for color in range(game.colors):
                visit((*code, color))

    visit(())
    return num_visited


def tableau(board: Board) -> int:
    """Return the number of branches of the smallest tableau of a board of two pegs.

    The minimum is over all orders of the rows.
    """
    codes = [*iterate_codes(board.game)]
    cases: list[list[set[tuple[int, ...]]]] = []
    for guess, score in board.rows:
        ways = defaultdict(set)
        for code in codes:
            if board.game.score(code, guess) == score:
                hits = code[0] == guess[0], code[1] == guess[1]
                moved = code[0] == guess[1], code[1] == guess[0]
                ways[hits, moved if not any(hits) else ()].add(code)
        cases.append([*ways.values()])

    def grow(order: Sequence[int]) -> int:
        branches, size = [set(codes)], 0
        for row in order:
            size += len(branches) * len(cases[row])
            branches = [branch & case for branch in branches for case in cases[row]]
            branches = [branch for branch in branches if branch]
        return size

    return min(map(grow, permutations(range(len(cases)))))


def interval(values: Sequence[float]) -> str:
    """Return the median as text, with its 95 % confidence interval by order statistics."""
    ranked = sorted(values)
    # 1.96 standard deviations, sqrt(n) / 2, of the number of values below the true median
    off = ceil(0.98 * sqrt(len(ranked)))
    middle = len(ranked) // 2
    low, high = ranked[max(0, middle - off)], ranked[min(len(ranked) - 1, middle + off)]
    return f"{median(ranked):g} ({low:g} to {high:g})"


def ranks(values: Sequence[object]) -> list[float]:
    """Return the rank of each value, with mean ranks for ties."""
    count = Counter(values)
    place, first = 0, {}
    for value in sorted(count):  # type: ignore[type-var]
        first[value] = place + (count[value] - 1) / 2
        place += count[value]
    return [first[value] for value in values]


def correlation(one: Sequence[object], other: Sequence[object]) -> str:
    """Return Spearman's rank correlation as text, with its 95 % bootstrap interval."""
    pairs = np.array([ranks(one), ranks(other)])
    draws = np.random.default_rng(SEED).integers(0, len(one), (DRAWS, len(one)))
    results = sorted(float(np.corrcoef(pairs[:, draw])[0, 1]) for draw in draws)
    low, high = results[DRAWS // 40], results[-DRAWS // 40 - 1]
    return f"{np.corrcoef(pairs)[0, 1]:.2f} ({low:.2f} to {high:.2f})"


def draw(game: str) -> list[Puzzle]:
    """Return MAX_PUZZLES different random puzzles of a game, or all if there are fewer."""
    results: list[Puzzle] = []
    with suppress(MmsatError):  # the puzzles are exhausted
        results.extend(islice(puzzles(game, seed=SEED), MAX_PUZZLES))
    return results


def key(puzzle: Puzzle) -> tuple[int, int, int]:
    """Return the difficulty of a puzzle as a sort key: grade, cases, steps."""
    difficulty = puzzle.steps.difficulty
    return difficulty.key if difficulty else (1, 0, 0)


def grades(game: str) -> None:
    """Print a line for each grade of a game."""
    result = draw(game)
    efforts = {id(item): (conflicts(item.board), effort(item.board)) for item in result}
    by_grade = defaultdict(list)
    for entry in result:
        by_grade[entry.grade].append(entry)
    for grade, members in sorted(by_grade.items()):
        columns = (
            [len(member.board.rows) for member in members],
            [efforts[id(member)][0] for member in members],
            [efforts[id(member)][1] for member in members],
            [key(member)[2] for member in members],
            [key(member)[1] for member in members],
        )
        print(f"| {game} | {grade} | {len(members)} | {' | '.join(map(interval, columns))} |")
    for place, name in enumerate(("conflicts", "plain search")):
        every = [efforts[id(item)][place] for item in result]
        text = correlation([item.grade for item in result], every)
        print(f"{game}: grade against {name} {text}", flush=True)


def two_pegs() -> None:
    """Print the rank correlations of the difficulty and of the rows with the size of tableaux."""
    for game in TWO_PEGS:
        result = draw(game)
        sizes = [tableau(entry.board) for entry in result]
        by_rows = correlation([len(entry.board.rows) for entry in result], sizes)
        text = correlation([*map(key, result)], sizes)
        print(f"| {game} | {len(result)} | {text} | {by_rows} |", flush=True)


def speed() -> None:
    """Print the processor seconds for puzzles of each grade, and for sheets of 24."""
    for grade in range(1, 6):  # in 4x6 no board of grade 6 has been seen
        times = []
        for seed in SEEDS:
            began = process_time()
            puzzle("4x6", grade=grade, seed=seed)
            times.append(process_time() - began)
        print(f"| 4x6, grade {grade} | {median(times):.2f} | {max(times):.2f} |", flush=True)
    times = []
    for seed in SEEDS:
        began = process_time()
        pdf_sheet([*islice(puzzles("4x6", seed=seed), 24)])
        times.append(process_time() - began)
    print(f"| a sheet of 24, PDF | {median(times):.2f} | {max(times):.2f} |", flush=True)


def extremes() -> None:
    """Print the table of mmsat/play/puzzles.md, each line once it is proven."""
    for name in EXTREMES:
        began = process_time()
        searches = [*cover_searches(AnswerTable.of(Game.parse(name)))]
        fewest = [(search, chosen) for search in searches if (chosen := search.find_smallest())]
        if not fewest:
            print(f"| {name} | none |", flush=True)
            continue
        maximum = [(search, search.find_largest()) for search in searches]
        rows = [len(chosen) for _, chosen in fewest]
        # The fewest rows for the easiest code and for the hardest code, and the most rows
        shown = fewest[rows.index(min(rows))], fewest[rows.index(max(rows))], max(maximum, key=size)
        boards = [search.draft(chosen).board for search, chosen in shown]
        cells = " | ".join(f"{len(board.rows)} | `{board}`" for board in boards)
        kinds = f"{len(rows)} of {len(searches)}" if len(rows) < len(searches) else str(len(rows))
        seconds = process_time() - began
        print(f"| {name} | {kinds} | {cells} | {seconds:.1f} |", flush=True)


def size(puzzle: tuple[CoverSearch, list[int]]) -> int:
    """Return the number of rows of a puzzle."""
    return len(puzzle[1])


PARTS = {"speed": speed, "two-pegs": two_pegs, "extremes": extremes}


def main(names: list[str]) -> int:
    """Run the named parts: `speed`, `two-pegs`, `extremes`, or the grades of a game.

    Without names, run all parts except `extremes`.
    """
    for name in names or ("speed", "two-pegs", *GAMES):
        PARTS[name]() if name in PARTS else grades(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
