"""Suggestions, rounds and matches in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.english import plural
from mmsat.notation.speller import speller

if TYPE_CHECKING:
    from mmsat.results import Prospect, Suggestion


def suggestion_sentences(suggestion: Suggestion) -> list[str]:
    """A guess with its reasons."""
    print_code = speller(suggestion.board.game).print_code
    count, best = suggestion.codes, suggestion.best
    one = count.exact and count.count == 1
    within = f" within {suggestion.tolerance}" if suggestion.tolerance.lies else ""
    said = [f"{count} {'code' if one else 'codes'} remain{'s' * one}{within}."]
    if one and best.is_possible:
        return [*said, f"Guess {print_code(best.guess)}: it is the code."]
    said.append(f"Guess {print_code(best.guess)}: {outlook(suggestion, best)}.")
    if suggestion.expected_guesses is not None:
        takes = f"{float(suggestion.expected_guesses):.3g} guesses on average, this one included"
        play = "consistent play" if suggestion.consistent_only else "play"
        said.append(f"The code then takes {takes}; no {play} takes fewer.")
    if within:
        said.append("This takes the scores to come to be right.")
    if suggestion.others:
        said.append(f"Or {', '.join(print_code(each.guess) for each in suggestion.others)}.")
    return said


def outlook(suggestion: Suggestion, prospect: Prospect) -> str:
    """What a guess promises."""
    count, exact = suggestion.codes, suggestion.is_exact
    judged = prospect.judged_by
    if exact:
        left = (
            f"it leaves {float(prospect.expected):.3g} codes on average, {prospect.worst} at worst"
        )
    else:
        share, worst = prospect.expected / judged, prospect.worst / judged
        if count.exact:
            expected = float(share * count.count)
            left = f"it leaves about {expected:.3g} codes on average"
        else:
            left = f"it leaves about {float(share):.2%} of the codes on average"
        left += f", about {worst:.2%} of them at worst (judged by {judged:,} codes)"
    scores = f"{prospect.scores} different {plural('score', prospect.scores)}"
    if not prospect.is_possible:
        return f"{left}, with {scores}; it cannot itself be the code"
    most = "" if count.exact else "at most "
    return f"{left}, with {scores}; it is the code with a chance of {most}{chance(prospect)}"


def chance(prospect: Prospect) -> str:
    """A chance as one says it."""
    return f"{prospect.chance.numerator} in {prospect.chance.denominator:,}"
