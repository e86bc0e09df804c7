"""Secrets that a word list lacks are reported before wrong scores, and counted by audits."""

import json
import random
from itertools import product

import pytest

import mmsat
from mmsat.diagnosis.check import find_unlisted
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols
from mmsat.game.tolerance import Tolerance
from mmsat.game.words import Words
from tests.support import twins
from tests.support.cli_runner import run

KINDS = ["places", "black-white", "color", "black", "order"]


def small_boards(kind, count, rng):
    """Yield boards of small word games; some secrets are unlisted, and some scores are wrong."""
    letters = Symbols(("A", "B", "C"), "letter")
    for _ in range(count):
        sequences = [*product(range(3), repeat=3)]
        words = rng.sample(sequences, rng.randint(1, 6))
        game = Game(
            3,
            3,
            Words(words, allows_any_guess=rng.random() < 0.5),
            SCORINGS[kind],
            letters,
            "game:x",
        )
        secret = rng.choice(sequences)
        rows = []
        for _ in range(rng.randint(1, 4)):
            guess = rng.choice(sequences)
            score = list(twins.score(game.scoring, secret, guess))
            if rng.random() < 0.2:
                place = rng.randrange(len(score))
                score[place] = rng.choice([None, rng.randrange(game.part_values)])
            rows.append(Row(guess, tuple(score)))
        yield Board(game, tuple(rows))


def fits(game, code, rows, lies):
    """Return whether a code violates at most `lies` rows, by the definition."""
    num_violated = 0
    for guess, score in rows:
        true = twins.score(game.scoring, code, guess)
        num_violated += any(s is not None and s != t for s, t in zip(score, true, strict=True))
    return num_violated <= lies


@pytest.mark.parametrize("lies", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_an_unlisted_code_is_found_if_and_only_if_one_fits(kind, lies):
    answers = set()
    for board in small_boards(kind, 60, random.Random(5)):
        game = board.game
        sequences = [*product(range(3), repeat=3)]
        fitting = [code for code in sequences if fits(game, code, board.rows, lies)]
        if any(code in game.space.codes for code in fitting):
            continue  # the board is consistent
        result = find_unlisted(board, Tolerance(lies))
        assert (result is not None) == bool(fitting)
        assert result is None or result in fitting
        fitting_guesses = [row.guess for row in board.rows if row.guess in fitting]
        # A guess that fits is preferred to other codes: it may have been the secret.
        assert not fitting_guesses or result == fitting_guesses[0]
        if (result is not None) in answers:
            # The calls below are slow. One board with an unlisted code and one without are enough.
            continue
        answers.add(result is not None)
        verdict = mmsat.check(board, lies=lies)
        assert verdict.unlisted == result
        assert mmsat.explain(board, lies=lies).unlisted == result
        document = verdict.to_dict()
        assert document.get("unlisted") == (None if result is None else [c + 1 for c in result])
    assert lies or answers == {True, False}


MISSING = "The secret word may be missing from the word list english: INTRO, which is not in it,"


@pytest.mark.parametrize(
    ("board", "conflict"),
    [
        (
            "daily-word/INTRO=GGGGG",
            "row 1 can't be right: GGGGG, but no code at all gets that score for this guess.",
        ),
        (
            "wordle/CRANE=-Y-Y-/TONIC=YYYY-/INTER=GGG-Y",
            "row 3 can't be right: GGG-Y, but no code at all gets that score for this guess.",
        ),
    ],
)
def test_the_word_list_is_blamed_before_a_score(board, conflict):
    result = run("check", board)
    assert result.exit_code == 20
    start = result.stdout.index("Inconsistent:")
    assert result.stdout[start:].splitlines()[:3] == [
        "Inconsistent: no code gets exactly these scores.",
        f"{MISSING} gets these scores.",
        f"If the list is complete, {conflict}",
    ]
    result = run("explain", board)
    start = result.stdout.index("Inconsistent:")
    assert result.stdout[start:].splitlines()[1:3] == [
        f"{MISSING} gets these scores.",
        f"If the list is complete, {conflict}",
    ]
    with pytest.raises(mmsat.InconsistentError, match=MISSING):
        mmsat.suggest(board)


def test_a_score_is_blamed_if_no_unlisted_code_fits():
    for board in (
        "daily-word/CRANE=GGGGY",
        "word/GAME=3.1",
        "jotto/INTRO=5/ZZZZZ=4",
        "2x6/11=1.1",
    ):
        verdict = mmsat.check(board)
        assert verdict.is_consistent is False
        assert verdict.unlisted is None
        assert "unlisted" not in verdict.to_dict()
        assert "missing" not in str(verdict)


def test_sentences_about_unnamed_lists_and_lies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "custom.toml").write_text(
        'pegs = 5\nscore = "places"\nwords = ["crane", "slate", "trace"]\n', "utf-8"
    )
    (tmp_path / "list.txt").write_text("crane\nslate\ntrace\n", "utf-8")
    text = str(mmsat.check("game:custom.toml/intro=GGGGG"))
    assert "missing from the word list: intro, which is not in it, gets these scores." in text
    text = str(mmsat.check("word:list.txt/intro=5.0"))
    assert "missing from the word list list.txt: intro, which is not in it, gets these" in text
    board = "word:list.txt/intro=5.0/lions=2.1/pound=1.1"
    text = str(mmsat.check(board, lies=1))
    assert "which is not in it, gets these scores within 1 lie." in text


def test_with_unread_guesses_only_complete_guesses_are_tried():
    assert mmsat.check("daily-word/?????=GGGGY").unlisted is None
    board = Board.parse("daily-word/INTRO=GGGGG/?????=GGGGG")
    assert speller(board.game).print_code(mmsat.check(board).unlisted or ()) == "INTRO"


def test_boards_with_known_codes_have_no_unlisted_code():
    assert mmsat.check("daily-word/CRANE=GGGGG/CRANE=known").unlisted is None


def test_without_time_for_reasons_no_unlisted_code_is_searched():
    assert mmsat.check("daily-word/INTRO=GGGGG", reason=0).unlisted is None


LOGGED_BOARDS = [
    "daily-word/INTRO=GGGGG",
    "daily-word/crane=-Y-Y-/TONIC=YYYY-/INTER=GGG-Y",
    "daily-word/CRANE=GGGGY",
    "daily-word/CRANE=GGGGG",
    "jotto/intro=5/trino=4",
    "4x6/1122=1.3",
]


def test_audits_count_games_with_an_unlisted_secret_separately(tmp_path):
    log, records = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    log.write_text("".join(f"{json.dumps({'board': board})}\n" for board in LOGGED_BOARDS), "utf-8")
    summary = mmsat.audit([log], records)
    results = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
    assert [entry.get("unlisted") for entry in results] == [
        "INTRO",
        "INTRO",
        None,
        None,
        None,
        None,
    ]
    assert str(summary).splitlines()[:2] == [
        "6 games: 1 consistent, 5 inconsistent.",
        "2 inconsistent games may have a secret word that is missing from the word list.",
    ]
    assert summary.to_dict()["unlisted_games"] == 2
    assert sum(summary.slips.values()) == 3
    result = run("audit", log, "-o", tmp_path / "out.csv", "--json")
    assert json.loads(result.stdout)["unlisted_games"] == 2
    assert (tmp_path / "out.csv").read_text("utf-8").splitlines()[1].endswith(",INTRO")
