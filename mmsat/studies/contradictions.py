"""Contradictions that need no search: between two similar rows, or by linear algebra."""

import numpy as np

from mmsat.board import Board
from mmsat.constraints.algebra.certificate import Certificate, Summable
from mmsat.constraints.algebra.simplify import simplify
from mmsat.constraints.algebra.two_color_equations import read_equations
from mmsat.constraints.linear_algebra import pivot_columns
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.solving.simplification import is_algebraic, simplify_two_colors

PRIMES = {"rational": 2_147_483_629, "mod 2": 2, "mod 3": 3}
"""Primes modulo which equations are eliminated. A large one represents the rationals: the chance
of a contradiction modulo this prime alone is one in billions."""
MAX_DENSE_WORK = 30_000_000
"""Rows squared times columns up to which that is done: some hundredths of a second."""


def is_degenerate(board: Board) -> bool:
    """Return whether two rows, with the weight of the code in two colors, contradict each other.

    Let two guesses agree at e of N pegs. A code has t black pegs where they agree, the same of
    both, and elsewhere a peg is black of one at most: of t from 0 to e, both blacks and no more
    than N - e others, there must be one. In two colors a peg elsewhere is black of exactly one, so
    that t is known; and with the weight, which the first row tells, so are the ones of the code
    among the pegs of each of four kinds. Guesses that are nearly equal, or in two colors nearly
    complementary, leave no room for scores that differ, or do not add up.
    """
    guesses = np.array([row.guess for row in board.rows])
    black = np.array([row.score[0] for row in board.rows])
    if board.game.colors > 2:
        agree = (guesses[:, None] == guesses[None]).sum(axis=2)
        both = black[:, None] + black[None]
        most = np.minimum(agree, np.minimum(black[:, None], black[None]))
        return bool((both - board.game.pegs + agree > 2 * most).any())
    weight = board.game.pegs - black[0]  # the first guess is of the first color alone
    sizes = guesses.sum(axis=1)
    ones = (black - board.game.pegs + sizes + weight) // 2
    both = guesses @ guesses.T
    first, second = ones[:, None], ones[None]
    least = np.maximum(0, first - (sizes[:, None] - both))
    least = np.maximum(least, np.maximum(second - (sizes[None] - both), first + second - weight))
    neither = board.game.pegs - sizes[:, None] - sizes[None] + both
    most = np.minimum(
        np.minimum(both, first), np.minimum(second, neither - weight + first + second)
    )
    return bool((least > most).any())


def name_refutation(board: Board) -> str:
    """Return how linear algebra refutes a board, or "" if it does not.

    What is found first counts: "rational", "mod 2" and "mod 3" by elimination in black as the board
    scores it, with one color a peg; the same, or "integers" by another modulus, or "bounds" by what
    the left side can be at most, with the certificate of presolve or of the algebra of two colors;
    "hidden" by parities that several rows say together.
    """
    left, total = _black(board)
    if left.shape[0] ** 2 * left.shape[1] <= MAX_DENSE_WORK:
        for name, prime in PRIMES.items():
            table = np.column_stack([left, total]) % prime
            if left.shape[1] in pivot_columns(table, prime):  # a row is 0 = 1
                return name
    if not is_algebraic(board):
        refuted = presolve(board)
        if not isinstance(refuted, Infeasibility):
            return ""
        return _name(refuted.certificate, refuted.equations)
    made = [(simplify(equations), equations) for equations in read_equations(board)]
    names = [_name(proof, equations) for proof, equations in made if isinstance(proof, Certificate)]
    if len(names) == len(made):
        return max(names, default="bounds")
    return "" if simplify_two_colors(board) else "hidden"


def _name(proof: Certificate | None, equations: Summable | None) -> str:
    """Return the kind of a proof; the power of one prime of a modulus suffices."""
    if proof is None or equations is None:
        return "bounds"
    left, total = equations.sum_up(proof.multipliers)
    if not proof.modulus:
        return "bounds" if any(left) else "rational"
    for prime in (2, 3):
        power = 1
        while proof.modulus % (power * prime) == 0:
            power *= prime
        if total % power:
            return f"mod {prime}"
    return "integers"


def _black(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Return the equations of black and of one color per peg; a column is a color of a peg."""
    pegs, colors = board.game.pegs, board.game.colors
    left = np.zeros((pegs + len(board.rows), pegs * colors), dtype=np.int64)
    for peg in range(pegs):
        left[peg, peg * colors : (peg + 1) * colors] = 1
    for number, row in enumerate(board.rows, pegs):
        left[number, [peg * colors + color for peg, color in enumerate(row.guess)]] = 1
    return left, np.array([1] * pegs + [row.score[0] or 0 for row in board.rows])
