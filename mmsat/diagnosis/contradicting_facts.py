"""Find contradictory facts, from which a sentence explains why rows can't all be right.

The facts are found when a result is created, within a fixed amount of search per board
(`MAX_SLICES`). Printing the result only reads them.
"""

from collections.abc import Sequence
from functools import cached_property

from mmsat.constraints import System
from mmsat.diagnosis.sentences import Phrases
from mmsat.diagnosis.steps.chain import smallest_premises
from mmsat.diagnosis.steps.rules import CountingPropagator
from mmsat.diagnosis.verdict import (
    CommonFact,
    Fact,
    LiteralsFact,
    ScoreFact,
    differing_components,
    fact_constraints,
    is_one_guess,
)
from mmsat.game.board import Board
from mmsat.game.unread import is_unread
from mmsat.solving.deadline import is_large
from mmsat.solving.searches import SlicedSearch

MAX_ROWS = 4
"""Maximum number of rows of a conflict for which facts are found."""
MAX_CLAUSES = 6
"""Maximum number of grammatical clauses of a sentence that states literals."""
MAX_LITERALS = 2_000
"""Maximum number of literals of a game for which facts are found."""
MAX_SLICES = 100
"""Maximum number of slices of search (`SlicedSearch`) for all conflicts of a board: about half a
second."""


class FactFinder:
    """Find the facts of minimal conflicts of one board."""

    def __init__(self, board: Board) -> None:
        """Set up the search budget. The propagator is created when it is first needed."""
        self.board = board
        self.slices = MAX_SLICES
        """The remaining number of slices of search."""
        variables = board.game.variables
        self.is_too_large = 2 * variables.pegs * variables.colors > MAX_LITERALS

    @cached_property
    def system(self) -> System:
        """The constraints of the board."""
        return System.of(self.board)

    @cached_property
    def propagator(self) -> CountingPropagator:
        """The propagator that derives the literals implied by a row."""
        return CountingPropagator(self.system)

    def find(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return facts of a minimal conflict that no code satisfies together.

        Each row implies its fact by itself. Two different scores of one guess are preferred, then
        literals, then the scores of two guesses without a common color, then components of the
        scores, as few as the search can show to be enough. In a game of words, the complete scores
        replace the last two. The result is empty if no facts are short enough for a sentence.
        """
        if not 2 <= len(rows) <= MAX_ROWS or self.is_too_large:
            return ()
        if facts := self.same_guess(rows):
            return facts
        if facts := self.literals(rows):
            return facts
        game = self.board.game
        full_scores = tuple(ScoreFact(row, self.board.rows[row].score) for row in rows)
        if game.space.table() is not None:
            return full_scores
        if facts := self.disjoint_guesses(rows):
            return facts
        if game.scoring.marks:
            return ()
        has_unread_pegs = any(is_unread(self.board.rows[row]) for row in rows)
        return full_scores if has_unread_pegs or is_large(self.board) else self.trim(full_scores)

    def same_guess(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return the components in which two rows score one guess differently."""
        if len(rows) > 2:
            return ()
        scores = [self.board.rows[row].score for row in rows]
        differ = differing_components(*scores)
        facts = [
            ScoreFact(row, tuple(part if i in differ else None for i, part in enumerate(score)))
            for row, score in zip(rows, scores, strict=True)
        ]
        return tuple(facts) if is_one_guess(self.board, facts) else ()

    def literals(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return literals that the rows imply by counting and that counting refutes together."""
        propagator = self.propagator
        base_state = propagator.close(propagator.state(()), use_words=False)
        base_literals = {*propagator.literals(base_state)}
        implied: dict[int, set[int]] = {}
        row_of: dict[int, int] = {}
        for row in rows:
            state = propagator.close(base_state, (row,), use_words=False)
            implied[row] = {*propagator.literals(state)} - base_literals
            row_of |= dict.fromkeys(implied[row] - row_of.keys(), row)

        def is_enough(literals: Sequence[int]) -> bool:
            state = propagator.state(literals)
            return not propagator.close(state, use_words=False).is_possible

        phrases = Phrases(self.board)
        ordered_literals = sorted(
            row_of, key=lambda literal: (presentation_rank(phrases, literal), abs(literal))
        )
        if not is_enough(ordered_literals):
            return ()
        literals = smallest_premises(ordered_literals, is_enough).literals
        if len([*phrases.clauses(literals)]) > MAX_CLAUSES:
            return ()
        literals_by_row = {
            row: [literal for literal in literals if row_of[literal] == row] for row in rows
        }
        # Add all other negative literals of these pegs, because a sentence such as "place 2 comes
        # before 3" is easier to understand than "place 2 is not 6".
        if phrases.is_ordered:
            for row, row_literals in literals_by_row.items():
                pegs = {phrases.peg(literal) for literal in row_literals if literal < 0}
                further_literals = implied[row] - {*row_literals}
                row_literals += [
                    literal
                    for literal in further_literals
                    if literal < 0 and phrases.peg(literal) in pegs
                ]
        return tuple(
            LiteralsFact(row, tuple(sorted(row_literals, key=abs)))
            for row, row_literals in literals_by_row.items()
            if row_literals
        )

    def disjoint_guesses(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return, for two guesses without a common color, how many pegs the code shares with each.

        Each peg of the code is shared with at most one of the guesses, so the two numbers
        contradict each other if their sum exceeds the number of pegs. Otherwise, the result is
        empty.
        """
        game = self.board.game
        if len(rows) > 2 or game.scoring.name not in {"black-white", "color"}:
            return ()
        first, second = (self.board.rows[row] for row in rows)
        shared_pegs = [sum(part or 0 for part in row.score) for row in (first, second)]
        if is_unread(first) or is_unread(second) or {*first.guess} & {*second.guess}:
            return ()
        if sum(shared_pegs) <= game.pegs:
            return ()
        return tuple(CommonFact(row, pegs) for row, pegs in zip(rows, shared_pegs, strict=True))

    def trim(self, facts: Sequence[ScoreFact]) -> tuple[ScoreFact, ...]:
        """Return the facts without score components that the search shows to be superfluous."""
        trimmed = list(facts)
        for index, fact in enumerate(facts):
            for part, number in enumerate(fact.score):
                score = list(trimmed[index].score)
                score[part] = None
                previous, trimmed[index] = trimmed[index], ScoreFact(fact.row, tuple(score))
                if number is not None and not self.is_refuted(trimmed):
                    trimmed[index] = previous
        return tuple(trimmed)

    def is_refuted(self, facts: Sequence[Fact]) -> bool:
        """Return whether the search, within its remaining slices, refutes all facts together."""
        system = self.system.with_rows(fact_constraints(self.board, fact) for fact in facts)
        search = SlicedSearch(system, slices=self.slices)
        next(iter(search), None)
        self.slices = int(search.slices)
        return search.is_exhausted


def presentation_rank(phrases: Phrases, literal: int) -> int:
    """Return the rank of a literal in the order of preference; lower ranks are easier to read.

    Literals about the presence of a color come first, then literals about the color of a peg, then
    literals about a number of pegs. If colors have an order, literals about a peg come first.
    """
    variables = phrases.variables
    if variables.is_at(literal):
        return 1 if literal > 0 or phrases.is_ordered else 2
    return 3 if variables.color_count(literal)[1] > 1 else 2 * phrases.is_ordered
