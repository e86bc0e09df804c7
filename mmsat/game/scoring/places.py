"""A mark for each place: in place, elsewhere or absent, as in the daily word games.

A copy of a letter is marked "elsewhere" only while the code still has an unmarked copy: first all
places that are right are marked, then the others from left to right. So the copy of rank j among
the guess's copies of a letter, when it is not in place, is marked "elsewhere" just when the code's
copies, less those that later copies of the guess hit in place, are j or more.
"""

from collections.abc import Iterator, Sequence

from mmsat.arrays import Array, np
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.scoring.scoring import Mark, Scoring

ABSENT, ELSEWHERE, IN_PLACE = range(3)


class Places(Scoring):
    """One mark a place, as in `5x26p/CRANE=G-Y--`."""

    name = "places"
    suffix = "p"
    example = "5x26p"
    summary = "for each place: G in place, Y elsewhere, - absent"
    are_pegs_alike = False
    marks = (
        Mark("-", "absent", "0BX_⬛⬜◼◻◾◽▪▫■□⚫⚪🖤🤍🩶"),
        Mark("Y", "elsewhere", "1🟨🟡💛🟦🔵💙"),
        Mark("G", "in place", "2🟩🟢💚🟧🟠🧡"),
    )
    shades = ("⬛◼◾▪■⚫🖤", "⬜◻◽▫□⚪🤍")
    palettes = ("🟩🟨🟢🟡💚💛", "🟧🟦🟠🔵🧡💙")

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        marks = [IN_PLACE if hit else ABSENT for hit in map(int.__eq__, code, guess)]
        left: dict[int, int] = {}
        for color, mark in zip(code, marks, strict=True):
            if mark != IN_PLACE:
                left[color] = left.get(color, 0) + 1
        for place, color in enumerate(guess):
            if marks[place] != IN_PLACE and left.get(color):
                left[color] -= 1
                marks[place] = ELSEWHERE
        return tuple(marks)

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            IN_PLACE if secret == color else ELSEWHERE if color in code else ABSENT
            for secret, color in zip(code, guess, strict=True)
        )

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        columns = [codes[:, place] for place in range(len(guess))]
        hits = [column == asked for column, asked in zip(columns, guess, strict=True)]
        marks = np.empty(codes.shape, dtype=np.uint8)
        for color in set(guess):
            left = np.zeros(len(codes), dtype=np.min_scalar_type(len(guess)))
            for column, asked in zip(columns, guess, strict=True):
                if asked != color:  # else a copy there is a hit
                    left += column == color
            for place in (place for place, asked in enumerate(guess) if asked == color):
                is_elsewhere = ~hits[place] & (left > 0)
                marks[:, place] = np.where(hits[place], IN_PLACE, is_elsewhere * ELSEWHERE)
                left -= is_elsewhere
        return marks

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """A place that is read is hit or not; if not, enough copies are left for it or not."""
        for place, mark in enumerate(score):
            hit = variables.at(place, guess[place])
            if mark == IN_PLACE:
                yield CardinalityConstraint((hit,), 1, 1)
            elif mark is not None:
                yield CardinalityConstraint((hit,), 0, 0)
                left, rank = copies_left(variables, guess, place)
                if mark == ELSEWHERE:
                    yield CardinalityConstraint(left, rank, len(left))
                else:
                    yield CardinalityConstraint(left, 0, rank - 1)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """One lone place that is not right, and yet in the code."""
        if score.count(IN_PLACE) == pegs - 1 and ELSEWHERE in score:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} in place, the last has nowhere else to go"
        return None


def copies_left(
    variables: VariableMap, guess: Sequence[int], place: int
) -> tuple[tuple[int, ...], int]:
    """Literals whose number decides whether a copy out of place is elsewhere, and from when.

    The code's copies of the letter (no more than the guess has matter) less the later hits: each
    later place counts while it is not hit, which raises the limit by one.
    """
    color = guess[place]
    later = [q for q in range(place + 1, len(guess)) if guess[q] == color]
    copies = sum(guessed == color for guessed in guess)
    least = tuple(variables.least(color, count) for count in range(1, copies + 1))
    return least + tuple(-variables.at(q, color) for q in later), copies
