"""Reading tables of rows, so that a table printed by a command can be pasted as a board.

    4x6
      row  guess    black  white  wrong
    !   1  1 1 2 2      1      1    32%
    !   2  1 1 2 2      0      2    68%  -> 1.1
    known  1 2 3 3

Key pegs, chances, corrections and everything below the rows are ignored.

Markdown tables and lists with headings are read, too: `| # | guess | black | white |`.
"""

import re
from itertools import chain

from mmsat.errors import Fault, InputError
from mmsat.notation.scores import WORDS

Lines = list[tuple[int, str]]
"""The nonempty lines of a text, each with its number from 1."""
HEAD = re.compile(r" {2,}row  guess\b(.*)")
KNOWN = "known"
"""The label of a known code."""
WRONG = "wrong"
"""The heading of the column with the chances that scores are wrong."""
GUESS, SCORE, NUMBER_COLUMN = "guess", "score", "number"
HEADINGS = {
    GUESS: ("guess", "guesses", "code", "word", "attempt", "try"),
    SCORE: ("score", "result", "feedback", "response", "reply", "answer", "hint", "marks"),
    NUMBER_COLUMN: ("#", "no", "nr", "number", "row", "turn", "round", "move", "step"),
}
"""Headings of columns, except for the names of key pegs."""
SCORE_WORDS = {*WORDS, *chain.from_iterable(WORDS.values()), "b", "w", "blue"}
COLUMN_GAPS = ("|", ";", "\t", ",", None)
"""Separators of columns; None for blanks."""
RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
"""The line below the headings of a table in Markdown."""
MIN_MARGIN_WIDTH = 7
"""The minimum number of characters before the guess: a mark, three digits, and blanks."""
NUMBER = re.compile(r"!?\s*[0-9]+\s*")
KEYS = re.compile("[\u25cf\u25cb\u25c6\u00b7]+")
HIDDEN = re.compile(r"\s*and [0-9,]+ (?:more )?rows")


def convert_table(lines: Lines) -> Lines:
    """Convert the lines of a table as printed by a command into rows such as `1 1 2 2=1.1`.

    Lines without such a table are returned unchanged. Raises InputError for a table that omits
    rows.
    """
    table_start = next(
        (table_start for table_start, (_, text) in enumerate(lines) if HEAD.fullmatch(text)), None
    )
    if table_start is None:
        return lines
    last_number, head = lines[table_start]
    edge = max(MIN_MARGIN_WIDTH, head.index("guess"))
    heads = HEAD.sub(r"\1", head).split()
    parts = len([name for name in heads if name != WRONG])
    rows: list[tuple[int, list[str], list[str]]] = []
    for number, text in lines[table_start + 1 :]:
        if HIDDEN.match(text):
            raise InputError([Fault("the table omits rows", text.strip(), "all rows", number, 1)])
        margin = text[:edge]
        words = text[edge:].partition("  -> ")[0].split()
        is_row, is_known = NUMBER.fullmatch(margin), margin.strip() == KNOWN
        if number != last_number + 1 or not (
            is_row or is_known or margin.isspace() or "->" in margin
        ):
            break
        last_number = number
        if is_known:
            rows.append((number, words, [KNOWN]))
        elif is_row:
            words = words[: -1 if WRONG in heads else None]
            score_start = len(words) - parts
            score, pegs = words[score_start:], words[:score_start]
            rows.append((number, pegs[:-1] if pegs and KEYS.fullmatch(pegs[-1]) else pegs, score))
        elif rows and margin.isspace():  # the rest of a long guess, or marks below its pegs
            _, pegs, score = rows[-1]
            is_guess = parts or score == [KNOWN] or len(score) == len(pegs)
            (pegs if is_guess else score).extend(words)
    joint = "." if parts else ""
    return lines[:table_start] + [
        (line, f"{' '.join(guess)}={joint.join(s)}") for line, guess, s in rows
    ]


def apply_headings(lines: Lines) -> Lines:
    """Convert the rows below a line of headings into `1122 = 1 black, ...`.

    Lines without headings are returned unchanged.
    """
    for heading_index, (_, text) in enumerate(lines[:2]):
        if columns := _find_headings(text):
            headings, gap = columns
            rows = [line for line in lines[heading_index + 1 :] if not RULE.fullmatch(line[1])]
            return lines[:heading_index] + [
                (number, _name_cells(row, headings, gap)) for number, row in rows
            ]
    return lines


def has_headings(line: str) -> bool:
    """Return whether a line consists of column headings, such as `# guess black white`."""
    return _find_headings(line) is not None


def _find_headings(text: str) -> tuple[list[str], str | None] | None:
    """Return the kinds of the columns and their separator if a line consists of column headings.

    Otherwise return None.
    """
    for gap in COLUMN_GAPS:
        headings = [*map(_heading, _cells(text, gap))]
        if headings.count(GUESS) == 1 and "" not in headings and headings[-1] != GUESS:
            return headings, gap
    return None


def _cells(text: str, gap: str | None) -> list[str]:
    """Return the cells of a line; consecutive tabs are one separator."""
    cells = [cell.strip() for cell in text.strip(" |\t").split(gap)]
    return [*filter(None, cells)] if gap == "\t" else cells


def _heading(cell: str) -> str:
    """Return the kind of a column: a key of `HEADINGS`, a word for key pegs, or "" if unknown."""
    word = cell.lower().removeprefix("# ").strip(" .:")
    for kind, words in HEADINGS.items():
        if word in words:
            return kind
    singular = word.removesuffix("s")
    return singular if singular in SCORE_WORDS else ""


def _name_cells(text: str, headings: list[str], gap: str | None) -> str:
    """Return a row with each number followed by its heading; unchanged if cells are missing."""
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
