"""The solver languages in which a board can be written, by name."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from mmsat._util.registry import UnknownName
from mmsat._util.text import join_words
from mmsat.encoding.cnf import DEFAULT
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


@dataclass(frozen=True)
class Writer:
    """A solver language and the function that writes it."""

    name: str
    """The name on the command line."""
    suffix: str
    """The ending of file names in this language."""
    summary: str
    """One line for the catalogue: the language and the solvers that read it."""
    comment: str
    """The beginning of a comment."""
    pieces: Callable[..., Iterator[str]]
    """Yields the text of a board in pieces, given the board and, if `has_encoding`, an encoding."""
    has_encoding: bool = False
    """Whether the language consists of clauses, so that an encoding is chosen."""
    comment_lines: Callable[[str], Iterator[str]] | None = None
    """Yields the lines of a comment of any length, if the language limits the length of lines."""

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:
        """Return the text of the file in pieces. The same board gives the same bytes.

        Raises InputError if the language needs clauses and the encoding does not consist of clauses
        only.
        """
        return self.pieces(board, encoding) if self.has_encoding else self.pieces(board)

    def export(self, board: Board, encoding: str | None = None) -> Iterator[str]:
        """Yield the file, with a comment near the top: the version and the command that made it."""
        used = self.encoding_of(encoding)
        named = f" --encoding {used}" if used else ""
        from mmsat import __version__

        recipe = f"mmsat {__version__}: mmsat encode {board} --to {self.name}{named}"
        pieces = self.write(board, used) if used else self.write(board)
        if self.comment_lines is not None:
            yield from self.comment_lines(recipe)
        else:
            line, feed, remaining_text = next(pieces, "").partition("\n")
            yield f"{line}{feed}{self.comment} {recipe}\n{remaining_text}"
        yield from pieces

    def encoding_of(self, encoding: str | None) -> str | None:
        """Return the encoding to use, or None for a language without clauses.

        Raises InputError if an encoding is given for a language without clauses.
        """
        if encoding is not None and not self.has_encoding:
            raise InputError.of(
                "the encoding", "none", encoding, f"the format {self.name} has no clauses"
            )
        return (DEFAULT if encoding is None else encoding) if self.has_encoding else None


_CLAUSES = "DIMACS CNF, for SAT solvers and model counters"
_SOFT = "DIMACS WCNF with rows of weight 1, for MaxSAT solvers"
_LINEAR = "CPLEX LP, for integer linear solvers"
_DATA = "MiniZinc data for the model in encodings/models/minizinc"
_MODEL = "MiniZinc, the model and the board's data in one file"
WRITERS = {
    writer.name: writer
    for writer in (
        Writer("asp", ".asp", "answer set program, for clingo", "%", write_asp),
        Writer("cnf", ".cnf", _CLAUSES, "c", write_cnf, has_encoding=True),
        Writer("dzn", ".dzn", _DATA, "%", write_dzn),
        Writer("lp", ".lp", _LINEAR, "\\", write_lp, comment_lines=lp_comment),
        Writer("minizinc", ".mzn", _MODEL, "%", write_minizinc),
        Writer("opb", ".opb", "OPB, for pseudo-Boolean solvers", "*", write_opb),
        Writer("smtlib", ".smt2", "SMT-LIB 2 (QF_LIA), for SMT solvers", ";", write_smtlib),
        Writer("wcnf", ".wcnf", _SOFT, "c", write_wcnf, has_encoding=True),
    )
}
ALSO = {"smt2": "smtlib", "mzn": "minizinc"}
"""Other accepted names of formats, which are endings of files."""
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
"""Names that are not accepted, and the format that is probably meant."""
ENDINGS = {writer.suffix: writer.name for writer in WRITERS.values()} | {".dimacs": "cnf"}
"""The format of a file by its ending. `.lp` is CPLEX LP; answer set programs, for which clingo uses
the same ending, are `.asp`."""


def find_writer(name: str, others: Collection[str] = (), source: str = "") -> Writer:
    """Return the writer of a format; raises InputError for an unknown name.

    `others` are names that the caller accepts, too, and `source` is the option, for the message.
    """
    writer = WRITERS.get(ALSO.get(name, name))
    if writer is not None:
        return writer
    names = [*WRITERS, *ALSO, *others]
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
        write = f"a name that ends with {join_words(sorted(ENDINGS), 'or')}, or the option --to"
        raise InputError.of("--output", write, file, f"unknown ending {ending}")
    return ENDINGS[ending.lower()] if ending else None
