"""The campaign: its truth is that of the twins, it sees each planted fault, and finds none."""

from __future__ import annotations

import random
from itertools import count

import pytest

import mmsat
from benchmarks import trust
from benchmarks.trust import questions
from benchmarks.trust.campaign import Campaign
from benchmarks.trust.case import FAMILY, Case, Family
from benchmarks.trust.questions import QUESTIONS
from benchmarks.trust.truth import LARGEST
from mmsat.game.scoring import SCORINGS
from tests.support import tiers, twins
from tests.support.random_boards import EVERY_SPACE, known_boards, spaces_of

SMALL = [question for question in QUESTIONS if question.most]
UNPLANTED = {"notation", "reduction"}
"""They do not query mmsat about the board."""
FUNCTIONS = "check check_many count codes explain suspect suggest review steps encode prove"


def test_the_truth_is_that_of_the_twins():
    boards = [board for board, _ in known_boards(tiers.share(900, least=100), seed=5)]
    assert spaces_of(boards) == EVERY_SPACE
    for board, codes in known_boards(tiers.share(900, least=100), seed=5):
        case = Case(board, random.Random(1))
        assert case.listed == list(codes)
        for guess, _ in board.rows:
            true = [twins.score(board.game.scoring, code, guess) for code in case.codes.tolist()]
            assert list(map(tuple, case.truth.scores(guess).T.tolist())) == true
        assert [case.truth.find(code) for code in case.codes.tolist()] == [*range(len(case.codes))]


def test_a_seed_is_a_board_of_its_family():
    for seed in (1, 2 * FAMILY, 2 * FAMILY - 1, 1):
        board = Case.of_seed(seed).board
        assert board == Case.of_seed(seed).board
        assert board.game == Family(seed // FAMILY).game
    games = [Family(number).game for number in range(400)]
    assert {game.space.name for game in games} == EVERY_SPACE
    assert {game.scoring.name for game in games} == {*SCORINGS}
    sizes = [game.size for game in games]
    assert max(sizes) > LARGEST
    assert min(sizes) < 10
    assert sum(size <= 300 for size in sizes) > 200


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
    for number in range(300):
        if Family(number).game.size <= 300:
            try:
                question.ask(Case.of_seed(FAMILY * number + number % FAMILY))
            except Exception:  # noqa: BLE001  (any fault counts)
                return
    pytest.fail("no board showed the fault")


def test_a_campaign_goes_on_and_tells_what_disagrees(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(trust, "BLOCK", 3)
    monkeypatch.setattr(trust, "run", lambda _, function, *args: function(*args))
    file = tmp_path / "campaign.jsonl"
    words = ["--blocks", "1", "--file", str(file)]
    assert trust.main(words) == 0
    assert "3 boards, " in capsys.readouterr().out
    with file.open("a") as lines:
        lines.write('{"block": 1, "boa')  # as a kill leaves it
    with monkeypatch.context() as wrong:
        wrong.setattr(mmsat, "count", lambda *_, **__: 1 / 0)
        assert trust.main(words) == 1
        assert trust.main(["--board", "4"]) == 1
    output = capsys.readouterr()
    assert "6 boards, " in output.out
    assert "| count | 6 | 3 |" in output.out
    assert "seed 4, count, " in output.err
    assert "ZeroDivisionError" in output.err
    assert trust.main(words[2:]) == 1, "without more blocks, the disagreements stand"
    assert trust.main([*words[2:], "--again"]) == 0
    assert "| count | 6 | 0 |" in capsys.readouterr().out
    assert len(file.read_text().splitlines()) == 3


def test_the_campaign_in_the_tree_is_one_of_its_questions():
    """The page agrees with the file: complete blocks, and no disagreeing answer."""
    total = Campaign(trust.FILE).total()
    assert total.disagreements == []
    assert {*total.asked} <= {question.name for question in QUESTIONS}
    assert sum(count for name, count in total.boards.items() if "," in name) % trust.BLOCK == 0
    page = (trust.FILE.parents[2] / "trust" / "README.md").read_text(encoding="utf-8")
    assert "\n".join(Campaign(trust.FILE).table()) in page


def test_larger_games_are_asked_without_their_codes():
    case = Case(
        mmsat.Board.parse("9x9/112233445=2.3/987654321=1.5/111122223=1.1"), random.Random(1)
    )
    asked = [question for question in QUESTIONS if question.suits(case)]
    assert [question.name for question in asked] == [
        "large verdict",
        "large count",
        "proof",
        "large methods",
    ]
    for question in asked:
        question.ask(case)
    with pytest.raises(ValueError, match="387420489"):
        case.codes  # noqa: B018


@pytest.mark.slow
def test_no_answer_disagrees():
    """The short form of the campaign: twenty boards each of games that no long run comes to."""
    families = range(10**7, 10**7 + 300)
    large = next(number for number in count(10**7) if Family(number).game.size > LARGEST)
    size = trust.ask_boards(FAMILY * family + board for family in families for board in range(20))
    few = trust.ask_boards(range(FAMILY * large, FAMILY * large + 3), share=1)
    assert size.disagreements + few.disagreements == []
    assert {question.name for question in QUESTIONS} == {*size.asked, *few.asked}
