"""Sentences for players about verdicts, conflicts and explanations.

Nothing is searched here: a conflict already has the facts for its sentence. `Phrases` puts the
literals, pegs and colors of one board into words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mmsat._util.text import (
    capitalize,
    indefinite,
    join_words,
    noun_phrase,
    percent,
    plural,
    quantity,
)
from mmsat.game.board import Board, Status
from mmsat.game.notation.board_reader import speller
from mmsat.game.symbols import OMITTED_NOUNS

if TYPE_CHECKING:
    from fractions import Fraction

    from mmsat.counting import Count
    from mmsat.diagnosis import Conflict, Correction, Verdict
    from mmsat.diagnosis.explanation import Explanation, Reason, ScoreFact, Trial
    from mmsat.game import Code
    from mmsat.game.tolerance import Tolerance


class Phrases:
    """Puts literals of one board into words."""

    def __init__(self, board: Board) -> None:
        """Look up the names of colors and places in the game."""
        self.board = board
        game = board.game
        self.variables = game.variables
        self.noun = game.color_symbols.noun
        self.omits_noun = self.noun in OMITTED_NOUNS
        """Whether a color is named without the noun: "R" instead of "letter R"."""
        self.is_ordered = bool(game.scoring.marks) and not game.scoring.are_colors_alike
        """Whether scores compare the order of colors: earlier or later in the alphabet."""
        self.has_word_list = game.space.table() is not None
        self.place = "place" if game.scoring.marks or self.has_word_list else "peg"
        self.print_code = speller(game).print_code

    def literals(self, literals: Iterable[int]) -> str:
        """Return the clauses that state the literals, joined by "and"."""
        return join_words(self.clauses(literals))

    def clauses(self, literals: Iterable[int]) -> Iterator[str]:
        """Yield clauses that state the literals, first about pegs, then about counts of colors.

        Equal statements about several pegs or several colors are merged.
        """
        pegs_by_color: dict[int, list[int]] = {}
        excluded_by_peg: dict[int, list[int]] = {}
        bounds: dict[int, tuple[int, int]] = {}
        for literal in sorted(literals, key=abs):
            if self.variables.is_at(literal):
                peg, color = self.variables.peg_color(literal)
                if literal > 0:
                    pegs_by_color.setdefault(color, []).append(peg)
                else:
                    excluded_by_peg.setdefault(peg, []).append(color)
            else:
                color, count = self.variables.color_count(literal)
                low, high = bounds.get(color, (0, self.variables.pegs))
                bounds[color] = (
                    (max(low, count), high) if literal > 0 else (low, min(high, count - 1))
                )
        for color, pegs in pegs_by_color.items():
            yield f"{self.places(pegs)} {is_or_are(pegs)} {self.colors([color])}"
        pegs_by_excluded: dict[tuple[int, ...], list[int]] = {}
        for peg, colors in excluded_by_peg.items():
            pegs_by_excluded.setdefault(tuple(colors), []).append(peg)
        for excluded, pegs in pegs_by_excluded.items():
            yield f"{self.places(pegs)} {self.exclusion(excluded, pegs)}"
        colors_by_bounds: dict[tuple[int, int], list[int]] = {}
        for color, color_bounds in sorted(bounds.items()):
            colors_by_bounds.setdefault(color_bounds, []).append(color)
        for (low, high), colors in colors_by_bounds.items():
            yield self.count_clause(colors, low, high)

    def exclusion(self, excluded: Sequence[int], pegs: Sequence[int]) -> str:
        """Return the predicate that pegs do not have some colors (ascending).

        If colors have an order, and the first or last several colors are excluded, the predicate is
        that the pegs come after, or before, a color.
        """
        last_color = self.variables.colors - 1
        come = "comes" if len(pegs) == 1 else "come"
        is_run = excluded[-1] - excluded[0] == len(excluded) - 1
        if self.is_ordered and len(excluded) > 1 and is_run:
            if excluded[0] == 0 and excluded[-1] < last_color:
                return f"{come} after {self.colors(excluded[-1:])}"
            if excluded[0] > 0 and excluded[-1] == last_color:
                return f"{come} before {self.colors(excluded[:1])}"
        return f"{is_or_are(pegs)} not {self.colors(excluded, 'or')}"

    def count_clause(self, colors: Sequence[int], low: int, high: int) -> str:
        """Return the clause that each of these colors has `low` to `high` pegs."""
        if not high:
            return f"there is no {self.colors(colors, 'or')}"
        is_unbounded = high == self.variables.pegs
        if low == 1 and is_unbounded:
            if self.omits_noun:
                return f"there is {join_words(map(indefinite, map(self.name, colors)))}"
            return f"{self.colors(colors)} {is_or_are(colors)} in the code"
        if low == high:
            amount = f"exactly {low:,}"
        elif is_unbounded:
            amount = f"at least {low:,}"
        else:
            amount = f"{low:,} to {high:,}" if low else f"at most {high:,}"
        last_number = low if is_unbounded else high  # the number before the noun
        if self.omits_noun:
            ending = "s" * (last_number != 1)
            names = join_words(f"{amount} {self.name(color)}{ending}" for color in colors)
            return f"there {'is' if last_number == 1 else 'are'} {names}"
        have = "has" if len(colors) == 1 else "have"
        suffix = " each" * (len(colors) > 1)
        pegs = plural(self.place, last_number)
        return f"{self.colors(colors)} {have} {amount} {pegs}{suffix}"

    def peg(self, literal: int) -> int | None:
        """Return the peg of a literal; None if the literal is about a number of pegs."""
        return self.variables.peg_color(literal)[0] if self.variables.is_at(literal) else None

    def places(self, pegs: Iterable[int]) -> str:
        """Return `peg 1`, or `places 1 and 3`."""
        return noun_phrase(self.place, [peg + 1 for peg in pegs])

    def colors(self, colors: Sequence[int], conjunction: str = "and") -> str:
        """Return `color 1`, `colors 1 and 2`, or `color 1 or 2`; if nouns are omitted, `R or S`."""
        names = [self.name(color) for color in colors]
        if self.omits_noun:
            return join_words(names, conjunction)
        if conjunction == "and":
            return noun_phrase(self.noun, names)
        return f"{self.noun} {join_words(names, conjunction)}"

    def name(self, color: int) -> str:
        """Return the symbol of a color in the game."""
        return self.print_code((color,))


def is_or_are(subjects: Sequence[object]) -> str:
    """Return the verb for these subjects: `is` or `are`."""
    return "is" if len(subjects) == 1 else "are"


def reason_clauses(board: Board, reason: Reason | None) -> Iterator[str]:
    """Yield the clauses that state why rows contradict each other: one for each row, or for all."""
    from mmsat.diagnosis.explanation import CommonFact, LiteralsFact, ReasonKind, ScoreFact

    if reason is None:
        return
    facts = reason.facts
    if reason.kind is ReasonKind.IMPOSSIBLE_SCORE:
        yield reason.rule
    elif reason.kind is ReasonKind.ONE_GUESS:
        yield "they score the same guess differently"
    elif reason.kind is ReasonKind.NO_WORD:
        yield f"no word fits {'both' if len(facts) == 2 else 'all of them'}"
    elif reason.kind is ReasonKind.TOO_MANY_PEGS:
        num_shared = sum(fact.pegs for fact in facts if isinstance(fact, CommonFact))
        is_partial = any(None in board.rows[fact.row].score for fact in facts)
        at_least = "at least " * is_partial
        yield (
            f"they share no {board.game.color_symbols.noun}, and together they score "
            f"{at_least}{num_shared} of {board.game.pegs} pegs"
        )
    elif all(isinstance(fact, ScoreFact) for fact in facts):
        scores = [
            f"{describe_components(board, fact)} in row {fact.row + 1}"
            for fact in facts
            if isinstance(fact, ScoreFact)
        ]
        yield (
            " contradicts ".join(scores)
            if len(scores) == 2
            else f"{join_words(scores)} contradict each other"
        )
    else:
        phrases = Phrases(board)
        for fact in facts:
            if isinstance(fact, LiteralsFact):
                words = phrases.literals(fact.literals)
                that = "" if words.startswith("there ") else "that "
                yield f"row {fact.row + 1} says {that}{words}"
            elif isinstance(fact, ScoreFact):
                yield f"row {fact.row + 1} scores {describe_components(board, fact)}"


MAX_LISTED_TRIALS = 3
"""Maximum number of trials that a sentence describes; further ones are only counted."""


def describe_trials(phrases: Phrases, trials: Sequence[Trial]) -> str:
    """Return a colon and why each literal that was tried is refuted; empty without trials."""
    described = [describe_trial(phrases, trial) for trial in trials[:MAX_LISTED_TRIALS]]
    if others := len(trials) - len(described):
        described.append(f"the same happens in {quantity(others, 'other case')}")
    return f": {'; '.join(described)}" if described else ""


def describe_trial(phrases: Phrases, trial: Trial) -> str:
    """Return the words that state why a literal that was tried is refuted."""
    supposed = phrases.literals([trial.supposed])
    rows = [row + 1 for row in trial.rows]
    end = f"contradicts {noun_phrase('row', rows)}" if rows else "can't be"
    implied = phrases.literals(trial.implied) if trial.implied else ""
    return f"if {supposed}, then {implied}, which {end}" if implied else f"that {supposed} {end}"


def describe_components(board: Board, fact: ScoreFact) -> str:
    """Return the components of a score that a fact states, such as `2 white`."""
    scoring = board.game.scoring
    if fact.score == board.rows[fact.row].score:
        return scoring.describe(fact.score)
    names = scoring.parts(board.game.pegs)
    return " ".join(
        f"{number} {name}"
        for number, name in zip(fact.score, names, strict=True)
        if number is not None
    )


UNDECIDED = "Undecided: the search ended before a verdict was found."
"""The sentence about a board of unknown status."""
ALL_KNOWN = "The game has no other code."
"""The sentence about a conflict without rows: the known codes are all codes of the game."""
MAX_LISTED_REASONS = 10
"""Maximum number of conflicts, and of corrections, in words; further ones are only counted."""
MAX_LISTED_CHANGES = 4
"""Maximum number of rows that one sentence lists with their scores."""


def verdict_sentences(verdict: Verdict, *, proof: bool = False) -> list[str]:
    """Return a verdict in words.

    With `proof`, include the proof of the conflict, if one is known, and the model behind the
    probabilities of mistakes.
    """
    board = verdict.board
    if verdict.status is Status.UNKNOWN:
        return [UNDECIDED]
    if verdict.witness is not None:
        return [consistent_sentence(verdict)]
    reason = conflict_reason(verdict)
    reasons = [] if reason is None else [reason]
    if verdict.conflict is not None and proof and not verdict.tolerance.lies:
        reasons = conflict_sentences(board, [verdict.conflict], full=True)
    return [
        inconsistent_sentence(board, verdict.tolerance),
        *order_reasons(verdict, reasons, [*likely_correction_sentences(verdict)]),
        *(mistaken_sentences(verdict) if proof else []),
    ]


def conflict_reason(verdict: Verdict) -> str | None:
    """Return the sentence about the conflict of a verdict; None if there is no conflict."""
    if verdict.conflict is None:
        return None
    if verdict.tolerance.lies:
        return lies_sentence(verdict.conflict, verdict.tolerance)
    return conflict_sentence(verdict.board, verdict.conflict)


def num_further_corrections(verdict: Verdict) -> int:
    """Return the number of corrections that the verdict in words only counts."""
    return max(0, len(verdict.corrections) - 1)


def likely_correction_sentences(verdict: Verdict) -> Iterator[str]:
    """Yield the correction of the most likely wrong row, and the number of other corrections."""
    likely = verdict.correction
    if likely is None:
        return
    chance = verdict.chance_of(likely)
    yield correction_sentence(verdict.board, likely, chance, is_exact=verdict.mistaken_exactly)
    if num_others := num_further_corrections(verdict):
        minimum = "" if verdict.all_corrections else "At least "
        yield (
            f"{minimum}{quantity(num_others, 'other correction')} "
            f"{'is' if num_others == 1 else 'are'} possible: see mmsat explain."
        )


def order_reasons(
    result: Verdict | Explanation, conflicts: Sequence[str], corrections: Sequence[str]
) -> list[str]:
    """Return the sentences about the rows most likely wrong, the corrections and the conflicts.

    If these rows are unknown, or follow from a conflict of one row, the conflicts precede the
    corrections. If the word list may lack the secret, the first sentence is about that.
    """
    mistake_sentences = likely_mistake_sentences(result)
    reasons = (
        [*mistake_sentences, *corrections, *conflicts]
        if mistake_sentences
        else [*conflicts, *corrections]
    )
    if result.unlisted is None:
        return reasons
    return blame_word_list(result.board, result.unlisted, result.tolerance, reasons)


def consistent_sentence(verdict: Verdict) -> str:
    """Return the sentence with the witness, and with its scores in the rows that it violates."""
    board = verdict.board
    code = speller(board.game).print_code(verdict.witness or ())
    misses = verdict.misses
    if not misses:
        exception = f", apart from {name_known_codes(board)}" if board.known else ""
        return f"Consistent: the code {code} gets exactly these scores{exception}."
    describe = board.game.scoring.describe
    row_scores = [
        f"{describe(miss.score)} in row {miss.row + 1}" for miss in misses[:MAX_LISTED_CHANGES]
    ]
    if (further_rows := len(misses) - MAX_LISTED_CHANGES) > 0:
        row_scores.append(f"other scores in {further_rows} more {plural('row', further_rows)}")
    pegs = sum(miss.pegs for miss in misses)
    distance = f" ({quantity(pegs, 'key peg')} off)" if verdict.tolerance.by == "pegs" else ""
    return (
        f"Consistent within {verdict.tolerance}: the code {code} gets these scores, but with "
        f"{join_words(row_scores)}{distance}."
    )


def inconsistent_sentence(board: Board, tolerance: Tolerance) -> str:
    """Return the sentence that no code, apart from known codes, satisfies the board."""
    exception = f" but {name_known_codes(board)}" if board.known else ""
    if not tolerance.lies:
        return f"Inconsistent: no code{exception} gets exactly these scores."
    if tolerance.by == "pegs":
        return f"Inconsistent: every code{exception} is off by more than {tolerance}."
    return (
        f"Inconsistent: every code{exception} misses more than {quantity(tolerance.lies, 'row')}."
    )


def likely_mistake_sentences(result: Verdict | Explanation) -> list[str]:
    """Return the sentence about the rows that are most likely wrong, if corrections are known.

    The list is empty if the only mistake is in a row that is a conflict by itself, or if a row is
    in every known correction, but not all corrections are known.
    """
    chances = result.mistaken
    if not chances:
        return []
    # All corrections of a board change the same number of rows: the sum of all probabilities.
    highest, num_wrong = max(chances), round(sum(chances))
    rows = [row for row, chance in enumerate(chances, 1) if chance == highest]
    row_names = capitalize(noun_phrase("row", rows))
    if highest == 1:
        conflict = result.conflict
        is_obvious = num_wrong == 1 and conflict is not None and len(conflict.rows) == 1
        if is_obvious or not result.all_corrections:
            return []
        article = "the " if len(rows) == num_wrong else "a " if len(rows) == 1 else ""
        scores = "one score is" if num_wrong == 1 else f"{num_wrong} scores are"
        mistakes = plural("mistake", len(rows))
        return [f"{row_names} must be {article}{mistakes} if only {scores} wrong."]
    about = "" if result.mistaken_exactly else "about "
    chance = f"({about}{percent(highest)}{' each' * (len(rows) > 1)})"
    found_so_far = "" if result.all_corrections else " in the corrections found so far"
    if len(rows) > MAX_LISTED_CHANGES:
        statement = f"{len(rows)} rows are equally likely mistakes"
    elif len(rows) > 1:
        statement = f"{row_names} are the most likely mistakes"
    else:
        statement = f"{row_names} is the most likely mistake"
    minimum = "" if num_wrong == 1 else f"At least {num_wrong} scores are wrong. "
    return [f"{minimum}{statement}{found_so_far} {chance}."]


def blame_word_list(
    board: Board, unlisted: Code, tolerance: Tolerance, reasons: Sequence[str]
) -> list[str]:
    """Return a sentence that the word list may lack the secret, followed by the other reasons.

    `unlisted` is a code that gets the scores, but is not in the word list.
    """
    source = getattr(board.game.space, "source", "")  # empty if the list has no name
    spelled = speller(board.game).print_code(unlisted)
    within = f" within {tolerance}" if tolerance.lies else ""
    about_list = (
        f"The secret word may be missing from the word list{source and ' '}{source}: {spelled}, "
        f"which is not in it, gets these scores{within}."
    )
    return [
        about_list,
        *(f"If the list is complete, {reason[0].lower()}{reason[1:]}" for reason in reasons[:1]),
        *reasons[1:],
    ]


def name_known_codes(board: Board) -> str:
    """Return the noun phrase for the known codes: `the known one` or `the 3 known ones`."""
    number = len(board.known)
    return "the known one" if number == 1 else f"the {number} known ones"


def lies_sentence(conflict: Conflict, tolerance: Tolerance) -> str:
    """Return the sentence that every code violates more rows of a conflict than the lies allow."""
    if not conflict.rows:
        return ALL_KNOWN
    rows = _name_rows(conflict.rows)
    if tolerance.by == "pegs":
        return f"In {rows} alone, every code is off by more than {tolerance}."
    are = "is" if tolerance.lies == 1 else "are"
    return f"Of {rows}, more than {tolerance.lies} {are} wrong."


def _name_rows(rows: Sequence[int]) -> str:
    """Return `row 1`, or `rows 1 and 3`."""
    return noun_phrase("row", [row + 1 for row in rows])


MISTAKE_MODEL = (
    "Wrong: the probability that this score is wrong, assuming as few errors as possible, equally "
    "likely codes, and error weights of 8 (one peg or place with the wrong mark), 4 (one peg too "
    "many or too few), 2 (two numbers exchanged), and 1/8, 1/256 and 1/8192 (2, 3 and more wrong "
    "pegs). Repeated colors counted twice weigh as much as all errors with a wrong mark."
)
"""The model of scoring mistakes of diagnosis/corrections.py, in words."""


def mistaken_sentences(result: Verdict | Explanation) -> list[str]:
    """Return the model of the chances and whether they are exact; empty if all are 0 or 1."""
    if all(chance in (0, 1) for chance in result.mistaken):
        return []
    if result.mistaken_exactly:
        return [MISTAKE_MODEL]
    return [f"{MISTAKE_MODEL} An estimate: not all corrections, or not all their codes, are known."]


def play_sentence(board: Board) -> str:
    """Return the sentence about whether each guess is consistent with the rows before it."""
    row_numbers = [str(row + 1) for row in board.inconsistent_guesses()]
    if not row_numbers:
        return "Consistent play: each guess fits the scores of the rows before it."
    are_several = len(row_numbers) > 1
    if (further_rows := len(row_numbers) - MAX_LISTED_REASONS) > 0:
        row_numbers[MAX_LISTED_REASONS:] = [f"{further_rows} more"]
    guesses, do = ("guesses", "do") if are_several else ("guess", "does")
    rows = noun_phrase("row", row_numbers)
    return f"No consistent play: the {guesses} of {rows} {do} not fit the rows before."


def explanation_sentences(
    explanation: Explanation, max_reasons: int = MAX_LISTED_REASONS, *, full: bool = False
) -> list[str]:
    """Return the verdict, the likely mistakes, and up to `max_reasons` corrections and conflicts.

    Notes state how many more exist. Each conflict is followed by its proof, if one is known; long
    proofs are included only with `full`.
    """
    board = explanation.board
    if explanation.status is Status.UNKNOWN:
        return [UNDECIDED]
    tolerance = explanation.tolerance
    shown_conflicts = explanation.conflicts[:max_reasons]
    if explanation.status is Status.CONSISTENT:
        needs_no_lie = explanation.all_corrections and not explanation.corrections
        verdict = "Consistent: no correction is needed."
        verdict = verdict if needs_no_lie else f"Consistent within {tolerance}."
    else:
        verdict = inconsistent_sentence(board, tolerance)
    if tolerance.lies:
        reasons = [lies_sentence(conflict, tolerance) for conflict in shown_conflicts]
    else:
        reasons = conflict_sentences(board, shown_conflicts, full=full)
    further_conflicts = len(explanation.conflicts) - max_reasons
    further_corrections = len(explanation.corrections) - max_reasons
    conflicts = [*reasons, *_further_note("conflict", further_conflicts, explanation.all_conflicts)]
    # The correction that a verdict shows comes first; the others keep their order.
    likely = explanation.correction
    likely_first = sorted(
        zip(explanation.corrections, explanation.chances, strict=True),
        key=lambda pair: pair[0] is not likely,
    )
    corrections = [
        *(
            correction_sentence(board, item, chance, is_exact=explanation.mistaken_exactly)
            for item, chance in likely_first[:max_reasons]
        ),
        *_further_note("correction", further_corrections, explanation.all_corrections),
    ]
    return [
        verdict,
        *order_reasons(explanation, conflicts, corrections),
        *(mistaken_sentences(explanation) if full else []),
    ]


def _further_note(kind: str, further: int, complete: bool) -> Iterator[str]:
    """Yield a note that not all conflicts, or corrections, are printed or known."""
    if further > 0:
        qualifier = "" if complete else "at least "
        yield f"And {qualifier}{further} more {plural(kind, further)}; -v prints them all."
    elif not complete:
        yield f"There may be more {kind}s: the search ended before all were found."


def conflict_sentences(board: Board, conflicts: Sequence[Conflict], *, full: bool) -> list[str]:
    """Return which rows can't all be right, with proofs and a legend before the first proof.

    No proof is added to a conflict of a single row whose score is impossible for any guess.
    """
    sentences: list[str] = []
    needs_legend = True
    for conflict in conflicts:
        sentences.append(conflict_sentence(board, conflict))
        is_obvious = len(conflict.rows) == 1 and _why_impossible(board, conflict) is not None
        if conflict.refutation is not None and not is_obvious:
            from mmsat.game.refutation import legend, proof_sentence

            if needs_legend:
                sentences.append(legend(board))
                needs_legend = False
            sentences.append(proof_sentence(board, conflict.refutation, full=full))
        elif full and not is_obvious:
            sentences += conflict.derivation
    return sentences


def conflict_sentence(board: Board, conflict: Conflict) -> str:
    """Return which rows can't all be right, with a short reason if there is one.

    If the board has known codes, the sentence states that these rows leave no other code.
    """
    if not conflict.rows:
        return ALL_KNOWN
    if board.known:
        rows = capitalize(_name_rows(conflict.rows))
        return f"{rows} {'leaves' if len(conflict.rows) == 1 else 'leave'} no other code."
    if len(conflict.rows) == 1:
        (row,) = conflict.rows
        why = _why_impossible(board, conflict) or "no code at all gets that score for this guess"
        score = board.game.scoring.describe(board.rows[row].score)
        return f"Row {row + 1} can't be right: {score}, but {why}."
    from mmsat.diagnosis.explanation import find_reason

    both = "both" if len(conflict.rows) == 2 else "all"
    why = "; ".join(reason_clauses(board, find_reason(board, conflict.rows, conflict.facts)))
    rows = join_words(row + 1 for row in conflict.rows)
    return f"Rows {rows} can't {both} be right{f': {why}' if why else ''}."


def _why_impossible(board: Board, conflict: Conflict) -> str | None:
    """Return why no guess can get the score of a conflict's first row, or None if some can."""
    return board.game.scoring.flaw(board.game.pegs, board.rows[conflict.rows[0]].score)


