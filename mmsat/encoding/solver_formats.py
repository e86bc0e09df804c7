"""Read the statuses and the values of variables in the output of a solver.

`SolverLog` recognizes each line by its form, so that a complete log can be read unchanged. Examples
of statuses and of values:

    SAT, MaxSAT, OPB    s SATISFIABLE, o 2 (a cost)       v 1 -2 .. 0, v x1 -x2 or v 0101
    MiniSat's file      SAT               1 -2 .. 0
    clingo              SATISFIABLE       code(1,3) code(2,1)
    MiniZinc            =====UNSATISFIABLE=====           code = [3, 1];
    SMT-LIB             sat               ((peg1color1 false) (peg1color2 true))
    HiGHS, SCIP, CBC    Model status: Infeasible          peg1color2 1
    GLPK                Status: INTEGER OPTIMAL           1 peg1color1 * 1 0 1
    glpsol --write      s mip 8 8 o 0                     j 1 0

Other lines are ignored.

Solvers express "solved", "infeasible" and "undecided" in different words. A line states a status if
it is one of `SENTENCES` or `PHRASES`, or a field such as `Model status: Infeasible` whose value is
a phrase. Case is ignored. If a solver stopped before it had an answer (because of a limit, a signal
or an error, or with "infeasible or unbounded"), the status is UNKNOWN, never INCONSISTENT.

JSON, XML and some tables are first rewritten as lines such as those above (`rewrite_documents`):

- JSON: clasp and clingo with `--outf=2`, MiniZinc with `--json-stream` and `--output-mode json`,
  the result file of Gurobi, and any object that has a "status", a "code" or values by name;
- XML: the solution file of CPLEX, and the `<instantiation>` of XCSP solvers;
- tables: the columns of HiGHS in its solution style 1, in which the name is in the last column.
"""

import json
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple

from mmsat._util.text import quantity
from mmsat.errors import Description, Fault, Place
from mmsat.game.board import Status
from mmsat.game.game import Game

_SOLUTION = """
sat | satisfiable | optimum found | feasible | optimal | integer optimal | integer feasible
integer non-optimal | primal feasible | globally optimal | suboptimal | optimal solution
integer optimal solution | integer optimal, tolerance | optimal solution found
optimal (within gap tolerance)
"""
_NO_SOLUTION = """
unsat | unsatisfiable | inconsistent | infeasible | integer infeasible | integer empty
primal infeasible | primal infeasible cer | primal and dual infeasible | proven infeasible
problem proven infeasible | linear relaxation infeasible | infeasible (final) | infeasible problem
"""
_UNDECIDED = """
unknown | indet | indeterminate | timeout | unbounded | unsatorunbounded | infeasible or unbounded
undefined | not solved | interrupted | error | model invalid
"""
PHRASES = {
    phrase.strip(): status
    for status, phrases in (
        (Status.CONSISTENT, _SOLUTION),
        (Status.INCONSISTENT, _NO_SOLUTION),
        (Status.UNKNOWN, _UNDECIDED),
    )
    for phrase in re.split(r"[|\n]", phrases)
    if phrase.strip()
}
"""The status that each phrase states, as the value of a status field or as a whole line."""

STOPPED = re.compile(
    r"limit|interrupt|stopped|stop\b|time ?out|timed out|abort|unbounded|undefined|unknown|error"
    r"|memory|mem ?out|numeric|intermediate|not solved|dual infeasible|unsupported|indeterminate"
)
"""Words in the value of a status field which mean that the solver ended without an answer."""

