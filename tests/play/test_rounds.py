"""Rounds, players, saved games, and the points of matches."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from mmsat.errors import InconsistentError, InputError, SizeError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.play import Machine, Player, Round, play_round
from mmsat.play.match import match
from mmsat.play.rules import MATCHES, count_colored_keys, count_points
from mmsat.play.saved import SavedBoards, SavedGame, read_saved
from mmsat.strategy.several import SeveralBoards
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategies.consistent import FirstConsistent

GAME = Game.parse("4x6")


class Puppet(Player):
    """A player with prescribed codes, guesses and scores."""

    def __init__(self, name, codes=(), guesses=(), lies=None):
        self.name, self.codes, self.guesses = name, list(codes), list(guesses)
        self.lies = dict(lies or {})

    def hide(self, _game):
        """Return the next prescribed code."""
        return self.codes.pop(0)

    def guess(self, _now):
        """Return the next prescribed guess."""
        return self.guesses.pop(0)

    def answer(self, now, guess):
        """Answer with the true score, or with the prescribed lie for this row."""
        return now.with_row(guess, self.lies.pop(len(now.board.rows), None))

    def reveal(self, now):
        """Return the hidden code."""
        return now.secret


def code(text):
    return tuple(int(digit) - 1 for digit in text)


def codes(*texts):
    return [code(text) for text in texts]


def test_games_and_boards_may_be_text():
    assert Machine("4x6").name == Machine(Board("4x6").game).name
    assert Round("4x6/1122=1.1").board == Board.parse("4x6/1122=1.1")


@pytest.mark.parametrize("secret", [(0, 1, 2, 9), (0, 1), (0, 0, 1, 2)])
def test_a_secret_must_be_a_code_of_the_game(secret):
    with pytest.raises(InputError, match="secret"):
        Round("4x9d", secret=secret)


def test_a_round_ends_with_the_code_or_the_last_turn():
    now = Round(Board(GAME), 2, code("1234"))
    assert (now.remaining_turns, now.is_over) == (2, False)
    one = now.with_row(code("1243"))
    assert one.board.rows[0].score == (2, 2)
    assert one.with_row(code("1234")).is_found
    lost = one.with_row(code("1111"))
    assert lost.is_over
    assert not lost.is_found
    assert lost.without_last() == one
    assert lost.without_last(5) == now
    assert one.with_score(0, (1, 1)).board.rows[0].score == (1, 1)
    assert Round(Board(GAME)).remaining_turns is None
    with pytest.raises(ValueError, match="the secret is unknown"):
        Round(Board(GAME)).with_row(code("1111"))


def test_consistent_mastermind_allows_only_remaining_codes():
    now = Round(Board(GAME), 12, code("1234"), consistent_only=True).with_row(code("1122"))
    assert now.with_row(code("1314")).consistent_only
    assert now.with_row(code("1314")).without_last().consistent_only
    with pytest.raises(ValueError, match="the guess contradicts an earlier score"):
        now.with_row(code("1122"))


@pytest.mark.parametrize("rules", MATCHES)
def test_machines_guess_only_remaining_codes_if_required(rules):
    def has_inconsistent_guesses(*, consistent_only):
        players = [
            Machine(GAME, name, seed, consistent_only=consistent_only)
            for seed, name in enumerate(("knuth", "sampled"))
        ]
        result = match(GAME, players, rules=rules, games=20, consistent_only=consistent_only)
        assert all(entry.is_found for entry in result.played) or rules == "challenge"
        return any(entry.board.inconsistent_guesses() for entry in result.played)

    assert has_inconsistent_guesses(consistent_only=False)
    assert not has_inconsistent_guesses(consistent_only=True)


def test_machines_find_the_codes_of_machines():
    for name in ("mastermind", "bulls-and-cows", "word-3", "black-only"):
        game = find_game(name)
        players = [Machine(game, "first-consistent", 1), Machine(game, "random-consistent", 2)]
        result = match(game, players, games=4, turns=200)
        assert [item.maker for item in result.played] == [0, 1, 0, 1]
        for entry in result.played:
            assert entry.is_found
            assert game.contains(entry.secret)
            assert entry.board.is_consistent(entry.secret)
            assert entry.board.inconsistent_guesses() == ()
            assert entry.points[entry.maker] == len(entry.board.rows)
        assert result.points == tuple(
            sum(item.points[seat] for item in result.played) for seat in (0, 1)
        )
        again = [Machine(game, "first-consistent", 1), Machine(game, "random-consistent", 2)]
        assert match(game, again, games=4, turns=200) == result


@pytest.mark.parametrize("strategy", STRATEGIES.built_in)
def test_scores_that_contradict_each_other_are_one_error(strategy):
    """The codemaker of another program may err."""

    class Wrong(Machine):
        def answer(self, now, guess):
            score = (2, 0) if not now.board.rows else (0, 0)
            return now.with_row(guess, score)

    game = Game(4, 6)
    start = Round(Board(game), turns=12)
    with pytest.raises(InconsistentError, match="no code gets exactly these scores"):
        play_round(start, [Machine(game, strategy, seed=1)], Wrong(game))


def test_an_error_of_a_strategy_is_not_reported_as_an_error_of_the_scores():
    class Failing(FirstConsistent):
        def choose(self, _state):
            raise ValueError("a color is out of range")

    board = Board.parse("4x6/1122=4.0/1122=0.0")
    with pytest.raises(ValueError, match="a color is out of range"):
        Machine(board.game, Failing).guess(Round(board, turns=12))


@pytest.mark.parametrize("strategy", ["knuth", "entropy", "most-parts"])
@pytest.mark.parametrize("rows", ["", "/1-2=1.0"])
def test_too_many_colors_are_refused_before_codes_are_listed(strategy, rows, monkeypatch):
    def refuse(_game):
        raise AssertionError("codes are listed")

    for module in ("strategy", "strategies.heuristics"):
        monkeypatch.setattr(f"mmsat.strategy.{module}.all_codes", refuse)
    board = Board.parse(f"2x257{rows}")
    with pytest.raises(SizeError, match="expected a game of up to 256 colors, found 2x257 with"):
        Machine(board.game, strategy).guess(Round(board, turns=12))


def test_the_rules_points_give_a_point_per_guess_and_one_for_a_code_not_found():
    one = Puppet("one", codes("1111"), codes("2222", "3333"))
    other = Puppet("other", codes("4444"), codes("2222", "1111"))
    result = match(GAME, [one, other], turns=2)
    assert [entry.points for entry in result.played] == [(2, 0), (0, 3)]
    assert [entry.is_found for entry in result.played] == [True, False]
    assert result.winner == 1
    assert result.guesses(0) == (1, 0, 2)


def test_the_rules_key_pegs_give_a_point_per_black():
    one = Puppet("one", codes("1123"), codes("4564", "4444"))
    other = Puppet("other", codes("4444"), codes("1132", "1123"))
    result = match(GAME, [one, other], rules="key-pegs", turns=5)
    assert [entry.points for entry in result.played] == [(2 + 4, 0), (0, 2 + 4)]
    assert result.winner is None
    assert count_colored_keys(Game.parse("5x26p"), (2, 1, 2, 0, None)) == 2
    assert count_colored_keys(Game.parse("4x6w"), (3,)) == 3


def test_new_mastermind_gives_points_to_all_breakers_in_turn():
    players = [
        Puppet("a", codes("1234"), codes("1122", "2222")),
        Puppet("b", codes("1111"), codes("1243")),
        Puppet("c", codes("2222"), codes("1234", "3333", "1111")),
    ]
    result = match(GAME, players, rules="new-mastermind", turns=12)
    first, second, third = result.played
    assert (first.maker, first.breakers, first.points) == (0, (1, 2), (0, 2 * 2 + 2, 10))
    assert (second.maker, second.breakers, second.points) == (1, (2, 0), (2 * 2, 0, 10))
    assert (third.maker, third.breakers, third.points) == (2, (0, 1), (10, 0, 0))
    assert result.points == (14, 6, 20)
    assert result.winner == 2
    assert count_points(Game.parse("5x26p"), (2, 1, 1, 0, None)) == 4
    # No mark of this scoring states that a color is elsewhere.
    assert count_points(Game.parse("5x26o"), (2, 1, 1, 0, None)) == 2


def test_challenge_is_won_by_the_first_player_who_finds_the_code():
    one = Puppet("one", codes("1111"), codes("2222", "4444"))
    other = Puppet("other", codes("4444"), codes("2222", "3333"))
    result = match(GAME, [one, other], rules="challenge", games=1)
    assert [entry.points for entry in result.played] == [(0, 0), (1, 0)]
    assert [len(entry.board.rows) for entry in result.played] == [2, 2]
    one = Puppet("one", codes("1111"), codes("4444"))
    other = Puppet("other", codes("4444"), codes("1111"))
    assert match(GAME, [one, other], rules="challenge", games=1).points == (0, 0)


def test_wrong_scores_cost_the_codemaker():
    liar = Puppet("liar", codes("1234"), codes("1111"), lies={0: (4, 0), 1: (0, 0)})
    other = Puppet("other", codes("1111"), codes("5566"))
    for penalty in (0, 1, 5):
        liar.codes, liar.guesses, liar.lies = codes("1234"), codes("1111"), {0: (1, 0)}
        other.codes, other.guesses = codes("1111"), codes("5566", "1234")
        result = match(GAME, [liar, other], penalty=penalty, turns=3)
        assert result.played[0].wrong_rows == (0,)
        assert result.played[0].points == (2 - penalty, 0)


@pytest.mark.parametrize("rules", MATCHES)
def test_every_player_makes_the_code_equally_often(rules):
    kind = MATCHES[rules]
    for num_players in range(2, kind.max_players + 1):
        players = [Machine(GAME, "random-consistent", seat) for seat in range(num_players)]
        result = match(GAME, players, rules=rules, games=2 * num_players, turns=12)
        makers = [item.maker for item in result.played]
        assert all(makers.count(seat) == makers.count(0) > 0 for seat in range(num_players))
        for entry in result.played:
            assert entry.maker not in entry.breakers
            assert entry.board.is_consistent(entry.secret)
        if rules != "challenge":
            assert all(one != other for one, other in pairwise(makers))
            with pytest.raises(InputError, match="equally often"):
                match(GAME, players, rules=rules, games=2 * num_players + 1)
    with pytest.raises(InputError, match="players"):
        match(GAME, players * 2, rules=rules)
    with pytest.raises(InputError, match="No such rules 'chess'"):
        match(GAME, players, rules="chess")


def test_saved_games_read_back():
    now = Round(Board(GAME), 12, code("1234")).with_row(code("1122"))
    for saved in (
        SavedGame("breaker", now, "auto", 5),
        SavedGame("maker", Round(Board(find_game("daily-word"))), "sampled", None),
        SavedGame("maker", Round(Board(GAME), consistent_only=True), "knuth", 1),
    ):
        assert read_saved(json.dumps(saved.to_dict())) == saved


def test_saved_games_of_older_versions_read_back():
    saved = SavedGame("maker", Round(Board(GAME)), "auto", None)
    document = saved.to_dict()
    assert document.pop("consistent_only") is False
    assert read_saved(json.dumps(document)) == saved


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("role", "king", "role"),
        ("turns", 0, "turns"),
        ("strategy", "", "strategy"),
        ("seed", -1, "seed"),
        ("secret", "1234", "secret"),
        ("secret", [1, 2, 3, 9], "secret"),
        ("secret", [1, 1, 1, 1], "scores of the board"),
        ("secret", None, "scores of the board"),
        ("consistent_only", 1, "true or false"),
        ("mmsat-play", 2, "version"),
        ("board", {}, "board|missing"),
        ("more", 1, "more"),
    ],
)
def test_errors_in_a_saved_game_are_reported(key, value, message):
    now = Round(Board(GAME), 12, code("1234")).with_row(code("1122"))
    document = SavedGame("breaker", now, "auto", 5).to_dict() | {key: value}
    with pytest.raises(InputError, match=message):
        read_saved(json.dumps(document))


def saved_boards(role="breaker", game=GAME, secrets=("1234", "1122")):
    """A saved game of two boards after one guess, which solves the second one."""
    codes = tuple(map(game.parse_code, secrets))
    now = SeveralBoards.start(game, 2).with_guess(codes[1], codes)
    return SavedBoards(role, now, 7, 5, codes if role == "breaker" else None)


@pytest.mark.parametrize("role", ["breaker", "maker"])
def test_saved_games_of_several_boards_read_back(role):
    for saved in (saved_boards(role), saved_boards(role, find_game("wordle"), ("CRANE", "SLATE"))):
        assert read_saved(json.dumps(saved.to_dict())) == saved
        assert (saved.remaining_turns, saved.is_over) == (6, False)


@pytest.mark.parametrize(
    ("key", "value", "messages"),
    [
        ("role", "king", ["role"]),
        ("role", "maker", ["null"]),
        ("turns", None, ["turns"]),
        ("seed", -1, ["seed"]),
        ("secrets", None, ["a list of 2 codes"]),
        ("secrets", ["1234"], ["a list of 2 codes"]),
        ("secrets", ["1134", 7], ["scores of board 1", "the code of board 2"]),
        ("secrets", ["1234", "1129"], ["1 to 6"]),
        ("solved", True, ["false"]),
        ("mmsat-play", 2, ["version"]),
        ("boards", [], ["a list of board lines"]),
        ("boards", "4x6", ["a list of board lines"]),
        ("boards", ["4x6/112=1.1", 3], ["4 colors", "a board line"]),
        ("boards", ["4x6", "5x6"], ["same game"]),
        ("boards", ["4x6/1122=1.1", "4x6"], ["a row for each guess"]),
        ("more", 1, ["more"]),
    ],
)
def test_every_error_in_a_saved_game_of_several_boards_is_reported(key, value, messages):
    text = json.dumps(saved_boards().to_dict() | {key: value})
    with pytest.raises(InputError) as caught:
        read_saved(text)
    assert len(caught.value.faults) == len(messages)
    for fault, message in zip(caught.value.faults, messages, strict=True):
        assert message in str(fault)
        assert fault.line == 1
        assert fault.column > 1


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[" * 100_000, '{"boards": 1}'])
def test_files_that_are_not_saved_games_are_reported(text):
    with pytest.raises(InputError):
        read_saved(text)