MAX_BOUND_RATIO = 100
"""A probability is printed only if the upper bound of the number of codes is at most this multiple
of the lower bound."""


def correction_sentence(
    board: Board, correction: Correction, chance: Fraction | None = None, *, is_exact: bool = True
) -> str:
    """Return the changed scores, the number of codes that would remain, and the probability.

    The probability is omitted if it is unknown or 1, or if the bounds of the number of codes are
    far apart. `is_exact` is False if it is an estimate.
    """
    describe = board.game.scoring.describe
    changes = [
        f"row {change.row + 1} was {describe(change.after)} instead of {describe(change.before)}"
        + (f" ({change.slip})" if change.slip else "")
        for change in correction.changes[:MAX_LISTED_CHANGES]
    ]
    if (further_rows := correction.cost - MAX_LISTED_CHANGES) > 0:
        changes.append(
            f"{further_rows} more row{'s were' if further_rows > 1 else ' was'} different"
        )
    codes = correction.codes
    if codes is not None and (codes.most or 0) > MAX_BOUND_RATIO * max(1, codes.count):
        chance = None
    probability = "" if chance is None else percent(chance)
    about = "" if is_exact or probability[:1] in ("<", ">") else "about "
    note = f" (probability {about}{probability})" if chance and chance < 1 else ""
    return f"If {join_words(changes)}, {remaining_codes(correction.codes)}{note}."


def remaining_codes(codes: Count | None) -> str:
    """Return a clause about the remaining codes; `codes` is None if they were not counted."""
    if codes is None:
        return "the board is consistent"
    is_single = codes.exact and codes.count == 1
    return f"{codes} code{'' if is_single else 's'} remain{'s' * is_single}"