FIELD = re.compile(
    r"(?:"
    r"(?:(?:model|problem|scip|solution|solver) )?status ?:"  # HiGHS, SCIP, GLPK, COPT, MOSEK
    r"|status|termination condition ?:"  # the report of HiGHS, Pyomo
    r"|solutionstatusstring ?="  # CPLEX
    r"|(?:mip|barrier|primal simplex|dual simplex|presolve|result) -"  # CPLEX, CBC
    r"|(?:exitstatus|cpsolverstatus)\."  # CPMpy, OR-Tools
    r"|s "  # competitions of SAT, MaxSAT, pseudo-Boolean and constraint solvers
    r") ?(.+)"
)
"""A line that is a status field, and its value."""
SOLUTION_FILE_START = re.compile(r"(.+) - objective value .*")
"""The first line of a solution file of CBC and Clp."""
GLPK_RAW = re.compile(r"s (?:(?:mip|ipt) \d+ \d+ ([fnoiu])|bas \d+ \d+ ([finu]) [finu]) \S+")
"""The status line of `glpsol --write`, with a letter for the status: o(ptimal), f(easible),
n(o feasible solution exists), i(nfeasible, only the last point that the solver visited) and
u(ndefined)."""
GLPK_LETTERS = {"o": Status.CONSISTENT, "f": Status.CONSISTENT, "n": Status.INCONSISTENT}
"""The status that each letter means; UNKNOWN for all other letters."""

# SYMPHONY prints "The problem is infeasible!" even after an optimal solution, so the exclamation
# mark must not match.
SENTENCES = (
    (
        Status.INCONSISTENT,
        re.compile(
            r"problem has no (?:primal|integer) feasible solution"  # GLPK
            r"|(?:the |this )?(?:model|problem) is (?:integer )?infeasible(?: - .*| due to .*)?"
            r"|infeasible model"  # Gurobi
            r"|problem (?:found )?infeasible(?: in preprocessing)?"  # SYMPHONY
        ),
    ),
    (
        Status.CONSISTENT,
        re.compile(
            r"integer optimal solution found(?: by mip preprocessor)?"  # GLPK
            r"|optimal solution found(?: in preprocessing| \(tolerance .*\))?"  # Gurobi, SYMPHONY
            r"|value of objective function: .*"  # lp_solve
        ),
    ),
    (
        Status.UNKNOWN,
        re.compile(
            r"problem has no dual feasible solution"
            r"|(?:the |this )?(?:model|problem) is (?:infeasible or )?unbounded"
            r"|(?:infeasible or )?unbounded model"
            r"|(?:[a-z]+ )?limit (?:reached|exceeded)(?:;.*)?"
            r"|interrupt request received|cvc[45] interrupted by .*"
            r"|c (?:status:? )?(?:unknown|indeterminate|timeout)"
        ),
    ),
)


def read_status(line: str) -> Status | None:
    """Return the status that a line states, or None if it states no status."""
    text = " ".join(line.casefold().replace("_", " ").split())
    if match := GLPK_RAW.fullmatch(text):
        return GLPK_LETTERS.get(match[1] or match[2], Status.UNKNOWN)
    text = text.strip("=*. ")
    for status, sentence in SENTENCES:
        if sentence.fullmatch(text):
            return status
    if match := SOLUTION_FILE_START.fullmatch(text):
        return _read_phrase(match[1])
    if match := FIELD.fullmatch(text):
        return _read_phrase(match[1])
    return PHRASES.get(text)


def _read_phrase(phrase: str) -> Status | None:
    """Read the value of a status field, such as `problem is solved [infeasible]`."""
    bracketed = re.search(r"\[([^\[\]]+)\]", phrase)
    # After the phrase, solvers may add a description (`:`), the gap (COPT) or the time.
    value = bracketed[1] if bracketed else re.sub(r"(:|\(relative gap|\([0-9.]+ sec).*", "", phrase)
    value = value.strip("\"'. \t")
    if value in PHRASES:
        return PHRASES[value]
    return Status.UNKNOWN if STOPPED.search(value) else None


