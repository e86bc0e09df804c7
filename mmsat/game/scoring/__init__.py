"""The kinds of scoring, by name.

black-white: black counts the pegs with the right color in the right place. White counts the other
pegs whose color is elsewhere in the code. No peg of the code or of the guess counts twice. It is
the scoring of the game that was sold in 1972.

black: only the black key pegs are reported.

color: the number of pegs that a code and a guess have in common in any order. This is an easier
game for children. There is one kind of key peg, because places do not count.

order: each place is right, or the code's letter is earlier or later in the alphabet. These are the
clues of Secret Search (1997). Each mark depends only on the letters at its place.

places: each place is in place, elsewhere or absent, as in the daily word games. First, all right
places are marked "in place". Then the others are marked from left to right: "elsewhere" if the code
still has an unmarked copy of the letter, and "absent" otherwise. Consider the j-th copy of a letter
in the guess, from the left, and suppose that it is not in place. Let c be the number of copies in
the code, and h the number of copies in the guess that are in place and further right. The j-th copy
is marked "elsewhere" if and only if c - h is at least j.

pairs, pairs-one-key: pegs have two attributes, a color and a shape. In Grand and Royale Mastermind,
black counts the pairs that are right in place, white counts the pairs that are right elsewhere, and
blue counts the places at which exactly one of color and shape is right. The printed rules can be
read in two ways:

pairs            a place counts as blue even if its pair is right elsewhere
pairs-one-key    each peg of the guess has at most one key peg: black, else white, else blue

In `pairs-one-key`, if a guess has several copies of a pair, the whites belong to its leftmost
copies that are not in place.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from mmsat._util import Array, np
from mmsat._util.registry import Extensible
from mmsat.game.scoring.scoring import (
    MAX_SCORE_NUMBER,
    Mark,
    Scoring,
    common_literals,
    count_in_place,
    count_shared_colors,
    in_place_literals,
    shared_colors,
    too_many_keys,
)
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap


class BlackWhite(Scoring):
    """black.white, as in `1122=1.1`."""

    name = "black-white"
    suffix = ""
    summary = "black = right color and place, white = right color elsewhere"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black", "white")

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        return black, shared_colors(code, guess) - black

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        return black, sum(color in code for color in guess) - black

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black = count_in_place(codes, guess)
        return np.column_stack((black, count_shared_colors(codes, guess) - black))

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the pegs right in place (black) and the common colors (black plus white).

        If black is unread, white is the number of common colors minus the number of pegs in place.
        To express the subtraction, the constraint counts the negated `in_place_literals` of all n
        pegs together with the common colors. If b pegs are in place, n - b negations and white + b
        common colors are true, so the sum is white + n.
        """
        black, white = score
        if black is not None:
            yield CardinalityConstraint(in_place_literals(variables, guess), black, black)
        if white is None:
            return
        common = common_literals(variables, guess)
        if black is not None:
            yield CardinalityConstraint(common, black + white, black + white)
        else:
            not_in_place = tuple(-literal for literal in in_place_literals(variables, guess))
            yield CardinalityConstraint(
                common + not_in_place, white + len(guess), white + len(guess)
            )

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints on black, on black plus white, and on white alone.

        Their largest deviation is the distance: with excess key pegs of one kind and missing ones
        of the other, it is the deviation of black or white, otherwise that of the sum.
        """
        yield from self.constraints(variables, guess, score)
        if None not in score:
            yield from self.constraints(variables, guess, (None, score[1]))

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Exclude more key pegs than pegs, and a single white if all other pegs are in place."""
        black, white = score
        total = (black or 0) + (white or 0)
        if total > pegs:
            return too_many_keys(pegs, total)
        if white == 1 and (black or 0) == pegs - 1:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} pegs right in place, the last has nowhere else to go"
        return None


