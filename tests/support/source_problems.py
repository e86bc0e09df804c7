"""Small sources of the reductions as text, with and without an answer, and judges of answers.

A judge is a function that decides whether an answer is right. It reads the source and the answer
word by word, and uses no code of mmsat's reductions.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from tests.support import twins

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = "p edge 3 2\ne 1 2\ne 2 3\n"
CYCLE = "p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"
COMPLETE = "p edge 4 6\n" + "".join(f"e {a} {b}\n" for a, b in combinations(range(1, 5), 2))
TRIANGLE = "p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n"
CHAIN = "three-sat+one-in-three+one-in-three-3sat"
"""A chain of reductions from any formula to a board of two colors."""


def content(source):
    """Return the words of each line of a source, without comments and the first line of sizes."""
    lines = [line.split() for line in source.splitlines()]
    return [words for words in lines if words and words[0] not in ("c", "p", "#")]


def clauses(source):
    """Return the clauses of a formula with one clause per line."""
    return [[int(word) for word in words[:-1]] for words in content(source)]


def literals(source, answer):
    """Return the true literals of an answer in DIMACS format, which must have every variable."""
    first, *words, last = answer.split()
    assert (first, last) == ("v", "0")
    results = list(map(int, words))
    assert [abs(literal) for literal in results] == list(range(1, int(source.split()[2]) + 1))
    return set(results)


def is_cover(source, answer):
    chosen = answer.split()
    edges = [words[1:] for words in content(source)]
    return len(set(chosen)) == 2 and all(set(edge) & set(chosen) for edge in edges)


def is_model(source, answer):
    return all(literals(source, answer) & set(clause) for clause in clauses(source))


def is_one_in_three(source, answer):
    return all(len(literals(source, answer) & set(clause)) == 1 for clause in clauses(source))


def is_exact_cover(source, answer):
    sets = content(source)
    covered = [int(element) for number in answer.split() for element in sets[int(number) - 1]]
    return sorted(covered) == list(range(1, int(source.split()[2]) + 1))


def is_matching(source, answer):
    chosen = [content(source)[int(number) - 1] for number in answer.split()]
    return all(sorted(column) == ["1", "2"] for column in zip(*chosen, strict=True))


def is_coloring(source, answer):
    colors = answer.split()
    edges = [words[1:] for words in content(source)]
    return set(colors) <= {"1", "2"} and all(
        colors[int(a) - 1] != colors[int(b) - 1] for a, b in edges
    )


def is_permutation(source, answer):
    columns = [int(word) for word in answer.split()]
    rows = content(source)
    return sorted(columns) == list(range(1, len(rows) + 1)) and all(
        row[column - 1] == "1" for row, column in zip(rows, columns, strict=True)
    )


def is_subset_sum(source, answer):
    (first, _, second, _), total = re.findall(r"\d+", source)[:4], int(source.split()[-1])
    chosen = dict(re.findall(r"(x\d) = ([01])", answer))
    return int(first) * int(chosen["x1"]) + int(second) * int(chosen["x2"]) == total


def is_code(source, answer):
    board = Board.parse(source)
    codes = [speller(board.game).print_code(code) for code in twins.consistent(board)]
    return answer in codes


class Problem(NamedTuple):
    """Two sources of one reduction, and a judge of answers by the definition of the problem."""

    name: str
    options: tuple[str, ...]
    solvable: str
    unsolvable: str | None
    """None if `mmsat check` would search long for the most probable correction."""
    judge: Callable[[str, str], bool]


CONTRARY = "p cnf 3 2\n1 2 3 0\n-1 -2 -3 0\n"
"""At least one of three variables is true, and at least one is false."""
IMPOSSIBLE = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
THREE = "p cnf 4 2\n1 2 3 0\n-1 2 4 0\n"
CIRCLE = "p cover 4 4\n1 2\n2 3\n3 4\n1 4\n"
TRIANGLES = "p cover 6 6\n1 2\n2 3\n1 3\n4 5\n5 6\n4 6\n"
MATCHED = "p 3dm 2 3\n1 1 1\n2 2 2\n1 2 2\n"
UNMATCHED = "p 3dm 2 2\n1 1 1\n2 2 1\n"
DIAGONAL = "0 1 1\n1 1 0\n0 0 1\n"
SINGULAR = "1 1 0\n0 0 1\n0 0 1\n"
NEUTRAL = "2x3b\n33=0\n11=1\n23=0\n"
TWO = "3x2b\n111=1\n112=2\n"
PROBLEMS = [
    *(
        Problem(name, ("-k", "2"), CYCLE, COMPLETE, is_cover)
        for name in ("vertex-cover", "vertex-cover-regular", "vertex-cover-three-colors")
    ),
    Problem("sat", (), THREE, IMPOSSIBLE, is_model),
    Problem(
        "another-solution",
        ("-k", "2"),
        "p cnf 2 2\n1 2 0\n-1 0\n",
        "p cnf 1 2\n1 0\n-1 0\n",
        is_model,
    ),
    Problem(CHAIN, (), "p cnf 4 2\n1 2 -3 -4 0\n-1 -2 0\n", IMPOSSIBLE, is_model),
    Problem("one-in-three-3sat", (), THREE, CONTRARY, is_one_in_three),
    Problem("consistent-mastermind", (), CONTRARY.replace("-2", "2"), None, is_one_in_three),
    Problem(
        "regular-one-in-k",
        (),
        "p cnf 4 4\n1 2 0\n2 3 0\n3 4 0\n4 1 0\n",
        "p cnf 3 3\n1 2 0\n2 3 0\n3 1 0\n",
        is_one_in_three,
    ),
    Problem("exact-cover", (), "p cover 3 3\n1 2\n2 3\n3\n", TRIANGLES, is_exact_cover),
    Problem("consistent-exact-cover", (), CIRCLE, None, is_exact_cover),
    Problem("three-dimensional-matching", (), MATCHED, UNMATCHED, is_matching),
    Problem("three-dimensional-matching-colors", (), MATCHED, UNMATCHED, is_matching),
    Problem("graph-coloring", ("-k", "2"), PATH, TRIANGLE, is_coloring),
    Problem("permanent", (), DIAGONAL, SINGULAR, is_permutation),
    Problem("k-permanent", ("-k", "2"), DIAGONAL, SINGULAR, is_permutation),
    Problem("linear-system", (), "3 x1 + 5 x2 = 5\n", "2 x1 + 4 x2 = 3\n", is_subset_sum),
    Problem("lies", ("--lies", "1"), "3x4\n112=1.1\n344=0.1\n", "2x2\n11=2.0\n22=2.0\n", is_code),
    Problem("black-white-lift", (), NEUTRAL, NEUTRAL.replace("11=1", "22=2"), is_code),
    Problem("permutation-game", (), TWO, TWO.replace("112=2", "111=2"), is_code),
]
