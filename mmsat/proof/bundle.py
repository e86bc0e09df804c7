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
                `rows` add up to a contradiction; see check_algebra.py
    sums        inconsistent, two colors: section sums has short sums that `rows` imply, and section
                refutations shows that they contradict each other; see check_algebra.py
    count       counted: `count` codes get every score. Section cnf is a formula with one model for
                each code. Its counters of literals continue from peg to peg, in the order `order`.
                Section scpog proves the number of its models; see check_codes.py
    layers      counted: `count` codes get every score. Section states has the states after each
                peg with their numbers of completions; see layered_count.py
    list        listed: the `count` codes in section codes are all codes. Sections cnf and lrat, as
                for lrat, refute the board from which these codes are excluded (`Board.known`)
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
import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

from mmsat._core import Check, LratChecker
from mmsat._util.text import quantity
from mmsat.constraints import System
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import formula_size
from mmsat.encoding.writers import clause_formula, cnf_lines
from mmsat.errors import Fault, GameWarning, InputError, MmsatError, Place
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import Speller
from mmsat.game.notation.board_text import is_line
from mmsat.limits import LIMITS
from mmsat.proof import TimeLimitReachedError, Verification, Watch

KIND, VERSION = "mmsat proof", "1"
"""The two parts of the first line."""
DIGEST_SECTION = "sha256"
OUTSIDE_PROOF = re.compile(r"(?:o proof |[da] )?-?\d+ [-\d d]*(?:\n|$)|0\n")
"""The first line of a proof in DRAT, LRAT or FRAT as text."""
VERIPB, VERIPB_START = "veripb", "pseudo-Boolean proof"
"""The method of proofs in the format of VeriPB, and the beginning of their files. These files do
not have the format of this module."""
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


METHODS = {
    "witness": Method("consistent", ("witness",), ()),
    "lrat": Method("inconsistent", ("rows", "encoding"), ("cnf", "lrat")),
    "algebra": Method("inconsistent", ("rows",), ("certificate",)),
    "sums": Method("inconsistent", ("rows",), ("sums", "refutations")),
    "count": Method("counted", ("count", "order"), ("cnf", "scpog")),
    "layers": Method("counted", ("count",), ("states",)),
    "list": Method("listed", ("count", "encoding"), ("codes", "cnf", "lrat")),
    "explanation": Method(
        "inconsistent",
        ("conflicts", "corrections"),
        ("conflicts", "corrections", "codes", "refutations", "conflict-map", "correction-map"),
    ),
    "strategy": Method("optimal", ("objective", "guesses", "cost"), ("tree", "bounds")),
    "value": Method("valued", ("value",), ("maps", "codemaker", "trees", "bounds")),
}
"""The kinds of proof by name. A new kind is an entry here and one in `find_checker` (verify.py)."""


