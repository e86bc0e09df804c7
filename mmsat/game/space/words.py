"""Only the words of a list are codes."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest

from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code
from mmsat.game.scoring.scoring import shared_colors
from mmsat.game.space.space import Space


class Words(Space):
    """The codes of a list, and only they may be guessed, unless guesses are free.

    Not in the registry of spaces: a list is told by a game's definition, never by a suffix.
    """

    name = "words"
    suffix = ""
    summary = "only the words of a list are codes"

    def __init__(self, codes: Iterable[Code], *, source: str = "", free: bool = False) -> None:
        """Sort the codes. `source` names the list in a game's definition, if it has a name."""
        self.codes = tuple(sorted(set(codes)))
        self.source = source
        self.free = free
        self._set = frozenset(self.codes)
        self._constraints: dict[VariableMap, CardinalityConstraint] = {}  # made once

    def __eq__(self, other: object) -> bool:
        # the list is long, and nearly always the same object
        return isinstance(other, Words) and (
            (self.source, self.free) == (other.source, other.free)
            and (self.codes is other.codes or self.codes == other.codes)
        )

    def __hash__(self) -> int:
        return hash((self.source, self.free, len(self.codes)))

    def flaw(self, pegs: int, colors: int) -> str | None:
        """An empty list, and words that are no codes of the size."""
        if not self.codes:
            return f"the word list has no word of {pegs} letters"
        if any(
            len(code) != pegs or not 0 <= min(code) <= max(code) < colors for code in self.codes
        ):
            return f"every word of the list has {pegs} letters of {colors}"
        return None

    def size(self, pegs: int, colors: int) -> int:  # noqa: ARG002
        """The words of the list."""
        return len(self.codes)

    def contains(self, code: Sequence[int]) -> bool:
        """Whether it is in the list."""
        return tuple(code) in self._set

    def allows(self, guess: Sequence[int]) -> bool:
        """Whether it is in the list, or need not be."""
        return self.free or self.contains(guess)

    def nearest(self, guess: Sequence[int], most: int) -> list[Code]:
        """Those with the fewest letters in other places and the fewest other letters."""

        def distance(code: Code) -> tuple[int, Code]:
            misplaced = sum(map(int.__ne__, code, guess))
            return misplaced + len(code) - shared_colors(code, guess), code

        return nsmallest(most, self.codes, key=distance)

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        """The code is one of the words."""
        if variables not in self._constraints:
            words = (
                tuple(variables.at(peg, color) for peg, color in enumerate(c)) for c in self.codes
            )
            self._constraints[variables] = CardinalityConstraint(tuple(words), 1, len(self.codes))
        yield self._constraints[variables]

    def table(self) -> tuple[Code, ...]:
        """The words."""
        return self.codes
