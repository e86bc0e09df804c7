"""MiniZinc, read by constraint and integer solvers of all kinds: the catalogue's model and data."""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.writers.dzn import data
from mmsat.encoding.writers.score_parts import model
from mmsat.encoding.writers.writer import Writer


class MiniZinc(Writer):
    """Integer variables, one a peg."""

    name = "minizinc"
    suffix = ".mzn"
    summary = "MiniZinc, the model and the board's data in one file"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """The model as it lies in the catalogue, then the data."""
        return iter((model("minizinc", "mastermind.mzn"), "\n", *data(board)))
