"""Reports of boards, and of verdicts, explanations, proofs and suspicions about them.

Board           the table of the board
Verdict         the board with its code, or with errors marked, and sentences
Explanation     the board with the first conflict, and sentences about all conflicts
Odds            the probability of every color at every peg
Steps           the board, and the deduction of its contradiction or of its certain facts
Proof           the board with the rows that the proof uses, and the claim that the file proves
Verification    the result of checking a proof, in one sentence
Generated       the board and how it was made
Suspicion       the board, hypotheses about its suspects, and the guess that distinguishes them
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mmsat._util.text import join_words, noun_phrase, quantity
from mmsat.game.notation.board_reader import speller
from mmsat.render import Line, Span, paragraphs, table
from mmsat.render.board import CORRECTION_LEGEND, BoardTable, Style, odds_table

if TYPE_CHECKING:
    from fractions import Fraction

    from mmsat.counting.listing import Odds
    from mmsat.diagnosis import Correction, Verdict
    from mmsat.diagnosis.explanation import Explanation
    from mmsat.diagnosis.steps import Steps
    from mmsat.diagnosis.steps.stepwise import Frame
    from mmsat.diagnosis.suspect import Suspicion
    from mmsat.game.board import Board
    from mmsat.proof import Verification
    from mmsat.proof.prove import Proof
    from mmsat.reductions.families import Generated


def board_lines(board: Board, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return the table of a board; in full, all of its rows."""
    return BoardTable(board, style).lines(every_row=in_full)


def verdict_lines(
    verdict: Verdict, style: Style, *, in_full: bool, num_printed: int = 0
) -> Iterator[Line]:
    """Yield the board and the verdict; in full, every row and the proof of the conflict.

    The first `num_printed` sentences, which were printed before, are omitted.
    """
    from mmsat.diagnosis.sentences import verdict_sentences

    marked = verdict.conflict.rows if verdict.conflict else ()
    changes = verdict.correction.changes if verdict.correction else ()
    scores = {change.row: change.after for change in changes}
    meaning, arrow = "in conflict", CORRECTION_LEGEND
    if verdict.misses:
        scores = {miss.row: miss.score for miss in verdict.misses}
        marked, meaning, arrow = tuple(scores), "missed by the code", "score of the code"
    board, chances = verdict.board, verdict.mistaken
    table = BoardTable(board, style, marked, scores, meaning, arrow=arrow, chances=chances)
    yield from table.lines(every_row=in_full, code=verdict.witness)
    yield []
    yield from paragraphs(verdict_sentences(verdict, proof=in_full)[num_printed:], style.wrap)


