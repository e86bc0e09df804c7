"""Reviews in sentences."""

from fractions import Fraction

from mmsat.english import noun_phrase, plural, quantity
from mmsat.game.game import Game
from mmsat.notation.speller import speller
from mmsat.results.review import BEST_PLAY, Move, Review


def describe(game: Game, move: Move) -> str:
    """Return the sentences about one guess."""
    notation = speller(game)
    could = "could be the code" if move.is_possible else "could not be the code"
    unit = "guesses" if move.by == BEST_PLAY else "codes"
    verb = "takes" if move.by == BEST_PLAY else "leaves"
    about = "" if move.is_exact else "about "
    text = f"{notation.print_code(move.row.guess)} {could}; "
    if move.loss:
        text += (
            f"it {verb} {about}{amount(move.cost)} {unit} on average, "
            f"and {notation.print_code(move.best)} {verb} {about}{amount(move.least)}"
        )
    else:
        other_guesses = "no guess" if move.is_exact else "no guess that was tried"
        comparison = f"{verb} fewer than its {about}{amount(move.cost)} {unit} on average"
        text += f"{other_guesses} {comparison}"
    if move.breach is not None:
        text += f"; hard mode forbids it because it ignores information of row {move.breach + 1}"
    if move.codes_after == 0:
        return f"{text}. No code gets this score and those before it."
    if move.codes_before is None or move.codes_after is None:
        return f"{text}."
    text += f". The score left {move.codes_after:,} of {quantity(move.codes_before, 'code')}"
    if move.luckier is not None and move.codes_before > 1:
        text += f", which is luckier than {percent(move.luckier)} of them"
    return f"{text}."


def review_sentences(review: Review) -> list[str]:
    """Return the sentences about the whole game."""
    if review.skill is None:
        return ["There are no guesses to review."]
    unit = "guesses" if review.measure == BEST_PLAY else "codes"
    skill = f"Skill {percent(review.skill)}"
    if review.loss is not None:
        skill += f": {quantity(len(review.moves), 'guess')}, {amount(review.loss)} {unit} lost"
    sentences = [f"{skill}."]
    if review.luck is not None and review.luck_bits is not None:
        kind = "good" if review.luck > 0 else "bad" if review.luck < 0 else "no"
        sentences.append(
            f"With {kind} luck: {amount(review.luck, '+')} {unit}, {review.luck_bits:+.2f} bits."
        )
    if review.impossible:
        rows = noun_phrase("row", [row + 1 for row in review.impossible])
        guesses = plural("guess", len(review.impossible))
        sentences.append(f"The {guesses} in {rows} could not be the code.")
    if forbidden_rows := [move.number + 1 for move in review.moves if move.breach is not None]:
        sentences.append(f"Hard mode forbids {noun_phrase('row', forbidden_rows)}.")
    if not review.is_consistent:
        rows = noun_phrase("row", range(1, len(review.moves) + 1))
        sentences.append(
            f"No code gets the scores of {rows}: see mmsat explain. Later guesses are not reviewed."
            if len(review.moves) < len(review.board.rows)
            else f"No code gets the scores of {rows}: see mmsat explain."
        )
    return sentences


def amount(value: Fraction, sign: str = "") -> str:
    """Return a number of guesses or codes as a decimal."""
    return f"{float(value):{sign},.2f}" if abs(value) < 1000 else f"{float(value):{sign},.0f}"


def percent(part: Fraction) -> str:
    """Return a fraction as a percentage; only 1 is printed as 100%."""
    shown = f"{float(part):.1%}"
    return "99.9%" if shown == "100.0%" and part < 1 else shown.replace("100.0%", "100%")
