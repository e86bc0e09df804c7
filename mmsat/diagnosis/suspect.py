"""Hypotheses about suspect rows, and the guess that best discriminates between them.

A hypothesis is a choice of scores for the suspect rows that makes the board consistent. All other
rows are assumed to be right. Each code that satisfies all other rows determines the scores of the
suspects. Codes with the same scores form a hypothesis, so no code belongs to two hypotheses. A
hypothesis may change one suspect, several, or, on a consistent board, none.

The scores of the suspect rows result from the scores of the code by slips (scoring mistakes, see
corrections.py). The weight of a code is the product of the weights of these slips, with
`CORRECT_SCORE_WEIGHT` for each correct score. The best guess maximizes the probability that the
most likely hypothesis after its answer is true. Ties are broken by the lowest total weight of the
pairs of codes that have equal answers but belong to different hypotheses, then of all pairs with
equal answers, then in favor of guesses that may be the code, then by the order of codes. All
arithmetic is exact, in integers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product, repeat
from typing import Annotated, Any, TypedDict

from mmsat._util import np
from mmsat._util.arguments import attempt, check_arguments, whole_number
from mmsat._util.results import (
    ColorList,
    Displayable,
    ExactProbability,
    Positive,
    RowNumber,
    Schema,
    ScoreList,
    Seconds,
    Share,
)
from mmsat.counting.codes import draw_ranks
from mmsat.counting.diagrams import select_ranking
from mmsat.diagnosis import ChangesJson, Correction
from mmsat.diagnosis.corrections import (
    WRONG_NAME,
    codes_by_repair,
    counted_correction,
    listed_correction,
    repairs,
    repeats_of,
    rows_with_repeats,
    slips_of,
    total_weight,
)
from mmsat.errors import Fault, InputError, SizeError
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import Scoring
from mmsat.game.words import Words
from mmsat.solving.deadline import Deadline, gather


class HypothesisCodesJson(TypedDict):
    """A hypothesis that remains after a reply."""

    hypothesis: Positive
    """Number of the hypothesis, from 1."""
    codes: Annotated[str, Schema(pattern="^[1-9][0-9]*$")] | None
    """Number of its codes that give this score; null if the codes are too many to list."""


class ReplyJson(TypedDict):
    """A score of the discriminating guess."""

    score: ScoreList
    left: list[HypothesisCodesJson]
    """The hypotheses that remain after this score."""


@dataclass(frozen=True)
class Reply:
    """A score of the discriminating guess, and the hypotheses that remain after it."""

    score: Score
    """The score."""
    remaining: tuple[tuple[int, int | None], ...]
    """The remaining hypotheses, as pairs of a hypothesis index and the number of its codes that
    give this score. The number is None if the codes of the hypotheses are too many to list."""


class DiscriminatingGuessJson(TypedDict):
    """The guess whose score best discriminates between the hypotheses.

    Each code of a hypothesis is weighted by its slips, and by 256 for each unchanged score.
    """

    guess: ColorList
    chance: ExactProbability
    """The probability that the most likely hypothesis after the score is true."""
    decimal: Share
    """The same, rounded to nine decimal places."""
    before: ExactProbability
    """The probability that the most likely hypothesis before the guess is true."""
    can_win: bool
    """Whether the guess may itself be the code."""
    sampled: bool
    """Whether only a random sample of the codes or of the guesses was used to choose it."""
    replies: list[ReplyJson]
    """The possible scores, ascending."""


@dataclass(frozen=True)
class DiscriminatingGuess:
    """A guess whose score discriminates between hypotheses."""

    guess: Code
    """The guess, with colors from 0."""
    chance: Fraction
    """The probability that the most likely hypothesis after the score is true."""
    before: Fraction
    """The probability that the most likely hypothesis before the guess is true."""
    can_win: bool
    """Whether the guess may itself be the code."""
    replies: tuple[Reply, ...]
    """The possible scores, ascending."""
    is_sampled: bool
    """Whether only a random sample of the codes, or of the possible guesses, was used to choose
    it."""

    def to_dict(self, scoring: Scoring) -> DiscriminatingGuessJson:
        """Return a dict for JSON.

        Parameters
        ----------
        scoring : Scoring
            The kind of scoring, which defines how scores are written.

        Returns
        -------
        dict
            The JSON keys. Colors and hypotheses are numbered from 1. Numbers of codes are strings.
        """
        return {
            "guess": [color + 1 for color in self.guess],
            "chance": str(self.chance),
            "decimal": round(float(self.chance), 9),
            "before": str(self.before),
            "can_win": self.can_win,
            "sampled": self.is_sampled,
            "replies": [
                {
                    "score": scoring.to_json(reply.score),
                    "left": [
                        {"hypothesis": number + 1, "codes": None if codes is None else str(codes)}
                        for number, codes in reply.remaining
                    ],
                }
                for reply in self.replies
            ],
        }


class SuspicionJson(TypedDict):
    """The possible scores of suspect rows, if all other rows are right."""

    suspects: Annotated[list[RowNumber], Schema(minItems=1)]
    """Row numbers of the suspects, from 1."""
    hypotheses: list[ChangesJson]
    """Corrections of suspect rows that make the board consistent. Those with fewer changes come
    first, and among these the most probable ones. A hypothesis without changes means that the board
    is right."""
    all_hypotheses: bool
    """Whether every hypothesis is listed."""
    telling: DiscriminatingGuessJson | None
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Suspicion(Displayable):
    """The possible scores of suspect rows, if all other rows are right."""

    board: Board
    """The board with the suspect rows."""
    suspects: tuple[int, ...]
    """Row indices of the suspects, ascending."""
    hypotheses: tuple[Correction, ...]
    """Corrections of suspect rows that make the board consistent. Those with fewer changes come
    first, and among these the most probable ones. A hypothesis without changes means that the board
    is right."""
    all_hypotheses: bool
    """Whether every hypothesis is listed. False if a limit or the timeout ended the search."""
    discriminating_guess: DiscriminatingGuess | None
    """The guess that best discriminates between the hypotheses; None if there are fewer than two,
    or if no such guess was found."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""

    @classmethod
    def unknown(cls, board: Board, suspects: tuple[int, ...]) -> Suspicion:
        """Return a suspicion before any hypothesis is found.

        Parameters
        ----------
        board : Board
            The board.
        suspects : tuple of int
            The suspect rows, from 0.

        Returns
        -------
        Suspicion
            A result without hypotheses.
        """
        return cls(
            board,
            suspects,
            (),
            all_hypotheses=False,
            discriminating_guess=None,
            seconds=0.0,
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one record per hypothesis, for pandas.DataFrame and polars.

        A record has the scores of the suspect rows and the number of codes that remain (`codes`,
        None if it was not counted). Rows and hypotheses are numbered from 1.
        """
        print_score = speller(self.board.game).print_score
        records = []
        for number, hypothesis in enumerate(self.hypotheses, 1):
            scores = {row: self.board.rows[row].score for row in self.suspects}
            scores |= {change.row: change.after for change in hypothesis.changes}
            scores_by_row = {f"row {row + 1}": print_score(score) for row, score in scores.items()}
            codes = None if hypothesis.codes is None else hypothesis.codes.count
            records.append({"hypothesis": number, **scores_by_row, "codes": codes})
        return records

    def to_dict(self) -> SuspicionJson:
        """Return a dict for JSON, with rows from 1; see schemas/explain.json."""
        guess = self.discriminating_guess
        return {
            "suspects": [row + 1 for row in self.suspects],
            "hypotheses": [hypothesis.to_dict() for hypothesis in self.hypotheses],
            "all_hypotheses": self.all_hypotheses,
            "telling": None if guess is None else guess.to_dict(self.board.game.scoring),
            "seconds": round(self.seconds, 6),
        }


HypothesisWeights = dict[int, int]
"""The total weight of the codes of each hypothesis, by its index."""
CORRECT_SCORE_WEIGHT = 32 * WRONG_NAME
"""The weight of a correct score. It is 32 times that of a wrong name, because most scores
are right. Messages have smaller numbers in the same proportion: 8 for a wrong name, and 256."""
MAX_SAMPLED_CODES = 300
"""Maximum number of codes on which guesses are evaluated; from more codes, a sample is drawn."""
MAX_HYPOTHESES = 60
"""Maximum number of hypotheses on which guesses are evaluated: those of the highest weight."""
MAX_SCORED_PAIRS = 400_000
"""Maximum number of pairs of a guess and a code that are scored."""
MIN_ARRAY_CODES = 50
"""Minimum number of codes for which numpy scores all codes at once."""


def best_guess(
    board: Board,
    suspects: Sequence[int],
    hypotheses: Sequence[Correction],
    codes_of: Sequence[Sequence[Code]] | None,
    seed: int,
) -> DiscriminatingGuess | None:
    """Return the best guess that is not on the board, or None.

    `codes_of` lists all codes of each hypothesis. If it is None, codes are drawn at random. The
    result is None if there are fewer than two hypotheses, if a hypothesis has too many codes to
    draw from, or if all possible guesses are on the board.
    """
    if len(hypotheses) < 2:
        return None
    rng = random.Random(seed)
    code_counts = [0 if item.codes is None else item.codes.count for item in hypotheses]
    totals = [item.likelihood * correct_scores_weight(item, suspects) for item in hypotheses]
    heaviest = sorted(range(len(totals)), key=lambda n: (-totals[n], n))[:MAX_HYPOTHESES]

    def weight(index: int, code: Code) -> int:
        """Return the weight of a code if exactly the rows of the hypothesis are wrong."""
        hypothesis = hypotheses[index]
        return slips_weight(board, hypothesis, code) * correct_scores_weight(hypothesis, suspects)

    drawn = sample_codes(board, hypotheses, codes_of, sorted(heaviest), rng)
    if drawn is None:
        return None
    # Each drawn code represents the same number of codes of its hypothesis. Multiplying by the
    # common multiple of the sample sizes keeps these numbers whole.
    scale = math.lcm(*map(len, drawn.values()))
    weighted_codes = [
        (index, weight(index, code) * code_counts[index] * (scale // len(codes)), code)
        for index, codes in drawn.items()
        for code in codes
    ]
    answers = scorer(board.game, [code for _, _, code in weighted_codes])
    max_guesses = max(1, MAX_SCORED_PAIRS // len(weighted_codes))
    earlier_guesses = {row.guess for row in board.rows}
    possible_codes = {code for _, _, code in weighted_codes}
    guesses, is_exhaustive = candidate_guesses(
        board.game, sorted(possible_codes), earlier_guesses, max_guesses, rng
    )
    if not guesses:
        return None

    pairs = [(index, code_weight) for index, code_weight, _ in weighted_codes]

    def rating(guess: Code) -> tuple[Any, ...]:
        """Return the rating of a guess; the smallest is the best."""
        parts = partition(answers(guess), pairs)
        return (*rating_key(parts.values()), guess not in possible_codes, guess)

    best = min(map(rating, guesses))[-1]
    is_sampled = not is_exhaustive or len(weighted_codes) != sum(code_counts)
    if codes_of is not None:  # report exact figures for all codes, not for the sample
        weighted_codes = [
            (index, weight(index, code), code)
            for index, codes in enumerate(codes_of)
            for code in codes
        ]
        answers = scorer(board.game, [code for _, _, code in weighted_codes])
        pairs = [(index, code_weight) for index, code_weight, _ in weighted_codes]
    answers_to_best = answers(best)
    # The total weight of the codes whose hypothesis is the most likely one after their answer.
    hit_weight = -rating_key(partition(answers_to_best, pairs).values())[0]
    # Before the guess, no code is excluded, as if all codes had the same answer ().
    hit_weight_before = max(partition(repeat((), len(pairs)), pairs)[()].values())
    total = sum(code_weight for _, code_weight in pairs)
    codes_by_answer = partition(answers_to_best, ((index, 1) for index, _ in pairs))
    replies = [
        Reply(answer, tuple((n, None if codes_of is None else counts[n]) for n in sorted(counts)))
        for answer, counts in sorted(codes_by_answer.items())
    ]
    return DiscriminatingGuess(
        best,
        Fraction(hit_weight, total),
        Fraction(hit_weight_before, total),
        any(code == best for _, _, code in weighted_codes),
        tuple(replies),
        is_sampled,
    )


def correct_scores_weight(hypothesis: Correction, suspects: Sequence[int]) -> int:
    """Return the weight of the suspects' scores that a hypothesis does not change."""
    weight: int = CORRECT_SCORE_WEIGHT ** (len(suspects) - hypothesis.cost)
    return weight


def slips_weight(board: Board, hypothesis: Correction, code: Code) -> int:
    """Return the weight of the slips that lead from a code to the changed scores."""
    repair = tuple((change.row, change.after) for change in hypothesis.changes)
    repeats = repeats_of(board, code, rows_with_repeats(board, repair))
    return total_weight(slips_of(board, repair, repeats))


def sample_codes(
    board: Board,
    hypotheses: Sequence[Correction],
    codes_of: Sequence[Sequence[Code]] | None,
    indices: Sequence[int],
    rng: random.Random,
) -> dict[int, Sequence[Code]] | None:
    """Return codes of the hypotheses at `indices`, by index: all of them, or a sample of each.

    Returns None if a hypothesis has too many codes to draw from.
    """
    sample_size = max(1, MAX_SAMPLED_CODES // len(indices))
    if codes_of is not None:
        is_few = sum(len(codes_of[index]) for index in indices) <= MAX_SAMPLED_CODES
        return {
            index: codes_of[index]
            if is_few or len(codes_of[index]) <= sample_size
            else rng.sample(codes_of[index], sample_size)
            for index in indices
        }
    drawn: dict[int, Sequence[Code]] = {}
    for index in indices:
        changes = {change.row: change.after for change in hypotheses[index].changes}
        try:
            ranking = select_ranking(board.changed(changes), may_search=False)
        except SizeError:
            return None
        ranks = draw_ranks(ranking.count, min(sample_size, ranking.count), rng)
        drawn[index] = [ranking.draw(rank) for rank in ranks]
    return drawn


def candidate_guesses(
    game: Game,
    codes: Sequence[Code],
    earlier_guesses: set[Code],
    max_guesses: int,
    rng: random.Random,
) -> tuple[list[Code], bool]:
    """Return new guesses, the given codes first, and whether these are all new guesses."""
    other_guesses: Iterable[Code] = ()
    has_word_list = game.space.table() is not None
    allows_any = isinstance(game.space, Words) and game.space.allows_any_guess
    num_guesses = game.colors**game.pegs if allows_any else game.size
    # Whether all guesses are listed, rather than drawn at random.
    lists_all = num_guesses <= max_guesses or (has_word_list and not allows_any)
    if lists_all and allows_any:
        other_guesses = product(range(game.colors), repeat=game.pegs)
    elif has_word_list or lists_all:
        other_guesses = game.codes()
    new_guesses = {code: None for code in (*codes, *other_guesses) if code not in earlier_guesses}
    while len(new_guesses) < max_guesses and not lists_all and not has_word_list:
        count_before = len(new_guesses)
        drawn = [game.space.draw(game.pegs, game.colors, rng) for _ in range(max_guesses)]
        new_guesses.update((code, None) for code in drawn if code not in earlier_guesses)
        if len(new_guesses) == count_before:  # nearly all guesses have been drawn
            break
    guesses = list(new_guesses)
    if len(guesses) <= max_guesses:
        return guesses, lists_all
    return rng.sample(guesses, max_guesses), False


def scorer(game: Game, codes: Sequence[Code]) -> Callable[[Code], list[Score]]:
    """Return a function that scores all codes against a guess."""
    if len(codes) < MIN_ARRAY_CODES:
        return lambda guess: [game.scoring.score(code, guess) for code in codes]
    array = np.array(codes, dtype=np.uint16)
    return lambda guess: list(map(tuple, game.scoring.score_all(array, guess).tolist()))


def partition(
    answers: Iterable[Score], pairs: Iterable[tuple[int, int]]
) -> dict[Score, HypothesisWeights]:
    """Return, by answer, the weight of the remaining codes of each hypothesis.

    `answers` and `pairs` list the answer, and the hypothesis and the weight, of each code.
    """
    parts: dict[Score, HypothesisWeights] = {}
    for answer, (hypothesis, weight) in zip(answers, pairs, strict=True):
        part = parts.setdefault(answer, {})
        part[hypothesis] = part.get(hypothesis, 0) + weight
    return parts


def rating_key(parts: Iterable[HypothesisWeights]) -> tuple[int, int, int]:
    """Return the key that the best guess minimizes.

    It consists of the negated weight of the most likely hypothesis after each answer, the weight of
    the pairs of codes of different hypotheses with equal answers, and the weight of all pairs with
    equal answers.
    """
    hit_weight = mixed_pairs = equal_pairs = 0
    for part in parts:
        part_weight = sum(part.values())
        hit_weight += max(part.values())
        equal_pairs += part_weight * part_weight
        mixed_pairs += part_weight * part_weight - sum(weight * weight for weight in part.values())
    return -hit_weight, mixed_pairs, equal_pairs


Progress = Callable[[Suspicion], None]
DEFAULT_LIMIT = 100
"""Default maximum number of hypotheses."""


@check_arguments
def suspect(
    board: Board | str,
    rows: Sequence[int],
    *,
    timeout: float | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Suspicion:
    """Find the possible scores of suspect rows, and the guess that best discriminates between them.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    rows : sequence of int
        The suspect rows, from 0. All other rows are assumed to be right.
    timeout : float, optional
        Time limit in seconds. When it passes, the hypotheses found so far are returned. By default,
        there is no limit.
    limit : int, default 100
        Maximum number of hypotheses.
    seed : int, optional
        Seed of the sample of codes, if the hypotheses have too many codes to use all of them.
    on_progress : callable, optional
        Called with the suspicion so far.

    Returns
    -------
    Suspicion
        The hypotheses, and the discriminating guess.

    Raises
    ------
    InputError
        If the board does not have one of the rows, or has known codes, or if another argument is
        invalid.

    Examples
    --------
    >>> suspicion = mmsat.suspect("4x6/1122=1.1/1122=0.2", [1])
    >>> [change.after for change in suspicion.hypotheses[0].changes]
    [(1, 1)]
    """
    board = Board.of(board).without_known("suspicion")
    deadline = Deadline(timeout)
    suspects = check_suspects(board, rows)
    suspicion = gather(
        deadline,
        Suspicion.unknown(board, suspects),
        lambda suspicion, finding: replace(update(suspicion, finding), seconds=deadline.elapsed),
        on_progress,
        find_hypotheses,
        board,
        suspects,
        limit,
        seed or 0,
    )
    return replace(suspicion, seconds=deadline.elapsed)


def update(suspicion: Suspicion, finding: object) -> Suspicion:
    """Return the suspicion with a finding: new hypotheses, whether all are found, or the guess."""
    if isinstance(finding, DiscriminatingGuess):
        return replace(suspicion, discriminating_guess=finding)
    if isinstance(finding, bool):
        return replace(suspicion, all_hypotheses=finding)
    new_hypotheses = tuple(finding) if isinstance(finding, list) else (finding,)
    hypotheses = sorted((*suspicion.hypotheses, *new_hypotheses), key=Correction.sort_key)
    return replace(suspicion, hypotheses=tuple(hypotheses))


def check_suspects(board: Board, rows: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """Return the suspects in ascending order, or raise InputError for rows outside of the board.

    In error messages, rows are numbered from `first`: 0 in Python, 1 on the command line.
    """
    row_count = len(board.rows)
    numbers = [attempt(whole_number, row) for row in rows]
    faults = [
        Fault(
            "" if row_count else "the board has no rows",
            row if number is None else number + first,
            f"a row from {first} to {row_count - 1 + first}" if row_count else "no row",
        )
        for row, number in zip(rows, numbers, strict=True)
        if number is None or not 0 <= number < row_count
    ]
    if not rows:
        faults.append(Fault("", None, "at least one row number"))
    InputError.refuse(faults, "the suspects")
    return tuple(sorted({number for number in numbers if number is not None}))


def find_hypotheses(
    board: Board, suspects: tuple[int, ...], limit: int, seed: int
) -> Iterator[list[Correction] | Correction | DiscriminatingGuess | bool]:
    """Yield hypotheses, whether these are all, and the guess that discriminates between them."""
    hypotheses: list[Correction] = []
    codes_by_scores = codes_by_repair(board, suspects)
    if codes_by_scores is None:
        listed_codes = None
        repair_stream = repairs(board, frozenset(suspects))
        for repair in islice(repair_stream, limit):
            hypotheses.append(counted_correction(board, repair))
            yield hypotheses[-1]
        yield next(repair_stream, None) is None
        hypotheses.sort(key=Correction.sort_key)
    else:
        pairs = [
            (listed_correction(board, repair, codes), codes)
            for repair, codes in codes_by_scores.items()
        ]
        pairs.sort(key=lambda pair: pair[0].sort_key())
        hypotheses = [hypothesis for hypothesis, _ in pairs[:limit]]
        listed_codes = [codes for _, codes in pairs[:limit]]
        yield hypotheses
        yield len(pairs) <= limit
    guess = best_guess(board, suspects, hypotheses, listed_codes, seed)
    if guess is not None:
        yield guess
