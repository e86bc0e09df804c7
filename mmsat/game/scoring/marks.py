"""Scorings by colors in any place (`Color`), and by a mark for each place (`Order`, `Places`).

color: the number of pegs that a code and a guess have in common in any order. This is an easier
game for children. Places do not count, so there is one kind of key peg.

order: right, or whether the code's letter is earlier or later in the alphabet. These are the clues
of Secret Search (1997). Each mark depends only on the letters at its place.

places: in place, elsewhere or absent, as in the daily word games. First all places that are right
are marked, then the others from left to right. A copy of a letter is marked "elsewhere" only if the
code still has an unmarked copy of the letter. So the copy of rank j among the guess's copies of a
letter, if it is not in place, is marked "elsewhere" if and only if the number of copies in the
code, minus the number of later copies of the guess that are in place, is at least j.
"""

from collections.abc import Iterator, Sequence

from mmsat._util.arrays import Array, np
from mmsat.game.scoring.scoring import (
    Mark,
    Scoring,
    all_shared_colors,
    in_common,
    shared_colors,
    too_many,
)
from mmsat.game.space import CardinalityConstraint, VariableMap


class Color(Scoring):
    """color, as in `4x6w/1122=3`."""

    name = "color"
    suffix = "w"
    example = "4x6w"
    summary = "color = right color, in any place"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("color",)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (shared_colors(code, guess),)

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (sum(color in code for color in guess),)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        return all_shared_colors(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of common colors."""
        (color,) = score
        if color is not None:
            yield CardinalityConstraint(in_common(variables, guess), color, color)

    def describe(self, score: Sequence[int | None]) -> str:
        return f"{super().describe(score)}{'s' * (score[0] not in (1, None))}"

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more common colors than pegs."""
        (color,) = score
        if color is not None and color > pegs:
            return too_many(pegs, color)
        return None


EARLIER, LATER, RIGHT = range(3)
"""The numbers of the marks of `Order`."""


class Order(Scoring):
    """One mark per place, as in `3x26o/CAT=RLE`."""

    name = "order"
    suffix = "o"
    example = "4x26o"
    summary = "for each place: R right, or the code's is E earlier, L later in the alphabet"
    are_pegs_alike = False
    are_colors_alike = False
    marks = (Mark("E", "earlier", "<↓"), Mark("L", "later", ">↑"), Mark("R", "right", "✓"))

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            RIGHT if secret == guessed else EARLIER if secret < guessed else LATER
            for secret, guessed in zip(code, guess, strict=True)
        )

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        guessed = np.asarray(guess)
        marks = np.where(codes < guessed, np.uint8(EARLIER), np.uint8(LATER))
        return np.where(codes == guessed, np.uint8(RIGHT), marks)

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain each place to the colors that its mark allows."""
        for place, (color, mark) in enumerate(zip(guess, score, strict=True)):
            if mark is not None:
                possible_colors = {
                    EARLIER: range(color),
                    RIGHT: range(color, color + 1),
                    LATER: range(color + 1, variables.colors),
                }[mark]
                yield CardinalityConstraint(
                    tuple(
                        variables.at(place, possible_color) for possible_color in possible_colors
                    ),
                    1,
                    1,
                )


ABSENT, ELSEWHERE, IN_PLACE = range(3)
"""The numbers of the marks of `Places`."""


class Places(Scoring):
    """One mark per place, as in `5x26p/CRANE=G-Y--`."""

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
        remaining: dict[int, int] = {}
        for color, mark in zip(code, marks, strict=True):
            if mark != IN_PLACE:
                remaining[color] = remaining.get(color, 0) + 1
        for place, color in enumerate(guess):
            if marks[place] != IN_PLACE and remaining.get(color):
                remaining[color] -= 1
                marks[place] = ELSEWHERE
        return tuple(marks)

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            IN_PLACE if secret == color else ELSEWHERE if color in code else ABSENT
            for secret, color in zip(code, guess, strict=True)
        )

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        columns = [codes[:, place] for place in range(len(guess))]
        hits = [column == guessed for column, guessed in zip(columns, guess, strict=True)]
        marks = np.empty(codes.shape, dtype=np.uint8)
        for color in set(guess):
            remaining = np.zeros(len(codes), dtype=np.min_scalar_type(len(guess)))
            for column, guessed in zip(columns, guess, strict=True):
                if (
                    guessed != color
                ):  # a copy of `color` here would be a hit, and hits are not counted
                    remaining += column == color
            for place in (place for place, guessed in enumerate(guess) if guessed == color):
                is_elsewhere = ~hits[place] & (remaining > 0)
                marks[:, place] = np.where(hits[place], IN_PLACE, is_elsewhere * ELSEWHERE)
                remaining -= is_elsewhere
        return marks

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain each place by its mark: in place or not, and if not, whether copies remain."""
        for place, mark in enumerate(score):
            hit = variables.at(place, guess[place])
            if mark == IN_PLACE:
                yield CardinalityConstraint((hit,), 1, 1)
            elif mark is not None:
                yield CardinalityConstraint((hit,), 0, 0)
                literals, rank = copies_left(variables, guess, place)
                if mark == ELSEWHERE:
                    yield CardinalityConstraint(literals, rank, len(literals))
                else:
                    yield CardinalityConstraint(literals, 0, rank - 1)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject a single "elsewhere" with all other places right, as no other place is free."""
        if score.count(IN_PLACE) == pegs - 1 and ELSEWHERE in score:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} in place, the last has nowhere else to go"
        return None


def copies_left(
    variables: VariableMap, guess: Sequence[int], place: int
) -> tuple[tuple[int, ...], int]:
    """Return literals and a limit: a copy out of place is "elsewhere" if that many are true.

    The condition is that the number of copies in the code, minus the number of later hits, is at
    least the rank of the copy. Copies beyond the number in the guess do not matter. To subtract the
    hits, each later place that is not a hit is counted, which raises the limit by one per later
    place, from the rank to the number of copies in the guess.
    """
    color = guess[place]
    later = [q for q in range(place + 1, len(guess)) if guess[q] == color]
    copies = sum(guessed == color for guessed in guess)
    least = tuple(variables.least(color, count) for count in range(1, copies + 1))
    return least + tuple(-variables.at(q, color) for q in later), copies
