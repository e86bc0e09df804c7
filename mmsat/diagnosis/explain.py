"""Explain a board: find its minimal conflicts and its cheapest corrections, one by one.

`find_reasons_and_facts` runs in a separate process. `check` imports this module lazily, so that
consistent boards do not load it. For full reports (`-v`), `with_derivations` lets presolve derive
why no code satisfies the rows of a conflict.

`FactFinder` finds contradictory facts, from which a sentence explains why the rows of a conflict
cannot all be right. The facts are found when a result is created, within a fixed amount of search
per board (`MAX_SLICES`). Printing the result only reads them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import TypeVar

from mmsat._util.arguments import check_arguments
from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.presolve_steps import presolve
from mmsat.diagnosis import Conflict, Correction
from mmsat.diagnosis.check import DEFAULT_LIMIT, Findings, decide, find_unlisted
from mmsat.diagnosis.corrections import corrections
from mmsat.diagnosis.explanation import (
    CommonFact,
    Explanation,
    Fact,
    LiteralsFact,
    ScoreFact,
    differing_components,
    fact_constraints,
    is_one_guess,
)
from mmsat.diagnosis.mus import conflicts, prove_conflict, smaller_muses
from mmsat.diagnosis.sentences import Phrases
from mmsat.diagnosis.steps.chain import smallest_premises
from mmsat.diagnosis.steps.rules import CountingPropagator
from mmsat.errors import InternalError
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import Tolerance
from mmsat.game.unread import is_unread
from mmsat.limits import LIMITS
from mmsat.solving import Engine, find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, stream
from mmsat.solving.oracle import HardQueryError, SubsetOracle
from mmsat.solving.searches import SlicedSearch

MAX_ROWS = 4
"""Maximum number of rows of a conflict for which facts are found."""
MAX_CLAUSES = 6
"""Maximum number of grammatical clauses of a sentence that states literals."""
MAX_LITERALS = 2_000
"""Maximum number of literals of a game for which facts are found. In larger games, the propagation
of literals would take too long."""
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
        # Each color has one literal per peg, and one per number of pegs ("at least n").
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

        Each row implies its fact by itself. The first possible kind of facts is returned:

        - two different scores of one guess,
        - literals,
        - in a game of words, the complete scores,
        - numbers of pegs shared with two guesses that have no common color,
        - components of the scores, as few as the search can show to be enough.

        The result is empty if no facts are short enough for a sentence.
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
        if game.scoring.marks:  # sentences name no components of scores that are marks
            return ()
        has_unread_pegs = any(is_unread(self.board.rows[row]) for row in rows)
        return full_scores if has_unread_pegs or is_large(self.board) else self.trim(full_scores)

    def same_guess(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return the score components that differ, if two rows have the same guess."""
        if len(rows) > 2:
            return ()
        scores = [self.board.rows[row].score for row in rows]
        differing = differing_components(*scores)
        facts = [
            ScoreFact(row, tuple(part if i in differing else None for i, part in enumerate(score)))
            for row, score in zip(rows, scores, strict=True)
        ]
        return tuple(facts) if is_one_guess(self.board, facts) else ()

    def literals(self, rows: Sequence[int]) -> tuple[Fact, ...]:
        """Return literals that single rows imply, and that contradict each other.

        Both are shown by counting (`CountingPropagator`).
        """
        propagator = self.propagator
        base_state = propagator.close(propagator.state(()), use_words=False)
        base_literals = {*propagator.literals(base_state)}
        implied: dict[int, set[int]] = {}
        row_of: dict[int, int] = {}  # for each literal, the first row that implies it
        for row in rows:
            state = propagator.close(base_state, (row,), use_words=False)
            implied[row] = {*propagator.literals(state)} - base_literals
            row_of |= dict.fromkeys(implied[row] - row_of.keys(), row)

        def is_enough(literals: Sequence[int]) -> bool:
            """Return whether propagation from these literals alone finds a contradiction."""
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
        """Return the numbers of pegs that the code shares with two guesses without a common color.

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
        """Return the facts without the score components that the contradiction does not need."""
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
    if variables.color_count(literal)[1] > 1:
        return 3
    return 2 if phrases.is_ordered else 0


T = TypeVar("T")
MAX_SMALLEST_CONFLICT_WORK = 20_000_000
"""Maximum work, in propagations, of the search for a smallest conflict: a few seconds."""


def find_reasons_and_facts(
    board: Board, tolerance: Tolerance, status: Status, limit: int
) -> Iterator[Conflict | Correction | str]:
    """Yield the items of `find_reasons`, and each conflict again with its proof and facts.

    A conflict is first yielded without them, in case the time limit passes before they are found.
    With lies, conflicts have neither. Boards with known codes have no facts, because these codes
    satisfy all rows.
    """
    finder = FactFinder(board)
    for reason in find_reasons(board, tolerance, status, limit):
        yield reason
        if isinstance(reason, Conflict) and not tolerance.lies:
            facts = () if board.known else finder.find(reason.rows)
            yield replace(prove_conflict(board, reason.rows), facts=facts)


def find_reasons(
    board: Board, tolerance: Tolerance, status: Status, limit: int
) -> Iterator[Conflict | Correction | str]:
    """Yield conflicts and corrections, and the name of each search that is complete.

    The names are `conflicts` and `corrections` when no further ones exist, and `smallest` when the
    search for a smallest conflict has ended or was skipped. In a small game, that search always
    succeeds; if `limit` is 1, only its result is yielded. In larger games, its result may be a
    conflict that is only minimal.

    On dense boards (`SubsetOracle.dense_portfolio`) the order differs, because queries can be
    expensive: all corrections precede the smallest conflict. If the first query was hard, they also
    precede all other conflicts.

    A board that is consistent within the lies has no conflict, but it may have corrections, after
    which all scores are right. A board with known codes has no corrections, because these codes get
    all scores.
    """
    oracle = SubsetOracle(board, tolerance)
    correction_stream = limit_findings(
        iter(()) if board.known else corrections(board, oracle), limit, "corrections"
    )
    muses: Iterator[Conflict] = iter(())
    yielded: set[Conflict] = set()
    if status is Status.INCONSISTENT:
        code = oracle.find(oracle.all_rows)
        if code is not None:
            within = f" within {tolerance}" if tolerance.lies else ""
            raise InternalError(f"{board} was refuted, but {code} gets its scores{within}")
        is_small = board.game.size <= LIMITS.small_game
        # If the first query needed rounds of the portfolio, it was hard: skip the smallest
        # conflict, and find the corrections first.
        if oracle.rounds and not is_small and limit and not board.known:
            yield "smallest"
            yield from correction_stream
        muses = conflicts(oracle)
        first = next(muses)
        muses = chain([first], muses)
        is_easy = not oracle.is_hard
        if is_small and limit == 1:
            first = try_smallest(oracle, first, None)
        yield first
        yielded.add(first)
        # On a dense board, the corrections precede the smallest conflict, unless already yielded.
        if oracle.dense_portfolio is not None and not is_small:
            yield from correction_stream
        if limit > 1 and (is_small or (is_easy and not tolerance.lies)):
            smallest = try_smallest(oracle, first, None if is_small else MAX_SMALLEST_CONFLICT_WORK)
            if smallest != first:
                yield smallest
                yielded.add(smallest)
        yield "smallest"
    if board.known or status is Status.INCONSISTENT or not is_consistent(board):
        yield from correction_stream
    else:
        yield "corrections"
    further_conflicts = (mus for mus in muses if mus not in yielded)
    yield from limit_findings(further_conflicts, max(0, limit - len(yielded)), "conflicts")


def is_consistent(board: Board) -> bool:
    """Return whether some code gets every score exactly, without lies."""
    return find_engine("auto").decide(board, Deadline()).status is Status.CONSISTENT


def try_smallest(oracle: SubsetOracle, first: Conflict, work: int | None) -> Conflict:
    """Return the smallest conflict found within `work` propagations and without hard queries.

    If `work` is None, neither limit applies. If a limit ends the search, a smaller conflict may
    exist.
    """
    smallest = first
    # With a limit of 0 rounds, queries that the first solvers do not decide are too hard.
    with suppress(HardQueryError), oracle.limit_rounds(None if work is None else 0):
        for smaller in smaller_muses(oracle, first, work):
            smallest = smaller
    return smallest


def limit_findings(findings: Iterator[T], limit: int, search_name: str) -> Iterator[T | str]:
    """Yield up to `limit` findings, then `search_name` if these were all."""
    yield from islice(findings, limit)
    if next(findings, None) is None:
        yield search_name


def with_derivations(
    board: Board, conflicts: Sequence[Conflict], deadline: Deadline
) -> tuple[Conflict, ...]:
    """Return the conflicts, each with its derivation unless a refutation explains it already.

    When the deadline passes, the remaining conflicts are returned without derivations.
    """
    explained = list(conflicts)
    try:
        with closing(stream(deadline, derive_all, board, conflicts)) as derivations:
            for index, lines in enumerate(derivations):
                explained[index] = replace(explained[index], derivation=lines)
    except TimeUpError:
        pass
    return tuple(explained)


def derive_all(board: Board, conflicts: Sequence[Conflict]) -> Iterator[tuple[str, ...]]:
    """Yield the derivation of each conflict, empty if it has a refutation."""
    system = System.of(board)
    for conflict in conflicts:
        yield () if conflict.refutation else derive(system, conflict)


def derive(system: System, conflict: Conflict) -> tuple[str, ...]:
    """Return sentences that derive the contradiction; empty if presolve does not find it."""
    groups = (
        group if row in conflict.rows else () for row, group in enumerate(system.row_constraints)
    )
    presolved = presolve(system.with_rows(groups))
    if not isinstance(presolved, Infeasibility):
        return ()
    first, *further_sentences = presolved.lines
    return (f"Why: {first}", *further_sentences)


UNLISTED_SECONDS = 10.0
"""Maximum time limit in seconds of the search for a secret that the word list lacks. The limit is
half of the remaining time if that is less."""
FURTHER_SECONDS = 60.0
"""Time limit in seconds of the search after the first reason, if no timeout is given."""


@check_arguments
def explain(
    board: Board | str,
    *,
    engine: str | Engine | type[Engine] = "auto",
    timeout: float | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int | None = None,
    lies: int = 0,
    by: str = "rows",
    on_progress: Callable[[Explanation], None] | None = None,
) -> Explanation:
    """Explain why a board is inconsistent: its minimal conflicts and its cheapest corrections.

    A consistent board has neither.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    engine : str, Engine or type, default "auto"
        Engine that decides the board, its class or its name. "auto" chooses one for the board.
    timeout : float, optional
        Time limit in seconds. When it passes, the reasons found so far are returned. By default,
        the search for the first reason has no limit, and the search for further ones is limited to
        60 seconds.
    limit : int, default 100
        Maximum number of conflicts, and of corrections.
    seed : int, optional
        Seed of the random choices of the engine.
    lies : int, default 0
        Maximum number of wrong scores. A conflict is then a set of rows such that every code
        violates more of them than the lies allow. With a correction, no score is wrong.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    on_progress : callable, optional
        Called with the explanation so far when the verdict is known, and again with each conflict
        or correction.

    Returns
    -------
    Explanation
        The conflicts with the fewest rows first, and the most probable corrections first.
        `all_conflicts` and `all_corrections` state whether these are all.

    Raises
    ------
    InputError
        If the board or another argument is invalid.

    Notes
    -----
    A conflict is a minimal unsatisfiable subset of the rows. All of them are enumerated by MARCO
    [1]_; their number can grow exponentially with the rows.

    References
    ----------
    .. [1] M. H. Liffiton, A. Previti, A. Malik and J. Marques-Silva, "Fast, flexible MUS
       enumeration", Constraints 21(2), 223-250, 2016.

    Examples
    --------
    >>> explanation = mmsat.explain("4x6/1122=2.0/3344=0.0/5566=0.0/1212=0.0")
    >>> [conflict.rows for conflict in explanation.conflicts]
    [(0, 3), (1, 2, 3)]
    >>> change, = explanation.correction.changes
    >>> change.row, change.before, change.after
    (3, (0, 0), (2, 0))
    """
    board = Board.of(board)
    deadline = Deadline(timeout)
    tolerance = Tolerance(lies, by)
    status = decide(board, tolerance, engine, deadline, seed).status
    findings = Findings(board, status, deadline, tolerance, engine)
    if on_progress is not None:
        on_progress(make_explanation(findings))
    if status is Status.INCONSISTENT:
        remaining = math.inf if deadline.remaining is None else deadline.remaining
        unlisted_deadline = deadline.within(min(UNLISTED_SECONDS, remaining / 2))
        findings.unlisted = find_unlisted(board, tolerance, unlisted_deadline)
    if findings.needs_reasons:
        for _ in findings.search(limit, FURTHER_SECONDS if timeout is None else None):
            if on_progress is not None:
                on_progress(make_explanation(findings))
    return make_explanation(findings)


def make_explanation(findings: Findings) -> Explanation:
    """Return the findings so far as an explanation."""
    # An exactly consistent board has no reasons, so all of them are known.
    has_no_reasons = findings.status is Status.CONSISTENT and not findings.tolerance.lies
    return Explanation(
        findings.board,
        findings.status,
        tuple(sorted(findings.conflicts, key=Conflict.sort_key)),
        tuple(sorted(findings.corrections, key=Correction.sort_key)),
        all_conflicts=has_no_reasons or "conflicts" in findings.complete,
        all_corrections=has_no_reasons or "corrections" in findings.complete,
        seconds=findings.deadline.elapsed,
        tolerance=findings.tolerance,
        unlisted=findings.unlisted,
    )
