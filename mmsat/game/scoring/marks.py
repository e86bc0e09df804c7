"""Scorings by colors in any place (`Color`), and by a mark for each place (`Order`, `Places`).

color: the number of pegs that a code and a guess have in common in any order. This is an easier
game for children. There is one kind of key peg, because places do not count.

order: each place is right, or the code's letter is earlier or later in the alphabet. These are the
clues of Secret Search (1997). Each mark depends only on the letters at its place.

places: each place is in place, elsewhere or absent, as in the daily word games. First, all right
places are marked "in place". Then the others are marked from left to right: "elsewhere" if the code
still has an unmarked copy of the letter, and "absent" otherwise. Consider the j-th copy of a letter
in the guess, from the left, and suppose that it is not in place. It is marked "elsewhere" if and
only if c - h is at least j: c is the number of copies in the code, and h the number of copies in
the guess that are in place and further right.
"""

from collections.abc import Iterator, Sequence

from mmsat._util.arrays import Array, np
from mmsat.game.scoring.scoring import (
    Mark,
    Scoring,
    common_literals,
    count_shared_colors,
    shared_colors,
    too_many_keys,
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
        return count_shared_colors(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of common colors."""
        (color,) = score
        if color is not None:
            yield CardinalityConstraint(common_literals(variables, guess), color, color)

    def describe(self, score: Sequence[int | None]) -> str:
        return f"{super().describe(score)}{'s' * (score[0] not in (1, None))}"

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject more common colors than pegs."""
        (color,) = score
        if color is not None and color > pegs:
            return too_many_keys(pegs, color)
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
        unmarked_copies: dict[int, int] = {}
        for color, mark in zip(code, marks, strict=True):
            if mark != IN_PLACE:
                unmarked_copies[color] = unmarked_copies.get(color, 0) + 1
        for place, color in enumerate(guess):
            if marks[place] != IN_PLACE and unmarked_copies.get(color):
                unmarked_copies[color] -= 1
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
                if guessed != color:  # otherwise a copy of `color` in the code is in place
                    remaining += column == color
            for place in (place for place, guessed in enumerate(guess) if guessed == color):
                is_elsewhere = ~hits[place] & (remaining > 0)
                marks[:, place] = np.where(hits[place], IN_PLACE, is_elsewhere * ELSEWHERE)
                remaining -= is_elsewhere
        return marks

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain each place by its mark: in place or not; if not, elsewhere or absent."""
        for place, mark in enumerate(score):
            in_place = variables.at(place, guess[place])
            if mark == IN_PLACE:
                yield CardinalityConstraint((in_place,), 1, 1)
            elif mark is not None:
                yield CardinalityConstraint((in_place,), 0, 0)
                literals, minimum = elsewhere_condition(variables, guess, place)
                if mark == ELSEWHERE:
                    yield CardinalityConstraint(literals, minimum, len(literals))
                else:
                    yield CardinalityConstraint(literals, 0, minimum - 1)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Reject one "elsewhere" if all other places are right: its letter has no other place."""
        if score.count(IN_PLACE) == pegs - 1 and ELSEWHERE in score:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} in place, the last has nowhere else to go"
        return None


def elsewhere_condition(
    variables: VariableMap, guess: Sequence[int], place: int
) -> tuple[tuple[int, ...], int]:
    """Return literals and a number: a copy not in place is "elsewhere" if this many are true.

    With the names of the module's docstring, the condition is c - h >= j. Let m be the number of
    copies in the guess. The literals "at least 1 copy in the code", ..., "at least m copies" count
    c. (Further copies do not matter.) To subtract h, the literals "not in place" of the m - j
    copies further right are added, of which m - j - h are true. So the minimum is j + (m - j) = m.
    """
    color = guess[place]
    later_places = [later for later in range(place + 1, len(guess)) if guess[later] == color]
    num_copies = sum(guessed == color for guessed in guess)
    copies_in_code = tuple(variables.least(color, count) for count in range(1, num_copies + 1))
    not_in_place = tuple(-variables.at(later, color) for later in later_places)
    return copies_in_code + not_in_place, num_copies
