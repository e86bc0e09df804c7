"""mmsat play, by dialogues through a pipe."""

from __future__ import annotations

import json
import re

import pytest

import mmsat
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.play.round import read_saved
from tests.support.cli_runner import program, run
from tests.support.schemas import validator


def say(*lines):
    return "".join(f"{line}\n" for line in lines)


def secret_of(game, seed):
    """The code that the machine hides."""
    document = json.loads(run("play", game, "--seed", seed, "--json", stdin="quit\n").stdout)
    return document["secret"]


def test_a_code_is_broken_by_hints():
    code = "".join(map(str, secret_of("4x6", 3)))
    lines = []
    for _ in range(10):
        spoken = run("play", "4x6", "--seed", 3, stdin=say(*lines, "hint", "quit")).stdout
        guess = spoken.rpartition("Guess ")[2][:4]
        lines.append(guess)
        if guess == code:
            break
    done = run("play", "4x6", "--seed", 3, stdin=say(*lines))
    assert done.exit_code == 0
    assert done.stdout.endswith(f"Found in {len(lines)} guesses.\n")


def test_the_menu():
    spoken = run(
        "play",
        "mastermind",
        "--seed",
        1,
        stdin=say("codes", "1122", "codes", "board", "undo", "codes", "help", "fix 1 1.1", "quit"),
    )
    first, scored, fewer, head, row, again = spoken.stdout.splitlines()
    assert first == again == "1,296 codes remain."
    assert scored.startswith("1: 1122  ")
    assert fewer != first
    assert head.split() == ["row", "guess", "black", "white"]
    assert row.split()[:5] == ["1", "1", "1", "2", "2"]
    assert "save FILE" in spoken.stderr
    assert "`fix` corrects scores that you gave; try `undo`." in spoken.stderr
    assert spoken.exit_code == 0


def test_wrong_guesses_are_told_and_cost_no_turn():
    spoken = run("play", "4x6", "--seed", 1, "--turns", 1, stdin=say("11", "7777", "", "1122"))
    assert "4 colors, not 2" in spoken.stderr
    assert "1 to 6" in spoken.stderr
    assert "Not found in 1 guess: the code is" in spoken.stdout
    assert spoken.exit_code == 0


def test_a_word_of_the_menu_is_no_guess_unless_it_is_in_capitals():
    spoken = run("play", "daily-word", "--seed", 1, stdin=say("board", "BOARD", ":board", "quit"))
    assert spoken.stdout.startswith("1: BOARD")
    assert spoken.stdout.count("1: BOARD") == 1
    assert "B O A R D" in spoken.stdout
    assert "type BOARD" in spoken.stderr


def test_what_is_no_word_costs_no_turn_unless_any_letters_will_do():
    spoken = run("play", "daily-word", "--seed", 1, stdin=say("ZZZZZ", "quit"))
    assert (spoken.stdout, "ZZZZZ is not in the word list" in spoken.stderr) == ("", True)
    taken = run("play", "daily-word", "--any-word", "--seed", 1, stdin=say("ZZZZZ", "quit"))
    assert taken.stdout.startswith("1: ZZZZZ")


def test_play_alone_is_four_pegs_of_six_colors():
    assert json.loads(run("play", "--json", stdin="quit\n").stdout)["board"]["game"]["pegs"] == 4


def test_with_json_nothing_but_the_document_is_on_standard_output():
    lines = ("hint", "codes", "1122", "board", "help", "undo", "1345", "quit")
    spoken = run("play", "4x6", "--seed", 1, "--json", stdin=say(*lines))
    document = json.loads(spoken.stdout)
    assert len(document["board"]["rows"]) == 1
    assert "1,296 codes remain." in spoken.stderr
    over = run("play", "4x6", "--seed", 1, "--turns", 1, "--json", stdin=say("1122"))
    assert json.loads(over.stdout)["board"]["rows"]
    assert "Not found in 1 guess" in over.stderr


def test_a_slip_that_is_seen_early_is_corrected_before_it_contradicts():
    maker = ("play", "4x6", "--role", "maker", "--strategy", "first-consistent", "--json")
    fixed = run(*maker, stdin=say("1.0", "fix 1 2.0", "quit"))
    rows = json.loads(fixed.stdout)["board"]["rows"]
    assert [(row["black"], row["white"]) for row in rows] == [(2, 0)]


def test_short_words_and_saved_files_that_are_kept(tmp_path):
    file = tmp_path / "game.json"
    file.write_text("mine")
    spoken = run("play", "4x6", "--seed", 1, stdin=say("?", f"save {file}", "q"))
    assert "show this list" in spoken.stderr
    assert "exists" in spoken.stderr
    assert file.read_text() == "mine"
    assert run("play", "4x6", stdin="exit\n").exit_code == 0