class RejectedError(Exception):
    """Raised if a proof is not valid; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a proof file. Only its form was checked, not whether the proof holds."""

    board: str
    """A board line, or a JSON document in one line."""
    verdict: str
    """The claimed verdict: that of the method in `METHODS`, if the proof holds."""
    method: str
    """A key of `METHODS`."""
    fields: dict[str, str] = field(default_factory=dict)
    """The fields of the method."""
    sections: dict[str, str] = field(default_factory=dict)
    """The sections of the method. Each is empty or ends with a line end."""

    def __str__(self) -> str:
        return "".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        """Yield the text of the file in pieces; the last one has the digests."""
        fields = {"board": self.board, "verdict": self.verdict, "method": self.method}
        head = "".join(f"{name} {value}\n" for name, value in (fields | self.fields).items())
        whole = sha256()
        digests = [f"head {digest(head)}\n"]
        pieces: Iterator[str] = chain(
            (f"{KIND} {VERSION}\n", head),
            chain.from_iterable((f"[{name}]\n", text) for name, text in self.sections.items()),
            (f"[{DIGEST_SECTION}]\n",),
        )
        for piece in pieces:
            whole.update(piece.encode())
            yield piece
        digests += [f"{name} {digest(text)}\n" for name, text in self.sections.items()]
        whole.update("".join(digests).encode())
        yield "".join((*digests, f"file {whole.hexdigest()}\n"))

    @classmethod
    def read(cls, text: str, *, may_be_name: bool = False) -> Bundle:
        """Return the bundle with this text.

        If `may_be_name`, the error of a text that is not a proof considers that it may be the name
        of a file. Raises InputError if the first line is not that of a proof of this version, and
        RejectedError if another line is not as `mmsat` writes it.
        """
        first = text[:100].partition("\n")[0]
        if not first.startswith(f"{KIND} "):
            rule = _advice(text, may_be_name=may_be_name)
            fault = Fault(rule, first[:40], "a proof by `mmsat check --proof`", 1, 1)
            raise InputError([fault], "the proof")
        if first == f"{KIND} {VERSION}\r":
            raise RejectedError("line 1 ends with a carriage return; lines end with a line feed")
        if first != f"{KIND} {VERSION}":
            rule = f"this mmsat reads version {VERSION} of proofs"
            fault = Fault(rule, first[:40], f"{KIND} {VERSION}", 1, 1)
            raise InputError([fault], "the proof")
        # The text is read by positions, without copies of the remainder: it can have gigabytes.
        board, position = _field(text, "board", 2, len(first) + 1)
        verdict, position = _field(text, "verdict", 3, position)
        method, position = _field(text, "method", 4, position)
        if method not in METHODS:
            raise RejectedError(f"line 4: unknown method {method[:40]!r}")
        kind = METHODS[method]
        fields = {}
        for line, name in enumerate(kind.fields, 5):
            fields[name], position = _field(text, name, line, position)
        texts, position = _sections(text, kind.sections, position)
        bundle = cls(board, verdict, method, fields, texts)
        _require_text(bundle, text, position)
        return bundle


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


def _field(text: str, name: str, line: int, start: int) -> tuple[str, int]:
    """Return the value of the field at a position of a text, and the position after it."""
    end = text.find("\n", start)
    if not text.startswith(f"{name} ", start) or end < 0:
        found = text[start : start + 40].partition("\n")[0]
        raise RejectedError(f"line {line}: expected {name!r} and its value, found {found!r}")
    return text[start + len(name) + 1 : end], end + 1


def _sections(text: str, names: tuple[str, ...], start: int) -> tuple[dict[str, str], int]:
    """Return the texts of the sections from a position, and the position of the digests."""
    titles = [f"[{name}]\n" for name in (*names, DIGEST_SECTION)]
    if not text.startswith(titles[0], start):
        raise RejectedError(f"the section {titles[0].strip()} is missing or misplaced")
    sections = {}
    for name, (title, following) in zip(names, pairwise(titles), strict=True):
        place = text.find(f"\n{following}", start)
        if place < 0:
            raise RejectedError(
                f"the section {following.strip()} is missing or misplaced; the file may be cut off"
            )
        sections[name] = text[start + len(title) : place + 1]
        start = place + 1
    return sections, start + len(titles[-1])


def _advice(text: str, *, may_be_name: bool) -> str:
    """Return why a text is not a proof. Its first characters are enough."""
    is_binary = text[:1] in ("a", "d") and ("\0" in text or "\ufffd" in text)
    if is_binary or OUTSIDE_PROOF.match(text):
        kind = "binary DRAT" if is_binary else "DRAT or LRAT"
        return (
            f"this is {kind}, a proof of another solver about a formula; a checker such as "
            "drat-trim verifies it, with the formula of `mmsat encode`"
        )
    is_name = may_be_name and bool(text) and text.isprintable()
    advice = "; give the content of the file, not its name" if is_name else ""
    return f"a proof begins with {KIND!r}{advice}"


