"""What a kind of scoring must provide. One kind is one module beside this one."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from mmsat.arrays import Array, np
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code, hide
from mmsat.registry import Kind

HIGHEST = 999_999
"""The highest number of a score that can be written down, sensible or not."""

SHORT = 128
"""Pegs up to which the colors of codes and guesses are kept, as they are scored again and again."""


class Mark(NamedTuple):
    """What is told of one place, where a score tells of each place on its own."""

    symbol: str
    """The letter or sign that stands for it."""
    name: str
    """Its name, after "letter 3 is": in place, elsewhere, absent."""
    also: str
    """Other signs that are read as this one."""


class Scoring(Kind):
    """A kind of scoring: the parts of a score, how to compute them, and what they say.

    Most scores count: how many black, how many white. Some tell of each place on its own; then a
    part is a place, and its number stands for one of the `marks`.
    """

    marks: ClassVar[tuple[Mark, ...]] = ()
    """What the numbers of a score stand for; nothing where they count."""
    palettes: ClassVar[tuple[str, ...]] = ()
    """Signs of marks by set of colors: green and yellow, or orange and blue for high contrast.

    Signs of two sets in one game have no certain meaning.
    """
    shades: ClassVar[tuple[str, ...]] = ()
    """Dark and light signs for absent places."""

    are_colors_alike: ClassVar[bool] = True
    """Whether calling the colors otherwise, in code and guess alike, changes no score."""
    are_pegs_alike: ClassVar[bool] = True
    """Whether exchanging pegs, in code and guess alike, changes no score."""

    def parts(self, pegs: int) -> tuple[str, ...]:
        """The names of a score's numbers, in order: the places from 1, where each has a mark."""
        return tuple(str(place) for place in range(1, pegs + 1))

    def mixed_signs(self, text: Iterable[str]) -> str:
        """Return a sign of each palette in the text if it has signs of several, else nothing."""
        return _mixture(text, self.palettes)

    def mixed_shades(self, row: Iterable[str]) -> str:
        """Return a dark and a light sign for absent places if a row has both and no color.

        They may be meant as black and white key pegs.
        """
        signs = {*row}
        has_color = not signs.isdisjoint("".join(self.palettes))
        return "" if has_color else _mixture(signs, self.shades)

    @abstractmethod
    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """The score of a guess against a code."""

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """Return the score if every peg of the guess counts whose color occurs in the code.

        A program makes this mistake if it does not cross out the pegs that it has counted. It is
        the true score for kinds of scoring that do not count colors.
        """
        return self.score(code, guess)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        """The scores of a guess against many codes, (codes, pegs) to (codes, parts).

        A kind that knows a quicker way than one code after the other has its own.
        """
        parts = len(self.parts(codes.shape[1]))
        scores = [self.score(code, guess) for code in codes.tolist()]
        return np.array(scores, dtype=np.uint16).reshape(-1, parts)

    @abstractmethod
    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """What a score of a guess says of the code: true of exactly the codes that score so."""

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Why no code and guess of so many pegs ever score like this; None if that is not known."""
        return None

    def agrees(
        self, code: Sequence[int], guess: Sequence[int], score: Sequence[int | None]
    ) -> bool:
        """Whether a code scores like this, in the parts that were read."""
        true = self.score(code, guess)
        return true == tuple(score) or (None in score and hide(true, score) == tuple(score))

    def agrees_all(self, codes: Array, guess: Sequence[int], score: Sequence[int | None]) -> Array:
        """Which of many codes score like this: an array of booleans."""
        read = [part for part, number in enumerate(score) if number is not None]
        wanted = [number for number in score if number is not None]
        agrees: Array = (self.score_all(codes, guess)[:, read] == wanted).all(axis=1)
        return agrees

    def distance(self, one: Sequence[int | None], other: Sequence[int | None]) -> int:
        """How many key pegs two scores are apart, in the parts that both have.

        The fewest that are added, taken away or exchanged for a peg of another kind to make one of
        the other: the pegs too many or the pegs too few, whichever are more. Of marks, the places
        that differ.
        """
        pairs = zip(one, other, strict=True)
        apart = [a - b for a, b in pairs if a is not None and b is not None]
        if self.marks:
            return sum(map(bool, apart))
        return max(sum(d for d in apart if d > 0), -sum(d for d in apart if d < 0))

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Constraints that tell the distance: how far that one is missed which is missed most.

        Not asked of marks, where each place is a constraint of its own. A kind with several parts
        adds the sums of parts that `constraints` leaves out.
        """
        return self.constraints(variables, guess, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        """The rule by which there is no game of this size with this scoring, or None."""
        return None

    def factors(self, colors: int) -> tuple[int, ...]:
        """What the size of a game is written with, after the pegs: its colors."""
        return (colors,)

    @property
    def highest(self) -> int:
        """The highest number that a part can be written with."""
        return len(self.marks) - 1 if self.marks else HIGHEST

    def to_json(self, score: Sequence[int | None]) -> list[int | str | None]:
        """A score as JSON has it: its numbers, or the symbols of its marks, null where unread."""
        if not self.marks:
            return list(score)
        return [None if part is None else self.marks[part].symbol for part in score]

    def describe(self, score: Sequence[int | None]) -> str:
        """A score in words: `1 black 2 white`, with `?` for what was not read."""
        if self.marks:
            return "".join(str(part or "?") for part in self.to_json(score))
        return " ".join(
            f"{'?' if number is None else number} {part}"
            for number, part in zip(score, self.parts(len(score)), strict=True)
        )


def too_many(pegs: int, scored: int) -> str:
    """Why no score has more key pegs than the guess has pegs."""
    are = f"are only {pegs} pegs" if pegs > 1 else "is only 1 peg"
    return f"there {are} to score, and this scores {scored}"


def in_place(variables: VariableMap, guess: Sequence[int]) -> tuple[int, ...]:
    """The literals that count the pegs which a code and a guess share in place."""
    return tuple(variables.at(peg, color) for peg, color in enumerate(guess))


def in_common(variables: VariableMap, guess: Sequence[int]) -> tuple[int, ...]:
    """The literals that count the colors which a code and a guess share, wherever they are.

    A color that the guess has m times adds min(m, its pegs in the code), which is the number of
    true literals among "at least 1", ..., "at least m".
    """
    seen: dict[int, int] = {}
    common = []
    for color in sorted(guess):
        seen[color] = seen.get(color, 0) + 1
        common.append(variables.least(color, seen[color]))
    return tuple(common)


def shared_colors(code: Sequence[int], guess: Sequence[int]) -> int:
    """How many pegs a code and a guess have in common when order does not count."""
    if len(code) > SHORT:
        return (Counter(code) & Counter(guess)).total()
    return len(_multiset(tuple(code)) & _multiset(tuple(guess)))


@lru_cache(maxsize=512)
def _multiset(code: Code) -> frozenset[tuple[int, int]]:
    """The pegs by color, each with its number among those of the color."""
    seen: dict[int, int] = {}
    pegs = []
    for color in code:
        seen[color] = number = seen.get(color, 0) + 1
        pegs.append((color, number))
    return frozenset(pegs)


def blacks(codes: Array, guess: Sequence[int]) -> Array:
    """For each of many codes, the pegs that it shares with a guess in place."""
    black: Array = (codes == guess).sum(axis=1)
    return black


def all_shared_colors(codes: Array, guess: Sequence[int]) -> Array:
    """For each of many codes, the pegs in common with a guess when order does not count."""
    shared = np.zeros(len(codes), dtype=np.intp)
    for color in set(guess):
        shared += np.minimum((codes == color).sum(axis=1), list(guess).count(color))
    return shared


def _mixture(text: Iterable[str], sets: Iterable[str]) -> str:
    """Return a sign of each set in the text if it has signs of several, else nothing."""
    signs = {*text}
    found = [min(signs & {*some}) for some in sets if signs & {*some}]
    return "".join(found) if len(found) > 1 else ""