GUROBI_STATUSES = {2: "optimal", 3: "infeasible", 13: "suboptimal"}
"""Status codes of Gurobi; all others mean that it stopped without an answer."""
ATTRIBUTE_STATUS = re.compile(r'\bsolutionStatusString="[^"]*"')
"""The status in a solution file of CPLEX."""
VARIABLE = re.compile(r'<variable name="([^"]*)"[^<>]*?\bvalue="([^"]*)"')
"""A variable and its value in a solution file of CPLEX."""
XML_DOCUMENT = re.compile(
    r"<instantiation\b[^>]{0,1000}>\s*<list>([^<]*)</list>\s*<values>([^<]*)</values>\s*</instantiation>"
    r"|<CPLEXSolution\b(?:(?!</CPLEXSolution>).)*",
    re.DOTALL,
)
"""An instantiation with its names and values, or a solution of CPLEX without its end tag."""
CODE_CELL = re.compile(r"code\[[0-9]{1,9}\]")
"""The name of the variable of a peg in an instantiation."""
REPEATED = re.compile(r"([0-9]{1,9})x([0-9]{1,6})")
"""A value and how many times it is repeated, in the compact form of XCSP."""
MAX_VALUES = 1_000_000
"""The maximum number of values that are read from an instantiation."""
TABLE_HEADINGS = re.compile(r"^Columns *\n(.*\bUpper)( +Primal) .*\bName$", re.MULTILINE)
"""The headings of HiGHS, whose columns are right-aligned."""
TABLE_ROW = re.compile(r"^ *[0-9]+ .* (peg\S+)$", re.MULTILINE)
"""A row of the table of HiGHS, with the name of a variable at the end."""
JSON_START = re.compile(r"^[ \t]*\{", re.MULTILINE)
"""The beginning of a line with which a JSON object may begin."""


def rewrite_documents(text: str) -> list[tuple[int, str]]:
    """Return the lines of an output with their numbers from 1, and with documents rewritten.

    The lines that replace a document get the number of the document's first line.
    """
    lines: list[tuple[int, str]] = []
    line_number, start = 1, 0
    for begin, end, replacement in _documents(text):
        between = text[start:begin].split("\n")
        lines += enumerate(between, line_number)
        line_number += len(between) - 1
        lines += ((line_number, line) for line in replacement)
        line_number += text.count("\n", begin, end)
        start = end
    lines += enumerate(text[start:].split("\n"), line_number)
    return lines