class Black(Scoring):
    """black, as in `4x6b/1122=1`."""

    name = "black"
    suffix = "b"
    example = "4x6b"
    summary = "black = right color and place; nothing else is reported"

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black",)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        return (sum(map(int.__eq__, code, guess)),)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        return count_in_place(codes, guess)[:, None]

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain the number of pegs that are right in place."""
        (black,) = score
        if black is not None:
            yield CardinalityConstraint(in_place_literals(variables, guess), black, black)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Exclude more black key pegs than pegs."""
        (black,) = score
        if black is not None and black > pegs:
            return too_many_keys(pegs, black)
        return None


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
        plural_ending = "" if score[0] in (1, None) else "s"
        return f"{super().describe(score)}{plural_ending}"

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Exclude more common colors than pegs."""
        (color,) = score
        if color is not None and color > pegs:
            return too_many_keys(pegs, color)
        return None


EARLIER, LATER, RIGHT = range(3)
"""The indices of the marks of `Order`."""


class Order(Scoring):
    """One mark per place, as in `3x26o/CAT=RLE`."""

    name = "order"
    suffix = "o"
    example = "4x26o"
    summary = "for each place: R right; E or L: the code is earlier or later in the alphabet"
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
"""The indices of the marks of `Places`."""


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
        guesses = np.array([guess], dtype=np.min_scalar_type(max(guess)))
        scores: Array = self.score_matrix(codes, guesses)[0]
        return scores

    def score_matrix(self, codes: Array, guesses: Array) -> Array:
        secrets, guessed = codes.T[:, np.newaxis], guesses.T[:, :, np.newaxis]
        places = range(len(guessed))
        hits = [secrets[place] == guessed[place] for place in places]
        marks = np.empty((len(places), len(guesses), len(codes)), dtype=np.uint8)
        for place in places:
            # The copies of the color in the code, less those that other copies in the guess use:
            # all copies in place, and those further left.
            remaining = np.zeros(hits[place].shape, dtype=np.min_scalar_type(~len(places)))
            for other in places:
                # If the guess has the same color there, a copy in the code there is in place.
                is_same = guessed[other] == guessed[place]
                remaining += (secrets[other] == guessed[place]) & ~is_same
                if other < place and is_same.any():
                    remaining -= is_same & ~hits[other]
            elsewhere = np.where(remaining > 0, np.uint8(ELSEWHERE), np.uint8(ABSENT))
            marks[place] = np.where(hits[place], np.uint8(IN_PLACE), elsewhere)
        return np.moveaxis(marks, 0, 2)

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
        """Exclude one "elsewhere" if all other places are right: its letter has no other place."""
        if score.count(IN_PLACE) == pegs - 1 and ELSEWHERE in score:
            if pegs == 1:
                return "a peg on its own has nowhere else to go"
            return f"with {pegs - 1} of {pegs} in place, the last has nowhere else to go"
        return None


def elsewhere_condition(
    variables: VariableMap, guess: Sequence[int], place: int
) -> tuple[tuple[int, ...], int]:
    """Return the condition that the mark of a place is "elsewhere" if it is not "in place".

    The condition is returned as literals and the minimum number of them that must be true.

    In terms of the module's docstring, the condition is c - h >= j. Let m be the number of copies
    in the guess. The literals "at least 1 copy in the code", ..., "at least m copies" count c.
    (Further copies do not matter.) To subtract h, the literals "not in place" of the m - j copies
    further right are added, of which m - j - h are true. So the minimum is j + (m - j) = m.
    """
    color = guess[place]
    later_places = [later for later in range(place + 1, len(guess)) if guess[later] == color]
    num_copies = sum(guessed == color for guessed in guess)
    copies_in_code = tuple(variables.least(color, count) for count in range(1, num_copies + 1))
    not_in_place = tuple(-variables.at(later, color) for later in later_places)
    return copies_in_code + not_in_place, num_copies


class Pairs(Scoring):
    """black.white.blue, as in `4x5x5/1A2B3C4D=1.0.2`.

    The number of a pair is color * shapes + shape, with color and shape from 0.
    """

    name = "pairs"
    suffix = ""
    example = "4x5x5"
    summary = "black and white for whole pairs, blue = one of color and shape right in place"
    are_colors_alike = False

    def __init__(self, shapes: int = 5) -> None:
        """Set the number of shapes, the values of the second attribute."""
        self.shapes = shapes

    def parts(self, pegs: int) -> tuple[str, ...]:
        return ("black", "white", "blue")

    def shares_one_attribute(self, first: int, second: int) -> bool:
        """Return whether two pairs share exactly one attribute."""
        shapes = self.shapes
        return (first // shapes == second // shapes) != (first % shapes == second % shapes)

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black = sum(map(int.__eq__, code, guess))
        blue = sum(map(self.shares_one_attribute, code, guess))
        return black, shared_colors(code, guess) - black, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black = count_in_place(codes, guess)
        blue = self.half_right_places(codes, guess).sum(axis=1)
        return np.column_stack((black, count_shared_colors(codes, guess) - black, blue))

    def half_right_places(self, codes: Array, guess: Sequence[int]) -> Array:
        """Return for each peg of each code whether it shares exactly one attribute with the guess.

        The result has the shape of `codes`: (codes, pegs).
        """
        guess_array, shapes = np.asarray(guess), self.shapes
        is_half_right: Array = codes // shapes == guess_array // shapes
        is_half_right ^= codes % shapes == guess_array % shapes
        return is_half_right

    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constrain black and white as BlackWhite does, and blue by the half-right places."""
        black, white, blue = score
        yield from BlackWhite().constraints(variables, guess, (black, white))
        if blue is not None:
            yield CardinalityConstraint(self.half_right_literals(variables, guess), blue, blue)

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints on the sum of each nonempty set of parts.

        The number of excess key pegs is the deviation of one of these sums, that of the parts that
        are too high. The number of missing key pegs is the deviation of the sum of the parts that
        are too low.
        """
        black, white, blue = score
        sums = [*BlackWhite().gauges(variables, guess, (black, white))]
        yield from sums
        if blue is not None:
            half_right = self.half_right_literals(variables, guess)
            for literals, low, high in (*sums, CardinalityConstraint((), 0, 0)):
                yield CardinalityConstraint(literals + half_right, low + blue, high + blue)

    def half_right_literals(
        self, variables: VariableMap, guess: Sequence[int]
    ) -> tuple[Literal, ...]:
        """Return literals whose number of true ones is the number of blue key pegs."""
        return tuple(
            variables.at(peg, color)
            for peg, guessed in enumerate(guess)
            for color in range(variables.colors)
            if self.shares_one_attribute(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Exclude more black and blue than places, and the scores that BlackWhite excludes."""
        black, white, blue = score
        if (black or 0) + (blue or 0) > pegs:
            places = f"{pegs} places" if pegs > 1 else "1 place"
            return f"only {places} can be black or blue"
        return BlackWhite().flaw(pegs, (black, white))

    def factors(self, colors: int) -> tuple[int, ...]:
        return colors // self.shapes, self.shapes

    def unfit(self, pegs: int, colors: int) -> str | None:
        if self.shapes < 1 or colors % self.shapes:
            return f"{colors} pairs cannot be divided evenly into {self.shapes} shapes"
        return None


