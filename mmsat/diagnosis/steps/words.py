"""Steps in sentences that a player follows, each literal with the number of its step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.diagnosis.proof import upper
from mmsat.diagnosis.steps.step import Way
from mmsat.notation.speller import listed, speller
from mmsat.results import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mmsat.board import Board
    from mmsat.diagnosis.steps.step import Step, Steps

SHOWN = 6
"""Earlier steps whose literals are said again; with more, only the numbers of the steps are."""
SUPPOSED = "supposed"


class Told(NamedTuple):
    """One line of an explanation."""

    text: str
    depth: int = 0
    """The suppositions around it."""
    step: Step | None = None
    """The step that it tells; None for an opening or a closing line."""


def told_steps(steps: Steps) -> list[Told]:
    """The whole explanation, line by line."""
    if steps.status is Status.UNKNOWN:
        return [Told("Undecided: the search ended before a verdict was found.")]
    words = Words(steps.board)
    lines = [Told(opening(steps))]
    lines += words.lines(steps.steps, "", {}, 0)
    lines += [Told(text) for text in closing(steps, words)]
    return lines


def opening(steps: Steps) -> str:
    """What is to be explained."""
    if steps.status is Status.CONSISTENT:
        return "Consistent: this is how what all its codes share follows."
    if not steps.conflict:
        return "Inconsistent: no code gets exactly these scores."
    rows = numbered("row", steps.conflict)
    if len(steps.conflict) == 1:
        return f"Inconsistent: {rows} can't be right, and this is how that follows."
    both = "both" if len(steps.conflict) == 2 else "all"
    return f"Inconsistent: {rows} can't {both} be right, and this is how that follows."


def closing(steps: Steps, words: Words) -> Iterator[str]:
    """What is explained at the end."""
    if not steps.is_complete:
        yield "The time was up: this is what was found so far."
    elif steps.status is Status.INCONSISTENT:
        yield "So no code gets exactly these scores."
    elif steps.goals:
        noun, place = words.noun, words.place
        yield f"Certain: {words.literals(steps.goals)}."
        if not words.solves(steps.goals):
            yield f"No other {place}'s {noun}, and no other {noun}'s number, is certain."
    else:
        yield f"No {words.place}'s {words.noun}, and no {words.noun}'s number, is certain yet."


class Words:
    """The words for one board."""

    def __init__(self, board: Board) -> None:
        """Know how colors are called."""
        game = board.game
        self.board = board
        self.pegs_colors = game.variables
        self.noun = game.spelled.noun
        self.is_listed = game.space.table() is not None
        is_spelled = game.scoring.marks or self.is_listed
        self.place = "place" if is_spelled else "peg"

    def solves(self, goals: Iterable[int]) -> bool:
        """Whether the color of every peg is known."""
        known = [literal for literal in goals if literal > 0 and self.pegs_colors.is_at(literal)]
        return len(known) == self.pegs_colors.pegs

    def lines(
        self, steps: Iterable[Step], prefix: str, sources: Mapping[int, str], depth: int
    ) -> Iterator[Told]:
        """Numbered lines of a chain; `sources` tells by literal the number of its step."""
        known = dict(sources)
        for number, step in enumerate(steps, 1):
            label = f"{prefix}{number}"
            if step.supposed is not None:
                yield Told(f"{label}. Suppose {self.literals([step.supposed])}.", depth)
                inside = known | {step.supposed: SUPPOSED}
                yield from self.lines(step.steps, f"{label}.", inside, depth + 1)
                yield Told(f"So {self.literals(step.found)}. [{label}]", depth, step)
            else:
                yield Told(f"{label}. {self.sentence(step, known)}", depth, step)
            known.update(dict.fromkeys(step.found, label))

    def sentence(self, step: Step, sources: Mapping[int, str]) -> str:
        """A step without its number."""
        why = self.because(step.literals, sources)
        if step.way is Way.RULES:
            left = "in every word that is left, " if self.is_listed else ""
            said = f"{left}{self.literals(step.found)}" if step.found else "that can't be"
            return f"{upper(f'as {why}' if why else 'by the rules')}, {said}."
        rows = self.rows(step.rows)
        both = ("", "", "both ", "all ")[min(len(step.rows), 3)]
        if not step.found:
            said = f"{rows} can't {both}be right"
        elif step.way is Way.TRYING:
            said = f"{rows} can {both}be right only if {self.literals(step.found)}"
        elif both:
            said = f"{rows} together tell that {self.literals(step.found)}"
        else:
            said = f"{rows} tells that {self.literals(step.found)}"
        return f"{upper(f'as {why}, {said}' if why else said)}."

    def because(self, literals: Sequence[int], sources: Mapping[int, str]) -> str:
        """Earlier literals with the numbers of their steps; nothing where there are none."""
        if not literals:
            return ""
        by_step: dict[str, list[int]] = {}
        for literal in literals:
            by_step.setdefault(sources[literal], []).append(literal)
        if len(by_step) > SHOWN:
            numbers = [number for number in by_step if number != SUPPOSED]
            supposed = by_step.get(SUPPOSED)
            more = f", and with {self.literals(supposed)} supposed" if supposed else ""
            return f"steps {listed(numbers)} found{more}"
        return listed([f"{self.literals(those)} [{number}]" for number, those in by_step.items()])

    def rows(self, rows: Sequence[int]) -> str:
        """Rows with their scores."""
        describe = self.board.game.scoring.describe
        scores = [f"{row + 1} ({describe(self.board.rows[row].score)})" for row in rows]
        return f"row{'s' * (len(rows) > 1)} {listed(scores)}"

    def literals(self, literals: Iterable[int]) -> str:
        """Literals in words, those about one peg or one color together."""
        return listed(list(self.phrases(literals)))

    def phrases(self, variables: Iterable[int]) -> Iterator[str]:
        """What literals say: of pegs first, then of colors."""
        at: dict[int, int] = {}
        nots: dict[int, list[int]] = {}
        low: dict[int, int] = {}
        high: dict[int, int] = {}
        for literal in sorted(variables, key=abs):
            if self.pegs_colors.is_at(literal):
                peg, color = self.pegs_colors.peg_color(literal)
                if literal > 0:
                    at[peg] = color
                else:
                    nots.setdefault(peg, []).append(color)
            else:
                color, count = self.pegs_colors.color_count(literal)
                if literal > 0:
                    low[color] = max(count, low.get(color, 0))
                else:
                    high[color] = min(count - 1, high.get(color, count))
        for peg, color in at.items():
            yield f"{self.place} {peg + 1} is {self.color(color)}"
        by_colors: dict[tuple[int, ...], list[int]] = {}
        for peg, colors in nots.items():
            by_colors.setdefault(tuple(colors), []).append(peg)
        for barred, pegs in by_colors.items():
            names = f"{self.noun} {either(self.name(color) for color in barred)}"
            yield f"{numbered(self.place, pegs)} {be(pegs)} not {names}"
        groups: dict[str, list[int]] = {}
        for color in sorted({*low, *high}):
            groups.setdefault(self.count(low.get(color), high.get(color)), []).append(color)
        for said, colors in groups.items():
            names = listed([self.name(color) for color in colors])
            yield f"{self.noun}{'s' * (len(colors) > 1)} {names} {be(colors)} {said}"

    def count(self, low: int | None, high: int | None) -> str:
        """How often a color is there, after "is"."""
        if high == 0:
            return "absent"
        if low is None:
            return f"at {high} {self.place}{'s' * (high != 1)} at most"
        if low == high:
            return f"at exactly {low} {self.place}{'s' * (low != 1)}"
        if high is not None:
            return f"at {low} to {high} {self.place}s"
        return "in the code" if low == 1 else f"at {low} {self.place}s at least"

    def color(self, color: int) -> str:
        """A color with its noun."""
        return f"{self.noun} {self.name(color)}"

    def name(self, color: int) -> str:
        """A color as the game spells it."""
        return speller(self.board.game).print_code((color,))


def numbered(noun: str, indices: Sequence[int]) -> str:
    """`row 1`, `rows 1 and 3`."""
    return f"{noun}{'s' * (len(indices) != 1)} {listed([str(each + 1) for each in indices])}"


def be(things: Sequence[object]) -> str:
    """`is` or `are`."""
    return "is" if len(things) == 1 else "are"


def either(names: Iterable[str]) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
