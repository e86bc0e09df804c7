"""Write boards in the languages of other solvers, and read a code from their output.

A `Writer` writes one language. The format of a `Competition` restricts it further.

The SAT Competition wants clauses in DIMACS, with the exact numbers of variables and clauses in the
header, and with comments only at the start. The Model Counting Competition adds the line `c t mc`;
its track for projected counting has the line `c t pmc` instead, and a line `c p show` after the
header. The MaxSAT Evaluation has no header since 2022, and marks hard clauses by `h`. The
Pseudo-Boolean Competition wants the header of OPB with all four numbers, and the MiniZinc Challenge
a model with one data file per instance.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeVar, overload

from mmsat._util.arguments import check_arguments
from mmsat._util.files import uncompressed_name
from mmsat._util.registry import UnknownName
from mmsat._util.text import join_words, noun_phrase
from mmsat.constraints import System
from mmsat.encoding import Encoding, Formula
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.integer_models import CpBoard, answer_text, cp_model
from mmsat.encoding.solver_formats import OTHER_BOARD, Completeness, SolverLog, Value
from mmsat.encoding.writers import (
    clause_formula,
    gbd_hash_of_clauses,
    gbd_hash_of_soft_clauses,
    gbd_hash_of_sums,
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
from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.solving.deadline import run_within

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
            yield from self.comment_lines(self.summary)
            yield from self.comment_lines(origin)
        else:
            # The first line stays first: in OPB it must be the header.
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
_LP = "CPLEX LP, for integer linear solvers (not for clingo, whose programs are --to asp)"
_DZN = "MiniZinc data for the model in encodings/models/minizinc"
_MINIZINC = "MiniZinc, the model and the board's data in one file"
WRITERS = {
    writer.name: writer
    for writer in (
        Writer(
            "asp", ".asp", "answer set program, for clingo (not for linear solvers)", "%", write_asp
        ),
        Writer("cnf", ".cnf", _CNF, "c", write_cnf, has_encoding=True),
        Writer("dzn", ".dzn", _DZN, "%", write_dzn),
        Writer("lp", ".lp", _LP, "\\", write_lp, comment_lines=lp_comment),
        Writer("minizinc", ".mzn", _MINIZINC, "%", write_minizinc),
        Writer("opb", ".opb", "OPB, for pseudo-Boolean solvers", "*", write_opb),
        Writer("smtlib", ".smt2", "SMT-LIB 2 (QF_LIA), for SMT solvers", ";", write_smtlib),
        Writer("wcnf", ".wcnf", _WCNF, "c", write_wcnf, has_encoding=True),
    )
}
ALIASES = {"dimacs": "cnf", "mzn": "minizinc", "smt2": "smtlib"}
"""Other accepted names of formats; these are also endings of file names."""
PROBABLE_NAMES = {
    name: format_name
    for format_name, names in {
        "asp": "answer-set answer-set-program clingo dlv gringo",
        "cnf": "cadical ganak glucose kissat minisat sat sharpsat",
        "lp": "cbc cplex cplex-lp glpk gurobi highs ilp linear milp mip mps scip",
        "minizinc": "chuffed cp flatzinc fzn gecode",
        "opb": "minisat+ pb pbo pseudo-boolean pseudoboolean roundingsat sat4j",
        "smtlib": "cvc5 smt smt-lib smt-lib2 smtlib2 yices z3",
        "wcnf": "max-sat maxsat open-wbo rc2 wdimacs",
    }.items()
    for name in names.split()
}
"""The format that is probably meant by a name that is not accepted."""
ENDINGS = {writer.suffix: writer.name for writer in WRITERS.values()} | {".dimacs": "cnf"}
"""The format for each ending of a file name. `.lp` means CPLEX LP. Answer set programs, for which
clingo also uses `.lp`, have the ending `.asp`."""


def find_writer(name: str, others: Collection[str] = (), source: str = "") -> Writer:
    """Return the writer of a format. Raises InputError for an unknown name.

    Capitals and the dot of a file's ending are ignored, as in `CNF` and `.cnf`.
    The message also lists `others`, which are further names that the caller accepts, and names
    `source`, the option.
    """
    normalized_name = name.lower().strip(".")
    writer = WRITERS.get(ALIASES.get(normalized_name, normalized_name))
    if writer is not None:
        return writer
    names = [*WRITERS, *ALIASES, *others]
    probable_name = PROBABLE_NAMES.get(normalized_name, normalized_name)
    suggested_names = [probable_name] if probable_name in names else ()
    raise InputError(
        [UnknownName.of("format", name, sorted(names), suggestions=suggested_names)], source
    )


def find_format(file: str) -> str | None:
    """Return the format for the ending of a file name, or None for a name without ending.

    The ending ".gz" or ".xz" of a compressed file can follow. Raises InputError for an unknown
    ending.
    """
    ending = PurePath(uncompressed_name(file)).suffix
    if ending and ending.lower() not in ENDINGS:
        expected = f"a name that ends with {join_words(sorted(ENDINGS), 'or')}, or the option --to"
        raise InputError.of("--output", expected, file, f"unknown ending {ending}")
    return ENDINGS[ending.lower()] if ending else None


BOARD_COMMENT = re.compile(r"^(?:c|\*|\\|%|;) mmsat (?!\d[\w.+!]*: )(.+(?:\n\\ .+)*)", re.MULTILINE)
"""Matches a comment that contains a board, in LP possibly on several lines. It does not match the
comments of `Writer.export`, which start with a version."""


def encoded_board(text: str) -> str:
    """Return the board line in the comments of a written file; empty if there is none."""
    match = BOARD_COMMENT.search(text)
    return match[1].replace("\n\\ ", "") if match else ""


def write_sat(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF; each consistent code is one model."""
    return _dimacs(board, clause_formula(board, DEFAULT), comments)