def _require_text(bundle: Bundle, text: str, start: int) -> None:
    """Raise RejectedError unless a bundle has this text, whose digests begin at `start`."""
    position, is_same, piece = 0, True, ""
    for piece in bundle.pieces():
        is_same = is_same and text.startswith(piece, position)
        position += len(piece)
    if is_same and position == len(text):
        return
    # Compare the digests, which are the last piece, to name the section that was changed. Of the
    # digests that the text states, only twice the length of this piece is read, because the rest of
    # the text can have gigabytes.
    digest_lines = piece.split("\n")[:-1]
    stated_lines = text[start : start + 2 * len(piece)].split("\n")[:-1]
    for expected_line, line in zip_longest(digest_lines, stated_lines[: len(digest_lines)]):
        if line is None:
            reason = f"the section [{DIGEST_SECTION}] is incomplete; the file may be cut off"
            raise RejectedError(reason)
        if line != expected_line:
            name, _, expected_digest = expected_line.partition(" ")
            subject = {"head": "the head", "file": "the file"}.get(name, f"the section [{name}]")
            raise RejectedError(
                f"{subject} was changed: its SHA-256 is {expected_digest}, "
                f"but the file states {line[:80]!r}"
            )
    raise RejectedError("the file continues after the digests")


def board_text(board: Board) -> str:
    """Return a board as one line that does not refer to files: a board line, or JSON.

    Raises InputError for a board that cannot be written so. Such boards exist only in Python.
    """
    line = str(board)
    for text in (line, json.dumps(board.to_dict())):
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
            simplefilter("error", GameWarning)  # the warning about a board without a game
            board = Board.parse(text, files=False)
    except InputError as error:
        raise RejectedError(f"line 2: the board cannot be read: {error.faults[0]}") from None
    except GameWarning:
        raise RejectedError("line 2: the board has no game") from None
    with suppress(InputError):
        if board_text(board) == text:
            return board
    raise RejectedError("line 2: the board is not in its canonical notation")


def canonical_board(board: Board) -> tuple[str, Board]:
    """Return the text of a board in a proof, and the board that `verify` reads from this text.

    The two boards differ only in that the file name of the game is lost.
    """
    text = board_text(board)
    return text, read_board(text)


def read_code(spell: Speller, text: str) -> Code | None:
    """Return the code with this canonical text, or None."""
    faults: list[Fault] = []
    # Text that is read with a warning is not in its canonical form, and is rejected for that.
    with suppress(InputError), catch_warnings(action="ignore"):
        code = spell.read_code(text, Place(1, 1), faults)
        if code is not None and not faults and spell.print_code(code) == text:
            return code
    return None


def read_rows(board: Board, text: str) -> tuple[int, ...]:
    """Return the rows that the field `rows` lists, from 0."""
    words = text.split(" ")
    row_count = len(board.rows)
    if text == "none":
        return ()
    if not all(word.isdecimal() and word.isascii() and len(word) < 10 for word in words):
        raise RejectedError(f"expected row numbers from 1 to {row_count}, found {text[:40]!r}")
    rows = tuple(int(word) - 1 for word in words)
    if rows != tuple(sorted(set(rows))) or not 0 <= rows[0] <= rows[-1] < row_count:
        raise RejectedError(f"expected ascending rows from 1 to {row_count}, found {text[:40]!r}")
    return rows


class Clauses(NamedTuple):
    """A formula in clauses."""

    variables: int
    """The number of variables."""
    clauses: list[list[int]]

    @property
    def literals(self) -> array[int]:
        """All clauses in order, each terminated by 0."""
        return array("i", [literal for clause in self.clauses for literal in (*clause, 0)])


class Dimacs(NamedTuple):
    """A formula in clauses, and as the text that `mmsat encode --to cnf` writes."""

    formula: Clauses
    text: str


def write_dimacs(board: Board, encoding: str) -> Dimacs:
    """Return the formula of a board, in an encoding that consists of clauses only.

    Raises InputError for other encodings, and SizeError if the formula would need too much memory.
    """
    formula = clause_formula(board, encoding)
    text = "".join(cnf_lines(board, encoding, formula))
    return Dimacs(Clauses(formula.variables, formula.clauses), text)


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
            yield f"{clauses[int(number)]} 0\n".lstrip()  # the empty clause is "0"


