"""The base class of the kinds of scoring, and functions that several kinds use."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

from mmsat._util import Array, np
from mmsat.game import Code, GameRule, hide
from mmsat.game.space import CardinalityConstraint, VariableMap

MAX_SCORE_NUMBER = 999_999
"""The highest number that a score may have in any notation. Impossible scores are read as well, so
that a board with them can be explained."""

MAX_CACHED_PEGS = 128
"""The maximum number of pegs of a code whose multiset of colors is cached. It bounds the memory of
the cache."""


class Mark(NamedTuple):
    """A mark: the score of one place, for kinds of scoring that score each place separately."""

    symbol: str
    """The letter or sign that is printed for the mark."""
    name: str
    """The name, such as in place, elsewhere or absent. It can follow "letter 3 is"."""
    also: str
    """Other signs that are read as this mark."""


class Scoring(GameRule):
    """A kind of scoring: the parts of a score, their computation, and their constraints.

    Most kinds count key pegs, such as black and white ones: the score has a part for each color of
    key pegs. The other kinds mark each place: the score has a part for each place, and its number
    is an index into `marks`.
    """

    marks: ClassVar[tuple[Mark, ...]] = ()
    """The marks, if the parts of a score are marks; empty if they count key pegs."""
    palettes: ClassVar[tuple[str, ...]] = ()
    """Sets of colored signs: green and yellow, and orange and blue for high contrast.

    If a text mixes signs of two palettes, it is ambiguous.
    """
    shades: ClassVar[tuple[str, ...]] = ()
    """The dark signs for absent places, and the light ones."""

    are_colors_alike: ClassVar[bool] = True
    """Whether scores are invariant under permuting the colors in both code and guess."""
    are_pegs_alike: ClassVar[bool] = True
    """Whether scores are invariant under permuting the pegs in both code and guess."""

    def parts(self, pegs: int) -> tuple[str, ...]:
        """Return the names of the parts of a score, in order.

        By default, these are the places from 1.

        Parameters
        ----------
        pegs : int
            Number of pegs.

        Returns
        -------
        tuple of str
            The names.
        """
        return tuple(str(place) for place in range(1, pegs + 1))

    def mixed_signs(self, text: Iterable[str]) -> str:
        """Return the signs that show that a text mixes palettes.

        Parameters
        ----------
        text : iterable of str
            Signs of marks.

        Returns
        -------
        str
            One sign of each palette in the text; "" if the text has at most one palette.
        """
        return _mixture(text, self.palettes)

    def mixed_shades(self, row: Iterable[str]) -> str:
        """Return the dark and the light sign if a row mixes signs for absent places.

        Such a row may be meant as black and white key pegs.

        Parameters
        ----------
        row : iterable of str
            Signs of marks.

        Returns
        -------
        str
            The two signs; "" if the row does not have both, or has a colored sign.
        """
        signs = {*row}
        has_color = not signs.isdisjoint("".join(self.palettes))
        return "" if has_color else _mixture(signs, self.shades)

    @abstractmethod
    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """Return the score of a guess against a code.

        Parameters
        ----------
        code, guess : sequence of int
            One color from 0 for each peg.

        Returns
        -------
        tuple of int
            One number per part.
        """

    def score_with_repeats(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """Return the score that a common mistake gives: a peg of the code is counted repeatedly.

        By this mistake, every peg of the guess whose color is in the code scores.

        Parameters
        ----------
        code, guess : sequence of int
            One color from 0 for each peg.

        Returns
        -------
        tuple of int
            One number per part. By default, this is the true score.
        """
        return self.score(code, guess)

    def score_all(self, codes: Array, guess: Sequence[int]) -> Array:
        """Return the scores of a guess against many codes.

        By default, codes are scored one by one; subclasses override this with array operations.

        Parameters
        ----------
        codes : array of int, shape (codes, pegs)
            The codes, with colors from 0.
        guess : sequence of int
            One color from 0 for each peg.

        Returns
        -------
        array of int, shape (codes, parts)
            The scores.
        """
        parts = len(self.parts(codes.shape[1]))
        scores = [self.score(code, guess) for code in codes.tolist()]
        return np.array(scores, dtype=np.uint16).reshape(-1, parts)

    def score_matrix(self, codes: Array, guesses: Array) -> Array:
        """Return the scores of many guesses against many codes.

        By default, `score_all` scores the guesses one by one. Subclasses override this if array
        operations over all guesses are faster.

        Parameters
        ----------
        codes : array of int, shape (codes, pegs)
            The codes, with colors from 0.
        guesses : array of int, shape (guesses, pegs)
            The guesses, at least one, with colors from 0.

        Returns
        -------
        array of int, shape (guesses, codes, parts)
            The scores.
        """
        return np.stack([self.score_all(codes, guess) for guess in guesses.tolist()])

    @abstractmethod
    def constraints(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints that exactly the codes that give a guess a score satisfy.

        Parameters
        ----------
        variables : VariableMap
            The numbering of the literals of the game.
        guess : sequence of int
            One color from 0 for each peg.
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        iterator of CardinalityConstraint
            The constraints, which ignore unread parts of the score.
        """

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Return the reason why a score is impossible for any code and guess.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        str or None
            The reason. The check is not complete: None does not mean that the score is possible.
        """
        return None

    def agrees(
        self, code: Sequence[int], guess: Sequence[int], score: Sequence[int | None]
    ) -> bool:
        """Return whether a code gives a guess this score, ignoring unread parts.

        Parameters
        ----------
        code, guess : sequence of int
            One color from 0 for each peg.
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        bool
            True if the parts of the score that were read are right.
        """
        true_score = self.score(code, guess)
        return true_score == tuple(score) or (
            None in score and hide(true_score, score) == tuple(score)
        )

    def agrees_all(self, codes: Array, guess: Sequence[int], score: Sequence[int | None]) -> Array:
        """Return for each code whether it gives a guess this score, ignoring unread parts.

        Parameters
        ----------
        codes : array of int, shape (codes, pegs)
            The codes, with colors from 0.
        guess : sequence of int
            One color from 0 for each peg.
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        array of bool, shape (codes,)
            True for the codes with this score.
        """
        read_parts = [part for part, number in enumerate(score) if number is not None]
        read_numbers = [number for number in score if number is not None]
        are_equal: Array = (self.score_all(codes, guess)[:, read_parts] == read_numbers).all(axis=1)
        return are_equal

    def distance(self, one: Sequence[int | None], other: Sequence[int | None]) -> int:
        """Return the distance of two scores in key pegs, over the parts that are read in both.

        It is the minimum number of key pegs to add, remove or exchange for another kind that turns
        one score into the other: the larger of the total excess and the total deficit. For marks,
        it is the number of places that differ.

        Parameters
        ----------
        one, other : sequence of int or None
            Scores; None for an unread part.

        Returns
        -------
        int
            The distance.
        """
        pairs = zip(one, other, strict=True)
        differences = [a - b for a, b in pairs if a is not None and b is not None]
        if self.marks:
            return sum(map(bool, differences))
        return max(sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0))

    def gauges(
        self, variables: VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[CardinalityConstraint]:
        """Return constraints whose deviations give the distance of a code's score from a score.

        The deviation of a constraint is the difference of its number of true literals from its
        nearer bound. If the parts count key pegs, the largest deviation is the `distance` of the
        two scores. Therefore, scorings with several parts add constraints on sums of parts. For
        marks, the distance is the number of violated constraints, one for each place.

        Parameters
        ----------
        variables : VariableMap
            The numbering of the literals of the game.
        guess : sequence of int
            One color from 0 for each peg.
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        iterator of CardinalityConstraint
            The constraints.
        """
        return self.constraints(variables, guess, score)

    def unfit(self, pegs: int, colors: int) -> str | None:
        """Return the rule that excludes games of this size with this scoring.

        Parameters
        ----------
        pegs : int
            Number of pegs.
        colors : int
            Number of colors.

        Returns
        -------
        str or None
            The rule; None if the size is possible.
        """
        return None

    def factors(self, colors: int) -> tuple[int, ...]:
        """Return the numbers after the number of pegs in a size such as 4x6 or 4x5x5.

        Parameters
        ----------
        colors : int
            Number of colors.

        Returns
        -------
        tuple of int
            The number of colors; for pairs, the numbers of colors and shapes.
        """
        return (colors,)

    @property
    def highest(self) -> int:
        """The highest number that the notations accept for a part."""
        return len(self.marks) - 1 if self.marks else MAX_SCORE_NUMBER

    def to_json(self, score: Sequence[int | None]) -> list[int | str | None]:
        """Return a score for JSON.

        Parameters
        ----------
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        list of int, str or None
            Numbers, or the symbols of marks; None for unread parts.
        """
        if not self.marks:
            return list(score)
        return [None if part is None else self.marks[part].symbol for part in score]

    def describe(self, score: Sequence[int | None]) -> str:
        """Return a score in words.

        Parameters
        ----------
        score : sequence of int or None
            One number per part; None for an unread part.

        Returns
        -------
        str
            The score, such as "1 black 2 white", or the symbols of its marks. Unread parts are "?".
        """
        if self.marks:
            return "".join(str(part or "?") for part in self.to_json(score))
        return " ".join(
            f"{'?' if number is None else number} {part}"
            for number, part in zip(score, self.parts(len(score)), strict=True)
        )


def too_many_keys(pegs: int, num_keys: int) -> str:
    """Return the error message for a score with more key pegs than pegs of the code."""
    are = f"are only {pegs} pegs" if pegs > 1 else "is only 1 peg"
    return f"there {are} to score, and this scores {num_keys}"


def in_place_literals(variables: VariableMap, guess: Sequence[int]) -> tuple[int, ...]:
    """Return literals whose number of true ones is the number of pegs right in place."""
    return tuple(variables.at(peg, color) for peg, color in enumerate(guess))


def common_literals(variables: VariableMap, guess: Sequence[int]) -> tuple[int, ...]:
    """Return literals whose number of true ones is the number of shared colors in any order.

    A color with m pegs in the guess and n in the code contributes min(m, n). This is the number of
    true literals among "at least 1 peg", ..., "at least m pegs" of this color.
    """
    num_copies: dict[int, int] = {}
    literals = []
    for color in sorted(guess):
        num_copies[color] = num_copies.get(color, 0) + 1
        literals.append(variables.least(color, num_copies[color]))
    return tuple(literals)


def shared_colors(code: Sequence[int], guess: Sequence[int]) -> int:
    """Return the number of pegs that a code and a guess have in common, in any order."""
    if len(code) > MAX_CACHED_PEGS:
        return (Counter(code) & Counter(guess)).total()
    return len(_multiset(tuple(code)) & _multiset(tuple(guess)))


@lru_cache(maxsize=512)
def _multiset(code: Code) -> frozenset[tuple[int, int]]:
    """Return the multiset of colors as a set of (color, number of the copy from 1).

    The size of the intersection of two multisets is the number of shared colors.
    """
    num_copies: dict[int, int] = {}
    pegs = []
    for color in code:
        num_copies[color] = copy_number = num_copies.get(color, 0) + 1
        pegs.append((color, copy_number))
    return frozenset(pegs)


def count_in_place(codes: Array, guess: Sequence[int]) -> Array:
    """Return for each code the number of pegs that have the same color in a guess."""
    black: Array = (codes == guess).sum(axis=1)
    return black


def count_shared_colors(codes: Array, guess: Sequence[int]) -> Array:
    """Return for each code the number of pegs that it has in common with a guess, in any order."""
    shared = np.zeros(len(codes), dtype=np.intp)
    for color in set(guess):
        shared += np.minimum((codes == color).sum(axis=1), list(guess).count(color))
    return shared


def _mixture(text: Iterable[str], sign_sets: Iterable[str]) -> str:
    """Return one sign of each set in `text` if it has signs of several sets, else ""."""
    signs = {*text}
    mixed_signs = [min(signs & {*sign_set}) for sign_set in sign_sets if signs & {*sign_set}]
    return "".join(mixed_signs) if len(mixed_signs) > 1 else ""