def write_counting(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF for model counters.

    The number of models is the number of consistent codes.
    """
    yield "c t mc\n"
    yield from _dimacs(board, clause_formula(board, DEFAULT), comments)


def write_projected(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF for projected model counters.

    A row holds if its selector is true, and at most one selector is false. The number of models,
    projected on the code variables, is the number of codes that violate at most one row.
    """
    formula = clause_formula(board, DEFAULT, with_selectors=True)
    for pair in combinations(formula.selectors, 2):
        formula.add(*pair)
    code = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield "c t pmc\n"
    yield from _dimacs(board, formula, comments, [f"c p show {code} 0\n"])


def _dimacs(
    board: Board, formula: Formula, comments: Iterable[str], after_header: Iterable[str] = ()
) -> Iterator[str]:
    """Yield the lines of a CNF file; `after_header` are lines of a format that extends CNF."""
    yield from _comments("c", board, comments)
    clauses = [*_strict_clauses(formula)]
    yield f"p cnf {formula.variables} {len(clauses)}\n"
    yield from after_header
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
    """Returns the identifier of an instance in the Global Benchmark Database (GBD), given its
    lines; None if GBD defines none."""


COMPETITIONS = {
    competition.name: competition
    for competition in (
        Competition("sat", "SAT Competition", ".cnf", write_sat, gbd_hash_of_clauses),
        Competition("pb", "Pseudo-Boolean Competition", ".opb", write_pb, gbd_hash_of_sums),
        Competition("maxsat", "MaxSAT Evaluation", ".wcnf", write_maxsat, gbd_hash_of_soft_clauses),
        Competition(
            "counting", "Model Counting Competition", ".cnf", write_counting, gbd_hash_of_clauses
        ),
        Competition(
            "projected",
            "Model Counting Competition, Track for Projected Counting",
            ".cnf",
            write_projected,
            gbd_hash_of_clauses,
        ),
        Competition("minizinc", "MiniZinc Challenge", ".dzn", write_minizinc_data, None),
    )
}
"""The competitions by name."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The unverified answer of a solver. Score the code to verify it."""

    status: Status
    """Whether the board is consistent."""
    code: Code | None
    """The code (colors from 0); None if the solver did not find one."""
    cost: int | None = None
    """For MaxSAT, the number of rows that the code violates. In this case, an inconsistent board
    has a code, too."""


MAX_SHOWN_CHARACTERS = 80
"""Maximum number of characters of an output that a message shows."""


def read_solution(text: str, game: Game) -> Solution:
    """Read the output of a solver for a board of this game, in any language.

    See mmsat.encoding.solver_formats for the formats. A solver that stopped at a limit may have
    found a code before; then the board is consistent. Raises InputError that lists everything
    contradictory or missing.
    """
    output = SolverLog(text, game)
    faults = output.faults
    status = _status(output)
    values = output.values
    if status is Status.INCONSISTENT:
        # Solution files of the linear solvers CBC, Clp and GLPK have values of an infeasible point.
        values = [value for value in values if value.completeness is not Completeness.LINEAR]
    elif status is Status.UNKNOWN and _is_unfinished(values, game):
        values = []
    if status is None and not values and not faults:
        expected = "the whole output of a solver, with its status and values"
        # The first lines may be a banner. The last line often states the reason.
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        number, last_line = lines[-1] if lines else (1, text)
        rule = "it has neither status nor values"
        shown_text = last_line[:MAX_SHOWN_CHARACTERS]
        faults.append(Fault(rule, shown_text, expected, number, 1))
    if status is Status.INCONSISTENT and values:
        description = Description("a solution after the status unsatisfiable")
        faults.append(values[0].place.fault("", description, "the output of one run"))
    elif output.is_optimum and output.costs and output.costs[-1] and not values and not faults:
        # A positive minimum decides the board even if the solver does not print the code.
        return Solution(Status.INCONSISTENT, None, output.costs[-1])
    elif status is Status.CONSISTENT and not values:
        rule = "some solvers print it only with an option, or write it to another file"
        place = output.statuses[0][0]
        description = Description("only the status")
        faults.append(place.fault(rule, description, "a status and a solution"))
    code = _code(values, game, faults) if values else None
    if output.needs_cost and values and not output.costs:
        expected = "the whole output, with the cost of the solution"
        faults.append(values[0].place.fault("", Description("no `o` line"), expected))
    InputError.refuse(faults, "the solver's output")
    if code is None:
        return Solution(status or Status.UNKNOWN, None)
    cost = output.costs[-1] if output.costs else None
    if not cost:  # no MaxSAT solver, or no row is violated
        return Solution(Status.CONSISTENT, code, cost)
    # A positive minimum proves that no code satisfies all rows.
    cost_status = Status.INCONSISTENT if output.is_optimum else Status.UNKNOWN
    return Solution(cost_status, code, cost)


def _status(output: SolverLog) -> Status | None:
    """Return the status of all status lines, or None; "unknown" does not contradict the others."""
    agreed = None
    for place, status in output.statuses:
        if agreed in (None, Status.UNKNOWN):
            agreed = status
        elif status not in (agreed, Status.UNKNOWN):
            rule = f"the status was {agreed} before"
            output.faults.append(place.fault(rule, str(status), "the output of one run"))
    return agreed


def _is_unfinished(values: list[Value], game: Game) -> bool:
    """Return whether all values are those of a linear solver, but are not a code."""
    is_linear = all(value.completeness is Completeness.LINEAR for value in values)
    return is_linear and _code(values, game, []) is None


def _code(values: list[Value], game: Game, faults: list[Fault]) -> Code | None:
    """Return the code with these values, or None after adding the reasons to `faults`."""
    initial_faults = len(faults)
    truth: dict[tuple[int, int], bool] = {}
    colors: dict[int, int] = {}
    fractional: set[int] = set()  # pegs whose fault is already reported
    for place, peg, color, is_true, _ in values:
        name = game.variables.name(game.variables.at(peg, color))
        if is_true is None:
            faults.append(place.fault("", Description(f"a fraction for {name}"), "0 or 1"))
            fractional.add(peg)
            continue
        if truth.setdefault((peg, color), is_true) != is_true:
            description = Description(f"both true and false for {name}")
            faults.append(place.fault("", description, "the output of one run"))
        elif is_true and colors.setdefault(peg, color) != color:
            description = Description(f"colors {colors[peg] + 1} and {color + 1} for peg {peg + 1}")
            faults.append(place.fault(OTHER_BOARD, description, "one color per peg"))
    is_complete = any(value.completeness is Completeness.ALL for value in values)
    for peg in range(game.pegs):
        missing = [color + 1 for color in range(game.colors) if (peg, color) not in truth]
        if is_complete and missing:
            description = Description(
                f"no value for peg {peg + 1} and {noun_phrase('color', missing)}"
            )
            faults.append(Fault("", description, "the whole output of the solver"))
        elif peg not in colors and peg not in fractional:
            description = Description(f"none for peg {peg + 1}")
            faults.append(Fault(OTHER_BOARD, description, "a color for every peg"))
    if len(faults) > initial_faults:
        return None
    code = tuple(colors[peg] for peg in range(game.pegs))
    if not game.contains(code):
        numbers = "-".join(str(color + 1) for color in code)
        place = values[0].place
        faults.append(place.fault(OTHER_BOARD, numbers, f"a code of the game {game}"))
    return code


PYSAT, CP_SAT = "pysat", "cp-sat"
"""Formats that are objects of libraries, not text."""


TextFormat = Literal[
    "asp", "cnf", "dimacs", "dzn", "lp", "minizinc", "mzn", "opb", "smt2", "smtlib", "wcnf"
]
"""The names of the formats that are text."""


@overload
def encode(
    board: Board | str,
    to: TextFormat = "cnf",
    *,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> str: ...


@overload
def encode(
    board: Board | str,
    to: str,
    *,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Any: ...


@check_arguments
def encode(
    board: Board | str,
    to: str = "cnf",
    *,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Any:
    r"""Write a board for another solver.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    to : str, default "cnf"
        The format. "cnf", "wcnf", "opb", "lp", "minizinc", "dzn", "smt2" and "asp" are text.
        "pysat" is a `pysat.formula.CNF`, and "cp-sat" is a `CpModel` of OR-Tools.
    encoding : str or Encoding, optional
        Encoding of cardinality constraints for "cnf", "wcnf" and "pysat", or its name.
    timeout : float, optional
        Time limit in seconds. It does not include the conversion of the text to an object of a
        library. By default, there is no limit.

    Returns
    -------
    str, pysat.formula.CNF or CpModel
        The board in this format.

    Raises
    ------
    InputError
        If the format, the encoding or another argument is invalid.
    SizeError
        If the formula would be too large for memory.
    TimeLimitError
        If the text is not finished within `timeout`.

    Notes
    -----
    The variable 1 + color + colors * peg, with peg and color from 0, means that the peg has the
    color. In formats with names, it is "peg1color2", with both from 1. Time and memory are
    proportional to the length of the text, which grows with the pegs, colors and rows.

    Examples
    --------
    >>> print(mmsat.encode("2x3/12=1.0").split("\n")[-2])
    -7 -8 0
    """
    board = Board.of(board)
    text = run_within(timeout, _write, board, to, encoding, task_name="the text of the board")
    if to == CP_SAT:
        model = cp_model().CpModel()
        model.proto.parse_text_format(text)
        return model
    if to == PYSAT:
        import pysat.formula

        return pysat.formula.CNF(from_string=text)
    return text


def _write(board: Board, to: str, encoding: str | Encoding | None) -> str:
    """Return the text of a board in a format."""
    if to == CP_SAT:
        return str(CpBoard(System.of(board)).model.proto)
    return "".join(
        find_writer("cnf" if to == PYSAT else to, (PYSAT, CP_SAT)).export(board, encoding)
    )


@check_arguments
def decode(board: Board | str, answer: Any) -> Code | None:
    r"""Convert the answer of a solver to a code.

    Parameters
    ----------
    board : Board or str
        The board that was encoded, or its line.
    answer : str, iterable, mapping, CpSolver or None
        The text that a solver printed or wrote to a file, in any of the formats of `mmsat decode`;
        the true literals of a model, or None, which PySAT returns if there is no model; the values
        of all variables as 0 and 1, or as True and False; values by name, such as
        `{"peg1color2": 1}`, or a code by name, such as `{"code": [1, 3]}`; the atoms of an answer
        set as texts; or the `CpSolver` that solved a "cp-sat" model, or its response.

    Returns
    -------
    tuple of int or None
        The code, with colors from 0, or None if the solver found no code. The code is scored again
        before it is returned.

    Raises
    ------
    InputError
        If the answer does not belong to this board, or if the code does not match its scores.

    Examples
    --------
    >>> mmsat.decode("2x3/12=1.0", "s SATISFIABLE\nv x1 -x2 -x3 x4 -x5 -x6")
    (0, 0)
    >>> mmsat.decode("2x3/12=1.0", {"peg1color1": 1, "peg2color1": 1, "peg2color2": 0})
    (0, 0)
    """
    board = Board.of(board)
    if answer is None:
        return None
    text = (
        answer
        if isinstance(answer, str)
        else answer_text(answer, board.game.pegs * board.game.colors)
    )
    code = read_solution(text, board.game).code
    if code is not None and not board.is_consistent(code):
        code_text = speller(board.game).print_code(code)
        raise InputError.of("the answer", "a code that matches the scores of the board", code_text)
    return code
