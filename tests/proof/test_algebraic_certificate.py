"""Certificates: added up from the board alone, and never taken for more than they show."""

from __future__ import annotations

import random
from dataclasses import replace

import mmsat
from mmsat.constraints import is_linear_board
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof.bundle import Bundle
from mmsat.proof.check_algebra import print_refutation, read_refutation, refutation_flaw
from mmsat.solving.refutation import refute
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, known_boards
from tests.support.refutations import TWO, is_right
from tests.support.tiers import at_least, share


def refuted():
    """Hundreds of boards of two colors, each with what refutes it."""
    boards = [
        board
        for board in inconsistent_boards(share(4000), seed=61, **TWO)
        if is_linear_board(board)
    ]
    results = [(board, refute(board, thorough=True)) for board in boards]
    return [(board, entry) for board, entry in results if entry is not None]


def test_every_refutation_is_a_certificate_that_holds_and_reads_back():
    for board, entry in refuted():
        assert refutation_flaw(board, entry) is None, str(board)
        assert read_refutation(print_refutation(entry)) == entry


def changed(rng, found):
    """A refutation with something changed."""
    if not found.combinations or rng.random() < 0.3:
        rows = set(found.weighing) ^ {rng.randrange(4)}
        return replace(found, weighing=tuple(sorted(rows)))
    place = rng.randrange(len(found.combinations))
    one = found.combinations[place]
    rows = dict(one.rows)
    match rng.randrange(5):
        case 0:
            row = rng.randrange(4)
            rows[row] = rows.get(row, 0) + rng.choice((-2, -1, 1, 2))
            one = replace(one, rows=tuple(sorted((r, n) for r, n in rows.items() if n)))
        case 1:
            one = replace(one, times_weight=one.times_weight + rng.choice((-1, 1)))
        case 2:
            one = replace(one, modulus=rng.choice((None, 1, 2, 3, 4, 6)))
        case 3:
            weight = rng.choice((None, *range(7)))
            one = replace(one, weight=weight)
        case _:
            remainder = [
                combination for n, combination in enumerate(found.combinations) if n != place
            ]
            return replace(found, combinations=tuple(remainder))
    combinations = list(found.combinations)
    combinations[place] = one
    return replace(found, combinations=tuple(combinations))


def test_changed_numbers_are_refused_unless_they_refute_as_well():
    """The twin counts the pegs of all codes; who agrees with it may be stricter."""
    rng = random.Random(4)
    accepted = refused = 0
    for board, entry in refuted():
        for _ in range(6):
            other = changed(rng, entry)
            if other == entry or any(row >= len(board.rows) for row in other.rows):
                continue
            if refutation_flaw(board, other) is None:
                accepted += 1
                if other.combinations and other.combinations[0].weight is not None:
                    assert is_right(board, other), (str(board), other)
                assert twins.consistent(board.only(other.rows)) == []
            else:
                refused += 1
    assert refused > at_least(800)
    assert accepted > at_least(100)


def test_no_numbers_refute_a_board_that_has_codes():
    rng = random.Random(6)
    tried = 0
    for board, codes in known_boards(share(3000), seed=62, **TWO):
        if not codes or not is_linear_board(board) or not board.rows:
            continue
        for _ in range(10):
            tried += 1
            assert refutation_flaw(board, any_refutation(rng, board)) is not None
    assert tried > at_least(1000)


def any_refutation(rng, board):
    """Numbers of no meaning, a line for each weight or one for all."""
    weights = rng.choice(([None], range(board.game.pegs + 1)))
    rows = range(len(board.rows))
    return Refutation(
        tuple(row for row in rows if rng.random() < 0.5),
        tuple(
            Combination(
                weight,
                tuple((row, rng.choice((-2, -1, 1, 2))) for row in rows if rng.random() < 0.7),
                0 if weight is None else rng.randint(-2, 2),
                rng.choice((None, 2, 3, 4)),
            )
            for weight in weights
        ),
    )


def test_games_that_are_no_equations_are_refused():
    nothing = Refutation((), ())
    for line in ["4x6/1122=1.1", "2x2p/11=GG", "2x2o/11=EE", "2x2x1/1A2A=1.0.0"]:
        assert "two colors" in refutation_flaw(Board.parse(line), nothing)


def test_rows_beyond_the_board_are_refused():
    board = Board.parse("4x2/1122=2.2")
    beyond = Refutation((1,), (Combination(None, ((7, 1),), 0, 2),))
    assert "beyond" in refutation_flaw(board, beyond)


def test_lines_that_are_no_certificate():
    for text in [
        "",
        "weighing",
        "weighing 1",
        "weighing x\n",
        "weighing\n\n",
        "weighing\nK 1: 1 x K\n",
        "weighing\nK 01: 1 x K out of reach\n",
        "weighing\nK 1: + 1 x K out of reach\n",
        "weighing\nK 1: 1 x K modulus 02\n",
        "weighing\nK 1: 1 x row 2 + 1 x K modulus 2\n",
        "weighing\nK 1: 1 x row 0 modulus 2\n",
        "weighing\nK 1: 1 x row 1 nonsense modulus 2\n",
    ]:
        bundle = Bundle("4x2/1122=2.2", "inconsistent", "algebra", {"rows": "1"})
        report = mmsat.verify(str(replace(bundle, sections={"certificate": text})))
        assert not report.holds, text
        assert report.reason
