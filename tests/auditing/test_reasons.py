"""The correction in an audit is that of `explain`, whichever method finds it."""

from __future__ import annotations

import json
import random
from collections import Counter

import mmsat
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import SCORINGS
from tests.support import slip_model, twins
from tests.support.random_boards import inconsistent_boards, random_guess, scorings_of
from tests.support.tiers import at_least, share

EXAMPLES = (
    "4x4/1422=?.0/4241=4.0/2112=1.1/4411=1.1/1434=0.3",
    "4x5d/1111=1.0/4322=2.1/3254=1.0/2153=3.0",
    "4x6/1122=1.3",
    "4x6w/1111=4/1234=2/2345=2",
    "daily-word/INDIA=YY-GG",
    "5x8/11223=2.3/45678=0.2/14567=1.2",
)


def audit(tmp_path, boards):
    """Return the records of a log with these boards."""
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    log.write_text("".join(json.dumps({"board": str(board)}) + "\n" for board in boards), "utf-8")
    mmsat.audit([str(log)], str(out))
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def is_of_a_file(board):
    """Return whether a board names a file, which is not allowed in a log."""
    return ":" in str(board.game)


def check_record(record, board):
    """Check that a record has the correction of `explain`, and a smallest conflict."""
    explanation = mmsat.explain(board, limit=100_000)
    correction = explanation.correction
    change = correction.changes[0]
    print_score = speller(board.game).print_score
    assert record["verdict"] == "inconsistent"
    assert {key: record[key] for key in ("changed", "row", "from", "to", "slip")} == {
        "changed": correction.cost,
        "row": change.row + 1,
        "from": print_score(change.before),
        "to": print_score(change.after),
        "slip": change.slip,
    }, str(board)
    assert len(record["conflict"].split()) == len(explanation.conflicts[0].rows)
    return correction


def test_examples_of_corrections(tmp_path):
    boards = [Board.parse(line) for line in EXAMPLES]
    for record, board in zip(audit(tmp_path, boards), boards, strict=True):
        correction = check_record(record, board)
        if board.game.size < 2000:
            repair = tuple((c.row, c.after) for c in correction.changes)
            assert repair == slip_model.selected_correction(board)


def test_corrections_of_boards_of_every_kind(tmp_path):
    """Boards with many wrong rows, unread scores, and guesses that are not codes."""
    boards = [
        board
        for board in inconsistent_boards(share(250, least=60), seed=481, pegs=4, colors=3, rows=6)
        if not is_of_a_file(board)
    ]
    costs = Counter(
        check_record(record, board).cost
        for record, board in zip(audit(tmp_path, boards), boards, strict=True)
    )
    assert scorings_of(boards) == {*SCORINGS}
    assert {1, 2, 3} <= {*costs}


def played_boards(game, count, seed):
    """Yield inconsistent boards. Some scores count repeated colors twice, and some are random."""
    rng = random.Random(f"{seed} {game}")
    while count:
        secret = random_guess(rng, game)
        rows = []
        for _ in range(rng.randint(2, 6)):
            guess = tuple(rng.choices(random_guess(rng, game), k=game.pegs))
            score = game.score(secret, guess)
            kind = rng.random()
            if kind < 0.5:
                score = twins.count_twice(game.scoring, secret, guess)
            elif kind < 0.6:
                score = game.score(random_guess(rng, game), guess)
            rows.append(Row(guess, score))
        board = Board(game, tuple(rows))
        if not mmsat.check(board, reason=0):
            count -= 1
            yield board


def test_repeated_colors_that_were_counted_twice_are_identified(tmp_path):
    """In games whose boards are judged in bulk, by a table and by lists."""
    num_twice = Counter()
    for name in ("4x4", "4x4w", "4x4p", "3x6", "5x6", "5x6w"):
        game = Game.parse(name)
        boards = [*played_boards(game, share(60, least=15), 482)]
        for record, board in zip(audit(tmp_path, boards), boards, strict=True):
            check_record(record, board)
            num_twice[name] += "twice" in record["slip"]
    assert min(num_twice.values()) > at_least(10)
