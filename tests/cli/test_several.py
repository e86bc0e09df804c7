"""Several boards at once on the command line."""

from __future__ import annotations

import json

import pytest

from mmsat import Game, InconsistentError, SeveralBoards, suggest_many
from mmsat.game.notation.board_reader import speller
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, rank_together
from tests.support.cli_runner import run
from tests.support.schemas import validator


def run_json(name, *arguments, stdin=None):
    """Run a command with --json; return the result and the document, validated by schema `name`."""
    result = run(*arguments, "--json", stdin=stdin)
    outcome = json.loads(result.stdout.splitlines()[-1])
    validator(name).validate(outcome)
    return result, outcome


def test_one_guess_is_suggested_for_several_boards(tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("4x6\n1122 0.2\n")
    lines = ("4x6/1122=1.1", str(file), "4x6/1122=4.0")
    result, outcome = run_json("suggest-several", "suggest", *lines)
    assert result.exit_code == 0
    assert outcome["boards"] == ["4x6/1122=1.1", "4x6/1122=0.2", "4x6/1122=4.0"]
    assert [outlook["board_number"] for outlook in outcome["outlooks"]] == [1, 2]
    output = run("suggest", *lines).stdout
    assert output.startswith(f"Guess {''.join(map(str, outcome['guess']))}.")
    assert "solved" in output
    listed = tmp_path / "boards.txt"
    listed.write_text("# two boards\n4x6/1122=1.1\n4x6/1122=0.2\n")
    assert run("suggest", listed).stdout == run("suggest", *lines[:2]).stdout
    assert run("suggest", listed, "--hard").exit_code == 2


def test_an_inconsistent_board_is_named(tmp_path):
    """The error names the board by its number, in arguments as in a file."""
    boards = ["4x6/1122=1.1/3345=0.2", "4x6/1122=4.0", "4x6/1122=3.0/3345=1.3"]
    listed = tmp_path / "boards.txt"
    listed.write_text("# three boards\n" + "\n".join(boards))
    for arguments in (boards, [listed]):
        result = run("suggest", *arguments)
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: Board 3: Inconsistent: no code")
    for strategy in MULTI_BOARD_STRATEGIES:
        bad_first = [boards[2], boards[0]]
        with pytest.raises(InconsistentError, match=r"^Board 1: "):
            suggest_many(bad_first, strategy=strategy)


def test_a_note_is_printed_once():
    colors = "mastermind/white white black black=1.1/red green blue yellow=0.2"
    assert run("suggest", colors).stderr.count("colors by name") == 1
    rows = run("suggest", "4x6", "1122=1.1", "3345=0.2").stderr
    assert rows == "Error: Join the rows of a board by '/': 4x6/1122=1.1/3345=0.2.\n"


def test_strategies_play_a_match_of_several_boards():
    match = ("match", "3x4", "--boards", 2, "--seed", 1, "--games", 3)
    players = ("--player", "together", "--player", "one-by-one")
    _, result = run_json("match-several", *match, *players)
    assert [entry["name"] for entry in result["players"]] == ["together", "one-by-one"]
    assert result["turns"] == 7
    assert len(result["rounds"]) == 3
    for number, player in enumerate(result["players"]):
        num_guesses = [entry["took"][number] for entry in result["rounds"]]
        assert player["average_decimal"] == pytest.approx(sum(num_guesses) / 3, abs=1e-6)
    assert "3 games of 2 boards, won within 7 guesses." in run(*match, *players, "-v").stdout
    assert run_json("match-several", *match[:-2], "--games", 1)[1]["players"][0]["max"] >= 2
    assert run_json("match-several", "match", "mastermind", *match[2:])[1]["turns"] == 13


def test_a_person_breaks_several_codes():
    play = ("play", "3x4", "--boards", 2, "--seed", 1, "--turns", 9)
    _, unfinished = run_json("play-several", *play, stdin="hint\nboard\ncodes\nhelp\nquit\n")
    assert unfinished["boards"] == ["3x4", "3x4"]
    first, second = unfinished["secrets"]
    moves = f"{first}\nundo\n{first}\n123\n99\n{second}\n"
    result, outcome = run_json("play-several", *play, stdin=moves)
    assert outcome["solved"]
    assert outcome["boards"][0] == f"3x4/{first}=3.0"
    assert len(outcome["boards"][1].split("/")) == 4
    assert "solved" in run(*play, stdin=moves).stdout
    assert result.exit_code == 0
    incomplete = run(*play, stdin="123\n")
    assert incomplete.exit_code == 1
    assert "the input ended before the game was over" in incomplete.stderr
    lost = run(*play[:-1], 1, stdin="444\n").stdout
    assert f"the code is {first}" in lost


def test_the_machine_breaks_the_codes_of_a_person():
    """The player enters the score of each board; contradictory scores are requested again."""
    game = Game.parse("3x4")
    secrets, now, typed = [(0, 1, 2), (3, 3, 0)], SeveralBoards.start(game, 2), []
    while not now.is_solved:
        (guess,) = rank_together(now)
        for number in now.unsolved:
            score = game.score(secrets[number], guess)
            typed.append(speller(game).print_score(score))
        now = now.with_guess(guess, secrets)
    play = ("play", "3x4", "--boards", 2, "--role", "maker")
    result, outcome = run_json("play-several", *play, stdin="\n".join(typed) + "\n")
    assert outcome["boards"] == now.to_list()
    assert outcome["secrets"] is None
    assert result.exit_code == 0
    again = run(*play, stdin="undo\n" + "\n".join(["2.1", *typed]) + "\n")
    assert again.stdout.count("All boards solved") == 1


@pytest.mark.parametrize("role", ["breaker", "maker"])
def test_a_saved_game_of_several_boards_continues_as_if_it_had_not_been_interrupted(role, tmp_path):
    game, play = Game.parse("3x4"), ("play", "3x4", "--boards", 2, "--role", role, "--seed", 3)
    if role == "breaker":
        moves = ["112", "234", "undo", "344", "quit"]
    else:
        secrets, now, moves = [(0, 1, 2), (3, 3, 0)], SeveralBoards.start(game, 2), []
        while not now.is_solved:
            (guess,) = rank_together(now, seed=3)
            moves += [
                speller(game).print_score(game.score(secrets[number], guess))
                for number in now.unsolved
            ]
            now = now.with_guess(guess, secrets)
    uninterrupted = run_json("play-several", *play, stdin="\n".join(moves) + "\n")[1]
    file = tmp_path / "game.json"
    start, end = moves[:2], moves[2:]
    saved = run(*play, stdin="\n".join([*start, f"save {file}", "quit"]))
    assert (saved.exit_code, f"--resume {file}" in saved.stderr) == (0, True)
    validator("play-several").validate(json.loads(file.read_text("utf-8")))
    resumed, outcome = run_json(
        "play-several", "play", "--resume", file, stdin="\n".join(end) + "\n"
    )
    assert outcome == uninterrupted
    assert "Board 2:" in resumed.stderr
    refused = run("play", "--resume", file, "--boards", 2, stdin="")
    assert refused.exit_code == 2
    assert "--resume cannot be combined with --boards" in refused.stderr
    kept = run("play", "--resume", file, stdin=f"save {file}\nsave\nsave {tmp_path}/no/f\nquit\n")
    assert f"{file} exists" not in kept.stderr
    assert "save FILE" in kept.stderr
    assert "No such file" in kept.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("suggest", "4x6", "4x6", "--hard"), "--hard"),
        (("suggest", "4x6", "4x6", "--lies", 1), "--lies"),
        (("suggest", "4x6", "4x6", "--strategy", "knuth"), "--strategy knuth"),
        (("suggest", "4x6", "5x6"), "board 2"),
        (("match", "4x6", "--boards", 2, "--hard"), "--hard"),
        (("match", "4x6", "--boards", 2, "--player", "knuth"), "together"),
        (("match", "4x6", "--player", "together", "--player", "knuth"), "together"),
        (("play", "4x6", "--boards", 2, "--hard"), "--hard"),
        (("play", "4x6", "--boards", 2, "--evil"), "--evil"),
        (("play", "--boards", 2, "--resume", "none"), "--resume"),
        (("play", "4x6", "--boards", 1), "2"),
    ],
)
def test_options_that_need_one_board_are_refused(arguments, message):
    result = run(*arguments, stdin="")
    assert result.exit_code == 2
    assert message in result.stderr
