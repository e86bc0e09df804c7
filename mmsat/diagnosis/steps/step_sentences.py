"""Steps in sentences for players; each premise has the number of its step."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mmsat.board import Board
from mmsat.diagnosis.fact_sentences import clauses
from mmsat.diagnosis.phrases import Phrases
from mmsat.diagnosis.steps.step import Step, Way
from mmsat.english import capitalize, join_words, noun_phrase
from mmsat.results.verdict import Status

MAX_REPEATED_STEPS = 6
"""Maximum number of earlier steps whose literals are repeated; of more, only the numbers are
given."""
SUPPOSED = "supposed"


UNDECIDED = "Undecided: the search ended before a verdict was found."


class Line(NamedTuple):
    """One line of an explanation."""

    text: str
    depth: int = 0
    """The number of suppositions around the line."""
    step: Step | None = None
    """The step of the line; None for an introduction, a supposition or a conclusion."""


class StepSentences:
    """Puts the steps of one board in words."""

    def __init__(self, board: Board) -> None:
        """Prepare the phrases for the colors of the game."""
        self.board = board
        self.phrases = Phrases(board)
        self.literals = self.phrases.literals

    def introduce(self, status: Status, conflict: Sequence[int]) -> str:
        """Return the introduction."""
        if status is Status.CONSISTENT:
            return "Consistent. These steps show what all remaining codes have in common."
        if not conflict:
            return "Inconsistent: no code gets exactly these scores."
        rows = noun_phrase("row", [row + 1 for row in conflict])
        both = ("", "both ", "all ")[min(len(conflict), 3) - 1]
        return f"Inconsistent: {rows} can't {both}be right. These steps show why."

    def conclude(
        self, status: Status, certain: Sequence[int], *, is_complete: bool
    ) -> Iterator[str]:
        """Yield the conclusion, which lists everything that is certain."""
        if not is_complete:
            yield "Time limit reached: the steps may not be complete."
        elif status is Status.INCONSISTENT:
            yield "So no code gets exactly these scores."
        elif certain:
            yield f"Certain: {self.literals(certain)}."
            if not self.solves(certain):
                yield "Nothing else is certain."
        else:
            yield "Nothing is certain yet."

    def solves(self, certain: Iterable[int]) -> bool:
        """Return whether the color of every peg is certain."""
        variables = self.board.game.variables
        peg_literals = [literal for literal in certain if literal > 0 and variables.is_at(literal)]
        return len(peg_literals) == variables.pegs

    def lines(
        self, steps: Iterable[Step], prefix: str, sources: Mapping[int, str], depth: int
    ) -> Iterator[Line]:
        """Yield the numbered lines of a chain.

        `sources` has the step number of each earlier literal.
        """
        known_sources = dict(sources)
        for number, step in enumerate(steps, 1):
            label = f"{prefix}{number}"
            if step.supposed is not None:
                yield Line(f"{label}. Suppose {self.literals([step.supposed])}.", depth)
                inner_sources = known_sources | {step.supposed: SUPPOSED}
                yield from self.lines(step.steps, f"{label}.", inner_sources, depth + 1)
                yield Line(f"So {self.literals(step.found)}. [{label}]", depth, step)
            else:
                yield Line(f"{label}. {self.sentence(step, known_sources)}", depth, step)
            known_sources.update(dict.fromkeys(step.found, label))

    def sentence(self, step: Step, sources: Mapping[int, str]) -> str:
        """Return the sentence of a step, without its number."""
        why = self.because(step.literals, sources)
        found = self.literals(step.found) if step.found else ""
        if step.way is Way.RULES and step.found:
            scope = "in every remaining word, " if self.phrases.is_listed else ""
            return f"{capitalize(f'as {why}' if why else 'by the rules')}, {scope}{found}."
        if step.way is Way.RULES:
            if self.phrases.is_listed:
                return f"No word remains, as {why}."
            return f"{capitalize(why)}: that can't be."
        rows = self.rows(step.rows)
        row_count = len(step.rows)
        both = ("", "", "both ", "all ")[min(row_count, 3)]
        if step.way is Way.LISTING and step.found:
            clause = f"in every word that fits {rows}, {found}"
        elif step.way is Way.LISTING:
            clause = f"no word fits {rows}"
        elif not step.found:
            clause = f"{rows} can't {both}be right{self.flaw(step)}"
        elif step.way is Way.FAILED_LITERAL:
            clause = f"{rows} can {both}be right only if {found}"
        elif row_count > 1:
            clause = f"{rows} together mean that {found}"
        else:
            clause = f"{rows} {'means' if why else 'says'} that {found}"
        return f"{capitalize(f'as {why}, {clause}' if why else clause)}."

    def flaw(self, step: Step) -> str:
        """Return why rows contradict each other without earlier literals, after a colon.

        The result is empty if no short reason is known.
        """
        if step.literals:
            return ""
        game = self.board.game
        flaws = [game.scoring.flaw(game.pegs, self.board.rows[row].score) for row in step.rows]
        why = next((flaw for flaw in flaws if flaw), None) or "; ".join(
            clauses(self.board, step.facts)
        )
        return f": {why}" if why else ""

    def because(self, literals: Sequence[int], sources: Mapping[int, str]) -> str:
        """Return the premises with the numbers of their steps; empty if there are none."""
        if not literals:
            return ""
        by_step: dict[str, list[int]] = {}
        for literal in literals:
            by_step.setdefault(sources[literal], []).append(literal)
        if len(by_step) > MAX_REPEATED_STEPS:
            numbers = [number for number in by_step if number != SUPPOSED]
            supposed = by_step.get(SUPPOSED)
            assumption = f", and with {self.literals(supposed)} supposed" if supposed else ""
            return f"steps {join_words(numbers)} found{assumption}"
        return join_words(
            f"{self.literals(step_literals)} [{step}]" for step, step_literals in by_step.items()
        )

    def rows(self, rows: Sequence[int]) -> str:
        """Return the rows, with their scores unless these are marks."""
        scoring = self.board.game.scoring
        if scoring.marks:
            return noun_phrase("row", [row + 1 for row in rows])
        describe = scoring.describe
        scores = [f"{row + 1} ({describe(self.board.rows[row].score)})" for row in rows]
        return noun_phrase("row", scores)
