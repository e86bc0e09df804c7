"""Prove the number of codes of a board by a text that can be checked without trust in the counter.

The proof is limited to boards whose decision diagram is small; the limit is found before anything
is written.
"""

from dataclasses import dataclass

from mmsat._util.arguments import check_arguments
from mmsat._util.display import Shown
from mmsat.constraints.system import System
from mmsat.counting.layout import Orders
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.count_writer import CountWriter
from mmsat.proof.counting_formula import CountingFormula, print_order
from mmsat.proof.verify import verify
from mmsat.solving.isolation import run_within


@dataclass(frozen=True, slots=True, repr=False)
class CountProof(Shown):
    """A proof of the number of codes of a board that was verified after it was made."""

    board: Board
    """The board that the proof is about."""
    count: int
    """The number of codes."""
    text: str
    """The content of the file."""

    def __str__(self) -> str:
        return self.text


@check_arguments
def prove_count(board: Board | str, *, timeout: float | None = None) -> CountProof:
    """Prove the number of codes of a board by a text that can be checked without the counter.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    timeout : float, optional
        Time limit in seconds. By default, there is none.

    Returns
    -------
    CountProof
        The proof, which `verify` has already accepted.

    Raises
    ------
    InputError
        If the board or another argument is invalid.
    SizeError
        If the board has a word list, pairs or unread pegs in a guess, or if the proof would need
        more than 100,000 edges between states.
    TimeLimitError
        If the proof is not made within `timeout`.

    Notes
    -----
    The proof has a formula whose models correspond to the codes one to one, and a certificate in
    the format SCPOG [1]_: a graph of disjoint sums and products whose number of models is plain,
    with lemmas that the formula implies the graph. The graph is the decision diagram of the board,
    peg by peg. The size is about half a kilobyte for each edge.

    References
    ----------
    .. [1] R. E. Bryant, Y. K. Tan and M. J. H. Heule, "Certifying projected knowledge compilation",
       SAT 2025.

    Examples
    --------
    >>> proof = mmsat.prove_count("4x6/1122=1.1/3345=0.2")
    >>> proof.count, mmsat.verify(proof).count
    (36, 36)
    """
    board = Board.of(board)
    return run_within(timeout, _prove_count, board, task_name="the proof")


def _prove_count(board: Board) -> CountProof:
    """Return the proof of a count."""
    order = select_order(board)
    CountingFormula(board, order)  # raises SizeError for unsupported boards
    text = board_text(board)
    board = read_board(text)  # games from files lose only the name of the file
    writer = CountWriter(CountingFormula(board, order))
    certificate = writer.write()
    fields = {"count": str(writer.count), "order": print_order(writer.formula.order)}
    sections = {"cnf": writer.formula.text, "scpog": certificate}
    proof = str(Bundle(text, "counted", "count", fields, sections))
    verified = verify(proof, board=board)
    if not verified.holds:
        raise InternalError(f"a new proof was rejected: {verified.reason}")
    return CountProof(board, writer.count, proof)


def select_order(board: Board) -> tuple[int, ...]:
    """Return an order of the pegs in which few counters are in use at a time."""
    system = System.of(board)
    variables, constraints = system.variables, system.constraints
    pegs = [
        [
            variables.peg_color(literal)[0]
            for literal in constraint.literals
            if isinstance(literal, int) and variables.is_at(literal)
        ]
        for constraint in constraints
    ]
    return Orders(board.game.pegs, pegs, [constraint.high for constraint in constraints]).best
