"""Plain definitions for the ranking of suspect rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, product

from mmsat.game.tolerance import STRICT
from tests.support import slip_model, twins


def by_definition(board, suspects):
    """Return the codes that get all scores of the other rows, grouped by hypothesis.

    A hypothesis has the true scores of the suspects that are wrong.
    """
    results = {}
    for code in twins.codes(board.game):
        wrong = twins.wrong_rows(board, code)
        if set(wrong) <= set(suspects):
            misses = STRICT.misses(board, code)
            results.setdefault(tuple((miss.row, miss.score) for miss in misses), []).append(code)
    return results


def changes_of(hypothesis):
    return tuple((change.row, change.after) for change in hypothesis.changes)


def weight_of(board, code, suspects):
    """Return the probability weight of the recorded scores of the suspects if `code` is the secret.

    It is the product of the weights of slips, and of a larger weight for each right score.
    """
    weight = 1
    for row in suspects:
        guess, score = board.rows[row]
        (true,) = slip_model.true_scores(board.game, code, guess, score)
        slipped = slip_model.slip_weight(board.game, code, guess, score, true)
        weight *= 32 * slip_model.NAME if score == true else slipped
    return weight


def check_discriminating_guess(board, suspicion, codes_by_changes):
    """Check the guess that best distinguishes the hypotheses.

    Its probability to identify the right hypothesis and its replies are compared with plain
    definitions. No other guess has a higher probability.
    """
    best = suspicion.discriminating_guess
    numbers = {changes_of(hypothesis): n for n, hypothesis in enumerate(suspicion.hypotheses)}
    all_codes = chain.from_iterable(codes_by_changes.values())
    weights = {code: weight_of(board, code, suspicion.suspects) for code in all_codes}
    total = sum(weights.values())

    def parts(guess, weights):
        table = {}
        for key, codes in codes_by_changes.items():
            for code in codes:
                answer = twins.score(board.game.scoring, code, guess)
                part = table.setdefault(answer, {})
                part[key] = part.get(key, 0) + weights[code]
        return table

    def chance(guess):
        return Fraction(sum(max(part.values()) for part in parts(guess, weights).values()), total)

    assert best.guess not in {row.guess for row in board.rows}
    assert best.chance == chance(best.guess)
    assert best.before == Fraction(
        max(sum(weights[code] for code in codes) for codes in codes_by_changes.values()), total
    )
    assert best.can_win == any(best.guess in codes for codes in codes_by_changes.values())
    replies = {reply.score: dict(reply.remaining) for reply in best.replies}
    assert replies == {
        answer: {numbers[key]: count for key, count in part.items()}
        for answer, part in parts(best.guess, dict.fromkeys(weights, 1)).items()
    }
    if not best.is_sampled:
        assert best.chance == max(
            chance(guess)
            for guess in product(range(board.game.colors), repeat=board.game.pegs)
            if board.game.space.allows(guess)
            and (board.game.space.has_repeats or board.game.contains(guess))
            and guess not in {row.guess for row in board.rows}
        )
