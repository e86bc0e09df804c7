"""A suspicion: the board, hypotheses about its suspects, and the guess that distinguishes them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

from mmsat.english import join_words, noun_phrase
from mmsat.notation.speller import speller
from mmsat.render.board import BoardTable, Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.suspicion import Suspicion
from mmsat.results.verdict import Correction

MAX_LISTED = 12
"""Maximum number of hypotheses and of answers that are listed; more are counted."""
MAX_LISTED_PER_ANSWER = 6
"""Maximum number of hypotheses that are listed for an answer."""


def lines(suspicion: Suspicion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with its suspects, the hypotheses, and the guess that distinguishes them."""
    shown = sys.maxsize if in_full else MAX_LISTED
    board = BoardTable(suspicion.board, style, suspicion.suspects, meaning="suspect")
    yield from board.lines(every_row=in_full)
    yield []
    if suspicion.hypotheses:
        heads = ("case", "codes", "scores")
        yield from table(heads, hypothesis_rows(suspicion, shown), style.wrap, (0, 1))
    yield from paragraphs(suspicion_sentences(suspicion, shown), style.wrap)
    if suspicion.telling is None:
        return
    yield []
    yield from paragraphs(telling_sentences(suspicion), style.wrap)
    yield from table(("answer", "leaves"), reply_rows(suspicion, shown), style.wrap)
    if (more := len(suspicion.telling.replies) - shown) > 0:
        yield from paragraphs([f"And {more} more."], style.wrap)


def hypothesis_rows(suspicion: Suspicion, shown: int = MAX_LISTED) -> list[tuple[str, str, str]]:
    """Return, for each hypothesis, its number, its number of codes, and its scores."""
    return [
        (str(number), _codes(hypothesis), _scores(suspicion, hypothesis))
        for number, hypothesis in enumerate(suspicion.hypotheses[:shown], 1)
    ]


def _codes(hypothesis: Correction) -> str:
    return "?" if hypothesis.codes is None else str(hypothesis.codes)


def _scores(suspicion: Suspicion, hypothesis: Correction) -> str:
    spell = speller(suspicion.board.game).print_score
    if not hypothesis.changes:
        return "as recorded"
    return ", ".join(
        f"row {change.row + 1} was {spell(change.after)}"
        + (f" ({change.slip})" if change.slip else "")
        for change in hypothesis.changes
    )


def reply_rows(suspicion: Suspicion, shown: int = MAX_LISTED) -> list[tuple[str, str]]:
    """Return, for each answer to the guess, the hypotheses that remain."""
    telling = suspicion.telling
    if telling is None:
        return []
    spell = speller(suspicion.board.game).print_score
    table_rows = []
    for reply in telling.replies[:shown]:
        numbers = [str(each + 1) for each, _ in reply.left]
        if len(numbers) > MAX_LISTED_PER_ANSWER:
            numbers = [
                *numbers[:MAX_LISTED_PER_ANSWER],
                f"{len(numbers) - MAX_LISTED_PER_ANSWER} more",
            ]
        table_rows.append((spell(reply.score), join_words(numbers)))
    return table_rows


def suspicion_sentences(suspicion: Suspicion, shown: int = MAX_LISTED) -> list[str]:
    """Return sentences about hypotheses that are not in the table."""
    num_hypotheses = len(suspicion.hypotheses)
    if not num_hypotheses and suspicion.all_hypotheses:
        rows = noun_phrase("row", [row + 1 for row in suspicion.suspects])
        return [f"Whatever {rows} scored, {_others(suspicion)} be right."]
    notes = []
    if num_hypotheses > shown:
        notes.append(f"And {num_hypotheses - shown} more.")
    if not suspicion.all_hypotheses:
        notes.append("There may be more: the search ended before all were found.")
    return notes


def _others(suspicion: Suspicion) -> str:
    """Return words for "all rows but the suspects conflict", to be followed by "be right"."""
    rows = range(len(suspicion.board.rows))
    others = [row for row in rows if row not in suspicion.suspects]
    return f"row {others[0] + 1} can't" if len(others) == 1 else "the other rows can't all"


def telling_sentences(suspicion: Suspicion) -> list[str]:
    """Return sentences about the guess that best distinguishes the hypotheses."""
    telling = suspicion.telling
    if telling is None:
        return []
    guess = speller(suspicion.board.game).print_code(telling.guess)
    is_sure = telling.chance == 1 and suspicion.all_hypotheses
    certainty = "for certain" if is_sure else f"with {_percent(telling.chance)} probability"
    condition = "" if suspicion.all_hypotheses else ", if it is among these"
    before = f"{_percent(telling.before)} without this guess"
    text = f"Guess {guess}: its score identifies the right case {certainty}{condition} ({before})."
    if telling.can_win:
        text += " It may itself be the code."
    if telling.is_sampled:
        text += " It is the best of a sample: not every guess was tried on every code."
    return [text]


def _percent(chance: Fraction) -> str:
    whole = round(100 * chance)
    return f"{whole}%" if 0 < whole < 100 else ">99%" if whole else "<1%"
