"""Verdicts and explanations in sentences that a player understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.english import capitalize, join_words, noun_phrase, percent, plural, quantity
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.results.verdict import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.results.count import Count
    from mmsat.results.explanation import Explanation
    from mmsat.results.verdict import Conflict, Correction, Verdict
    from mmsat.tolerance import Tolerance

UNDECIDED = "Undecided: the search ended before a verdict was found."
ALL_KNOWN = "The game has no other code."
SHOWN = 10
"""How many conflicts, and corrections, are put in words; the rest are counted."""
REFUTATION_SENTENCES = "mmsat.diagnosis.refutation_sentences"
CLAUSES = "mmsat.diagnosis.fact_sentences:clauses"
"""Loaded by name, because most boards have no conflict."""
CHANGES = 4
"""How many changed rows of one correction are put in words."""


def verdict_sentences(verdict: Verdict, *, proof: bool = False) -> list[str]:
    """What a verdict says; with `proof`, also why the rows in conflict are, where that is known."""
    board = verdict.board
    if verdict.status is Status.UNKNOWN:
        return [UNDECIDED]
    if verdict.witness is not None:
        return [consistent_sentence(verdict)]
    reasons: list[str] = []
    if verdict.conflict is not None:
        if verdict.tolerance.lies:
            reasons = [lies_sentence(verdict.conflict, verdict.tolerance)]
        elif proof:
            reasons = conflict_sentences(board, [verdict.conflict], full=True)
        else:
            reasons = [conflict_sentence(board, verdict.conflict)]
    correction = verdict.correction
    corrections = [] if correction is None else [correction_sentence(board, correction)]
    return [
        inconsistent_sentence(board, verdict.tolerance),
        *order_reasons(verdict, reasons, corrections),
        *(mistaken_sentences(verdict) if proof else []),
    ]


def order_reasons(
    found: Verdict | Explanation, conflicts: Sequence[str], corrections: Sequence[str]
) -> list[str]:
    """Return which row is most likely wrong, then the corrections, then the conflicts.

    If that is unknown, or follows from a conflict of one row, the conflicts precede the
    corrections. If the word list may lack the secret, the first sentence is about that.
    """
    likely = likely_sentences(found)
    reasons = [*likely, *corrections, *conflicts] if likely else [*conflicts, *corrections]
    if found.unlisted is None:
        return reasons
    return blame_list(found.board, found.unlisted, found.tolerance, reasons)


def consistent_sentence(verdict: Verdict) -> str:
    """Which code there is, and what it would get in the rows that it misses."""
    board = verdict.board
    code = speller(board.game).print_code(verdict.witness or ())
    misses = verdict.misses
    if not misses:
        other = f", beside {known_codes(board)}" if board.known else ""
        return f"Consistent: the code {code} gets exactly these scores{other}."
    describe = board.game.scoring.describe
    shown = [f"{describe(miss.score)} in row {miss.row + 1}" for miss in misses[:CHANGES]]
    if (more := len(misses) - CHANGES) > 0:
        shown.append(f"other scores in {more} more {plural('row', more)}")
    pegs = sum(miss.pegs for miss in misses)
    off = f" ({quantity(pegs, 'key peg')} off)" if verdict.tolerance.by == "pegs" else ""
    return (
        f"Consistent within {verdict.tolerance}: the code {code} gets these scores, but with "
        f"{join_words(shown)}{off}."
    )


def inconsistent_sentence(board: Board, tolerance: Tolerance) -> str:
    """That there is no code, or none but the known ones."""
    but = f" but {known_codes(board)}" if board.known else ""
    if not tolerance.lies:
        return f"Inconsistent: no code{but} gets exactly these scores."
    if tolerance.by == "pegs":
        return f"Inconsistent: every code{but} is off by more than {tolerance}."
    return f"Inconsistent: every code{but} misses more than {quantity(tolerance.lies, 'row')}."


def likely_sentences(found: Verdict | Explanation) -> list[str]:
    """Return which rows are most likely wrong, if corrections are known.

    Returns nothing if the only mistake is a row that is in conflict by itself.
    """
    chances = found.mistaken
    if not chances:
        return []
    highest, wrong = max(chances), round(sum(chances))
    rows = [row for row, chance in enumerate(chances, 1) if chance == highest]
    which = capitalize(noun_phrase("row", rows))
    if highest == 1:
        is_said = wrong == 1 and found.conflict is not None and len(found.conflict.rows) == 1
        if is_said or not found.all_corrections:
            return []
        article = "the " if len(rows) == wrong else "a " if len(rows) == 1 else ""
        scores = "one score is" if wrong == 1 else f"{wrong} scores are"
        mistakes = plural("mistake", len(rows))
        return [f"{which} must be {article}{mistakes} if only {scores} wrong."]
    about = "" if found.mistaken_exactly else "about "
    chance = f"({about}{percent(highest)}{' each' * (len(rows) > 1)})"
    found_so_far = "" if found.all_corrections else " in the corrections found so far"
    if len(rows) > CHANGES:
        likely = f"{len(rows)} rows are equally likely mistakes"
    elif len(rows) > 1:
        likely = f"{which} are the most likely mistakes"
    else:
        likely = f"{which} is the most likely mistake"
    least = "" if wrong == 1 else f"At least {wrong} scores are wrong. "
    return [f"{least}{likely}{found_so_far} {chance}."]


def blame_list(
    board: Board, unlisted: Code, tolerance: Tolerance, reasons: Sequence[str]
) -> list[str]:
    """Return the sentences of conflicts, after one about the word list that may lack the secret.

    `unlisted` is a code outside the list that gets the scores.
    """
    source = getattr(board.game.space, "source", "")
    spelled = speller(board.game).print_code(unlisted)
    within = f" within {tolerance}" if tolerance.lies else ""
    blamed = (
        f"The secret word may be missing from the word list{source and ' '}{source}: {spelled}, "
        f"which is not in it, gets these scores{within}."
    )
    return [
        blamed,
        *(f"If the list is complete, {first[0].lower()}{first[1:]}" for first in reasons[:1]),
        *reasons[1:],
    ]


def known_codes(board: Board) -> str:
    """Which codes do not count: the known one, the 3 known ones."""
    many = len(board.known)
    return "the known one" if many == 1 else f"the {many} known ones"


def lies_sentence(conflict: Conflict, tolerance: Tolerance) -> str:
    """Of which rows every code misses more than the lies."""
    if not conflict.rows:
        return ALL_KNOWN
    rows = _rows(conflict.rows)
    if tolerance.by == "pegs":
        return f"In {rows} alone, every code is off by more than {tolerance}."
    are = "is" if tolerance.lies == 1 else "are"
    return f"Of {rows}, more than {tolerance.lies} {are} wrong."


def _rows(rows: Sequence[int]) -> str:
    return noun_phrase("row", [row + 1 for row in rows])


MODEL = (
    "Wrong: the probability that this score is wrong, assuming as few errors as possible, equally "
    "likely codes, and error weights of 8 (one peg or place under a wrong name), 4 (one peg too "
    "many or too few), 2 (two numbers exchanged), 1 (other), or of all wrong names together "
    "(repeated colors counted twice)."
)
"""The model of slips.WEIGHTS, for people."""


def mistaken_sentences(found: Verdict | Explanation) -> list[str]:
    """Return the model of chances between 0 and 1, and whether these are exact."""
    if all(chance in (0, 1) for chance in found.mistaken):
        return []
    if found.mistaken_exactly:
        return [MODEL]
    return [f"{MODEL} An estimate: not all corrections, or not all their codes, are known."]


def play_sentence(board: Board) -> str:
    """Whether the guesses are those of Consistent Mastermind."""
    unfit = [str(row + 1) for row in board.inconsistent_guesses()]
    if not unfit:
        return "Consistent play: each guess fits the scores of the rows before it."
    many = len(unfit) > 1
    if (more := len(unfit) - SHOWN) > 0:
        unfit[SHOWN:] = [f"{more} more"]
    guesses, do = ("guesses", "do") if many else ("guess", "does")
    rows = noun_phrase("row", unfit)
    return f"No consistent play: the {guesses} of {rows} {do} not fit the rows before."


def explanation_sentences(
    explanation: Explanation, shown: int = SHOWN, *, full: bool = False
) -> list[str]:
    """Return the likely mistake, corrections and conflicts, each list cut with a note.

    After a conflict stands its proof, where there is one; a long one when it is to be `full`.
    """
    board = explanation.board
    if explanation.status is Status.UNKNOWN:
        return [UNDECIDED]
    tolerance = explanation.tolerance
    shown_conflicts = explanation.conflicts[:shown]
    if explanation.status is Status.CONSISTENT:
        is_true = explanation.all_corrections and not explanation.corrections
        verdict = "Consistent: no correction is needed."
        verdict = verdict if is_true else f"Consistent within {tolerance}."
    else:
        verdict = inconsistent_sentence(board, tolerance)
    if tolerance.lies:
        reasons = [lies_sentence(conflict, tolerance) for conflict in shown_conflicts]
    else:
        reasons = conflict_sentences(board, shown_conflicts, full=full)
    conflicts = [
        *reasons,
        *_rest("conflict", len(explanation.conflicts) - shown, explanation.all_conflicts),
    ]
    corrections = [
        *(correction_sentence(board, each) for each in explanation.corrections[:shown]),
        *_rest("correction", len(explanation.corrections) - shown, explanation.all_corrections),
    ]
    return [
        verdict,
        *order_reasons(explanation, conflicts, corrections),
        *mistaken_sentences(explanation),
    ]


def _rest(kind: str, more: int, complete: bool) -> Iterator[str]:
    if more > 0:
        least = "" if complete else "at least "
        yield f"And {least}{more} more {plural(kind, more)}; -v prints them all."
    elif not complete:
        yield f"There may be more {kind}s: the search ended before all were found."


def conflict_sentences(board: Board, conflicts: Sequence[Conflict], *, full: bool) -> list[str]:
    """Which rows can't all be right, each with its proof if there is one, and how to read it.

    What is wrong with a row on its own is told without.
    """
    sentences: list[str] = []
    is_new = True
    for conflict in conflicts:
        sentences.append(conflict_sentence(board, conflict))
        is_plain = len(conflict.rows) == 1 and _flaw(board, conflict) is not None
        if conflict.refutation is not None and not is_plain:
            if is_new:
                sentences.append(load(f"{REFUTATION_SENTENCES}:legend")(board))
                is_new = False
            proof_sentence = load(f"{REFUTATION_SENTENCES}:proof_sentence")
            sentences.append(proof_sentence(board, conflict.refutation, full=full))
        elif full and not is_plain:
            sentences += conflict.derivation
    return sentences


def conflict_sentence(board: Board, conflict: Conflict) -> str:
    """Which rows can't all be right, and why, where that is soon said.

    Where codes are known, these rows leave no other.
    """
    if not conflict.rows:
        return ALL_KNOWN
    if board.known:
        rows = capitalize(_rows(conflict.rows))
        return f"{rows} {'leaves' if len(conflict.rows) == 1 else 'leave'} no other code."
    if len(conflict.rows) == 1:
        (row,) = conflict.rows
        why = _flaw(board, conflict) or "no code at all gets that score for this guess"
        score = board.game.scoring.describe(board.rows[row].score)
        return f"Row {row + 1} can't be right: {score}, but {why}."
    both = "both" if len(conflict.rows) == 2 else "all"
    why = "; ".join(load(CLAUSES)(board, conflict.facts)) if conflict.facts else ""
    rows = join_words(row + 1 for row in conflict.rows)
    return f"Rows {rows} can't {both} be right{f': {why}' if why else ''}."


def _flaw(board: Board, conflict: Conflict) -> str | None:
    """What is wrong with a single row's score for any guess."""
    return board.game.scoring.flaw(board.game.pegs, board.rows[conflict.rows[0]].score)


def correction_sentence(board: Board, correction: Correction) -> str:
    """What the scores may have been, and what would remain."""
    describe = board.game.scoring.describe
    changes = [
        f"row {change.row + 1} was {describe(change.after)} instead of {describe(change.before)}"
        + (f" ({change.slip})" if change.slip else "")
        for change in correction.changes[:CHANGES]
    ]
    if (more := correction.cost - CHANGES) > 0:
        changes.append(f"{more} more row{'s were' if more > 1 else ' was'} different")
    return f"If {join_words(changes)}, {remaining(correction.codes)}."


def remaining(codes: Count | None) -> str:
    """How many codes remain, in words."""
    if codes is None:
        return "the board is consistent"
    one = codes.count == 1
    return f"{codes} {plural('code', codes.count)} remain{'s' * one}"
