"""The file format of proofs: one text with everything that the check of a verdict needs.

    mmsat proof 1
    board 4x6/1122=1.1/3345=0.2/1122=0.2
    verdict inconsistent
    method lrat
    rows 1 3
    encoding totalizer
    [cnf]
    c mmsat 4x6/1122=1.1/1122=0.2
    ...
    [lrat]
    239 0 67 14 0
    [sha256]
    head 5f0c...
    cnf 91ab...
    lrat 77e1...
    file c3d2...

The first line has the version. The head follows, one field per line: the board (as a board line, or
as JSON in one line if its game comes from a file), the verdict, and the method with its fields.

    witness     consistent: `witness` is a code that gets every score
    lrat        inconsistent: `rows`, counted from 1, have no code in common. Section cnf is the
                formula that `mmsat encode` writes for a board with exactly these rows in this
                encoding, with the names of the variables in comments, but without the comment that
                names the command. Section lrat is a proof that the formula is unsatisfiable
    algebra     inconsistent, two colors: section certificate has integer multipliers for which
                `rows` add up to a contradiction; see verify.py
    count       counted: `count` codes get every score. Section cnf is a formula with one model for
                each code, whose counters go through the pegs in `order`; see check_codes.py.
                Section scpog counts its models; see check_codes.py
    layers      counted: `count` codes get every score. Section states has the states after each
                peg with their numbers of completions; see layered_count.py
    list        listed: the `count` codes in section codes are all codes. Sections cnf and lrat, as
                for lrat, refute the board that excludes these codes as known ones
    explanation inconsistent: minimal conflicts and cheapest corrections, each proved; see
                check_explanation.py
    strategy    optimal, for a board without rows: a strategy of its game with the least cost; see
                check_strategy.py
    value       valued, for a board without rows: the value of its game, with a mixture of each
                side that guarantees it; see check_value.py

Then come the sections, and the SHA-256 digests. There is a digest of the head and of each section,
including its last line feed, but without the line `[name]`, and a digest of the whole file
up to the digest's own line. Digests show where a file was damaged; whether a proof holds never
depends on them. Each proof has exactly one text, and any other text is rejected. Lines end with a
line feed.

For use with other tools, `split_bundle` returns the content of a proof as separate files, with the
formula in DIMACS and the lemmas in LRAT and DRAT.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, pairwise, repeat
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

from mmsat.encoding import Formula
from mmsat.encoding.writers import clause_formula, cnf_lines
from mmsat.errors import Fault, GameWarning, InputError, Place
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import Speller
from mmsat.game.notation.board_text import is_line

KIND, VERSION = "mmsat proof", "1"
DIGEST_SECTION = "sha256"
FILE_NAMES = {"cnf": "formula.cnf", "lrat": "proof.lrat", "scpog": "proof.scpog"}
"""The names of the files to which `mmsat verify --extract` writes sections."""


class Method(NamedTuple):
    """A kind of proof."""

    verdict: str
    """The verdict that it proves."""
    fields: tuple[str, ...]
    """The names of its fields."""
    sections: tuple[str, ...]
    """The names of its sections."""
    checker: str
    """The function that checks its proofs, as `module:name`; see `Checker` in verify.py."""


METHODS = {
    "witness": Method("consistent", ("witness",), (), "mmsat.proof.verify:check_witness"),
    "lrat": Method(
        "inconsistent", ("rows", "encoding"), ("cnf", "lrat"), "mmsat.proof.verify:check_lrat"
    ),
    "algebra": Method(
        "inconsistent", ("rows",), ("certificate",), "mmsat.proof.verify:check_algebra"
    ),
    "count": Method(
        "counted", ("count", "order"), ("cnf", "scpog"), "mmsat.proof.check_codes:check_count"
    ),
    "layers": Method("counted", ("count",), ("states",), "mmsat.proof.layered_count:check_layers"),
    "list": Method(
        "listed",
        ("count", "encoding"),
        ("codes", "cnf", "lrat"),
        "mmsat.proof.check_codes:check_codes",
    ),
    "explanation": Method(
        "inconsistent",
        ("conflicts", "corrections"),
        ("conflicts", "corrections", "codes", "refutations", "conflict-map", "correction-map"),
        "mmsat.proof.check_explanation:check_explanation",
    ),
    "strategy": Method(
        "optimal",
        ("objective", "guesses", "cost"),
        ("tree", "bounds"),
        "mmsat.proof.check_strategy:check_strategy",
    ),
    "value": Method(
        "valued",
        ("value",),
        ("maps", "codemaker", "trees", "bounds"),
        "mmsat.proof.check_value:check_value",
    ),
}
"""The kinds of proof by name. A new kind is an entry here and a checker in a module of its own."""


class RejectedError(Exception):
    """Raised if a proof is not valid; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a proof file. Only its form was checked."""

    board: str
    """A board line, or a JSON document in one line."""
    verdict: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    """The fields of the method."""
    sections: dict[str, str] = field(default_factory=dict)
    """The sections of the method. Each is empty or ends with a line end."""

    def __str__(self) -> str:
        head = {"board": self.board, "verdict": self.verdict, "method": self.method, **self.fields}
        parts = {
            "head": "".join(f"{name} {value}\n" for name, value in head.items()),
            **self.sections,
        }
        whole = f"{KIND} {VERSION}\n{parts['head']}"
        whole += "".join(f"[{name}]\n{text}" for name, text in self.sections.items())
        whole += f"[{DIGEST_SECTION}]\n"
        whole += "".join(f"{name} {digest(text)}\n" for name, text in parts.items())
        return f"{whole}file {digest(whole)}\n"

    @classmethod
    def read(cls, text: str) -> Bundle:
        """Return the bundle that a text represents.

        Raises InputError if the first line is not that of a proof of this version, and
        RejectedError if the rest is not exactly what `mmsat` writes.
        """
        first, _, remaining_text = text.partition("\n")
        if not first.startswith(f"{KIND} "):
            rule = f"a proof begins with {KIND!r}"
            fault = Fault(rule, first[:40], "a proof by `mmsat check --proof`", 1, 1)
            raise InputError([fault], "the proof")
        if first == f"{KIND} {VERSION}\r":
            raise RejectedError("line 1 ends with a carriage return; lines end with a line feed")
        if first != f"{KIND} {VERSION}":
            rule = f"this mmsat reads version {VERSION} of proofs"
            fault = Fault(rule, first[:40], f"{KIND} {VERSION}", 1, 1)
            raise InputError([fault], "the proof")
        board, remaining_text = _field(remaining_text, "board", 2)
        verdict, remaining_text = _field(remaining_text, "verdict", 3)
        method, remaining_text = _field(remaining_text, "method", 4)
        if method not in METHODS:
            raise RejectedError(f"line 4: unknown method {method[:40]!r}")
        kind = METHODS[method]
        fields = {}
        for line, name in enumerate(kind.fields, 5):
            fields[name], remaining_text = _field(remaining_text, name, line)
        texts, remaining_text = _sections(remaining_text, kind.sections)
        bundle = cls(board, verdict, method, fields, texts)
        _compare(bundle, text, remaining_text)
        return bundle


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


def _field(text: str, name: str, line: int) -> tuple[str, str]:
    """Return the value of the field at the beginning of a text, and the text after it."""
    first, end, remaining_text = text.partition("\n")
    if not first.startswith(f"{name} ") or not end:
        raise RejectedError(f"line {line}: expected {name!r} and its value, found {first[:40]!r}")
    return first.removeprefix(f"{name} "), remaining_text


def _sections(text: str, names: tuple[str, ...]) -> tuple[dict[str, str], str]:
    """Return the texts of the sections, and the text of the digests."""
    titles = [f"[{name}]\n" for name in (*names, DIGEST_SECTION)]
    if not text.startswith(titles[0]):
        raise RejectedError(f"the section {titles[0].strip()} is missing or misplaced")
    sections = {}
    for name, (title, following) in zip(names, pairwise(titles), strict=True):
        place = text.find(f"\n{following}")
        if place < 0:
            raise RejectedError(
                f"the section {following.strip()} is missing or misplaced; the file may be cut off"
            )
        sections[name] = text[len(title) : place + 1]
        text = text[place + 1 :]
    return sections, text.removeprefix(titles[-1])


def _compare(bundle: Bundle, text: str, digests: str) -> None:
    """Raise RejectedError unless a text is the canonical text of its bundle."""
    canonical_text = str(bundle)
    if text == canonical_text:
        return
    # Compare the digests, to name the section that was changed.
    digest_lines = canonical_text.rpartition(f"[{DIGEST_SECTION}]\n")[2].split("\n")[:-1]
    stated_lines = digests.split("\n")[:-1]
    for expected_line, line in zip(digest_lines, chain(stated_lines, repeat("")), strict=False):
        if line != expected_line:
            name, _, expected_digest = expected_line.partition(" ")
            what = {"head": "the head", "file": "the file"}.get(name, f"the section [{name}]")
            raise RejectedError(
                f"{what} was changed: its SHA-256 is {expected_digest}, "
                f"but the file states {line[:80]!r}"
            )
    raise RejectedError("the file continues after the digests")


def board_text(board: Board) -> str:
    """Return a board in one line that needs no file: a board line, or JSON.

    Raises InputError for a board that no notation can represent. Such boards exist only in Python.
    """
    line = str(board)
    for text in (line, json.dumps(board.to_json())):
        with suppress(InputError):
            if text.isascii() and Board.parse(text, files=False) == board:
                return text
    raise InputError.of(
        "the board", "a board with a canonical text", line[:80], "a proof contains this text"
    )


def read_board(text: str) -> Board:
    """Return the board with this text; raises RejectedError if the text is not canonical."""
    if not is_line(text) and text[:1] != "{":
        raise RejectedError("line 2: the board is not in its canonical notation")
    try:
        with catch_warnings():
            simplefilter("error", GameWarning)  # of a board without a game
            board = Board.parse(text, files=False)
    except InputError as error:
        raise RejectedError(f"line 2: the board cannot be read: {error.faults[0]}") from None
    except GameWarning:
        raise RejectedError("line 2: the board has no game") from None
    with suppress(InputError):
        if board_text(board) == text:
            return board
    raise RejectedError("line 2: the board is not in its canonical notation")


def read_code(spell: Speller, text: str) -> Code | None:
    """Return the code with this canonical text, or None if there is none."""
    faults: list[Fault] = []
    # Text that is read with a warning is not in its canonical form, and is rejected for that.
    with suppress(InputError), catch_warnings(action="ignore"):
        code = spell.read_code(text, Place(1, 1), faults)
        if code is not None and not faults and spell.print_code(code) == text:
            return code
    return None


class Dimacs(NamedTuple):
    """A formula in the forms that proofs need."""

    formula: Formula
    text: str
    """The output of `mmsat encode --to cnf`."""
    literals: array[int]
    """All clauses in order, each terminated by 0."""


def write_dimacs(board: Board, encoding: str) -> Dimacs:
    """Return the formula of a board, in an encoding that consists of clauses only.

    Raises InputError for other encodings, and SizeError if the formula would need too much memory.
    """
    formula = clause_formula(board, encoding)
    literals = array("i")
    for clause in formula.clauses:
        literals.extend(clause)
        literals.append(0)
    return Dimacs(formula, "".join(cnf_lines(board, encoding, formula)), literals)


def split_bundle(bundle: Bundle) -> dict[str, Iterator[str]]:
    """Split a proof into files: return pieces of text by file name.

    board.txt is the board. Depending on the method, witness.txt or certificate.txt is the proof, or
    formula.cnf is DIMACS, formula.map names one variable per line, proof.lrat is for LRAT checkers,
    and proof.drat is the same proof without clause numbers, for DRAT checkers.
    """
    files = {"board.txt": iter([f"{bundle.board}\n"])}
    if "witness" in bundle.fields:
        files["witness.txt"] = iter([f"{bundle.fields['witness']}\n"])
    for name, text in bundle.sections.items():
        file_name = FILE_NAMES.get(name, f"{name}.txt")
        files[file_name] = iter([text])
    if "lrat" in bundle.sections:
        files["formula.map"] = _variable_names(bundle.sections["cnf"])
        files["proof.drat"] = lrat_to_drat(bundle.sections["cnf"], bundle.sections["lrat"])
    return files


def _variable_names(cnf: str) -> Iterator[str]:
    """Yield lines such as `8 peg2color2`."""
    for line in cnf.splitlines():
        if line.startswith("c varname "):
            yield f"{line.removeprefix('c varname ')}\n"


def lrat_to_drat(cnf: str, lrat: str) -> Iterator[str]:
    """Yield the lemmas and deletions of a valid LRAT proof as lines of DRAT."""
    lines = (line for line in cnf.splitlines() if line[:1] not in ("c", "p"))
    clauses = dict(enumerate((line.removesuffix(" 0") for line in lines), 1))
    for line in lrat.splitlines():
        number, _, content = line.partition(" ")
        if content.startswith("d "):
            for clause_number in content.split()[1:-1]:
                yield f"d {clauses.pop(int(clause_number))} 0\n"
        else:
            literals = content.split(" ")
            clauses[int(number)] = " ".join(literals[: literals.index("0")])
            yield f"{clauses[int(number)]} 0\n".lstrip()