def _documents(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the start, the end and the replacement lines of each document."""
    if TABLE_HEADINGS.search(text):
        yield from _table_rows(text)
        return
    if "<instantiation" in text or "<CPLEXSolution" in text:
        yield from _xml_documents(text)
        return
    decoder, end = json.JSONDecoder(), 0
    for match in JSON_START.finditer(text):
        begin = match.end() - 1
        if begin < end:
            continue  # inside the last document
        try:
            document, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            return  # truncated, or not JSON
        yield begin, end, list(_json_lines(document))


def _json_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that replace a JSON object."""
    kind, output = document.get("type"), document.get("output")
    if kind == "solution" and isinstance(output, dict):  # MiniZinc --json-stream
        yield from _json_solution(output)
    elif kind in (None, "status"):
        for key in ("Result", "status"):
            if isinstance(document.get(key), str):
                yield f"status: {document[key]}"
        yield from _clasp_lines(document)
        yield from _gurobi_lines(document)
        yield from _named_lines(document)


def _json_solution(output: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a MiniZinc solution, whose sections are texts or one JSON object."""
    if isinstance(output.get("json"), dict):
        yield from _named_lines(output["json"])
        return
    # One text is enough, because sections such as `default` and `dzn` have the same values.
    texts = [text for text in output.values() if isinstance(text, str)]
    yield from chain.from_iterable(text.split("\n") for text in texts[:1])


def _clasp_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the first witness of clasp or clingo, or of the last one if it has costs.

    A witness of clasp consists of literals, and one of clingo of atoms.
    """
    calls = _objects(document.get("Call"))
    witnesses = [witness for call in calls for witness in _objects(call.get("Witnesses"))]
    if not witnesses:
        return
    costs = witnesses[-1].get("Costs")
    if isinstance(costs, list):
        yield f"o {' '.join(map(str, costs))}"
    # In optimization, the last witness is the best.
    values = (witnesses[-1] if costs else witnesses[0]).get("Value")
    words = values if isinstance(values, list) else []
    has_atoms = any(isinstance(word, str) for word in words)
    yield f"{'' if has_atoms else 'v '}{' '.join(map(str, words))}"


def _gurobi_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that replace the result file of Gurobi."""
    summary = document.get("SolutionInfo")
    if isinstance(summary, dict):
        code = summary.get("Status")
        yield f"status: {GUROBI_STATUSES.get(code if isinstance(code, int) else 0, 'stopped')}"
        for variable in _objects(document.get("Vars")):
            yield f"{variable.get('VarName')} = {variable.get('X')}"


def _named_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yield a line for a code, or for each value of a named variable."""
    for name, value in document.items():
        if name == "code" and isinstance(value, list):
            yield f"code = [{', '.join(map(str, value))}]"
        elif isinstance(value, (int, float)):
            yield f"{name} = {int(value) if isinstance(value, bool) else value}"


def _objects(value: object) -> Sequence[dict[str, Any]]:
    """Return the JSON objects of a list, or an empty list for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _table_rows(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Rewrite the columns of HiGHS, whose values are blank if there is no solution."""
    headings = TABLE_HEADINGS.search(text)
    if headings is not None:
        cell = slice(len(headings[1]), len(headings[1] + headings[2]))
        for row in TABLE_ROW.finditer(text, headings.end()):
            value = row[0][cell].strip()
            yield *row.span(), [f"{row[1]} = {value}"] if value else []


def _xml_documents(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Rewrite the first solution of CPLEX, and the first instantiation of an XCSP solver."""
    # In competitions every line of an instantiation begins with `v`.
    unprefixed_text = re.sub(r"^v(?=[ \t])", " ", text, flags=re.MULTILINE)
    is_first = True
    for match in XML_DOCUMENT.finditer(unprefixed_text):
        names, values = match[1], match[2]
        lines = _cplex_lines(match[0]) if names is None else _instantiation_lines(names, values)
        yield *match.span(), lines if is_first else []
        is_first = False


def _cplex_lines(solution: str) -> list[str]:
    """Return the lines `name = value` of an XML solution of CPLEX, and its status."""
    values = [f"{name} = {value}" for name, value in VARIABLE.findall(solution)]
    return values + ATTRIBUTE_STATUS.findall(solution)[:1]


def _instantiation_lines(names: str, values: str) -> list[str]:
    """Return the lines of an instantiation of `peg1color2`, ... or of `code` with colors from 1."""
    pairs = list(zip(names.split(), _expand_runs(values.split()), strict=False))
    if names.split() == ["code[]"]:
        return [f"code = [{', '.join(_expand_runs(values.split()))}]"]
    if colors := [value for name, value in pairs if CODE_CELL.fullmatch(name)]:
        return [f"code = [{', '.join(colors)}]"]
    return [f"{name} = {value}" for name, value in pairs]


def _expand_runs(words: list[str]) -> list[str]:
    """Expand `0x5` to five values."""
    matches = ((word, REPEATED.fullmatch(word)) for word in words)
    runs = ([match[1]] * int(match[2]) if match else [word] for word, match in matches)
    return list(islice(chain.from_iterable(runs), MAX_VALUES))


LITERAL = re.compile(r"([-~]?)x?([0-9]{1,18})")
"""A literal: 3, -3, x3, -x3 or ~x3."""
LITERALS = re.compile(r"-?[0-9]+(?: -?[0-9]+)*")
"""A line of literals without a `v`."""
BEFORE_LITERALS = {"SAT", "sat", "SATISFIABLE", "s SATISFIABLE"}
"""Lines after which MiniSat's file, Z3 and simple solvers have literals without a `v`. The file of
Glucose has only the literals."""
BITS = re.compile(r"[01]{2,}")
"""The values of all variables as one word, which MaxSAT solvers print."""
COLOR = re.compile(r"-?[0-9]{1,9}")
"""A color in the code that MiniZinc prints."""
OTHER_BOARD = "is this the output for another board?"
"""Advice for values that do not fit the game."""
COST = re.compile(r"[0-9]{1,18}")
"""The cost in an `o` line of a MaxSAT solver."""
ANSWER = re.compile(r"^(?:Answer:.*|(?:% Answer:.*\n)?ANSWER$)", re.MULTILINE)
"""The line before an answer of clingo, with or without --outf=1."""
ATOM = re.compile(r"\bcode\(\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*\)")
"""An atom of clingo: a peg and its color."""
CODE_LIST = re.compile(r"\bcode\s*=\s*(?:array1d\([^\[\]]*,\s*)?\[([^\[\]]*)\]")
"""The code that MiniZinc prints."""
_NAME = r"peg([0-9]{1,9})color([0-9]{1,9})"
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?"
PAIR = re.compile(
    rf"\(\s*(?:=\s+)?\|?{_NAME}\|?\s+(true|false)\s*\)"
    rf"|\(\s*define-fun\s+\|?{_NAME}\|?\s+\(\s*\)\s+Bool\s+(true|false)\s*\)"
)
"""A value in SMT-LIB, as `get-value` and `get-model` print it, or in the format of Yices."""
COLUMN = re.compile(
    rf"^[ \t]*(?:\*\*[ \t]+)?(?:[0-9]+[ \t]+)?{_NAME}\s+"
    rf"(?:(?:\*|[A-Z*]{{1,2}})\s+)?({_NUMBER})(?!\S)",
    re.MULTILINE,
)
"""An optional number, a name, an optional state, and the value, which may be on the next line."""
ASSIGNMENT = re.compile(
    rf"(?:^|[{{,;])[ \t]*['\"]?{_NAME}['\"]?[ \t]*[=:][ \t]*({_NUMBER})(?![^\s,;}}])", re.MULTILINE
)
"""A name and a value with `=` or `:` between them."""
NUMBERED = re.compile(
    rf"^[ \t]*j[ \t]+([0-9]{{1,18}})(?:[ \t]+[a-z])?[ \t]+({_NUMBER})(?!\S)", re.MULTILINE
)
"""The value of a column by its number, as `glpsol --write` prints it."""
NO_VALUES = re.compile(
    r"^(?:# Dual solution values|# Primal solution values\n+Infeasible"  # HiGHS
    r"|Objective function limits:|Dual value)",  # lp_solve
    re.MULTILINE,
)
"""Headings of tables that name variables but do not list a solution."""
POINT_HEADINGS = ("# Primal solution values", "# Dual solution values")
"""Headings of HiGHS. The next line states the feasibility of this point, not of the problem."""
ROUNDING_TOLERANCE = 1e-5
"""Maximum distance of a value of a linear solver from 0 or 1."""


class Completeness(StrEnum):
    """How completely a format lists values."""

    ALL = "all"
    """Every variable of the code has a value."""
    TRUE = "true"
    """Variables without a value are false."""
    LINEAR = "linear"
    """Variables without a value are false. The values are those of a linear solver, which may print
    values that are not a solution."""


class Value(NamedTuple):
    """The truth value of "a peg has a color" (both numbered from 0)."""

    place: Place
    peg: int
    color: int
    is_true: bool | None
    """None if a linear solver printed a fraction."""
    completeness: Completeness


class SolverLog:
    """The statuses and values in a solver's output, and every fault of the output."""

    def __init__(self, text: str, game: Game) -> None:
        self.game = game
        self.statuses: list[tuple[Place, Status]] = []
        self.values: list[Value] = []
        self.costs: list[int] = []
        """The costs in the `o` lines of MaxSAT, in order."""
        self.is_optimum = False
        """Whether the last cost is stated to be optimal."""
        self.needs_cost = False
        """Whether a cost must be stated, because the output seems to be that of a MaxSAT solver."""
        self.faults: list[Fault] = []
        numbered_lines = rewrite_documents(text)
        self.line_numbers = [line_number for line_number, _ in numbered_lines]
        """The number of each line in the original output."""
        lines = [line for _, line in numbered_lines]
        self.text = "\n".join(lines)
        self.line_starts = list(accumulate([len(line) + 1 for line in lines], initial=0))
        """The index in `self.text` at which each line starts."""
        self._read_lines(numbered_lines)
        self._read_atoms()
        self._read_code()
        self._read_named_values()
        self._read_numbered_values()

    def _read_lines(self, numbered_lines: list[tuple[int, str]]) -> None:
        """Read the lines that have a status, a cost or literals."""
        words: list[tuple[Place, str]] = []
        previous = ""  # the last line with content
        has_literals = False  # whether that line has literals without a `v`
        for line_number, line in numbered_lines:
            content = " ".join(line.split())
            start = Place(line_number, 1 + len(line) - len(line.lstrip()))
            if content == "v" or content.startswith("v "):
                words += _words(line_number, line, line.index("v") + 1)
            elif LITERALS.fullmatch(content) and (
                has_literals
                or previous in BEFORE_LITERALS
                or (not previous and (content[-2:] == " 0" or "-" in content))
            ):
                words += _words(line_number, line, 0)
                has_literals = not content.endswith(" 0")
            elif previous not in POINT_HEADINGS:
                self._read_status(start, content)
            if content and not content.startswith("c "):
                previous = content
        self._read_literals(words)

    def _read_status(self, start: Place, content: str) -> None:
        """Read a line if it has a status or a cost."""
        status = read_status(content)
        if status is not None:
            self.statuses.append((start, status))
            self.is_optimum |= content.endswith("OPTIMUM FOUND")
        elif content.startswith("o "):
            if COST.fullmatch(content[2:]):
                self.costs.append(int(content[2:]))
            else:
                rule = "an `o` line has the number of violated rows"
                self.faults.append(start.fault(rule, content, "a whole number"))
        elif content.startswith("s "):
            names = "s SATISFIABLE, s UNSATISFIABLE, s OPTIMUM FOUND or s UNKNOWN"
            self.faults.append(start.fault("", content, names))

    def _read_literals(self, words: list[tuple[Place, str]]) -> None:
        """Read literals up to the first 0, or one word of bits."""
        num_code_variables = self.game.pegs * self.game.colors
        if len(words) == 1 and BITS.fullmatch(words[0][1]):
            ((place, bits),) = words
            self.needs_cost = True  # only MaxSAT solvers print bits
            for bit_index, bit in enumerate(bits[:num_code_variables]):
                bit_place = Place(place.line, place.column + bit_index)
                self._add_variable(bit_place, bit_index + 1, is_true=bit == "1")
            return
        # A stated optimum is that of a MaxSAT solver, unless literals such as x1 show a
        # pseudo-Boolean solver: mmsat writes pseudo-Boolean formulas without an objective.
        self.needs_cost = self.is_optimum and not any("x" in word for _, word in words)
        for place, word in words:
            match = LITERAL.fullmatch(word)
            if match is None:
                self.faults.append(place.fault("", word, "a literal such as 3, -3, x3 or -x3"))
                continue
            variable = int(match[2])
            if variable == 0:
                return
            if variable <= num_code_variables:  # the others are auxiliary variables
                self._add_variable(place, variable, is_true=not match[1])

    def _add_variable(
        self,
        place: Place,
        variable: int,
        *,
        is_true: bool | None,
        completeness: Completeness = Completeness.ALL,
    ) -> None:
        """Add the value of a variable of the code, by its number from 1."""
        peg, color = divmod(variable - 1, self.game.colors)
        self.values.append(Value(place, peg, color, is_true, completeness))

    def _read_atoms(self) -> None:
        """Read the atoms of clingo's first answer."""
        answers = [match.start() for match in islice(ANSWER.finditer(self.text), 2)]
        end = answers[1] if len(answers) > 1 else len(self.text)
        if not answers and (first := ATOM.search(self.text)):  # --verbose=0: one answer per line
            end = self.line_starts[bisect(self.line_starts, first.start())]
        for match in ATOM.finditer(self.text, 0, end):
            self._add_named(
                self._place(match.start()), match[1], match[2], Completeness.TRUE, is_true=True
            )

    def _read_code(self) -> None:
        """Read the first code that MiniZinc printed."""
        match = CODE_LIST.search(self.text)
        if match is None:
            return
        pegs = self.game.pegs
        words = list(re.compile(r"[^\s,]+").finditer(self.text, match.start(1), match.end(1)))
        if len(words) != pegs:
            rule = f"a code of a {self.game} game has {quantity(pegs, 'peg')}"
            expected = f"{quantity(pegs, 'color')}, not {len(words)}"
            self.faults.append(self._place(match.start()).fault(rule, match[0], expected))
            return
        for peg, word in enumerate(words, 1):
            place = self._place(word.start())
            if COLOR.fullmatch(word[0]):
                self._add_named(place, str(peg), word[0], Completeness.TRUE, is_true=True)
            else:
                expected = f"a color from 1 to {self.game.colors}"
                self.faults.append(place.fault("", word[0], expected))

    def _read_named_values(self) -> None:
        """Read values with the names of their variables."""
        for match in PAIR.finditer(self.text):
            peg, color, value = filter(None, match.groups())
            place = self._place(match.start())
            self._add_named(place, peg, color, Completeness.ALL, is_true=value == "true")
        end = NO_VALUES.search(self.text)
        for pattern in (COLUMN, ASSIGNMENT):
            for match in pattern.finditer(self.text, 0, end.start() if end else len(self.text)):
                place = self._place(match.start(1) - len("peg"))
                is_true = _is_one(match[3])
                self._add_named(place, match[1], match[2], Completeness.LINEAR, is_true=is_true)

    def _read_numbered_values(self) -> None:
        """Read values by column number; the first columns are the variables of the code."""
        num_code_variables = self.game.pegs * self.game.colors
        for match in NUMBERED.finditer(self.text):
            if 1 <= int(match[1]) <= num_code_variables:
                place = self._place(match.start())
                is_true = _is_one(match[2])
                self._add_variable(
                    place, int(match[1]), is_true=is_true, completeness=Completeness.LINEAR
                )

    def _add_named(
        self,
        place: Place,
        peg: str,
        color: str,
        completeness: Completeness,
        *,
        is_true: bool | None,
    ) -> None:
        """Add a value by peg and color (from 1), or a fault if one of them is out of range."""
        game = self.game
        if 1 <= int(peg) <= game.pegs and 1 <= int(color) <= game.colors:
            self.values.append(Value(place, int(peg) - 1, int(color) - 1, is_true, completeness))
            return
        expected = f"pegs 1 to {game.pegs} and colors 1 to {game.colors}"
        description = Description(f"peg {peg}, color {color}")
        self.faults.append(place.fault(OTHER_BOARD, description, expected))

    def _place(self, index: int) -> Place:
        """Return the line in the original output of a character of `self.text`, and its column."""
        line = bisect(self.line_starts, index)
        return Place(self.line_numbers[line - 1], index - self.line_starts[line - 1] + 1)


def _is_one(number: str) -> bool | None:
    """Read the value of a 0/1 variable; None for a fraction."""
    value = float(number)
    return value > 0.5 if min(abs(value), abs(value - 1)) <= ROUNDING_TOLERANCE else None


def _words(line_number: int, line: str, start: int) -> Iterator[tuple[Place, str]]:
    """Yield the words of a line from an offset on, each with its place."""
    for match in re.compile(r"\S+").finditer(line, start):
        yield Place(line_number, match.start() + 1), match[0]
