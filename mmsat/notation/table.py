"""The table that commands print of a board, read back: what is pasted is a board again.

    4x6
      row  guess    black  white  wrong
    !   1  1 1 2 2      1      1    32%
    !   2  1 1 2 2      0      2    68%  -> 1.1
    known  1 2 3 3

Key pegs, chances and corrections are left out, and so is what is printed below the rows.

Tables in Markdown and lists with headings are read, too: `| # | guess | black | white |`.
"""

import re
from itertools import chain

from mmsat.errors import Fault, InputError
from mmsat.notation.scores import WORDS

Lines = list[tuple[int, str]]
"""Lines of a text that are not empty, with their numbers from 1."""
HEAD = re.compile(r" {2,}row  guess\b(.*)")
KNOWN = "known"
"""What stands before a known code."""
WRONG = "wrong"
"""The head of the column of chances."""
GUESS, SCORE, NUMBER_COLUMN = "guess", "score", "number"
HEADINGS = {
    GUESS: ("guess", "guesses", "code", "word", "attempt", "try"),
    SCORE: ("score", "result", "feedback", "response", "reply", "answer", "hint", "marks"),
    NUMBER_COLUMN: ("#", "no", "nr", "number", "row", "turn", "round", "move", "step"),
}
"""Headings of columns, besides the names of key pegs."""
SCORE_WORDS = {*WORDS, *chain.from_iterable(WORDS.values()), "b", "w", "blue"}
COLUMN_GAPS = ("|", ";", "\t", ",", None)
"""What separates columns; None for blanks."""
RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
"""The line below the headings of a table in Markdown."""
EDGE = 7
"""Columns before the guess at least: a mark, three digits, and blanks between."""
NUMBER = re.compile(r"!?\s*[0-9]+\s*")
KEYS = re.compile("[\u25cf\u25cb\u25c6\u00b7]+")
HIDDEN = re.compile(r"\s*and [0-9,]+ (?:more )?rows")


def untable(lines: Lines) -> Lines:
    """The lines, with a table turned into rows such as `1 1 2 2=1.1`.

    A text without a table stays as it is. Raises InputError for a table that does not show all.
    """
    place = next((place for place, (_, text) in enumerate(lines) if HEAD.fullmatch(text)), None)
    if place is None:
        return lines
    last, head = lines[place]
    edge = max(EDGE, head.index("guess"))
    heads = HEAD.sub(r"\1", head).split()
    parts = len([name for name in heads if name != WRONG])
    rows: list[tuple[int, list[str], list[str]]] = []
    for number, text in lines[place + 1 :]:
        if HIDDEN.match(text):
            raise InputError([Fault("the table hides some", text.strip(), "every row", number, 1)])
        left = text[:edge]
        words = text[edge:].partition("  -> ")[0].split()
        is_row, is_known = NUMBER.fullmatch(left), left.strip() == KNOWN
        if number != last + 1 or not (is_row or is_known or left.isspace() or "->" in left):
            break
        last = number
        if is_known:
            rows.append((number, words, [KNOWN]))
        elif is_row:
            words = words[: -1 if WRONG in heads else None]
            cut = len(words) - parts
            score, pegs = words[cut:], words[:cut]
            rows.append((number, pegs[:-1] if pegs and KEYS.fullmatch(pegs[-1]) else pegs, score))
        elif rows and left.isspace():  # a long guess goes on, or there are marks below its pegs
            _, pegs, score = rows[-1]
            is_guess = parts or score == [KNOWN] or len(score) == len(pegs)
            (pegs if is_guess else score).extend(words)
    joint = "." if parts else ""
    return lines[:place] + [(line, f"{' '.join(g)}={joint.join(s)}") for line, g, s in rows]


def apply_headings(lines: Lines) -> Lines:
    """Return the lines, with the rows below a line of headings turned into `1122 = 1 black, ...`.

    A text without such a line stays as it is.
    """
    for place, (_, text) in enumerate(lines[:2]):
        if found := _find_headings(text):
            headings, gap = found
            rows = [line for line in lines[place + 1 :] if not RULE.fullmatch(line[1])]
            return lines[:place] + [(n, _name_cells(row, headings, gap)) for n, row in rows]
    return lines


def has_headings(line: str) -> bool:
    """Return whether a line is the headings of columns, such as `# guess black white`."""
    return _find_headings(line) is not None


def _find_headings(text: str) -> tuple[list[str], str | None] | None:
    """Return what each column has, and what separates columns, if a line is their headings."""
    for gap in COLUMN_GAPS:
        headings = [*map(_heading, _cells(text, gap))]
        if headings.count(GUESS) == 1 and "" not in headings and headings[-1] != GUESS:
            return headings, gap
    return None


def _cells(text: str, gap: str | None) -> list[str]:
    """Return the cells of a line; several tabs separate as one."""
    cells = [cell.strip() for cell in text.strip(" |\t").split(gap)]
    return [*filter(None, cells)] if gap == "\t" else cells


def _heading(cell: str) -> str:
    """Return what a column has, or nothing if it is not known."""
    word = cell.lower().removeprefix("# ").strip(" .:")
    for kind, words in HEADINGS.items():
        if word in words:
            return kind
    singular = word.removesuffix("s")
    return singular if singular in SCORE_WORDS else ""


def _name_cells(text: str, headings: list[str], gap: str | None) -> str:
    """Return a row with the names of its numbers; as it is if it has too few cells."""
    cells = _cells(text, gap)
    if headings[0] == NUMBER_COLUMN and len(cells) == len(headings) - 1:
        headings = headings[1:]  # the `#` was the sign of a comment
    before = headings.index(GUESS)
    after = len(headings) - before - 1
    if len(cells) < len(headings):
        return text
    named = zip(headings[before + 1 :], cells[len(cells) - after :], strict=True)
    scores = [
        cell if kind in HEADINGS else f"{cell} {kind}"
        for kind, cell in named
        if kind != NUMBER_COLUMN
    ]
    return f"{' '.join(cells[before : len(cells) - after])} = {', '.join(scores)}"
