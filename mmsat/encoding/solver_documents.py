"""JSON, XML and tables in a solver's output, rewritten as the lines that other programs print.

- clasp and clingo with `--outf=2`, MiniZinc with `--json-stream` and `--output-mode json`, the
  result file of Gurobi, and any object that has a "status", a "code" or values by name;
- the solution file of CPLEX, and the `<instantiation>` of XCSP solvers;
- the columns of HiGHS in its solution style 1, whose last word is the name.

So a single reader handles all statuses and values: mmsat.encoding.solver_log.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

GUROBI_STATUSES = {2: "optimal", 3: "infeasible", 13: "suboptimal"}
"""Status codes of Gurobi; all others mean that it stopped without an answer."""
ATTRIBUTE_STATUS = re.compile(r'\bsolutionStatusString="[^"]*"')
VARIABLE = re.compile(r'<variable name="([^"]*)"[^<>]*?\bvalue="([^"]*)"')
XML_DOCUMENT = re.compile(
    r"<instantiation\b[^>]{0,1000}>\s*<list>([^<]*)</list>\s*<values>([^<]*)</values>\s*</instantiation>"
    r"|<CPLEXSolution\b(?:(?!</CPLEXSolution>).)*",
    re.DOTALL,
)
CODE_CELL = re.compile(r"code\[[0-9]{1,9}\]")
REPEATED = re.compile(r"([0-9]{1,9})x([0-9]{1,6})")
"""A value and how many times it follows, in the compact form of XCSP."""
MAX_VALUES = 1_000_000
"""The maximum number of values of an instantiation that are read."""
TABLE_HEADINGS = re.compile(r"^Columns *\n(.*\bUpper)( +Primal) .*\bName$", re.MULTILINE)
"""The headings of HiGHS; a number ends below the last letter of its heading."""
TABLE_ROW = re.compile(r"^ *[0-9]+ .* (peg\S+)$", re.MULTILINE)
JSON_START = re.compile(r"^[ \t]*\{", re.MULTILINE)


def rewrite_documents(text: str) -> list[tuple[int, str]]:
    """Return the lines of an output, each with its number from 1, without any document.

    The lines that replace a document get the number of its first line.
    """
    lines: list[tuple[int, str]] = []
    number, start = 1, 0
    for begin, end, replacement in _documents(text):
        between = text[start:begin].split("\n")
        lines += enumerate(between, number)
        number += len(between) - 1
        lines += ((number, line) for line in replacement)
        number += text.count("\n", begin, end)
        start = end
    lines += enumerate(text[start:].split("\n"), number)
    return lines


def _documents(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield where each document begins and ends, and the lines that replace it."""
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
            continue  # inside of the last document
        try:
            document, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            return  # cut off, or not JSON
        yield begin, end, list(_json_lines(document))


def _json_lines(document: dict[str, Any]) -> Iterator[str]:
    """Rewrite one JSON object."""
    kind = document.get("type")
    output = document.get("output")
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
    """Rewrite a solution of MiniZinc, whose sections are texts or one JSON object."""
    if isinstance(output.get("json"), dict):
        yield from _named_lines(output["json"])
        return
    texts = [text for text in output.values() if isinstance(text, str)]
    yield from chain.from_iterable(text.split("\n") for text in texts[:1])


def _clasp_lines(document: dict[str, Any]) -> Iterator[str]:
    """Rewrite the first witness of clasp (literals) or of clingo (atoms)."""
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
    is_atoms = any(isinstance(word, str) for word in words)
    yield f"{'' if is_atoms else 'v '}{' '.join(map(str, words))}"


def _gurobi_lines(document: dict[str, Any]) -> Iterator[str]:
    """Rewrite the result file of Gurobi."""
    summary = document.get("SolutionInfo")
    if isinstance(summary, dict):
        code = summary.get("Status")
        yield f"status: {GUROBI_STATUSES.get(code if isinstance(code, int) else 0, 'stopped')}"
        for variable in _objects(document.get("Vars")):
            yield f"{variable.get('VarName')} = {variable.get('X')}"


def _named_lines(document: dict[str, Any]) -> Iterator[str]:
    """Rewrite a code, or values by the names of variables."""
    for name, value in document.items():
        if name == "code" and isinstance(value, list):
            yield f"code = [{', '.join(map(str, value))}]"
        elif isinstance(value, (int, float)):
            yield f"{name} = {int(value) if isinstance(value, bool) else value}"


def _objects(value: object) -> Sequence[dict[str, Any]]:
    """Return the JSON objects of a list, or an empty list for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _table_rows(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Rewrite the columns of HiGHS, whose values are blank without a solution."""
    headings = TABLE_HEADINGS.search(text)
    if headings is not None:
        cell = slice(len(headings[1]), len(headings[1] + headings[2]))
        for row in TABLE_ROW.finditer(text, headings.end()):
            value = row[0][cell].strip()
            yield *row.span(), [f"{row[1]} = {value}"] if value else []


def _xml_documents(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Rewrite the first solution of CPLEX, and the first instantiation of an XCSP solver."""
    # In competitions every line of an instantiation begins with `v`.
    plain = re.sub(r"^v(?=[ \t])", " ", text, flags=re.MULTILINE)
    is_first = True
    for match in XML_DOCUMENT.finditer(plain):
        names, values = match[1], match[2]
        lines = _cplex_lines(match[0]) if names is None else _instantiation_lines(names, values)
        yield *match.span(), lines if is_first else []
        is_first = False


def _cplex_lines(solution: str) -> list[str]:
    status = ATTRIBUTE_STATUS.search(solution)
    return [f"{name} = {value}" for name, value in VARIABLE.findall(solution)] + (
        [status[0]] if status else []
    )


def _instantiation_lines(names: str, values: str) -> list[str]:
    """Rewrite the values of variables `peg1color2`, or of an array `code` with colors from 1."""
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
