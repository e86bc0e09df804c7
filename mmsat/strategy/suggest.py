"""Suggest the next guess, with its evaluation, its reasons and alternatives.

A strategy chooses the guess, with two exceptions. If codes have weights, the guess that leaves the
least weight on average is chosen (`rank_guesses`). In hard mode with the strategy `auto`, the
allowed guess that leaves the least uncertainty is chosen.

With a time limit, up to three suggestions are made, and the last one within the limit is returned:
the best of a few hundred random codes (an *estimate*), the guess of the strategy evaluated against
these codes, and the same guess evaluated against all codes and compared with others.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import Any, TypedDict

from mmsat._util.arguments import check_arguments
from mmsat._util.results import BoardLine, Digits, Displayable, Ratio, Seconds
from mmsat._util.text import capitalize, in_short, plural, quantity
from mmsat.counting import Count
from mmsat.counting.listing import weigh_codes
from mmsat.errors import Description, InconsistentError, InputError, TimeLimitError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import add_texts
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.weights import Weights
from mmsat.solving.deadline import run_to_last
from mmsat.strategy.answers import is_listed
from mmsat.strategy.candidates import (
    Pool,
    Prospect,
    ProspectJson,
    allowed_guesses,
    balanced_codes,
    best_guesses,
    draw_pool,
    evaluate_guesses,
    evaluate_weighted,
    rank_guesses,
)
from mmsat.strategy.strategies import AUTO, STRATEGIES, choose_strategy
from mmsat.strategy.strategies.heuristics import Entropy
from mmsat.strategy.strategy import State, Strategy


class OwnGuessesJson(TypedDict, total=False):
    """The evaluation of guesses that the player considers."""

    own: list[ProspectJson]
    """The given guesses (`--guess`), in the same order."""


class SuggestionJson(ProspectJson, ToleranceJson, OwnGuessesJson):
    """The suggested next guess, with its evaluation and alternatives."""

    board: BoardLine
    strategy: str
    """Name of the strategy that chose the guess."""
    criterion: str
    """The goal of the strategy in words, such as "the most information, in bits"; empty if the
    guess is an opening or an estimate."""
    codes: Digits
    """Number of codes that remain before the guess; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""
    exact: bool
    """Whether guesses are evaluated against all remaining codes, not against a sample."""
    complete: bool
    """Whether the strategy and the evaluation finished; false if the time limit passed first."""
    expected_guesses: Ratio | None
    """Average number of guesses that the code needs from here on, including this one, if the guess
    is provably optimal; otherwise null."""
    others: list[ProspectJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Suggestion(Displayable):
    """The suggested next guess, with its evaluation and alternatives."""

    board: Board
    """The board to which the guess is to be added."""
    strategy: str
    """Name of the strategy that chose the guess."""
    codes: Count
    """Number of codes that remain before the guess."""
    best: Prospect
    """The suggested guess."""
    others: tuple[Prospect, ...]
    """Alternative guesses, those with the least remaining uncertainty first."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    tolerance: Tolerance = STRICT
    """How wrong the scores of the board may be. Remaining codes are consistent within this
    tolerance."""
    expected_guesses: Fraction | None = None
    """Average number of guesses that the code needs from here on, including this one, if it is
    known and provably minimal; otherwise None. With `consistent_only`, it is the minimum over
    consistent play."""
    consistent_only: bool = False
    """Whether the guess was required to be a possible code."""
    own: tuple[Prospect, ...] = ()
    """Evaluations of the guesses that were passed as `own`."""
    is_complete: bool = True
    """Whether the strategy and the evaluation finished. If the time limit passed first, the guess
    is the best one of a few hundred random codes, and `strategy` is "estimate"; or it was chosen by
    the strategy, but evaluated against a few hundred codes only."""
    criterion: str = ""
    """The goal of the strategy in words, such as "the most information, in bits"; empty if the
    guess is an opening or an estimate."""

    @property
    def guess(self) -> Code:
        """The suggested guess, with colors from 0."""
        return self.best.guess

    @property
    def is_exact(self) -> bool:
        """Whether guesses are evaluated against all remaining codes, not against a sample."""
        return self.codes.exact and self.best.judged_by == self.codes.count

    @property
    def expected_codes(self) -> Fraction | None:
        """Expected number of codes that remain after the guess; None if their number is unknown.

        It is exact if `is_exact`. Otherwise `best.expected`, which counts the codes of a sample, is
        scaled to all remaining codes.
        """
        return _expected_codes(self.codes, self.best)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per guess, the best first, for pandas.DataFrame and polars."""
        print_code = speller(self.board.game).print_code
        return [
            {
                **prospect.to_dict(),
                "guess": print_code(prospect.guess),
                "chance": float(prospect.chance),
                "expected": float(prospect.expected),
            }
            for prospect in (self.best, *self.others)
        ]

    def to_dict(self) -> SuggestionJson:
        """Return a dict for JSON, with colors from 1; see schemas/suggest.json."""
        expected_guesses = self.expected_guesses
        own: OwnGuessesJson = {}
        if self.own:
            own["own"] = [prospect.to_dict() for prospect in self.own]
        document: SuggestionJson = {
            "board": str(self.board),
            "strategy": self.strategy,
            "criterion": self.criterion,
            **self.tolerance.optional_dict(),
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            "exact": self.is_exact,
            "complete": self.is_complete,
            **self.best.to_dict(),
            "others": [prospect.to_dict() for prospect in self.others],
            **own,
            "expected_guesses": None if expected_guesses is None else str(expected_guesses),
            "seconds": round(self.seconds, 6),
        }
        return add_texts(self.board.game, document)


LEAST_WEIGHT_NAME = "least-weight"
"""The name in place of a strategy if the guess is chosen by weights."""
MAX_POOL_CODES = 50_000
"""Maximum number of codes that guesses are evaluated against, by default."""
NUM_OTHERS = 3
"""Number of alternative guesses, by default."""
MAX_SCORED_PEGS = 50_000_000
"""Maximum number of guesses times codes times pegs that are scored to find alternative guesses."""
HARD_MODE_NAME = "hard-mode"
"""The name in place of a strategy if the best guess that hard mode allows is chosen."""
ESTIMATE_NAME = "estimate"
"""The name in place of a strategy if the time limit passed before the strategy chose a guess."""
MAX_ESTIMATE_CODES = 500
"""Maximum number of codes that guesses are evaluated against before the strategy has finished. This
takes some tenths of a second."""
SCORE_BASED = (
    "any-consistent",
    "genetic",
    "halving",
    "parallel-halving",
    "sat-consistent",
    "six-guess",
    "tree",
    "weighing",
)
"""Strategies that use the scores themselves, not only the remaining codes. They do not support lies
and unread guesses."""


@check_arguments
def suggest(
    board: Board | str,
    *,
    strategy: str | Strategy | type[Strategy] = AUTO,
    opening: Sequence[Sequence[int] | str] = (),
    consistent_only: bool = False,
    hard: bool = False,
    seed: int | None = None,
    others: int = NUM_OTHERS,
    lies: int = 0,
    by: str = "rows",
    size: int = MAX_POOL_CODES,
    weights: Weights | None = None,
    own: Sequence[Sequence[int] | str] = (),
    timeout: float | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Suggestion:
    """Suggest the next guess for a board, with an evaluation.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    strategy : str, Strategy or type, default "auto"
        Name of the strategy, with its options, or a `Strategy` or its class. "auto" chooses one for
        the board.
    opening : sequence of guesses, default ()
        The first guesses, as text or as colors from 0. They are made regardless of the scores. With
        `consistent_only` or `hard`, the strategy replaces a forbidden guess by its own choice.
    consistent_only : bool, default False
        Whether the guess must itself be a possible code.
    hard : bool, default False
        Whether the guess must use all hints so far. With "auto", the allowed guess that leaves the
        least uncertainty is chosen.
    seed : int, optional
        Seed of the random choices of codes and guesses.
    others : int, default 3
        Number of alternative guesses to return, up to 100.
    lies : int, default 0
        Maximum number of wrong scores. The remaining codes are considered equally likely, and
        future scores are assumed to be right.
    by : {"rows", "pegs"}, default "rows"
        Unit of `lies`: wrong rows, or key pegs that are wrong, summed over all rows.
    size : int, default 50,000
        Maximum number of codes that guesses are evaluated against. If more codes remain, a random
        sample is used, and the evaluations are estimates.
    weights : Weights, optional
        Relative probabilities of the codes. The guess that leaves the least weight on average is
        then chosen, and `strategy` must be "auto". By default, all codes are equally likely.
    own : sequence of guesses, default ()
        Extra guesses to evaluate, as text or as colors from 0.
    timeout : float, optional
        Time limit in seconds, unlimited by default. If it passes, the best guess so far is
        returned, which is an estimate; `is_complete` is then False.
    on_progress : callable, optional
        Called with a description of the current work.

    Returns
    -------
    Suggestion
        The guess, its evaluation, and alternatives. If the guess is proven to be optimal, the
        average number of further guesses is included.

    Raises
    ------
    InconsistentError
        If no code remains.
    InputError
        If the strategy is unknown or does not support the board or the options, or if another
        argument is invalid.
    SizeError
        If the strategy does not support a game of this size, or if lies or weights are given and
        there are too many codes.
    TimeLimitError
        If no guess is found within `timeout`. In games whose codes can be listed, there is always
        one, except with `weights` or in the opening.

    Examples
    --------
    >>> suggestion = mmsat.suggest("4x6/1122=1.1/3345=0.2")
    >>> suggestion.guess, suggestion.codes.count
    ((0, 3, 4, 0), 36)
    """
    board = Board.of(board).without_known("a suggestion")
    tolerance = Tolerance(lies, by)
    strategy_name = strategy if isinstance(strategy, str) else strategy.name
    if (lies or board.has_unread_pegs) and strategy_name.partition(":")[0] in SCORE_BASED:
        rule = "this strategy does not support lies and unread guesses"
        expected = ", ".join([AUTO, *(name for name in STRATEGIES if name not in SCORE_BASED)])
        raise InputError.of("the strategy", expected, strategy_name, rule)
    if weights is not None and (strategy != AUTO or opening):
        rule = "weights need this strategy"
        raise InputError.of("the strategy", f"{AUTO} without an opening", strategy_name, rule)
    if hard and (lies or weights is not None):
        rule = "hard mode does not support them"
        description = Description("lies" if lies else "weights")
        raise InputError.of("the arguments", "no lies and no weights", description, rule)
    search = partial(
        _suggest,
        board,
        tolerance,
        strategy=strategy,
        opening=opening,
        consistent_only=consistent_only,
        hard=hard and not consistent_only,  # a possible code is always allowed
        seed=seed,
        others=others,
        size=size,
        weights=weights,
        own=board.game.require_guesses(own, "the guesses to evaluate", board.conventions),
    )
    try:
        return run_to_last(
            timeout,
            on_progress,
            search,
            task_name="the suggestion",
            estimates=timeout is not None,
        )
    except TimeLimitError:
        if len(board.rows) < len(opening) or weights is not None or not is_listed(board.game):
            raise
        # The process of the search may have started too slowly. Make the first estimate here; it
        # takes a few hundred milliseconds.
        return next(search(estimates=True, on_progress=lambda _: None))


def _suggest(
    board: Board,
    tolerance: Tolerance,
    *,
    strategy: str | Strategy | type[Strategy],
    opening: Sequence[Sequence[int] | str],
    consistent_only: bool,
    hard: bool,
    seed: int | None,
    others: int,
    size: int,
    weights: Weights | None,
    own: Sequence[Code],
    estimates: bool,
    on_progress: Callable[[str], None],
) -> Iterator[Suggestion]:
    """Yield the suggestion for validated arguments; with `estimates`, yield estimates before it."""
    started = monotonic()
    on_progress("finding the remaining codes")
    if weights is not None:
        # With weights, neither a strategy nor a sample is used.
        weighed = weigh_codes(board, weights, tolerance)
        if not weighed.codes:
            raise InconsistentError("No code with a weight above 0 gets these scores.")
        best, *ranked = rank_guesses(
            board.game, weighed, consistent_only=consistent_only, max_guesses=others + 1
        )
        yield Suggestion(
            board,
            LEAST_WEIGHT_NAME,
            Count(len(weighed.codes), exact=True, method="weighing", seconds=0.0),
            best,
            tuple(ranked),
            monotonic() - started,
            tolerance,
            consistent_only=consistent_only,
            own=tuple(evaluate_weighted(board.game, weighed, guess) for guess in own),
            criterion="the least remaining weight on average",
        )
        return
    state = State(board, tolerance=tolerance)
    strategy_object = choose_strategy(
        board.game, strategy, opening=opening, consistent_only=consistent_only, hard=hard, seed=seed
    )

    is_opening = len(board.rows) < len(opening)
    summary = getattr(strategy_object, "summary", "")
    # The goal of each strategy in words: its summary up to the first semicolon.
    criteria = {
        strategy_object.name: summary.partition(";")[0],
        HARD_MODE_NAME: Entropy.summary,
    }

    def evaluate(
        name: str, guesses: Iterable[Code], pool: Pool, *, is_chosen: bool, is_complete: bool
    ) -> Suggestion:
        """Suggest the first of the guesses if `is_chosen`, otherwise the best of them.

        `name` is that of the strategy, and the guesses are evaluated against the codes of `pool`.
        """
        chosen, prospects = [], evaluate_guesses(state, pool, [*guesses])
        if is_chosen:
            chosen = [next(prospects)]
        best, *ranked = [*chosen, *best_guesses(prospects, others + 1 - len(chosen))]
        has_promise = is_chosen and is_complete and not hard
        return Suggestion(
            board,
            name,
            count_pool(pool),
            best,
            tuple(ranked),
            monotonic() - started,
            tolerance,
            expected_guesses=strategy_object.promise(state) if has_promise else None,
            consistent_only=consistent_only,
            own=tuple(evaluate_guesses(state, pool, list(own))),
            is_complete=is_complete,
            criterion="" if is_opening else criteria.get(name, ""),
        )

    sample: Pool | None = None
    if estimates:
        sample = draw_pool(state, min(size, MAX_ESTIMATE_CODES), seed)
        if not is_opening:
            candidates = _candidates(state, sample, seed)
            yield evaluate(ESTIMATE_NAME, candidates, sample, is_chosen=False, is_complete=False)
    # A sample that has all codes is not drawn again.
    pool = sample if sample is not None and sample.is_all else draw_pool(state, size, seed)
    on_progress(f"choosing a guess for {count_pool(pool)} codes")
    if hard and board.rows and strategy == AUTO and not opening:
        # All allowed guesses are evaluated, instead of calling a strategy.
        allowed = map(tuple, allowed_guesses(state, pool.codes).tolist())
        yield evaluate(HARD_MODE_NAME, allowed, pool, is_chosen=False, is_complete=True)
        return
    guess = strategy_object.guess(state)
    if sample is not None:
        yield evaluate(strategy_object.name, [guess], sample, is_chosen=True, is_complete=False)
    on_progress("evaluating other guesses")
    guesses = [guess, *(other for other in _candidates(state, pool, seed) if other != guess)]
    yield evaluate(strategy_object.name, guesses, pool, is_chosen=True, is_complete=True)


def _candidates(state: State, pool: Pool, seed: int | None) -> Iterable[Code]:
    """Return alternative guesses: random possible codes, or balanced codes if there are no rows.

    Games without balanced codes get random codes as well.
    """
    codes = pool.codes
    max_candidates = max(
        NUM_OTHERS + 1, min(len(codes), MAX_SCORED_PEGS // (state.game.pegs * len(codes)))
    )
    indices = random.Random(seed or 0).sample(range(len(codes)), min(max_candidates, len(codes)))
    random_codes = (tuple(codes[index].tolist()) for index in sorted(indices))
    balanced = [] if state.rows else list(balanced_codes(state.game))
    return balanced or random_codes


def count_pool(pool: Pool) -> Count:
    """Return the number of consistent codes; if unknown, the size of the pool as a lower bound."""
    if pool.count is not None:
        return Count(pool.count, exact=True, method="pool", seconds=0.0)
    # These codes were collected along a random walk (`draw_pool`).
    return Count(len(pool.codes), exact=False, method="walk", seconds=0.0)


def suggestion_sentences(suggestion: Suggestion) -> list[str]:
    """Return a suggestion and its reasons as sentences."""
    print_code = speller(suggestion.board.game).print_code
    count, best = suggestion.codes, suggestion.best
    is_single = count.exact and count.count == 1
    within = f" within {suggestion.tolerance}" if suggestion.tolerance.lies else ""
    remaining = f"{count} {'code' if is_single else 'codes'} remain{'s' * is_single}{within}."
    sentences = [capitalize(remaining)]
    if is_single and _is_solved(suggestion):
        return [f"The board is solved: {print_code(best.guess)} is the code."]
    if is_single and best.is_possible:
        return [
            *sentences,
            f"Guess {print_code(best.guess)}: it is the code.",
            *_own_sentences(suggestion),
        ]
    sentences.append(f"Guess {print_code(best.guess)}: {_describe(suggestion, best)}.")
    if suggestion.expected_guesses is not None:
        play = "best consistent play" if suggestion.consistent_only else "best play"
        average = f"{in_short(suggestion.expected_guesses)} guesses on average"
        sentences.append(f"With {play} you finish in {average}, counting this one.")
    elif suggestion.criterion:
        sentences.append(f"Chosen by the strategy {suggestion.strategy}: {suggestion.criterion}.")
    if not suggestion.is_complete:
        sentences.append(_describe_time_limit(suggestion))
    if within:
        sentences.append("This assumes that future scores are correct.")
    if suggestion.others:
        others = ", ".join(print_code(other.guess) for other in suggestion.others)
        sentences.append(f"Or {others}.")
    return [*sentences, *_own_sentences(suggestion)]


def _own_sentences(suggestion: Suggestion) -> list[str]:
    """Return one sentence per guess that was passed as `own`."""
    print_code = speller(suggestion.board.game).print_code
    return [
        f"Your guess {print_code(prospect.guess)}: {_describe(suggestion, prospect)}."
        for prospect in suggestion.own
    ]


def _is_solved(suggestion: Suggestion) -> bool:
    """Return whether a row of the board has the best guess, with the winning score."""
    game, guess = suggestion.board.game, suggestion.best.guess
    winning_score = game.score(guess, guess)
    return suggestion.best.is_possible and Row(guess, winning_score) in suggestion.board.rows


def _expected_codes(codes: Count, prospect: Prospect) -> Fraction | None:
    """Return the expected number of codes after a guess, scaled from its sample to all codes."""
    return codes.count * prospect.expected / prospect.judged_by if codes.exact else None


def _describe_time_limit(suggestion: Suggestion) -> str:
    """Return a sentence about the work that was not finished at the time limit."""
    if suggestion.strategy == ESTIMATE_NAME:
        source = "a few possible codes, because the strategy had not chosen a guess"
        return f"The time limit passed: this is only the best of {source}."
    return "The time limit passed before the guess was compared with other guesses."


def _describe(suggestion: Suggestion, prospect: Prospect) -> str:
    """Return the evaluation of a guess in words."""
    count, size = suggestion.codes, prospect.judged_by
    if suggestion.is_exact:
        remaining = (
            f"it leaves {in_short(prospect.expected)} {plural('code', float(prospect.expected))} "
            f"on average, {prospect.worst:,} at worst"
        )
    else:
        mean, worst = prospect.expected / size, prospect.worst / size  # fractions of the codes
        expected_codes = _expected_codes(count, prospect)
        if expected_codes is None:
            remaining = f"it leaves about {float(mean):.2%} of the codes on average"
        else:
            remaining = f"it leaves about {in_short(expected_codes)} codes on average"
        remaining += f", about {worst:.2%} of them at worst (judged by {quantity(size, 'code')})"
    at_least = "" if suggestion.is_exact else "at least "  # a sample need not have every score
    scores = f"{at_least}{prospect.scores} different {plural('score', prospect.scores)}"
    if not prospect.is_possible:
        return f"{remaining}, with {scores}; it cannot itself be the code"
    prefix = "" if count.exact else "at most "
    chance = f"{prospect.chance.numerator:,} in {prospect.chance.denominator:,}"
    return f"{remaining}, with {scores}; chance of being the code: {prefix}{chance}"
