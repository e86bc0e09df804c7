"""Steps in sentences that a player follows, each literal with the number of its step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mmsat.board import Board
from mmsat.diagnosis.steps.step import Step, Way
from mmsat.english import capitalize, join_words, noun_phrase, quantity
from mmsat.notation.speller import speller
from mmsat.results.verdict import Status

SHOWN = 6
"""Earlier steps whose literals are told again; with more, only the numbers of the steps are."""
SUPPOSED = "supposed"


UNDECIDED = "Undecided: the search ended before a verdict was found."


class Line(NamedTuple):
    """One line of an explanation."""

    text: str
    depth: int = 0
    """The suppositions around it."""
    step: Step | None = None
    """The step that it tells; None for an opening or a closing line."""


class StepSentences:
    """Puts the steps of one board in words."""

    def __init__(self, board: Board) -> None:
        """Know how colors are called."""
        game = board.game
        self.board = board
        self.variables = game.variables
        self.noun = game.spelled.noun
        self.is_listed = game.space.table() is not None
        is_spelled = game.scoring.marks or self.is_listed
        self.place = "place" if is_spelled else "peg"

    def introduce(self, status: Status, conflict: Sequence[int]) -> str:
        """What is to be explained."""
        if status is Status.CONSISTENT:
            return "Consistent: this is how what all its codes share follows."
        if not conflict:
            return "Inconsistent: no code gets exactly these scores."
        rows = noun_phrase("row", [row + 1 for row in conflict])
        both = ("", "both ", "all ")[min(len(conflict), 3) - 1]
        return f"Inconsistent: {rows} can't {both}be right, and this is how that follows."

    def conclude(self, status: Status, goals: Sequence[int], *, is_complete: bool) -> Iterator[str]:
        """What is explained at the end."""
        noun, place = self.noun, self.place
        if not is_complete:
            yield "The time was up: this is what was found so far."
        elif status is Status.INCONSISTENT:
            yield "So no code gets exactly these scores."
        elif goals:
            yield f"Certain: {self.literals(goals)}."
            if not self.solves(goals):
                yield f"No other {place}'s {noun}, and no other {noun}'s number, is certain."
        else:
            yield f"No {place}'s {noun}, and no {noun}'s number, is certain yet."

    def solves(self, goals: Iterable[int]) -> bool:
        """Whether the color of every peg is known."""
        known = [literal for literal in goals if literal > 0 and self.variables.is_at(literal)]
        return len(known) == self.variables.pegs

    def lines(
        self, steps: Iterable[Step], prefix: str, sources: Mapping[int, str], depth: int
    ) -> Iterator[Line]:
        """Numbered lines of a chain; `sources` has by earlier literal the number of its step."""
        known = dict(sources)
        for number, step in enumerate(steps, 1):
            label = f"{prefix}{number}"
            if step.supposed is not None:
                yield Line(f"{label}. Suppose {self.literals([step.supposed])}.", depth)
                inside = known | {step.supposed: SUPPOSED}
                yield from self.lines(step.steps, f"{label}.", inside, depth + 1)
                yield Line(f"So {self.literals(step.found)}. [{label}]", depth, step)
            else:
                yield Line(f"{label}. {self.sentence(step, known)}", depth, step)
            known.update(dict.fromkeys(step.found, label))

    def sentence(self, step: Step, sources: Mapping[int, str]) -> str:
        """A step without its number."""
        why = self.because(step.literals, sources)
        if step.way is Way.RULES:
            left = "in every word that is left, " if self.is_listed else ""
            clause = f"{left}{self.literals(step.found)}" if step.found else "that can't be"
            return f"{capitalize(f'as {why}' if why else 'by the rules')}, {clause}."
        rows = self.rows(step.rows)
        both = ("", "", "both ", "all ")[min(len(step.rows), 3)]
        if not step.found:
            clause = f"{rows} can't {both}be right"
        elif step.way is Way.FAILED_LITERAL:
            clause = f"{rows} can {both}be right only if {self.literals(step.found)}"
        elif both:
            clause = f"{rows} together tell that {self.literals(step.found)}"
        else:
            clause = f"{rows} tells that {self.literals(step.found)}"
        return f"{capitalize(f'as {why}, {clause}' if why else clause)}."

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
            return f"steps {join_words(numbers)} found{more}"
        return join_words(f"{self.literals(those)} [{step}]" for step, those in by_step.items())

    def rows(self, rows: Sequence[int]) -> str:
        """Rows with their scores."""
        describe = self.board.game.scoring.describe
        scores = [f"{row + 1} ({describe(self.board.rows[row].score)})" for row in rows]
        return noun_phrase("row", scores)

    def literals(self, literals: Iterable[int]) -> str:
        """Literals in words, those about one peg or one color together."""
        return join_words(self.phrases(literals))

    def phrases(self, literals: Iterable[int]) -> Iterator[str]:
        """What literals say: of pegs first, then of colors."""
        at: dict[int, int] = {}
        nots: dict[int, list[int]] = {}
        low: dict[int, int] = {}
        high: dict[int, int] = {}
        for literal in sorted(literals, key=abs):
            if self.variables.is_at(literal):
                peg, color = self.variables.peg_color(literal)
                if literal > 0:
                    at[peg] = color
                else:
                    nots.setdefault(peg, []).append(color)
            else:
                color, count = self.variables.color_count(literal)
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
            names = f"{self.noun} {join_words(map(self.name, barred), 'or')}"
            yield f"{noun_phrase(self.place, [peg + 1 for peg in pegs])} {be(pegs)} not {names}"
        groups: dict[str, list[int]] = {}
        for color in sorted({*low, *high}):
            groups.setdefault(self.count(low.get(color), high.get(color)), []).append(color)
        for how_often, colors in groups.items():
            names = noun_phrase(self.noun, [self.name(color) for color in colors])
            yield f"{names} {be(colors)} {how_often}"

    def count(self, low: int | None, high: int | None) -> str:
        """How often a color is there, after "is"."""
        if high == 0:
            return "absent"
        if low is None:
            return f"at {quantity(high or 0, self.place)} at most"
        if low == high:
            return f"at exactly {quantity(low, self.place)}"
        if high is not None:
            return f"at {low} to {high} {self.place}s"
        return "in the code" if low == 1 else f"at {low} {self.place}s at least"

    def color(self, color: int) -> str:
        """A color with its noun."""
        return f"{self.noun} {self.name(color)}"

    def name(self, color: int) -> str:
        """A color as the game spells it."""
        return speller(self.board.game).print_code((color,))


def be(things: Sequence[object]) -> str:
    """`is` or `are`."""
    return "is" if len(things) == 1 else "are"
