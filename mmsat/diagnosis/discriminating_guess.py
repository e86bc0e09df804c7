"""The guess whose score best discriminates between hypotheses.

Each code of a hypothesis has the weights of the slips that lead from it to the scores of the
suspect rows, times `CORRECT_SCORE_WEIGHT` for each correct score. The best guess maximizes the
probability that the most likely hypothesis after its answer is true. Ties are broken by the lowest
total weight of the pairs of codes from different hypotheses that it does not separate, then by the
fewest remaining codes, then by whether it may be the code, then by the order of codes. All
arithmetic is exact, in integers.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product, repeat
from typing import Any

from mmsat.arrays import np
from mmsat.board import Board
from mmsat.diagnosis.slips import repeats_of, rows_with_repeats, slips_of, total_weight
from mmsat.enumeration.codes import draw_numbers
from mmsat.enumeration.ranking_selection import select_ranking
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.results.suspicion import DiscriminatingGuess, Reply
from mmsat.results.verdict import Correction

Parts = dict[int, int]
"""By hypothesis, the total weight of its codes."""

CORRECT_SCORE_WEIGHT = 256
"""The weight of a correct score, relative to slips.WEIGHTS."""
MAX_SAMPLED_CODES = 300
"""Maximum number of codes on which guesses are evaluated; of more codes, this many are drawn."""
MAX_HYPOTHESES = 60
"""Maximum number of hypotheses that guesses discriminate between: those of the highest weight."""
MAX_SCORED_PAIRS = 400_000
"""Maximum number of pairs of a guess and a code that are scored."""
MIN_ARRAY_CODES = 50
"""Minimum number of codes for which numpy scores all codes at once."""


def best_guess(
    board: Board,
    suspects: Sequence[int],
    hypotheses: Sequence[Correction],
    known: Sequence[Sequence[Code]] | None,
    seed: int,
) -> DiscriminatingGuess | None:
    """Return the best new guess, or None.

    `known` has all codes of each hypothesis. If it is None, codes are drawn. The result is None if
    there are fewer than two hypotheses, if no codes can be drawn because there are too many, or if
    no new guess exists.
    """
    if len(hypotheses) < 2:
        return None
    rng = random.Random(seed)
    sizes = [0 if each.codes is None else each.codes.count for each in hypotheses]
    totals = [each.likelihood * correct_scores_weight(each, suspects) for each in hypotheses]
    heaviest = sorted(range(len(totals)), key=lambda n: (-totals[n], n))[:MAX_HYPOTHESES]

    def weight(number: int, code: Code) -> int:
        hypothesis = hypotheses[number]
        return code_weight(board, hypothesis, code) * correct_scores_weight(hypothesis, suspects)

    drawn = draw(board, hypotheses, known, sorted(heaviest), rng)
    if drawn is None:
        return None
    scale = math.lcm(*map(len, drawn.values()))
    weighted_codes = [
        (number, weight(number, code) * sizes[number] * (scale // len(codes)), code)
        for number, codes in drawn.items()
        for code in codes
    ]
    answers = scorer(board.game, [code for _, _, code in weighted_codes])
    max_guesses = max(1, MAX_SCORED_PAIRS // len(weighted_codes))
    earlier_guesses = {row.guess for row in board.rows}
    possible = {code for _, _, code in weighted_codes}
    guesses, is_exhaustive = candidate_guesses(
        board.game, sorted(possible), earlier_guesses, max_guesses, rng
    )
    if not guesses:
        return None

    pairs = [(number, each) for number, each, _ in weighted_codes]

    def rating(guess: Code) -> tuple[Any, ...]:
        parts = partition(answers(guess), pairs)
        return (*rate(parts.values()), guess not in possible, guess)

    best = min(map(rating, guesses))[-1]
    is_sampled = not is_exhaustive or len(weighted_codes) != sum(sizes)
    if known is not None:  # report exact figures for all codes, not for the sample
        weighted_codes = [
            (n, weight(n, code), code) for n, codes in enumerate(known) for code in codes
        ]
        answers = scorer(board.game, [code for _, _, code in weighted_codes])
        pairs = [(number, each) for number, each, _ in weighted_codes]
    answers_to_best = answers(best)
    hit_weight = -rate(partition(answers_to_best, pairs).values())[0]
    before = max(partition(repeat((), len(pairs)), pairs)[()].values())
    total = sum(each for _, each in pairs)
    codes_by_answer = partition(answers_to_best, ((number, 1) for number, _ in pairs))
    replies = [
        Reply(answer, tuple((n, None if known is None else counts[n]) for n in sorted(counts)))
        for answer, counts in sorted(codes_by_answer.items())
    ]
    return DiscriminatingGuess(
        best,
        Fraction(hit_weight, total),
        Fraction(before, total),
        any(code == best for _, _, code in weighted_codes),
        tuple(replies),
        is_sampled,
    )


def correct_scores_weight(hypothesis: Correction, suspects: Sequence[int]) -> int:
    """Return the weight of those scores of the suspects that a hypothesis does not change."""
    weight: int = CORRECT_SCORE_WEIGHT ** (len(suspects) - hypothesis.cost)
    return weight


def code_weight(board: Board, hypothesis: Correction, code: Code) -> int:
    """Return the weight of the slips that lead from a code to the changed scores."""
    repair = tuple((change.row, change.after) for change in hypothesis.changes)
    repeats = repeats_of(board, code, rows_with_repeats(board, repair))
    return total_weight(slips_of(board, repair, repeats))


def draw(
    board: Board,
    hypotheses: Sequence[Correction],
    known: Sequence[Sequence[Code]] | None,
    indices: Sequence[int],
    rng: random.Random,
) -> dict[int, Sequence[Code]] | None:
    """Return codes of some hypotheses: all if they are known and few, otherwise a sample of each.

    `indices` selects the hypotheses. Returns None if a hypothesis has too many codes to draw from.
    """
    share = max(1, MAX_SAMPLED_CODES // len(indices))
    if known is not None:
        is_few = sum(len(known[index]) for index in indices) <= MAX_SAMPLED_CODES
        return {
            index: known[index]
            if is_few or len(known[index]) <= share
            else rng.sample(known[index], share)
            for index in indices
        }
    drawn: dict[int, Sequence[Code]] = {}
    for index in indices:
        changes = {change.row: change.after for change in hypotheses[index].changes}
        try:
            ranking = select_ranking(board.changed(changes), may_search=False)
        except SizeError:
            return None
        ranks = draw_numbers(ranking.count, min(share, ranking.count), rng)
        drawn[index] = [ranking.draw(rank) for rank in ranks]
    return drawn


def candidate_guesses(
    game: Game,
    codes: Sequence[Code],
    earlier_guesses: set[Code],
    max_guesses: int,
    rng: random.Random,
) -> tuple[list[Code], bool]:
    """Return new guesses in order, first the given codes, and whether no guess was omitted."""
    everything: Iterable[Code] = ()
    is_listed, is_free = game.space.table() is not None, getattr(game.space, "free", False)
    guesses_in_all = game.colors**game.pegs if is_free else game.size
    is_small = guesses_in_all <= max_guesses or (is_listed and not is_free)
    if is_small and is_free:
        everything = product(range(game.colors), repeat=game.pegs)
    elif is_listed or is_small:
        everything = game.codes()
    new_guesses = {code: None for code in (*codes, *everything) if code not in earlier_guesses}
    while len(new_guesses) < max_guesses and not is_small and not is_listed:
        count_before = len(new_guesses)
        drawn = [game.space.draw(game.pegs, game.colors, rng) for _ in range(max_guesses)]
        new_guesses.update((code, None) for code in drawn if code not in earlier_guesses)
        if len(new_guesses) == count_before:
            break
    guesses = list(new_guesses)
    if len(guesses) <= max_guesses:
        return guesses, is_small
    return rng.sample(guesses, max_guesses), False


def scorer(game: Game, codes: Sequence[Code]) -> Callable[[Code], list[Score]]:
    """Return a function that scores all codes against a guess."""
    if len(codes) < MIN_ARRAY_CODES:
        return lambda guess: [game.scoring.score(code, guess) for code in codes]
    array = np.array(codes, dtype=np.uint16)
    return lambda guess: list(map(tuple, game.scoring.score_all(array, guess).tolist()))


def partition(answers: Iterable[Score], pairs: Iterable[tuple[int, int]]) -> dict[Score, Parts]:
    """Return, by answer, the weight that each hypothesis keeps.

    `pairs` has the hypothesis and the weight of each code.
    """
    parts: dict[Score, Parts] = {}
    for answer, (hypothesis, weight) in zip(answers, pairs, strict=True):
        part = parts.setdefault(answer, {})
        part[hypothesis] = part.get(hypothesis, 0) + weight
    return parts


def rate(parts: Iterable[Parts]) -> tuple[int, int, int]:
    """Return the key that the best guess minimizes.

    It consists of the negated weight of the most likely hypotheses, the weight of the pairs of
    codes that are not separated, and the weight of all pairs with equal answers.
    """
    hit_weight = mixed_pairs = equal_pairs = 0
    for part in parts:
        part_weight = sum(part.values())
        hit_weight += max(part.values())
        equal_pairs += part_weight * part_weight
        mixed_pairs += part_weight * part_weight - sum(weight * weight for weight in part.values())
    return -hit_weight, mixed_pairs, equal_pairs