def test_consistent_mastermind_takes_only_what_can_be_the_code(tmp_path):
    file = tmp_path / "game.json"
    game = ("play", "4x6", "--consistent-only", "--seed", 1)
    spoken = run(*game, stdin=say("1122", "1122", "hint", f"save {file}", "quit"))
    text = spoken.stdout.splitlines()[0].removeprefix("1: 1122  ")
    assert f"That cannot be the code: row 1 would score 4 black 0 white, but scored {text}." in (
        spoken.stderr
    )
    assert "chance of being the code: 1 in" in spoken.stdout
    again = run("play", "--resume", file, stdin=say("1122", "quit"))
    assert "That cannot be the code" in again.stderr
    assert "--consistent-only" in run("play", "--resume", file, "--consistent-only").stderr


def test_what_is_in_no_list_is_not_the_code():
    spoken = run(
        "play", "lingo", "--any-word", "--consistent-only", "--seed", 1, stdin=say("zzzzz", "quit")
    )
    assert "That cannot be the code: it is not in the list." in spoken.stderr
    spoken = run("play", "4x6!", "--consistent-only", "--seed", 1, stdin=say("1122", "quit"))
    assert "That cannot be the code: colors must not repeat." in spoken.stderr


def test_turns_are_those_of_the_game():
    for game, turns in (("mini", 6), ("mastermind", 12), ("4x6", None)):
        document = json.loads(run("play", game, "--json", stdin="quit\n").stdout)
        assert document["turns"] == turns


def test_the_machine_breaks_a_code_that_a_person_keeps():
    game, code, lines = find_game("mastermind"), (3, 0, 2, 2), []
    for _ in range(12):
        done = run("play", "mastermind", "--role", "maker", "--seed", 1, stdin=say(*lines))
        if done.exit_code == 0:
            break
        guess = done.stdout.rpartition(": ")[2].strip()
        black, white = game.score(code, tuple(int(digit) - 1 for digit in guess))
        lines.append(f"{black}.{white}")
    assert "ended" not in done.stderr
    assert f"Found in {len(lines)} guesses." in done.stdout
    assert lines[-1] == "4.0"


