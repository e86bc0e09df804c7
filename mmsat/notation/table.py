"""The table that commands print of a board, read back: what is pasted is a board again.

    4x6
      row  guess    black  white  wrong
    !   1  1 1 2 2      1      1    32%
    !   2  1 1 2 2      0      2    68%  -> 1.1
    known  1 2 3 3

Key pegs, chances and corrections are left out, and so is what is printed below the rows.
"""

import re

from mmsat.errors import Fault, InputError

Lines = list[tuple[int, str]]
"""Lines of a text that are not empty, with their numbers from 1."""
HEAD = re.compile(r"\s*row\s+guess\b(.*)")
KNOWN = "known"
"""What stands before a known code."""
WRONG = "wrong"
"""The head of the column of chances."""
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