def explanation_lines(explanation: Explanation, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the first conflict and the best correction, then all of them in words.

    Only the rows of the first conflict are marked. Those of all conflicts are often all rows.
    """
    from mmsat.diagnosis.sentences import MAX_LISTED_REASONS, explanation_sentences

    first_conflict = explanation.conflict.rows if explanation.conflict else ()
    likely = explanation.correction
    table = BoardTable(
        explanation.board,
        style,
        first_conflict,
        {change.row: change.after for change in (likely.changes if likely else ())},
        "in the first conflict" if len(explanation.conflicts) > 1 else "in conflict",
        arrow=CORRECTION_LEGEND,
        chances=explanation.mistaken,
    )
    yield from table.lines(every_row=in_full)
    yield []
    max_corrections = sys.maxsize if in_full else MAX_LISTED_REASONS
    yield from paragraphs(
        explanation_sentences(explanation, max_corrections, full=in_full), style.wrap
    )


def odds_lines(odds: Odds, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return a row per peg with a column per color, in blocks that fit the width."""
    return odds_table(odds, style.width)


MIN_SENTENCE_WIDTH = 20
"""Minimum width in columns of the sentence of a step, even if it is deeply indented."""


def steps_lines(steps: Steps, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the used rows marked, then the steps; in full, a board for each step."""
    used_rows = sorted({row for step in steps.steps for row in step.rows})
    table = BoardTable(steps.board, style, used_rows, meaning="used below")
    yield from table.lines(every_row=in_full)
    yield []
    step_frames: Iterator[Frame] = iter(())
    if in_full:
        from mmsat.diagnosis.steps.stepwise import frames
        from mmsat.render import picture

        step_frames = frames(steps)
    for line in steps.lines():
        margin = "    " * line.depth
        sentence_width = (
            None if style.wrap is None else max(MIN_SENTENCE_WIDTH, style.wrap - len(margin))
        )
        for spans in paragraphs([line.text], sentence_width):
            yield [Span(margin), *spans]
        if in_full and line.step is not None:
            yield []
            for spans in picture.pegboard_lines(steps.board, next(step_frames), style):
                yield [Span(margin + "    "), *spans]
            yield []


MAX_NAMED_ROWS = 8
"""Maximum number of rows that a sentence about a proof names. If there are more, it counts them."""


MAX_BOARD_CHARACTERS = 100
"""Maximum length of a board line that is printed in a sentence about a proof."""


def verify_lines(verification: Verification, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Return the result of checking a proof."""
    return paragraphs([verification_sentence(verification)], style.wrap)


def verification_sentence(verification: Verification) -> str:
    """Return the result of checking a proof as a sentence."""
    if verification.holds is None:
        return f"Undecided: {verification.reason.removeprefix('undecided: ')}."
    if not verification.holds:
        return f"Rejected: {verification.reason}."
    if verification.count is not None:
        codes = quantity(verification.count, "code")
        return f"The proof holds: {verification.board} has {codes}; {verification.reason}."
    if verification.method in ("strategy", "value"):
        return f"The proof holds: {verification.reason}."
    row_words = (
        f" by {rows_in_words([row + 1 for row in verification.rows])}" if verification.rows else ""
    )
    return (
        f"The proof holds: {board_in_words(verification.board)} is {verification.verdict}"
        f"{row_words}; {verification.reason}."
    )


def board_in_words(board: Board | None) -> str:
    """Return a board line if it is short, otherwise the game and the number of rows."""
    line = str(board)
    if board is None or len(line) <= MAX_BOARD_CHARACTERS:
        return line
    return f"a board of {board.game} with {quantity(len(board.rows), 'row')}"


def rows_in_words(rows: list[int]) -> str:
    """Return row numbers in words, or only how many rows there are if there are many."""
    if len(rows) > MAX_NAMED_ROWS:
        return f"{len(rows)} of its rows"
    return noun_phrase("row", rows)


METHODS = {
    "witness": "a code",
    "algebra": "adding up rows",
    "sums": "short sums of rows",
    "lrat": "lemmas",
    "explanation": "lemmas and codes",
    "count": "nodes and lemmas",
    "layers": "states and their counts",
    "list": "codes and lemmas",
    "strategy": "a tree and lower bounds",
    "value": "trees and lower bounds",
    "veripb": "cutting planes and unit propagation",
}
"""Methods of proofs, in words."""


def prove_lines(proof: Proof, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with the rows that the proof uses, and a sentence."""
    table = BoardTable(proof.board, style, proof.rows, meaning="no code gets all these scores")
    yield from table.lines(every_row=in_full)
    yield []
    rows = rows_in_words([row + 1 for row in proof.rows])
    subject = f"{rows} of the board {'is' if len(proof.rows) == 1 else 'are'}"
    claim = f"{subject if proof.rows else 'the board is'} {proof.status}"
    if proof.count is not None:
        claim = f"the board has {quantity(proof.count, 'code')}"
    size = quantity(len(proof.text.encode()), "byte")
    sentence = f"Proven by {METHODS[proof.method]}: {claim}. The proof has {size}, and was checked."
    yield from paragraphs([sentence], style.wrap)


def family_lines(generated: Generated, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with its witness, and sentences that describe how it was generated."""
    yield from BoardTable(generated.board, style).lines(every_row=in_full, code=generated.witness)
    yield []
    yield from paragraphs(generated.sentences, style.wrap)


MAX_LISTED = 12
"""Maximum number of hypotheses, and of answers, that are listed. If there are more, they are
counted. An answer is a possible score of the guess that distinguishes the hypotheses."""
MAX_LISTED_PER_ANSWER = 6
"""Maximum number of hypotheses that are listed for one answer."""


def suspicion_lines(suspicion: Suspicion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the board with its suspects, the hypotheses, and the guess that distinguishes them."""
    max_listed = sys.maxsize if in_full else MAX_LISTED
    board = BoardTable(suspicion.board, style, suspicion.suspects, meaning="suspect")
    yield from board.lines(every_row=in_full)
    yield []
    if suspicion.hypotheses:
        heads = ("case", "codes", "scores")
        yield from table(heads, hypothesis_rows(suspicion, max_listed), style.wrap, (0, 1))
    yield from paragraphs(suspicion_sentences(suspicion, max_listed), style.wrap)
    if suspicion.discriminating_guess is None:
        return
    yield []
    yield from paragraphs(discriminating_guess_sentences(suspicion), style.wrap)
    yield from table(("answer", "leaves"), reply_rows(suspicion, max_listed), style.wrap)
    if (num_omitted := len(suspicion.discriminating_guess.replies) - max_listed) > 0:
        yield from paragraphs([f"And {num_omitted} more."], style.wrap)


def hypothesis_rows(
    suspicion: Suspicion, max_listed: int = MAX_LISTED
) -> list[tuple[str, str, str]]:
    """Return, for each hypothesis, its number, its number of codes, and its scores."""
    return [
        (str(number), _codes(hypothesis), _scores(suspicion, hypothesis))
        for number, hypothesis in enumerate(suspicion.hypotheses[:max_listed], 1)
    ]


def _codes(hypothesis: Correction) -> str:
    """Return the number of codes of a hypothesis as text; "?" if it is unknown."""
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


def reply_rows(suspicion: Suspicion, max_listed: int = MAX_LISTED) -> list[tuple[str, str]]:
    """Return each score of the guess with the numbers of the hypotheses that remain after it."""
    best = suspicion.discriminating_guess
    if best is None:
        return []
    spell = speller(suspicion.board.game).print_score
    table_rows = []
    for reply in best.replies[:max_listed]:
        numbers = [str(hypothesis + 1) for hypothesis, _ in reply.remaining]
        if len(numbers) > MAX_LISTED_PER_ANSWER:
            numbers = [
                *numbers[:MAX_LISTED_PER_ANSWER],
                f"{len(numbers) - MAX_LISTED_PER_ANSWER} more",
            ]
        table_rows.append((spell(reply.score), join_words(numbers)))
    return table_rows


def suspicion_sentences(suspicion: Suspicion, max_listed: int = MAX_LISTED) -> list[str]:
    """Return sentences about omitted, missing or undiscovered hypotheses."""
    num_hypotheses = len(suspicion.hypotheses)
    if not num_hypotheses and suspicion.all_hypotheses:
        rows = noun_phrase("row", [row + 1 for row in suspicion.suspects])
        return [f"Whatever {rows} scored, {_others(suspicion)} be right."]
    notes = []
    if num_hypotheses > max_listed:
        notes.append(f"And {num_hypotheses - max_listed} more.")
    if not suspicion.all_hypotheses:
        notes.append("There may be more: the search ended before all were found.")
    return notes


def _others(suspicion: Suspicion) -> str:
    """Return which rows conflict without the suspects, in words that precede "be right"."""
    all_rows = range(len(suspicion.board.rows))
    others = [row for row in all_rows if row not in suspicion.suspects]
    return f"row {others[0] + 1} can't" if len(others) == 1 else "the other rows can't all"


def discriminating_guess_sentences(suspicion: Suspicion) -> list[str]:
    """Return sentences about the guess that best distinguishes the hypotheses."""
    best = suspicion.discriminating_guess
    if best is None:
        return []
    guess = speller(suspicion.board.game).print_code(best.guess)
    is_sure = best.chance == 1 and suspicion.all_hypotheses
    certainty = "for certain" if is_sure else f"with {_percent(best.chance)} probability"
    condition = "" if suspicion.all_hypotheses else ", if it is among these"
    before = f"{_percent(best.before)} without this guess"
    text = f"Guess {guess}: its score identifies the right case {certainty}{condition} ({before})."
    if best.can_win:
        text += " It may itself be the code."
    if best.is_sampled:
        text += " It is the best of a sample: not every guess was tried on every code."
    return [text]


def _percent(chance: Fraction) -> str:
    """Return a probability as a whole percentage, in which only 0 and 1 are 0% and 100%."""
    whole = round(100 * chance)
    return f"{whole}%" if 0 < whole < 100 else ">99%" if whole else "<1%"


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "Board": board_lines,
    "Explanation": explanation_lines,
    "Generated": family_lines,
    "Odds": odds_lines,
    "Proof": prove_lines,
    "Steps": steps_lines,
    "Suspicion": suspicion_lines,
    "Verdict": verdict_lines,
    "Verification": verify_lines,
}
"""The functions of reports, by the names of the classes of results."""
