"""The languages of solvers that a board can be written in, by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mmsat.board import Board
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.writers.asp import write_asp
from mmsat.encoding.writers.dimacs import write_cnf, write_wcnf
from mmsat.encoding.writers.linear import write_lp, write_opb
from mmsat.encoding.writers.minizinc import write_dzn, write_minizinc
from mmsat.encoding.writers.smtlib import write_smtlib
from mmsat.errors import InputError
from mmsat.registry import UnknownName, load


@dataclass(frozen=True)
class Writer:
    """A language of solvers."""

    name: str
    """The name on the command line."""
    suffix: str
    """What the names of such files end in."""
    summary: str
    """One line for the catalogue: the language and who reads it."""
    comment: str
    """What starts a comment."""
    pieces: Callable[..., Iterator[str]]
    has_encoding: bool = False
    """Whether it is made of clauses, so that the choice of an encoding matters."""

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:
        """The file, in pieces to be written one after the other; the same bytes for a board.

        Raises InputError for an encoding that is not made of clauses, where it matters.
        """
        return self.pieces(board, encoding) if self.has_encoding else self.pieces(board)

    def export(self, board: Board, encoding: str | None = None) -> Iterator[str]:
        """The file with the version and the command that made it, after its first line."""
        used = self.encoding_of(encoding)
        named = f" --encoding {used}" if used else ""
        version = load("mmsat:__version__")
        recipe = f"mmsat {version}: mmsat encode {board} --to {self.name}{named}"
        pieces = self.write(board, used) if used else self.write(board)
        line, feed, rest = next(pieces, "").partition("\n")
        yield f"{line}{feed}{self.comment} {recipe}\n{rest}"
        yield from pieces

    def encoding_of(self, encoding: str | None) -> str | None:
        """The encoding that is used; None for a language that has no clauses, which takes none."""
        if encoding is not None and not self.has_encoding:
            raise InputError.of(
                "the encoding", "no encoding", encoding, f"{self.name} has no clauses"
            )
        return (DEFAULT if encoding is None else encoding) if self.has_encoding else None


_CLAUSES = "DIMACS CNF, for SAT solvers and model counters"
_SOFT = "DIMACS WCNF with rows of weight 1, for MaxSAT solvers"
_DATA = "MiniZinc data for the model in encodings/models/minizinc"
_MODEL = "MiniZinc, the model and the board's data in one file"
WRITERS = {
    writer.name: writer
    for writer in (
        Writer("asp", ".asp", "answer set program, for clingo", "%", write_asp),
        Writer("cnf", ".cnf", _CLAUSES, "c", write_cnf, has_encoding=True),
        Writer("dzn", ".dzn", _DATA, "%", write_dzn),
        Writer("lp", ".lp", "CPLEX LP, for integer linear solvers", "\\", write_lp),
        Writer("minizinc", ".mzn", _MODEL, "%", write_minizinc),
        Writer("opb", ".opb", "OPB, for pseudo-Boolean solvers", "*", write_opb),
        Writer("smtlib", ".smt2", "SMT-LIB 2 (QF_LIA), for SMT solvers", ";", write_smtlib),
        Writer("wcnf", ".wcnf", _SOFT, "c", write_wcnf, has_encoding=True),
    )
}
ALSO = {"smt2": "smtlib", "mzn": "minizinc"}
"""Other names: what files end in."""


def find_writer(name: str) -> Writer:
    """The language of a name, or of the ending of a file; raises InputError for another."""
    found = WRITERS.get(ALSO.get(name, name))
    if found is None:
        raise InputError([UnknownName.of("language", name, [*WRITERS, *ALSO])], "")
    return found
