"""The campaign: its truth is that of the twins, it sees each planted fault, and finds none."""

from __future__ import annotations

import random

import pytest

import mmsat
from benchmarks import trust
from benchmarks.trust import questions
from benchmarks.trust.case import Case, scores
from benchmarks.trust.questions import QUESTIONS
from tests import tiers, twins
from tests.laws.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of

SMALL = [question for question in QUESTIONS if question.most]
UNPLANTED = {"notation", "reduction"}
"""They ask no function of mmsat about the board."""
FUNCTIONS = "check check_many count codes explain suspect suggest review steps encode prove"


def test_the_truth_is_that_of_the_twins():
    boards = [board for board, _ in known_boards(tiers.share(900, least=100), seed=5)]
    assert spaces_of(boards) == EVERY_SPACE
    for board, codes in known_boards(tiers.share(900, least=100), seed=5):
        case = Case(board, random.Random(1))
        assert case.listed == list(codes)
        for guess, _ in board.rows:
            true = [twins.score(board.game.scoring, code, guess) for code in case.codes.tolist()]
            assert list(map(tuple, scores(board.game, case.codes, guess).tolist())) == true


def test_a_seed_is_a_board():
    boards = [Case.of_seed(seed).board for seed in range(400)]
    assert boards == [Case.of_seed(seed).board for seed in range(400)]
    assert spaces_of(boards) == EVERY_SPACE
    assert len(scorings_of(boards)) == 7
    sizes = [board.game.size for board in boards]
    assert max(sizes) > 100_000
    assert min(sizes) < 10


def without_its_last_row(function):
    """The same function, which overlooks the last row of the board."""

    def cut(board):
        return board.only(range(len(board.rows) - 1)) if len(board.rows) > 2 else board

    def wrong(board, *args, **options):
        return function(
            [*map(cut, board)] if isinstance(board, list) else cut(board), *args, **options
        )

    return wrong


@pytest.mark.parametrize("question", SMALL, ids=[question.name for question in SMALL])
def test_a_planted_fault_is_found(question, monkeypatch):
    if question.name in UNPLANTED:
        monkeypatch.setattr(questions, "PRINTERS", {"wrong": lambda board: f"{board.game}"})
        monkeypatch.setattr(questions, "holds", lambda _: questions.expect("codes", 1, 2))
    for name in set(FUNCTIONS.split()) - {"lies"}:
        monkeypatch.setattr(mmsat, name, without_its_last_row(getattr(mmsat, name)))
    if question.name == "languages" and not any(map(questions.shutil.which, ("clingo", "z3"))):
        pytest.skip("neither clingo nor z3 is installed")
    for seed in range(1, 300):
        case = Case.of_seed(seed)
        if case.game.size <= 300:
            try:
                question.ask(case)
            except Exception:  # noqa: BLE001  (any fault counts)
                return
    pytest.fail("no board showed the fault")


def test_a_campaign_goes_on_and_tells_what_disagrees(tmp_path, monkeypatch, capsys):
    words = ["--boards", "3", "--seed", "9", "-o", str(tmp_path)]
    assert trust.main(words) == 0
    with (tmp_path / "blocks.csv").open("a") as file:
        file.write("12,3,0.")  # as a kill leaves it
    assert trust.main(words) == 0
    assert "3 boards, seeds 9 to 11" in capsys.readouterr().out
    monkeypatch.setattr(mmsat, "count", lambda *_, **__: 1 / 0)
    words[3] = "12"
    assert trust.main(words) == 1
    told = capsys.readouterr()
    assert "6 boards, seeds 9 to 14" in told.out
    assert "| count | 6 | 3 |" in told.out
    assert "seed 12, count: ZeroDivisionError" in told.err


def test_larger_games_are_asked_without_their_codes():
    case = Case(
        mmsat.Board.parse("9x9/112233445=2.3/987654321=1.5/111122223=1.1"), random.Random(1)
    )
    asked = [question for question in QUESTIONS if question.suits(case)]
    assert [question.name for question in asked] == ["large verdict", "large count", "proof"]
    for question in asked:
        question.ask(case)
    with pytest.raises(ValueError, match="387420489"):
        case.codes  # noqa: B018


@pytest.mark.slow
def test_no_answer_disagrees():
    """The short form of the campaign: other boards than those of a long run, all questions."""
    block = trust.ask_block(10**9, 3000)
    assert block.disagreements == []
    assert {*trust.NAMES} == {*block.asked}
