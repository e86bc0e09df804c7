"""Literals in words: what is known of a code, as one player tells it the other."""

from collections.abc import Iterable, Iterator, Sequence

from mmsat.board import Board
from mmsat.english import indefinite, join_words, noun_phrase, quantity
from mmsat.notation.speller import speller

BARE = ("letter", "digit")
"""Nouns that go without saying: there is no R, place 2 is 7."""


class Phrases:
    """Puts literals of one board in words."""

    def __init__(self, board: Board) -> None:
        """Know how colors and places are called."""
        self.board = board
        game = board.game
        self.variables = game.variables
        self.noun = game.spelled.noun
        self.is_bare = self.noun in BARE
        self.is_ordered = bool(game.scoring.marks) and not game.scoring.are_colors_alike
        self.is_listed = game.space.table() is not None
        self.place = "place" if game.scoring.marks or self.is_listed else "peg"
        self.print_code = speller(game).print_code

    def literals(self, literals: Iterable[int]) -> str:
        """Literals in words, those that say the same of several pegs or colors together."""
        return join_words(self.clauses(literals))

    def clauses(self, literals: Iterable[int]) -> Iterator[str]:
        """What literals say: of pegs first, then of colors."""
        at: dict[int, list[int]] = {}
        nots: dict[int, list[int]] = {}
        bounds: dict[int, tuple[int, int]] = {}
        for literal in sorted(literals, key=abs):
            if self.variables.is_at(literal):
                peg, color = self.variables.peg_color(literal)
                (at.setdefault(color, []) if literal > 0 else nots.setdefault(peg, [])).append(
                    peg if literal > 0 else color
                )
            else:
                color, count = self.variables.color_count(literal)
                low, high = bounds.get(color, (0, self.variables.pegs))
                bounds[color] = (
                    (max(low, count), high) if literal > 0 else (low, min(high, count - 1))
                )
        for color, pegs in at.items():
            yield f"{self.places(pegs)} {be(pegs)} {self.colors([color])}"
        barred: dict[tuple[int, ...], list[int]] = {}
        for peg, colors in nots.items():
            barred.setdefault(tuple(colors), []).append(peg)
        for some, pegs in barred.items():
            yield f"{self.places(pegs)} {self.beside(some, pegs)}"
        alike: dict[tuple[int, int], list[int]] = {}
        for color, bound in sorted(bounds.items()):
            alike.setdefault(bound, []).append(color)
        for (low, high), colors in alike.items():
            yield self.number(colors, low, high)

    def beside(self, barred: Sequence[int], pegs: Sequence[int]) -> str:
        """What pegs are not; before or after which color they come, where colors have an order."""
        last = self.variables.colors - 1
        come = "comes" if len(pegs) == 1 else "come"
        if self.is_ordered and len(barred) > 1 and barred[-1] - barred[0] == len(barred) - 1:
            if barred[0] == 0 and barred[-1] < last:
                return f"{come} after {self.colors(barred[-1:])}"
            if barred[0] > 0 and barred[-1] == last:
                return f"{come} before {self.colors(barred[:1])}"
        return f"{be(pegs)} not {self.colors(barred, 'or')}"

    def number(self, colors: Sequence[int], low: int, high: int) -> str:
        """How many pegs have some colors: so many of each at least, and at most."""
        if not high:
            return f"there is no {self.colors(colors, 'or')}"
        is_open = high == self.variables.pegs
        if low == 1 and is_open:
            if self.is_bare:
                return f"there is {join_words(map(indefinite, map(self.name, colors)))}"
            return f"{self.colors(colors)} {be(colors)} in the code"
        if low == high:
            many = f"exactly {low}"
        elif is_open:
            many = f"at least {low}"
        else:
            many = f"{low} to {high}" if low else f"at most {high}"
        last = low if is_open else high
        if self.is_bare:
            ending = "s" * (last != 1)
            names = join_words(f"{many} {self.name(color)}{ending}" for color in colors)
            return f"there {'is' if last == 1 else 'are'} {names}"
        have = "has" if len(colors) == 1 else "have"
        each = " each" * (len(colors) > 1)
        pegs = quantity(last, self.place).removeprefix(f"{last} ")
        return f"{self.colors(colors)} {have} {many} {pegs}{each}"

    def peg(self, literal: int) -> int | None:
        """The peg that a literal is about, or None."""
        return self.variables.peg_color(literal)[0] if self.variables.is_at(literal) else None

    def places(self, pegs: Iterable[int]) -> str:
        """`peg 1`, `places 1 and 3`."""
        return noun_phrase(self.place, [peg + 1 for peg in pegs])

    def colors(self, colors: Sequence[int], conjunction: str = "and") -> str:
        """`color 1`, `colors 1 and 2`, `color 1 or 2`, and without the noun `R or S`."""
        names = [self.name(color) for color in colors]
        if self.is_bare:
            return join_words(names, conjunction)
        if conjunction == "and":
            return noun_phrase(self.noun, names)
        return f"{self.noun} {join_words(names, conjunction)}"

    def name(self, color: int) -> str:
        """A color as the game spells it."""
        return self.print_code((color,))


def be(things: Sequence[object]) -> str:
    """`is` or `are`."""
    return "is" if len(things) == 1 else "are"
