"""Plain twins of the proof checkers, written from the definitions alone, and proofs for tests."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from mmsat._core import Check, LratChecker, Trimmer
from mmsat.game.scoring import Pairs
from mmsat.proof.bundle import Bundle, board_text
from mmsat.proof.prove import refute_by_sat
from tests.support.random_boards import inconsistent_boards
from tests.support.tiers import share

if TYPE_CHECKING:
    import random

    from mmsat.game.board import Board

Clause = tuple[int, ...]
Formula = list[list[int]]


def follows(clauses: list[list[int]] | list[Clause], lemma: list[int] | Clause) -> bool:
    """Return whether unit propagation refutes the clauses with all literals of the lemma false."""
    false = set(lemma)
    if any(-literal in false for literal in false):
        return True
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            remaining = {literal for literal in clause if literal not in false}
            if not remaining:
                return True
            if len(remaining) == 1:
                (literal,) = remaining
                if -literal not in false:
                    false.add(-literal)
                    changed = True
    return False


def lrat_holds(variables: int, formula: Formula, text: str) -> bool:
    """Return whether an LRAT proof is valid by definition, in the strict form that mmsat writes.

    New clauses are numbered in order, and deletions have the number of the last clause.
    """
    clauses = dict(enumerate(map(tuple, formula), 1))
    last = len(clauses)
    if not text.endswith("\n"):
        return False
    lines = text[:-1].split("\n")
    for number, line in enumerate(lines, 1):
        words = line.split(" ")
        is_deletion = words[1:2] == ["d"]
        try:
            numbers = [int(word) for word in words if word != "d"]
        except ValueError:
            return False
        if [str(n) for n in numbers] != [word for word in words if word != "d"]:
            return False
        if words.count("d") != is_deletion or numbers[-1] != 0:
            return False
        name, *remainder = numbers[:-1]
        if is_deletion:
            if name != last:
                return False
            for entry in remainder:
                if clauses.pop(entry, None) is None:
                    return False
            continue
        if remainder.count(0) != 1 or name != last + 1:
            return False
        place = remainder.index(0)
        lemma, hints = remainder[:place], remainder[place + 1 :]
        if len({abs(literal) for literal in lemma}) < len(lemma):
            return False
        if any(abs(literal) > variables for literal in lemma):
            return False
        if not implied(clauses, lemma, hints):
            return False
        last = name
        clauses[last] = tuple(lemma)
        if not lemma:
            return number == len(lines)
    return False


def implied(clauses: dict[int, Clause], lemma: list[int], hints: list[int]) -> bool:
    """Return whether unit propagation of the hinted clauses, in order, implies the lemma.

    All literals of the lemma are assumed to be false. The last hint must be the contradiction, and
    each other hint must make a literal true.
    """
    true = {-literal for literal in lemma}
    for place, hint in enumerate(hints):
        if hint not in clauses:
            return False
        remaining = {literal for literal in clauses[hint] if -literal not in true}
        if not remaining:
            return place == len(hints) - 1
        if len(remaining) > 1 or remaining & true:
            return False
        true |= remaining
    return False


def flat(formula: Formula) -> array[int]:
    """Return a formula in the form of the kernel: the clauses, each followed by 0."""
    return array("i", [literal for clause in formula for literal in (*clause, 0)])


def checked(variables: int, formula: Formula, text: str, work: int = 1 << 30) -> LratChecker | None:
    """Return the kernel's checker if a proof holds, else None; run it in slices of `work`."""
    checker = LratChecker(variables, flat(formula), text.encode())
    while (state := checker.advance(work)) == Check.UNFINISHED:
        pass
    return checker if state == Check.HOLDS else None


def trimmed(variables: int, formula: Formula, drup: str, work: int = 1 << 30) -> Trimmer:
    """Run the trimmer on a DRUP proof to the end, and return it."""
    trimmer = Trimmer(variables, flat(formula), drup.encode())
    while trimmer.advance(work) == Check.UNFINISHED:
        pass
    return trimmer


def drup_of(solver: str, formula: Formula) -> str | None:
    """Return the proof that a solver writes for a formula, or None if it does not refute it."""
    with Solver(solver, bootstrap_with=formula, with_proof=True) as opened:
        return None if opened.solve() else "".join(f"{line}\n" for line in opened.get_proof())


def random_formula(rng: random.Random) -> tuple[int, Formula]:
    """Return a number of variables, and random clauses.

    All clauses have three different literals, or they have one to three that may repeat.
    """
    if rng.random() < 0.5:
        variables = rng.randint(10, 45)
        drawn = [rng.sample(range(1, variables + 1), 3) for _ in range(5 * variables)]
        return variables, [[rng.choice((-1, 1)) * entry for entry in clause] for clause in drawn]
    variables = rng.randint(1, 30)
    return variables, [
        [rng.choice((-1, 1)) * rng.randint(1, variables) for _ in range(rng.randint(1, 3))]
        for _ in range(rng.randint(1, 6 * variables))
    ]


def bundle_of(
    board: Board, rows: tuple[int, ...] | None = None, encoding: str | None = None
) -> Bundle:
    """Return a proof of an inconsistent board by lemmas, made in this process."""
    chosen = tuple(range(len(board.rows))) if rows is None else rows
    *_, (_, fields, sections) = refute_by_sat(board, [chosen], encoding)
    return Bundle(board_text(board), "inconsistent", "lrat", fields, sections)


@lru_cache(maxsize=1)
def proofs() -> tuple[tuple[Board, Bundle], ...]:
    """Return inconsistent boards of all kinds of games, each with its proof by lemmas."""
    boards = [board for board in inconsistent_boards(share(700), seed=91) if is_writable(board)]
    return tuple((board, bundle_of(board)) for board in boards)


def is_writable(board: Board) -> bool:
    """Return whether a board can be written: there is no notation for word lists of pairs."""
    return board.game.space.table() is None or not isinstance(board.game.scoring, Pairs)
