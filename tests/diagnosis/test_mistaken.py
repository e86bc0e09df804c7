"""The probability that a row is mistaken, compared with its definition over all codes."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

import mmsat
from mmsat.counting import Count
from mmsat.diagnosis.corrections import WRONG_NAME, slip
from mmsat.diagnosis.sentences import (
    MAX_LISTED_CHANGES,
    MISTAKE_MODEL,
    correction_sentence,
    likely_mistake_sentences,
    mistaken_sentences,
    verdict_sentences,
)
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.limits import LIMITS
from tests.support import slip_model, twins
from tests.support.random_boards import inconsistent_boards, known_boards
from tests.support.tiers import at_least, share


def test_probabilities_are_those_of_the_model():
    for board in inconsistent_boards(share(60), seed=81, pegs=4, colors=3, rows=5):
        explanation = mmsat.explain(board, limit=10_000)
        assert explanation.mistaken_exactly
        assert explanation.mistaken == slip_model.chances(board), str(board)
        assert sum(explanation.mistaken) == twins.least_wrong(board)
        assert sum(explanation.chances) == 1
        assert [correction["chance"] for correction in explanation.to_dict()["corrections"]] == [
            *map(str, explanation.chances)
        ]
        for row, chance in enumerate(explanation.mistaken):
            assert chance == sum(
                probability
                for correction, probability in zip(
                    explanation.corrections, explanation.chances, strict=True
                )
                if row in {change.row for change in correction.changes}
            )


def test_probabilities_are_the_same_without_brute_force(monkeypatch):
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    for board in inconsistent_boards(12, seed=82, pegs=3, colors=3, rows=4):
        explanation = mmsat.explain(board, limit=10_000)
        assert (explanation.mistaken_exactly, explanation.mistaken) == (
            True,
            slip_model.chances(board),
        )


def boards_with_one_wrong_score(count):
    """Yield inconsistent boards of 4x4 whose first score has a black peg too many or too few."""
    rng, game = random.Random(85), Game(4, 4)
    while count:
        secret, *guesses = ([rng.randrange(4) for _ in range(4)] for _ in range(6))
        scores = [game.score(secret, guess) for guess in guesses]
        scores[0] = (max(0, scores[0][0] + rng.choice((-1, 1))), scores[0][1])
        board = Board(game, zip(guesses, scores, strict=True))
        if not twins.consistent(board):
            count -= 1
            yield board


LIKELY_PATTERN = re.compile(
    r"^(?:At least (\d+) scores are wrong\. )?(Rows?) ([\d, and]+) .*\(>?(\d+)%"
)
CERTAIN_PATTERN = re.compile(
    r"^Rows? ([\d, and]+) (?:must be (the |a |)mistakes? if only|can't be right)"
)


def test_the_first_reason_is_about_the_most_likely_mistakes():
    """The sentence agrees with the probabilities of the model, computed from all codes."""
    kinds = Counter()
    boards = inconsistent_boards(share(120, least=30), seed=84, pegs=4, colors=3, rows=5)
    for board in (*boards, *boards_with_one_wrong_score(share(60, least=20))):
        verdict = mmsat.check(board, reason=60)
        chances = slip_model.chances(board)
        assert verdict.mistaken == chances, str(board)
        highest, num_wrong = max(chances), sum(chances)
        likely_rows = {row for row, chance in enumerate(chances, 1) if chance == highest}
        sentence = verdict_sentences(verdict)[1]
        if match := LIKELY_PATTERN.match(sentence):
            assert int(match[1] or 1) == num_wrong
            assert {*map(int, re.findall(r"\d+", match[3]))} == likely_rows
            assert int(match[4]) == min(99, round(100 * highest))
            kinds["likely"] += 1
        elif "equally likely" in sentence:
            assert sentence.startswith(f"{len(likely_rows)} rows are equally likely mistakes")
            assert len(likely_rows) > MAX_LISTED_CHANGES
            kinds["many"] += 1
        else:
            assert highest == 1
            match = CERTAIN_PATTERN.match(sentence)
            assert {*map(int, re.findall(r"\d+", match[1]))} == likely_rows
            assert (match[2] in {"the ", None}) == (len(likely_rows) == num_wrong)
            kinds["certain"] += 1
    assert kinds["likely"] > at_least(4)
    assert kinds["certain"] > at_least(60)


@pytest.mark.parametrize("ask", [partial(mmsat.check, reason=60), mmsat.explain])
def test_the_shown_correction_changes_a_row_that_is_most_likely_wrong(ask):
    """The headline, the correction and the arrow agree, on boards of every kind of game."""
    differences = 0
    torn = Board.parse("4x6/1122=0.1/2533=3.0/4562=1.2/2635=1.3")  # row 4, or row 3 at once
    for board in [torn, *inconsistent_boards(share(120), seed=89)]:
        result = ask(board)
        if not result.mistaken:
            continue
        likely = result.correction
        chance = result.chances[result.corrections.index(likely)]
        highest = max(result.mistaken)
        rows = {row for row, value in enumerate(result.mistaken) if value == highest}
        assert rows & {*likely.rows}
        changing = [
            other
            for correction, other in zip(result.corrections, result.chances, strict=True)
            if rows & {*correction.rows} and other
        ]
        assert chance == max(changing)
        text = str(result)
        assert correction_sentence(board, likely, chance, is_exact=result.mistaken_exactly) in text
        assert text.partition("\n\n")[0].count("->") >= len(likely.rows)
        document = result.to_dict()
        if "correction" in document:
            assert document["correction"] == {**likely.to_dict(), "chance": str(chance)}
        differences += result.corrections[0] != likely
    assert differences


def test_incomplete_corrections_are_reported():
    board = Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2")
    complete = mmsat.check(board, reason=60)
    assert likely_mistake_sentences(complete) == ["Row 2 is the most likely mistake (67%)."]
    incomplete = replace(complete, all_corrections=False)
    assert likely_mistake_sentences(incomplete) == [
        "Row 2 is the most likely mistake in the corrections found so far (about 67%)."
    ]
    assert likely_mistake_sentences(replace(incomplete, corrections=complete.corrections[:1])) == []
    assert likely_mistake_sentences(replace(complete, corrections=())) == []


def test_a_consistent_board_has_no_mistakes():
    for board, codes in known_boards(share(60), seed=83):
        if codes:
            explanation = mmsat.explain(board)
            assert (explanation.mistaken, explanation.mistaken_exactly) == ((), True)


def test_inexact_probabilities_are_reported():
    board = Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2")
    complete = mmsat.explain(board)
    assert mistaken_sentences(complete) == [MISTAKE_MODEL]
    limited = mmsat.explain(board, limit=1)
    assert not limited.mistaken_exactly
    lower_bound = Count(3, exact=False, method="auto", seconds=0.0)
    estimated = replace(
        complete,
        corrections=tuple(
            replace(correction, codes=lower_bound) for correction in complete.corrections
        ),
    )
    assert not estimated.mistaken_exactly
    assert "estimate" in mistaken_sentences(estimated)[0]
    unknown = replace(
        complete,
        corrections=tuple(replace(correction, codes=None) for correction in complete.corrections),
    )
    assert unknown.mistaken == ()
    assert mistaken_sentences(unknown) == []


@pytest.mark.parametrize("true", [(1, 1), (2, 1), (2, 0), (0, 0), (4, 0), (5, 0)])
def test_the_weight_of_a_slip_is_in_the_model(true):
    weight = Fraction(8 * slip((0, 2), true, Game(6, 6)).weight, WRONG_NAME)
    assert re.search(rf"[ (]{weight}[ ,]", MISTAKE_MODEL)
