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
"""Maximum of rows squared times columns for elimination: some hundredths of a second."""


def is_degenerate(board: Board) -> bool:
    """Return whether two rows contradict each other; for two colors, together with the weight.

    Let two guesses agree at e of N pegs. If a code matches t of these pegs, they are black in both
    rows. At the other pegs, a peg is black in at most one of the rows. So there must be a t from 0
    to e that exceeds neither black score, such that the rows have at most N - e other black pegs
    together. With two colors, each other peg is black in exactly one row, which determines t. The
    weight, which the first row gives, then determines the number of ones of the code among the pegs
    of each of four kinds. Guesses that are nearly equal, or with two colors nearly complementary,
    allow only scores that are nearly equal, or that nearly add up.
    """
    guesses = np.array([row.guess for row in board.rows])
    black = np.array([row.score[0] for row in board.rows])
    if board.game.colors > 2:
        agree = (guesses[:, None] == guesses[None]).sum(axis=2)
        common = black[:, None] + black[None]
        upper = np.minimum(agree, np.minimum(black[:, None], black[None]))
        return bool((common - board.game.pegs + agree > 2 * upper).any())
    weight = board.game.pegs - black[0]  # the first guess is of the first color alone
    sizes = guesses.sum(axis=1)
    ones = (black - board.game.pegs + sizes + weight) // 2
    common = guesses @ guesses.T
    first, second = ones[:, None], ones[None]
    lower = np.maximum(0, first - (sizes[:, None] - common))
    lower = np.maximum(lower, np.maximum(second - (sizes[None] - common), first + second - weight))
    neither = board.game.pegs - sizes[:, None] - sizes[None] + common
    upper = np.minimum(
        np.minimum(common, first), np.minimum(second, neither - weight + first + second)
    )
    return bool((lower > upper).any())


def name_refutation(board: Board) -> str:
    """Return how linear algebra refutes a board, or "" if it does not.

    The first of these that refutes the board:

    - "rational", "mod 2" or "mod 3": elimination in the equations of black and of one color per
      peg.
    - The same, or "integers" for another modulus, or "bounds" if the right side is out of range:
      the certificate of presolve or of the algebra of two colors.
    - "hidden": parities that follow from several rows together.
    """
    left, total = _black(board)
    if left.shape[0] ** 2 * left.shape[1] <= MAX_DENSE_WORK:
        for name, prime in PRIMES.items():
            table = np.column_stack([left, total]) % prime
            if left.shape[1] in pivot_columns(table, prime):  # one of the rows reads 0 = 1
                return name
    if not is_algebraic(board):
        refuted = presolve(board)
        if not isinstance(refuted, Infeasibility):
            return ""
        return _name(refuted.certificate, refuted.equations)
    proofs = [(simplify(equations), equations) for equations in read_equations(board)]
    names = [
        _name(proof, equations) for proof, equations in proofs if isinstance(proof, Certificate)
    ]
    if len(names) == len(proofs):
        return max(names, default="bounds")
    return "" if simplify_two_colors(board) else "hidden"


def _name(proof: Certificate | None, equations: Summable | None) -> str:
    """Return the kind of a proof: "mod 2" or "mod 3" if a power of that prime suffices."""
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
    """Return the equations of black and of one color per peg; a column is a color at a peg."""
    pegs, colors = board.game.pegs, board.game.colors
    left = np.zeros((pegs + len(board.rows), pegs * colors), dtype=np.int64)
    for peg in range(pegs):
        left[peg, peg * colors : (peg + 1) * colors] = 1
    for number, row in enumerate(board.rows, pegs):
        left[number, [peg * colors + color for peg, color in enumerate(row.guess)]] = 1
    return left, np.array([1] * pegs + [row.score[0] or 0 for row in board.rows])
