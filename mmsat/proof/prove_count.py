"""Prove the number of codes of a board by a text that can be checked without trust in the counter.

The proof is limited to boards whose decision diagram is small; the limit is found before anything
is written.
"""

from collections.abc import Iterator

from mmsat._util.arguments import check_arguments
from mmsat.constraints import System
from mmsat.counting.layout import Orders
from mmsat.game.board import Board, Status
from mmsat.proof.attempts import Progress, run_prover
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.count_writer import CountWriter
from mmsat.proof.counting_formula import CountingFormula, print_order, require_supported
from mmsat.proof.prove import Proof, verify_own
from mmsat.solving.deadline import Deadline


@check_arguments
def prove_count(
    board: Board | str, *, timeout: float | None = None, on_progress: Progress | None = None
) -> Proof | None:
    """Prove the number of codes of a board by a text that can be checked without the counter.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the board or another argument is invalid.
    SizeError
        If the board has a word list, pairs or unread pegs in a guess, or if the proof would need
        more than 100,000 edges between states.

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
    proof: Proof | None = run_prover(Deadline(timeout), on_progress, make_proof, Board.of(board))
    return proof


def make_proof(board: Board) -> Iterator[str | Proof]:
    """Yield progress messages, and finally the proof."""
    require_supported(System.of(board))
    text = board_text(board)
    board = read_board(text)  # games from files lose only the name of the file
    order = select_order(board)
    writer = CountWriter(CountingFormula(board, order))
    yield from writer.write()
    fields = {"count": str(writer.count), "order": print_order(order)}
    sections = {"cnf": writer.formula.text, "scpog": writer.text}
    bundle = Bundle(text, "counted", "count", fields, sections)
    yield "checking the proof"
    status = Status.CONSISTENT if writer.count else Status.INCONSISTENT
    yield verify_own(board, status, (), bundle, writer.count)


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
