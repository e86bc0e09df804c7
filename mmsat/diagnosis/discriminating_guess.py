"""The guess whose answer best tells hypotheses apart.

Each code of a hypothesis has the weights of the slips that lead from it to the scores of the
suspect rows, times RIGHT for each correct score. The best guess maximizes the probability that the
most likely hypothesis after its answer is true. Ties are broken by the least weight of pairs of
codes from different hypotheses that it does not separate; by the fewest remaining codes; by whether
it may be the code; and by the order of codes. All of it is counted in whole numbers.
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
"""By hypothesis, what its codes weigh together."""

RIGHT = 256
"""The weight of a correct score, relative to slips.WEIGHTS."""
CODES = 300
"""Codes that guesses are tried on; beyond, so many are drawn."""
HYPOTHESES = 60
"""Hypotheses that are told apart, the heaviest."""
TRIALS = 400_000
"""Guesses times codes, each of which is scored."""
ARRAY = 50
"""Codes from which they are scored all at once."""


def best_guess(
    board: Board,
    suspects: Sequence[int],
    hypotheses: Sequence[Correction],
    known: Sequence[Sequence[Code]] | None,
    seed: int,
) -> DiscriminatingGuess | None:
    """The best new guess; None where there are not two hypotheses, or their codes are too many.

    `known` has all codes of each hypothesis; without, some are drawn.
    """
    if len(hypotheses) < 2:
        return None
    rng = random.Random(seed)
    sizes = [0 if each.codes is None else each.codes.count for each in hypotheses]
    totals = [each.likelihood * right(each, suspects) for each in hypotheses]
    heaviest = sorted(range(len(totals)), key=lambda n: (-totals[n], n))[:HYPOTHESES]

    def weight(number: int, code: Code) -> int:
        hypothesis = hypotheses[number]
        return code_weight(board, hypothesis, code) * right(hypothesis, suspects)

    drawn = draw(board, hypotheses, known, sorted(heaviest), rng)
    if drawn is None:
        return None
    scale = math.lcm(*map(len, drawn.values()))
    marked = [
        (number, weight(number, code) * sizes[number] * (scale // len(codes)), code)
        for number, codes in drawn.items()
        for code in codes
    ]
    answers = scorer(board.game, [code for _, _, code in marked])
    most = max(1, TRIALS // len(marked))
    asked = {row.guess for row in board.rows}
    possible = {code for _, _, code in marked}
    guesses, is_all = candidates(board.game, sorted(possible), asked, most, rng)
    if not guesses:
        return None

    pairs = [(number, each) for number, each, _ in marked]

    def rating(guess: Code) -> tuple[Any, ...]:
        parts = partition(answers(guess), pairs)
        return (*judge(parts.values()), guess not in possible, guess)

    best = min(map(rating, guesses))[-1]
    is_sampled = not is_all or len(marked) != sum(sizes)
    if known is not None:  # what it does to all codes, where all are at hand
        marked = [(n, weight(n, code), code) for n, codes in enumerate(known) for code in codes]
        answers = scorer(board.game, [code for _, _, code in marked])
        pairs = [(number, each) for number, each, _ in marked]
    after = answers(best)
    hits = -judge(partition(after, pairs).values())[0]
    before = max(partition(repeat((), len(pairs)), pairs)[()].values())
    total = sum(each for _, each in pairs)
    left = partition(after, ((number, 1) for number, _ in pairs))
    replies = [
        Reply(answer, tuple((n, None if known is None else part[n]) for n in sorted(part)))
        for answer, part in sorted(left.items())
    ]
    return DiscriminatingGuess(
        best,
        Fraction(hits, total),
        Fraction(before, total),
        any(code == best for _, _, code in marked),
        tuple(replies),
        is_sampled,
    )


def right(hypothesis: Correction, suspects: Sequence[int]) -> int:
    """Return the weight of those scores of the suspects that a hypothesis does not change."""
    weight: int = RIGHT ** (len(suspects) - hypothesis.cost)
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
    numbers: Sequence[int],
    rng: random.Random,
) -> dict[int, Sequence[Code]] | None:
    """All codes of some hypotheses where they are few, else some of each; None if none can be."""
    each = max(1, CODES // len(numbers))
    if known is not None:
        few = sum(len(known[number]) for number in numbers) <= CODES
        return {
            number: known[number]
            if few or len(known[number]) <= each
            else rng.sample(known[number], each)
            for number in numbers
        }
    drawn: dict[int, Sequence[Code]] = {}
    for number in numbers:
        changes = {change.row: change.after for change in hypotheses[number].changes}
        try:
            ranking = select_ranking(board.changed(changes), may_search=False)
        except SizeError:
            return None
        wanted = draw_numbers(ranking.count, min(each, ranking.count), rng)
        drawn[number] = [ranking.draw(place) for place in wanted]
    return drawn


def candidates(
    game: Game, codes: Sequence[Code], asked: set[Code], most: int, rng: random.Random
) -> tuple[list[Code], bool]:
    """New guesses in order: codes that are possible, and others; and whether none was left out."""
    everything: Iterable[Code] = ()
    is_listed, is_free = game.space.table() is not None, getattr(game.space, "free", False)
    guesses_in_all = game.colors**game.pegs if is_free else game.size
    is_small = guesses_in_all <= most or (is_listed and not is_free)
    if is_small and is_free:
        everything = product(range(game.colors), repeat=game.pegs)
    elif is_listed or is_small:
        everything = game.codes()
    found = {code: None for code in (*codes, *everything) if code not in asked}
    while len(found) < most and not is_small and not is_listed:
        before = len(found)
        more = [game.space.draw(game.pegs, game.colors, rng) for _ in range(most)]
        found.update((code, None) for code in more if code not in asked)
        if len(found) == before:
            break
    guesses = list(found)
    if len(guesses) <= most:
        return guesses, is_small
    return rng.sample(guesses, most), False


def scorer(game: Game, codes: Sequence[Code]) -> Callable[[Code], list[Score]]:
    """What scores all codes against one guess after the other."""
    if len(codes) < ARRAY:
        return lambda guess: [game.scoring.score(code, guess) for code in codes]
    array = np.array(codes, dtype=np.uint16)
    return lambda guess: list(map(tuple, game.scoring.score_all(array, guess).tolist()))


def partition(answers: Iterable[Score], pairs: Iterable[tuple[int, int]]) -> dict[Score, Parts]:
    """By answer, what each hypothesis still weighs; the pairs have those of each code."""
    parts: dict[Score, Parts] = {}
    for answer, (number, each) in zip(answers, pairs, strict=True):
        part = parts.setdefault(answer, {})
        part[number] = part.get(number, 0) + each
    return parts


def judge(parts: Iterable[Parts]) -> tuple[int, int, int]:
    """How bad a guess is: less its hits, then the pairs that it leaves, then what it leaves."""
    hits = pairs = left = 0
    for part in parts:
        together = sum(part.values())
        hits += max(part.values())
        left += together * together
        pairs += together * together - sum(each * each for each in part.values())
    return -hits, pairs, left
