"""Languages of solvers and formats of competitions in which a board can be written, by name.

The SAT Competition wants clauses in DIMACS, with exact numbers and with comments at the start. The
Model Counting Competition adds the lines `c t mc` and `c p show`. The MaxSAT Evaluation has no
header since 2022, and marks hard clauses by `h`. The Pseudo-Boolean Competition wants the header
of OPB with all four numbers, and the MiniZinc Challenge a model with one data file per instance.

The Global Benchmark Database (GBD) identifies an instance by an MD5 of its normalized text: all
comments and headers are removed, and spaces are unified. `gbd_hash` computes it.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from mmsat._util.registry import UnknownName
from mmsat._util.text import join_words
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.encodings import Encoding, Formula
from mmsat.encoding.writers import (
    clause_formula,
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


BOARD_COMMENT = re.compile(
    r"^(?:c|\*|\\|%|;) mmsat (?!\d+\.\d+\.\d+: )(.+(?:\n\\ .+)*)", re.MULTILINE
)
"""A comment with a board, which several lines of LP contain. Comments with a version differ."""


def encoded_board(text: str) -> str:
    """Return the board line in the comments of a written file; empty if there is none."""
    found = BOARD_COMMENT.search(text)
    return found[1].replace("\n\\ ", "") if found else ""


def find_format(file: str) -> str | None:
    """Return the format for the ending of a file name, or None for a name without ending.

    Raises InputError for an unknown ending.
    """
    ending = PurePath(file).suffix
    if ending and ending.lower() not in ENDINGS:
        expected = f"a name that ends with {join_words(sorted(ENDINGS), 'or')}, or the option --to"
        raise InputError.of("--output", expected, file, f"unknown ending {ending}")
    return ENDINGS[ending.lower()] if ending else None


def write_sat(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF; each consistent code is one model."""
    return _dimacs(board, clause_formula(board, DEFAULT), comments)


def write_counting(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF for model counters.

    The number of models and the number of models projected to the code variables are both the
    number of consistent codes.
    """
    formula = clause_formula(board, DEFAULT)
    code_variables = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield "c t mc\n"
    yield from _dimacs(board, formula, comments, f"c p show {code_variables} 0\n")


def _dimacs(
    board: Board, formula: Formula, comments: Iterable[str], shown: str = ""
) -> Iterator[str]:
    yield from _comments("c", board, comments)
    yield shown
    clauses = [*_strict_clauses(formula)]
    yield f"p cnf {formula.variables} {len(clauses)}\n"
    for clause in clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"


def _strict_clauses(formula: Formula) -> Iterator[list[int]]:
    """Yield the clauses without repeated literals and without tautologies."""
    for clause in formula.clauses:
        literals = dict.fromkeys(clause)
        if not any(-literal in literals for literal in literals):
            yield [*literals]


def write_maxsat(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of WCNF as of 2022: hard clauses, and one soft clause per row."""
    formula = clause_formula(board, DEFAULT, with_selectors=True)
    yield from _comments("c", board, comments)
    for clause in _strict_clauses(formula):
        yield " ".join(map(str, ["h", *clause, 0])) + "\n"
    for selector in formula.selectors:
        yield f"1 {selector} 0\n"


def write_pb(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of OPB, without an objective."""
    lines = "".join(write_opb(board)).splitlines(keepends=True)
    yield lines[0]
    yield from _comments("*", board, comments)
    yield from (line for line in lines[1:] if not line.startswith("*"))


def write_minizinc_data(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the data for encodings/models/minizinc/mastermind.mzn."""
    yield from (f"% {comment}\n" for comment in comments)
    yield from (piece for piece in write_dzn(board) if not piece.startswith("%"))


def _comments(start: str, board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield comments, and the meaning of the code variables."""
    yield from (f"{start} {comment}\n" for comment in comments)
    colors = board.game.colors
    yield f"{start} variable 1 + color + {colors} * peg, from 0: the peg has the color\n"


def gbd_hash_of_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in DIMACS CNF."""
    clauses = (" ".join(line.split()) for line in lines if line[:1] not in ("c", "p"))
    return _md5(" ".join(clauses))


def gbd_hash_of_soft_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in WCNF as of 2022.

    The program that defines this hash writes a space only before a clause that follows a soft
    clause, so that hard clauses are joined without a space.
    """
    text, is_after_soft = [], False
    for line in lines:
        if line[:1] != "c":
            text.append(f"{' ' * is_after_soft}{' '.join(line.split())}")
            is_after_soft = is_after_soft or line[:1] != "h"
    return _md5("".join(text))


def gbd_hash_of_sums(lines: Iterable[str]) -> str:
    """Return the hash of constraints in OPB: without `+`, and without spaces around the end."""
    constraints = (line for line in lines if line[:1] != "*")
    return _md5("".join(re.sub(r" *;\s*", ";", line.replace("+", "")) for line in constraints))


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


class Competition(NamedTuple):
    """A kind of solvers, and the format of its competition."""

    name: str
    """The name on the command line."""
    title: str
    """The name of the competition."""
    suffix: str
    """The ending of the names of instances."""
    write: Callable[[Board, Iterable[str]], Iterator[str]]
    """Yields the text of an instance, given a board and the lines of a comment."""
    gbd_hash: Callable[[Iterable[str]], str] | None
    """Returns the identifier of GBD for the lines of an instance; None if GBD defines none."""


COMPETITIONS = {
    competition.name: competition
    for competition in (
        Competition("sat", "SAT Competition", ".cnf", write_sat, gbd_hash_of_clauses),
        Competition("pb", "Pseudo-Boolean Competition", ".opb", write_pb, gbd_hash_of_sums),
        Competition("maxsat", "MaxSAT Evaluation", ".wcnf", write_maxsat, gbd_hash_of_soft_clauses),
        Competition(
            "counting", "Model Counting Competition", ".cnf", write_counting, gbd_hash_of_clauses
        ),
        Competition("minizinc", "MiniZinc Challenge", ".dzn", write_minizinc_data, None),
    )
}
"""The competitions by name."""
