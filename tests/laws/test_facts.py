"""Each clause of a sentence about a conflict follows from its row; no code satisfies all clauses.

Both are recomputed by trying every code. The sentences are parsed by an independent reader.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import lru_cache
from itertools import product

import pytest

from mmsat.diagnosis import Conflict
from mmsat.diagnosis.explain import FactFinder
from mmsat.diagnosis.explanation import CommonFact, LiteralsFact, ScoreFact, fact_constraints
from mmsat.diagnosis.sentences import conflict_sentence
from mmsat.game import UNREAD, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from tests.support import twins
from tests.support.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    random_board,
    random_guess,
    random_score,
    random_secret,
    scorings_of,
    spaces_of,
)
from tests.support.sentence_reader import SentenceReader
from tests.support.tiers import TIER, at_least, share

GAMES = ("bagels", "kids", "3x10", "3x12w", "3x10o", "3x11p")
"""Games with digits, animals, more than nine colors, or letters in order."""


def agrees(board, row, code):
    """Return whether a code gets the score of a row, for some guess that matches the row."""
    guess, score = board.rows[row]
    guesses = twins.possible_guesses(board.game, guess) if UNREAD in guess else [guess]
    return any(twins.agrees(board.game.scoring, code, entry, score) for entry in guesses)


def minimal_conflicts(board, codes):
    """Return the minimal conflicts (MUS) among the rows, by the codes of the game."""
    satisfied_rows = [
        {row for row in range(len(board.rows)) if agrees(board, row, code)} for code in codes
    ]
    results = []
    for row_mask in sorted(range(1 << len(board.rows)), key=int.bit_count):
        rows = {row for row in range(len(board.rows)) if row_mask >> row & 1}
        if not any(rows <= satisfied for satisfied in satisfied_rows) and not any(
            result <= rows for result in results
        ):
            results.append(rows)
    return [tuple(sorted(rows)) for rows in results]


def check_sentence(board, rows, codes, sequences):
    """Compare the sentence about a conflict with its facts, and the facts with all codes.

    Facts about scores are compared on the codes of the game, all others also on color sequences
    that are not codes. Each fact excludes some code. Returns the type of the facts, or None without
    facts.
    """
    facts = FactFinder(board).find(rows)
    sentence = conflict_sentence(board, Conflict(rows, facts=facts))
    statements = SentenceReader(board).read(sentence)
    if not facts:
        assert not statements
        return None
    variables = board.game.variables
    assert [fact.row for fact in facts] == [*rows]
    for fact, statement in zip(facts, statements, strict=True):
        constraints = fact_constraints(board, fact)
        for code in codes if isinstance(fact, ScoreFact) else sequences:
            assert statement.holds(code) == twins.satisfies(variables, constraints, code), sentence
        assert not all(map(statement.holds, codes)), sentence
        assert all(statement.holds(code) for code in codes if agrees(board, fact.row, code))
    for code in codes:
        assert not all(statement.holds(code) for statement in statements), sentence
    return type(facts[0])


@lru_cache(maxsize=1)
def small_boards():
    """Return random boards of three groups.

    These are boards of every kind of game, boards with unread pegs, and boards with two guesses
    without a common color.
    """
    rng = random.Random(77)
    results = [*inconsistent_boards(share(1500), seed=207, pegs=4, colors=4, rows=5)]
    while len(results) < share(1800):
        board = random_board(rng, pegs=3, colors=3, rows=4, slips=0.6)
        hidden = [
            Row(tuple(UNREAD if rng.random() < 0.3 else color for color in guess), score)
            for guess, score in board.rows
        ]
        if all(twins.possible_guesses(board.game, row.guess) for row in hidden):
            results.append(Board(board.game, tuple(hidden)))
    for _ in range(share(200, least=40)):
        game = Game.of(rng.choice(["3x6", "3x6w", "3x6d"]))
        guesses = (tuple(rng.sample(colors, 3)) for colors in ((0, 1, 2), (3, 4, 5)))
        secret = random_secret(rng, game)
        rows = (Row(guess, random_score(rng, game, secret, guess, 0.6)) for guess in guesses)
        results.append(Board(game, tuple(rows)))
    return results


def test_facts_follow_from_rows_and_contradict_each_other_as_the_sentence_says():
    kinds = Counter()
    for board in small_boards():
        codes = [*twins.codes(board.game)]
        sequences = [*product(range(board.game.colors), repeat=board.game.pegs)]
        for rows in minimal_conflicts(board, codes):
            if len(rows) > 1:
                kinds[check_sentence(board, rows, codes, sequences)] += 1
    if TIER != "quick":
        assert scorings_of(small_boards()) == {*SCORINGS}
        assert spaces_of(small_boards()) == EVERY_SPACE
    assert kinds[LiteralsFact] > at_least(300), kinds
    assert kinds[ScoreFact] > at_least(100), kinds
    assert kinds[CommonFact] > at_least(20), kinds


@lru_cache
def possible_scores(name, shapes, pegs, colors):
    """Return every score of any guess for any sequence of colors."""
    scoring = type(SCORINGS[name])(shapes) if shapes else SCORINGS[name]
    sequences = [*product(range(colors), repeat=pegs)]
    return {twins.score(scoring, code, guess) for code in sequences for guess in sequences}


def test_reasons_about_single_rows_are_true():
    """The score is impossible for any guess, in any small game with this number of pegs.

    One reason, that no code gets the score, is about this guess only.
    """
    reasons = Counter()
    for board in small_boards():
        codes = [*twins.codes(board.game)]
        for row in (rows[0] for rows in minimal_conflicts(board, codes) if len(rows) == 1):
            pegs, scoring, score = board.game.pegs, board.game.scoring, board.rows[row].score
            sentence = conflict_sentence(board, Conflict((row,)))
            text = re.fullmatch(r"Row (\d+) can't be right: (.+), but (.+)\.", sentence)
            assert (int(text[1]), text[2]) == (row + 1, scoring.describe(score))
            reasons[re.sub(r"\d+", "N", text[3])] += 1
            if text[3] == "no code at all gets that score for this guess":
                assert not any(agrees(board, row, code) for code in codes)
                continue
            shapes = getattr(scoring, "shapes", 0)
            colors = (shapes or 1) * (2 if pegs > 3 else 3)
            if colors**pegs <= 81:
                for possible in possible_scores(scoring.name, shapes, pegs, colors):
                    assert any(
                        part not in (None, n) for part, n in zip(score, possible, strict=True)
                    )
            numbers = [int(number) for number in re.findall(r"\d+", text[3])]
            read_parts = [part or 0 for part in score]
            if "and this scores" in text[3]:
                assert numbers[0] == pegs < numbers[1]
                # Of a score with three parts, the first two may already exceed the pegs.
                assert numbers[1] in {sum(read_parts), sum(read_parts[:2])}
            elif "nowhere else to go" in text[3] and pegs > 1:
                assert numbers == [pegs - 1, pegs]
            else:
                assert numbers in ([pegs], [])
    assert len(reasons) > at_least(5), reasons


@pytest.mark.parametrize("name", GAMES)
def test_sentences_with_other_names_of_colors_are_true(name):
    game = Game.of(name)
    rng = random.Random(name)
    codes = [*twins.codes(game)]
    num_with_facts = 0
    for _ in range(share(120, least=48)):
        secret = random_secret(rng, game)
        rows = [
            Row(guess, random_score(rng, game, secret, guess, 0.4))
            for guess in [random_guess(rng, game) for _ in range(3)]
        ]
        board = Board(game, tuple(rows))
        for conflict in minimal_conflicts(board, codes):
            if len(conflict) > 1:
                sequences = [*rng.sample(codes, 100), *(random_guess(rng, game) for _ in codes)]
                facts_type = check_sentence(board, conflict, codes, sequences)
                num_with_facts += facts_type is not None
    assert num_with_facts > at_least(2)