def test_contradicting_scores_are_reported_at_once_and_can_be_mended():
    maker = ("play", "4x6", "--role", "maker", "--strategy", "first-consistent")
    mended = run(*maker, stdin=say("0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "fix 6 4.0"))
    assert "Inconsistent: no code gets exactly these scores." in mended.stdout
    assert "Found in 6 guesses." in mended.stdout
    impossible = run(*maker, stdin=say("3.1", "undo", "1.0", "quit"))
    assert "Row 1 can't be right" in impossible.stdout
    assert "guess 2: 1" in impossible.stdout
    result = run(*maker, stdin=say("3.1", "fix 9 1.0", "fix 1 x", "what", "quit"))
    assert "with a row 1 to 1, found" in result.stderr
    assert "expected BLACK.WHITE such as 1.1, found 'x'" in result.stderr
    assert "Type undo" in result.stderr


def test_a_code_that_was_not_found_is_checked_against_the_scores():
    maker = ("play", "4x6", "--role", "maker", "--turns", 1, "--strategy", "first-consistent")
    wrong = run(*maker, stdin=say("0.0", "1234"))
    assert "Row 1 was scored 0 black 0 white; right is 1 black 0 white." in wrong.stdout
    kept = run(*maker, stdin=say("0.0", ""))
    assert "Not found in 1 guess.\n" in kept.stdout


def test_unread_parts_are_no_scores_in_play():
    spoken = run("play", "4x6", "--role", "maker", stdin=say("1.?", "quit"))
    assert "all its parts" in spoken.stderr


def test_a_codemaker_is_told_of_letters_where_there_are_letters():
    maker = ("play", "word-3", "--role", "maker", "--strategy", "first-consistent")
    assert "a code of 3 pegs and 26 letters" in run(*maker, stdin=say("quit")).stderr


@pytest.mark.parametrize("role", ["breaker", "maker"])
def test_saved_games_go_on(role, tmp_path):
    file = tmp_path / "game.json"
    move = "1122" if role == "breaker" else "0.1"
    saved = run(
        "play",
        "4x6",
        "--role",
        role,
        "--seed",
        4,
        "--turns",
        8,
        stdin=say(move, f"save {file}", "quit"),
    )
    assert f"--resume {file}" in saved.stderr
    document = json.loads(file.read_text("utf-8"))
    validator("play").validate(document)
    assert len(read_saved(file.read_text("utf-8")).now.board.rows) == 1
    ahead = run(
        "play", "4x6", "--role", role, "--seed", 4, "--turns", 8, stdin=say(move, move, "quit")
    )
    resumed = run("play", "--resume", file, stdin=say(move, "quit"))
    assert resumed.exit_code == 0
    assert resumed.stdout.splitlines()[-1] == ahead.stdout.splitlines()[-1]
    undone = run("play", "--resume", file, "--json", stdin=say("undo", "quit"))
    assert Board.parse(json.dumps(json.loads(undone.stdout.splitlines()[-1])["board"])).rows == ()


def test_files_that_cannot_be_written_or_read_are_reported(tmp_path):
    spoken = run("play", "4x6", stdin=say(f"save {tmp_path}/none/file", "quit"))
    assert "No such file" in spoken.stderr
    assert spoken.exit_code == 0
    bad = tmp_path / "bad.json"
    bad.write_text('{"role": 3}')
    for arguments in (
        ("play", "--resume", tmp_path / "none"),
        ("play", "--resume", bad),
        ("play", "--resume", "-"),
        ("play", "4x6", "--resume", bad),
        ("play", "nothing"),
        ("play", "4x6", "--strategy", "nothing"),
        ("play", "4x6", "--role", "king"),
    ):
        result = run(*arguments, stdin="")
        assert result.exit_code == 2, arguments
        assert "Error" in result.stderr


def test_the_end_of_the_input_is_a_failure_and_json_has_the_game():
    ended = run("play", "4x6", "--seed", 1, "--json", stdin=say("1122"))
    document = json.loads(ended.stdout.splitlines()[-1])
    validator("play").validate(document)
    assert len(document["board"]["rows"]) == 1
    assert ended.exit_code == 1
    assert "the input ended" in ended.stderr


def test_the_program_plays_through_a_pipe():
    done = program("play", "bulls-and-cows", "--seed", "1", input=say("1234", "quit"))
    assert done.returncode == 0
    assert done.stdout.startswith("1: 1234")


def test_an_evil_codemaker_chooses_as_late_as_it_can(tmp_path):
    """Each score keeps most codes; undo, save and resume work; the final code is consistent."""
    file = tmp_path / "game.json"
    lines = ("1122", "fix 1 2.0", "undo", "1122", "hint", f"save {file}", "quit")
    spoken = run("play", "4x6", "--evil", "--seed", 1, stdin=say(*lines))
    assert "1: 1122  0 black 0 white" in spoken.stdout  # 256 codes, and no other score leaves more
    assert "try `undo`" in spoken.stderr
    saved = json.loads(file.read_text())
    assert (saved["evil"], saved["secret"]) == (True, None)
    again = run("play", "--resume", file, "--json", stdin=say("3345", "quit"))
    assert len(json.loads(again.stdout)["board"]["rows"]) == 2
    assert "The codemaker is you." in run("play", "4x6", "--evil", "--role", "maker").stderr
    lost = run("play", "4x6", "--evil", "--turns", 2, "--json", stdin=say("1122", "3345"))
    result = re.search(r"the code could still have been ([1-6]{4})", lost.stderr)
    board = mmsat.Board.parse(json.dumps(json.loads(lost.stdout)["board"]))
    assert board.is_consistent([int(color) - 1 for color in result[1]])
    file.write_text(json.dumps(saved | {"secret": [1, 2, 3, 4]}))
    assert "expected null" in run("play", "--resume", file).stderr


def test_an_evil_player_in_a_match():
    """For any guesses, no codebreaker does better than five with Knuth's strategy."""
    match = ("match", "4x6", "--player", "evil:first-consistent", "--player", "knuth", "--seed", 1)
    rounds = json.loads(run(*match, "--json").stdout)["rounds"]
    (evaded,) = [entry for entry in rounds if entry["maker"] == 1]
    assert (evaded["found"], evaded["guesses"]) == (True, 5)


def test_hard_mode_refuses_what_does_not_use_a_score(tmp_path):
    file = tmp_path / "game.json"
    game = ("play", "daily-word", "--hard", "--seed", 1)
    secret = "".join(chr(64 + color) for color in secret_of("daily-word", 1))
    first = next(word for word in ("CRANE", "TOILS", "DUMPY") if {*word} & {*secret})
    spoken = run(*game, "--any-word", stdin=say(first, "ZZZZZ", "hint", f"save {file}", "quit"))
    assert f"Hard mode: a guess must use all hints of row 1, {first}=" in spoken.stderr
    assert "ZZZZZ" not in spoken.stdout
    assert read_saved(file.read_text()).now.hard
    hinted = spoken.stdout.rpartition("Guess ")[2][:5]
    again = run("play", "--resume", file, stdin=say(hinted, "board", "quit"))
    assert f"2: {hinted}" in again.stdout
    assert "Hard mode" not in again.stderr
    assert "--hard" in run("play", "--resume", file, "--hard").stderr


def test_hard_mode_of_other_games_binds_to_the_scores():
    spoken = run("play", "4x6", "--hard", "--seed", 1, stdin=say("1122", "1122", "quit"))
    assert "Hard mode: a guess must use all hints of row 1, 1122=" in spoken.stderr
