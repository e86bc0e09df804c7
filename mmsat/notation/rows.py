"""Splitting a row into its number, its guess and its score.

1122=1.1        GUESS=SCORE, the printed form      #1 1122 1 1       a number before a row,
1122 1 1        separated by blanks, commas ...    1. 1122 1 1       with or without a sign
1 1 2 2 1 1     a blank between pegs               Guess #1: 1122 -> 1 black, 1 white
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

WORD = re.compile(r"[^\s,;|]+")
SIGN = re.compile(r"[-=]+>|[\u2192=:\[({]|\b(?:score|result|reply|response|answer|feedback)\b")
"""A separator between a guess and its score, other than blanks and commas."""
MAX_SIGNS = 4
"""The maximum number of separators of a row at which a cut is tried."""
MARGIN = re.compile(r"(?:[\s|>*\u2022]|-\s)*")
"""Characters before a row: the border of a table, or the marker of a quotation or a list item."""
TITLE = "(?:guess|row|turn|try|attempt|move|round|step|number|no|nr|code)"
LABEL = re.compile(
    rf"(?:{TITLE}\b\.?\s*)?#\s*[0-9]{{1,4}}(?:\s*[.):\]|,;-]+|(?=\s))\s*"
    rf"|{TITLE}\b\.?\s*[0-9]{{1,4}}(?:\s*[.):\]|,;-]+|(?=\s))\s*"
    rf"|{TITLE}\s*:\s*"
    r"|[\[(]?[0-9]{1,4}\s*[.)\]](?=[\s|])[\s|]*"
    rf"|[0-9]{{1,3}}(?:st|nd|rd|th)\s+{TITLE}\b\s*[.:,-]?\s*"
    r"|[0-9]{1,4}:\s+"
    r"|[0-9]{1,2}[\s|,;]+",
    re.IGNORECASE,
)
"""The label of a row: a number, with or without a title such as `guess`."""
SURE = re.compile(rf"#|{TITLE}\b|[\[(]?[0-9]{{1,4}}\s*[.)\]]|[0-9]+[snrt]", re.IGNORECASE)
"""The beginning of a label that cannot be part of a guess."""
GUESS_END = re.compile(r"[\s,;|:=>\u2192-]+$")
NUMBERED = re.compile(rf"\s*(?:{TITLE}\b\.?\s*)?#[0-9]+(?=[\s.:)\]|,;])[^#]*\S", re.IGNORECASE)
"""A row with a number sign before its number, as in `#1 1122 1 1`."""
NUMBERED_COMMENT = re.compile(r"\s*#\s+[0-9]{1,4}[\s.:)\]|,;]+(\S.*)")
"""A comment that starts with a number, so it may be meant as a row."""


def strip_comment(line: str) -> str:
    """Remove the comment of a line: `#1 1122 1 1` is a row, `# 1122 1 1` is a comment."""
    row = NUMBERED.match(line)
    start = row.end() if row else 0
    return line[:start] + line[start:].partition("#")[0].rstrip()


class Cut(NamedTuple):
    """The texts of a guess and its score, with their offsets in the row."""

    guess_start: int
    guess: str
    score_start: int
    score: str


def cuts(text: str, pegs: int) -> Iterator[Cut]:
    """Yield the possible cuts of a row into a guess of `pegs` pegs and a score.

    Cuts that treat the label of the row, if any, as text of the guess come first.
    """
    start = MARGIN.match(text).end()  # type: ignore[union-attr]
    yield from _cuts_from(text, start, pegs)
    if label := LABEL.match(text, start):
        yield from _cuts_from(text, label.end(), pegs)


def likely_cut(text: str, pegs: int, width: int) -> Cut | None:
    """Return the cut whose errors are reported if no cut can be read; None if there is none.

    - `width`: the length of a guess without blanks, in characters.
    """
    start = MARGIN.match(text).end()  # type: ignore[union-attr]
    if (label := LABEL.match(text, start)) and SURE.match(label[0]):
        start = label.end()
    sign = re.compile("[=:]").search(text, start)
    if sign and text[start : sign.start()].strip() and text[sign.end() :].strip():
        return _cut(text, start, sign.start(), sign.end())
    words = [*WORD.finditer(text, start)]
    if len(words) < 2 or sign:
        return None
    first_word = words[0][0]
    is_whole = len(first_word) == width or "-" in first_word or len(words) <= pegs
    last_word = words[0 if is_whole else pegs - 1]
    return _cut(text, start, last_word.end(), last_word.end())


def _cuts_from(text: str, start: int, pegs: int) -> Iterator[Cut]:
    """Yield the possible cuts of a text from `start`, ignoring labels."""
    places = []
    for number, sign in zip(range(MAX_SIGNS), SIGN.finditer(text, start), strict=False):
        is_bracket = sign[0] in ("[", "(", "{")
        places.append((sign.start(), sign.start() if is_bracket else sign.end()))
        if number == 0 and sign[0] == "=":
            break
    for number, word in enumerate(WORD.finditer(text, start), 1):
        if number in (1, pegs):
            places.append((word.end(), word.end()))
        if number >= pegs:
            break
    yielded_cuts = set()
    for guess_end, score_start in places:
        cut = _cut(text, start, guess_end, score_start)
        if cut.guess and cut.score and cut not in yielded_cuts:
            yielded_cuts.add(cut)
            yield cut


def _cut(text: str, start: int, guess_end: int, score_start: int) -> Cut:
    """Return a cut without blanks and separators at the ends of the guess and the score."""
    guess = text[start:guess_end]
    blank = len(guess) - len(guess.lstrip())
    score = text[score_start:].lstrip(" \t,;|")
    after = len(text) - len(score)
    return Cut(start + blank, GUESS_END.sub("", guess.strip()), after, score.rstrip(" \t\r|,;"))