class LemmaChecks:
    """Checks LRAT proofs one after another, and counts their lemmas."""

    def __init__(self, watch: Watch, total_bytes: int) -> None:
        """Set the time limit, and the size of all proofs in bytes, for the reports of progress."""
        self.num_lemmas = 0
        """The number of lemmas that were checked."""
        self._watch = watch
        self._total_bytes = max(1, total_bytes)
        self._checked_bytes = 0

    def check(self, formula: Clauses, lrat: str, section: str, first_line: int = 1) -> None:
        """Raise RejectedError unless the lemmas refute a formula.

        The lemmas begin at `first_line` of the section. At the time limit, raises
        TimeLimitReachedError.
        """
        proof = lrat.encode()
        checker = LratChecker(formula.variables, formula.literals, proof)
        num_earlier_lemmas = self.num_lemmas
        while (state := checker.advance(LIMITS.lemma_slice)) == Check.UNFINISHED:
            self.num_lemmas = num_earlier_lemmas + checker.lemmas
            checked_bytes = self._checked_bytes + checker.position
            self._watch.report(min(1.0, checked_bytes / self._total_bytes))
            self.require_time(section, checker.line + first_line - 1)
        if state == Check.FAILS:
            line = checker.line + first_line - 1
            raise RejectedError(f"line {line} of [{section}]: {checker.fault}")
        self.num_lemmas = num_earlier_lemmas + checker.lemmas
        self._checked_bytes += len(proof)

    def require_time(self, section: str, line: int) -> None:
        """Raise TimeLimitReachedError if the time limit is reached."""
        self._watch.require_time(f" at line {line} of [{section}]")

    def undecided(self, verification: Verification, error: TimeLimitReachedError) -> Verification:
        """Return the result of a check that was ended by the time limit."""
        reason = f"undecided: {error}"
        return replace(verification, holds=None, reason=reason, lemmas=self.num_lemmas)


def check_refutation(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Generate the formula of a board again, compare it, and check that the lemmas refute it."""
    encoding = bundle.fields["encoding"]
    if encoding not in ENCODINGS.built_in:
        raise RejectedError(f"unknown encoding {encoding[:40]!r}")
    try:
        # The size is computed before the formula, so that a small file with a huge board is
        # rejected before a huge formula is made.
        num_clauses = formula_size(System.of(board), encoding).clauses
        num_lines = bundle.sections["cnf"].count("\n")
        if num_lines < num_clauses:
            cnf_size = f"[cnf] has {quantity(num_lines, 'line')}"
            raise RejectedError(
                f"{cnf_size}, but the formula has {quantity(num_clauses, 'clause')}"
            )
        dimacs = write_dimacs(board, encoding)
    except MmsatError as error:
        raise RejectedError(f"the encoding does not support the board: {error}") from None
    if dimacs.text != bundle.sections["cnf"]:
        raise RejectedError(describe_difference(dimacs.text, bundle.sections["cnf"]))
    lemmas = LemmaChecks(watch, len(bundle.sections["lrat"]))
    try:
        lemmas.check(dimacs.formula, bundle.sections["lrat"], "lrat")
    except TimeLimitReachedError as error:
        return lemmas.undecided(verification, error)
    number = lemmas.num_lemmas
    refuted = f"{number} lemmas refute it" if number > 1 else "1 lemma refutes it"
    reason = f"the formula matches the rows, and {refuted}"
    return replace(verification, holds=True, reason=reason, lemmas=number)


def describe_difference(expected_text: str, proof_text: str) -> str:
    """Return a message with the first line that differs between a board's formula and a file's."""
    pairs = zip_longest(expected_text.split("\n"), proof_text.split("\n"), fillvalue="")
    for number, (expected_line, proof_line) in enumerate(pairs, 1):
        if expected_line != proof_line:
            return (
                f"line {number} of [cnf] is {proof_line[:80]!r}, but the formula of the board has "
                f"{expected_line[:80]!r}"
            )
    return "the formula does not match the board"