MAX_ONE_KEY_PEGS = 10
"""The maximum number of pegs of `pairs-one-key`. Each further copy of a pair in a guess doubles the
number of conjunctions in its constraints."""


class PairsOneKey(Pairs):
    """black.white.blue, as in `4x5x5k/1A2B3C4D=1.0.2`."""

    name = "pairs-one-key"
    suffix = "k"
    example = "4x5x5k"
    summary = "like pairs, with one key peg per peg: a pair with a white has no blue"
    are_pegs_alike = False

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        black, white, _ = super().score(code, guess)
        blue = sum(
            mark == ABSENT and self.shares_one_attribute(secret, guessed)
            for secret, guessed, mark in zip(code, guess, Places().score(code, guess), strict=True)
        )
        return black, white, blue

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        black_white = super().score_all(codes, guess)[:, :2]
        is_absent = Places().score_all(codes, guess) == ABSENT
        blue = (is_absent & self.half_right_places(codes, guess)).sum(axis=1)
        return np.column_stack((black_white, blue))

    def half_right_literals(
        self, variables: VariableMap, guess: Sequence[int]
    ) -> tuple[Literal, ...]:
        """Return literals whose number of true ones is the number of blue key pegs.

        Each literal is a conjunction: a place is half right, and its pair does not score white.
        Suppose that the j-th copy of a pair in the guess, from the left, is not in place. It does
        not score white if and only if c - h is less than j, in terms of the module's docstring. The
        cases of `absence_cases` exclude each other, so at most one conjunction per place is true.
        """
        return tuple(
            (variables.at(peg, color), *case)
            for peg, guessed in enumerate(guess)
            for case in absence_cases(variables, guess, peg)
            for color in range(variables.colors)
            if self.shares_one_attribute(color, guessed)
        )

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Exclude more key pegs than pegs, and the scores that Pairs excludes."""
        total = sum(part or 0 for part in score)
        if total > pegs:
            return too_many_keys(pegs, total)
        return super().flaw(pegs, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        if pegs > MAX_ONE_KEY_PEGS:
            return f"a game with one key peg per pair has at most {MAX_ONE_KEY_PEGS} pegs"
        return super().unfit(pegs, colors)


def absence_cases(
    variables: VariableMap, guess: Sequence[int], peg: int
) -> Iterator[tuple[int, ...]]:
    """Yield conjunctions about the pair at `peg` of a guess, for codes in which it is not in place.

    If it does not score white, exactly one conjunction is true, otherwise none. There is one for
    each set of later copies of the pair in the guess: exactly these copies are in place.
    """
    color_at_peg = guess[peg]
    later_places = [place for place in range(peg + 1, len(guess)) if guess[place] == color_at_peg]
    copy_number = sum(color == color_at_peg for color in guess[: peg + 1])
    for num_in_place in range(len(later_places) + 1):
        for places_in_place in combinations(later_places, num_in_place):
            literals = tuple(
                variables.at(place, color_at_peg) * (1 if place in places_in_place else -1)
                for place in later_places
            )
            yield (*literals, -variables.least(color_at_peg, copy_number + num_in_place))


BUILT_IN: Mapping[str, Scoring] = {
    scoring.name: scoring
    for scoring in (
        BlackWhite(),
        Black(),
        Color(),
        Order(),
        Pairs(),
        PairsOneKey(),
        Places(),
    )
}
"""The kinds of scoring in mmsat by name."""
SCORINGS: Extensible[Scoring] = Extensible("scoring", "scorings", BUILT_IN, Scoring)
"""The kinds of scoring by name, with those of plug-ins. The first is the standard kind."""

__all__ = ["MAX_SCORE_NUMBER", "SCORINGS", "Mark", "Pairs", "Scoring"]
