"""The solver languages in which a board can be written, by name."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar

from mmsat._util.registry import UnknownName
from mmsat._util.text import join_words
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.encodings import Encoding
from mmsat.encoding.writers import (
    lp_comment,
    write_asp,
    write_cnf,
    write_dzn,
    write_lp,
    write_minizinc,
    write_opb,
    write_smtlib,
    write_wcnf,
)
from mmsat.errors import InputError
from mmsat.game.board import Board

E = TypeVar("E", bound=str | Encoding)


@dataclass(frozen=True)
class Writer:
    """A solver language and the function that writes it."""

    name: str
    """The name on the command line."""
    suffix: str
    """The ending of the names of files in this language."""
    summary: str
    """One line for the catalogue: the language and the solvers that read it."""
    comment: str
    """The characters that start a comment."""
    pieces: Callable[..., Iterator[str]]
    """Yields the text of a board in pieces, given the board and, if `has_encoding`, an encoding."""
    has_encoding: bool = False
    """Whether the language consists of clauses, so that an encoding is needed."""
    comment_lines: Callable[[str], Iterator[str]] | None = None
    """Yields the lines of a comment of any length, if the language limits the length of lines."""

    def write(self, board: Board, encoding: str | Encoding = DEFAULT) -> Iterator[str]:
        """Return the text of the file in pieces. The same board gives the same bytes.

        Raises InputError if the language has only clauses and the encoding needs other constraints.
        """
        return self.pieces(board, encoding) if self.has_encoding else self.pieces(board)

    def export(self, board: Board, encoding: str | Encoding | None = None) -> Iterator[str]:
        """Yield the text of the file, with a comment that states the version and the command."""
        encoding_name = self.encoding_of(encoding)
        option = f" --encoding {encoding_name}" if encoding_name else ""
        from mmsat import __version__

        origin = f"mmsat {__version__}: mmsat encode {board} --to {self.name}{option}"
        pieces = self.write(board, encoding_name) if encoding_name else self.write(board)
        if self.comment_lines is not None:
            yield from self.comment_lines(origin)
        else:
            first_line, newline, remaining_text = next(pieces, "").partition("\n")
            yield f"{first_line}{newline}{self.comment} {origin}\n{remaining_text}"
        yield from pieces

    def encoding_of(self, encoding: E | None) -> E | str | None:
        """Return the encoding to use, or None for a language without clauses.

        Raises InputError if an encoding is given for a language without clauses.
        """
        if encoding is not None and not self.has_encoding:
            raise InputError.of(
                "the encoding", "none", str(encoding), f"the format {self.name} has no clauses"
            )
        return (DEFAULT if encoding is None else encoding) if self.has_encoding else None


_CNF = "DIMACS CNF, for SAT solvers and model counters"
_WCNF = "DIMACS WCNF with rows of weight 1, for MaxSAT solvers"
_LP = "CPLEX LP, for integer linear solvers"
_DZN = "MiniZinc data for the model in encodings/models/minizinc"
_MINIZINC = "MiniZinc, the model and the board's data in one file"
WRITERS = {
    writer.name: writer
    for writer in (
        Writer("asp", ".asp", "answer set program, for clingo", "%", write_asp),
        Writer("cnf", ".cnf", _CNF, "c", write_cnf, has_encoding=True),
        Writer("dzn", ".dzn", _DZN, "%", write_dzn),
        Writer("lp", ".lp", _LP, "\\", write_lp, comment_lines=lp_comment),
        Writer("minizinc", ".mzn", _MINIZINC, "%", write_minizinc),
        Writer("opb", ".opb", "OPB, for pseudo-Boolean solvers", "*", write_opb),
        Writer("smtlib", ".smt2", "SMT-LIB 2 (QF_LIA), for SMT solvers", ";", write_smtlib),
        Writer("wcnf", ".wcnf", _WCNF, "c", write_wcnf, has_encoding=True),
    )
}
ALIASES = {"smt2": "smtlib", "mzn": "minizinc"}
"""Other accepted names of formats; these are also endings of file names."""
PROBABLE_NAMES = {
    "clingo": "asp",
    "cplex": "lp",
    "dimacs": "cnf",
    "ilp": "lp",
    "maxsat": "wcnf",
    "mip": "lp",
    "pb": "opb",
    "pseudo-boolean": "opb",
    "sat": "cnf",
    "smt": "smtlib",
    "smt-lib": "smtlib",
    "z3": "smtlib",
}
"""The format that is probably meant by a name that is not accepted."""
ENDINGS = {writer.suffix: writer.name for writer in WRITERS.values()} | {".dimacs": "cnf"}
"""The format for each ending of a file name. `.lp` means CPLEX LP. Answer set programs, for which
clingo also uses `.lp`, have the ending `.asp`."""


def find_writer(name: str, others: Collection[str] = (), source: str = "") -> Writer:
    """Return the writer of a format. Raises InputError for an unknown name.

    The message also lists `others`, which are further names that the caller accepts, and names
    `source`, the option.
    """
    writer = WRITERS.get(ALIASES.get(name, name))
    if writer is not None:
        return writer
    names = [*WRITERS, *ALIASES, *others]
    plain = name.lower().strip(".")
    meant = PROBABLE_NAMES.get(plain, plain)
    near = [meant] if meant in names else ()
    raise InputError([UnknownName.of("format", name, sorted(names), near=near)], source)


def find_format(file: str) -> str | None:
    """Return the format for the ending of a file name, or None for a name without ending.

    Raises InputError for an unknown ending.
    """
    ending = PurePath(file).suffix
    if ending and ending.lower() not in ENDINGS:
        expected = f"a name that ends with {join_words(sorted(ENDINGS), 'or')}, or the option --to"
        raise InputError.of("--output", expected, file, f"unknown ending {ending}")
    return ENDINGS[ending.lower()] if ending else None
