"""The command `mmsat play`, with lines typed into a pipe."""

from __future__ import annotations

import json
import re

import pytest

import mmsat
from mmsat.cli import human_player, several_play
from mmsat.cli.commands import play
from mmsat.game.board import Board
from mmsat.game.names import NUM_BOARDS, find_game
from mmsat.play.saved import read_saved
from tests.support.cli_runner import program, run
from tests.support.schemas import validator


def typed(*lines):
    """Return lines as a person types them."""
    return "".join(f"{line}\n" for line in lines)


def secret_of(game, seed):
    """Return the code of the machine."""
    document = json.loads(run("play", game, "--seed", seed, "--json", stdin="quit\n").stdout)
    return document["secret"]


def test_hints_lead_to_the_code():
    code = "".join(map(str, secret_of("4x6", 3)))
    lines = []
    for _ in range(10):
        session = run("play", "4x6", "--seed", 3, stdin=typed(*lines, "hint", "quit")).stdout
        guess = session.rpartition("Guess ")[2][:4]
        lines.append(guess)
        if guess == code:
            break
    session = run("play", "4x6", "--seed", 3, stdin=typed(*lines))
    assert session.exit_code == 0
    assert session.stdout.endswith(f"Found in {len(lines)} guesses.\n")


def test_menu_commands_are_run():
    session = run(
        "play",
        "mastermind",
        "--seed",
        1,
        stdin=typed(
            "codes", "1122", "codes", "board", "undo", "codes", "help", "fix 1 1.1", "quit"
        ),
    )
    first, scored, fewer, head, row, empty, again, code = session.stdout.splitlines()
    assert empty == "The board is empty."
    assert code.startswith("The code was ")
    assert first == again == "1,296 codes remain."
    assert scored.startswith("1: 1122  ")
    assert fewer != first
    assert head.split() == ["row", "guess", "black", "white"]
    assert row.split()[:5] == ["1", "1", "1", "2", "2"]
    assert "save FILE" in session.stderr
    assert "`fix` corrects scores that you gave; try `undo`." in session.stderr
    assert session.exit_code == 0


def test_invalid_guesses_are_reported_and_cost_no_turn():
    session = run("play", "4x6", "--seed", 1, "--turns", 1, stdin=typed("11", "7777", "", "1122"))
    assert "4 colors, not 2" in session.stderr
    assert "1 to 6" in session.stderr
    assert "Not found in 1 guess: the code is" in session.stdout
    assert session.exit_code == 0


def test_a_menu_command_is_a_guess_if_it_is_in_capitals():
    session = run(
        "play", "daily-word", "--seed", 1, stdin=typed("board", "BOARD", ":board", "quit")
    )
    assert session.stdout.startswith("1: BOARD")
    assert session.stdout.count("1: BOARD") == 1
    assert "B O A R D" in session.stdout
    assert "type BOARD" in session.stderr


WORD_GAMES = [name for name in mmsat.games() if mmsat.Game.parse(name).space.table() is not None]


@pytest.mark.parametrize("extra", [(), ("--boards", 2)], ids=["one board", "two boards"])
@pytest.mark.parametrize("name", WORD_GAMES)
def test_a_word_that_the_list_lacks_uses_no_turn(name, extra):
    game = mmsat.Game.parse(name)
    word, other = "Z" * game.pegs, "Q" * game.pegs
    lines = typed(word, other, "quit")
    refused = run("play", name, "--seed", 1, *extra, stdin=lines)
    assert f"1: {word}" not in refused.stdout
    assert f"1: {other}" not in refused.stdout
    assert refused.stderr.count("word list") == 2
    # if the game allows other words, a word is accepted when it is typed again
    again = run("play", name, "--seed", 1, *extra, stdin=typed(word, other, word, word, "quit"))
    assert (f"1: {word}" in again.stdout) == game.space.allows_any_guess
    assert "\n2: " not in again.stdout
    assert ("type it again" in again.stderr) == game.space.allows_any_guess


@pytest.mark.parametrize(
    ("game", "line"),
    [("daily-word", "hints"), ("jotto", "hints"), ("4x6", "hnt"), ("daily-word", "helpp")],
)
def test_a_line_that_resembles_a_command_is_questioned(game, line):
    session = run("play", game, "--seed", 1, stdin=typed(line, "quit"))
    assert "Did you mean the command h" in session.stderr
    assert session.stdout.startswith("The code was")
    if game == "daily-word":
        again = run("play", game, "--seed", 1, stdin=typed(line, line, "quit"))
        assert again.stdout.startswith(f"1: {line.upper()}")


def test_a_listed_word_that_resembles_a_command_is_a_guess():
    session = run("play", "daily-word", "--seed", 1, stdin=typed("boars", "quit"))
    assert session.stdout.startswith("1: BOARS")


@pytest.mark.parametrize(
    ("game", "word", "reason"),
    [
        ("daily-word", "ZZZZZ", "it is not in the word list"),
        ("bulls-and-cows", "1123", "digits must not repeat"),
    ],
)
def test_the_code_of_a_person_must_be_a_code(game, word, reason):
    score = "-----" if game == "daily-word" else "0.0"
    options = ("--role", "maker", "--turns", 1, "--seed", 1)
    session = run("play", game, *options, stdin=typed(score, word, ""))
    assert f"That cannot be the code: {reason}." in session.stderr


@pytest.mark.parametrize("document", ['{"mmsat-play": 1, "board": 3}', '{"boards": 3}', "[]", "x"])
def test_every_fault_of_a_saved_game_names_the_file(document, tmp_path):
    file = tmp_path / "saved.json"
    file.write_text(document)
    result = run("play", "--resume", file)
    lines = result.stderr.splitlines()
    assert result.exit_code == 2
    assert lines
    assert all(line.startswith(f"Error: {file}, line ") for line in lines), lines


@pytest.mark.parametrize(("name", "boards"), NUM_BOARDS.items())
@pytest.mark.parametrize("command", ["play", "suggest", "count"])
def test_a_game_of_several_boards_is_explained(command, name, boards):
    result = run(command, name if command == "play" else f"{name.upper()}/CRANE=-YY--")
    assert result.exit_code == 2
    assert (
        f"It is wordle on {boards} boards. `mmsat suggest` accepts several boards" in result.stderr
    )
    started = run("play", "wordle", "--boards", boards, "--seed", 1, stdin="quit\n")
    assert started.stdout.count("the code was") == boards


def test_a_puzzle_that_is_not_found_in_time_lists_the_grades_drawn():
    result = run("puzzle", "3x3", "--grade", 6, "--timeout", 6, "--seed", 1)
    assert (result.exit_code, result.stdout) == (1, "")
    message = r"not finished within 6 seconds \(boards drawn: \d+ of grade 1\b.*\)\n"
    exhausted = r"no puzzle of grade 6 of a 3x3 game was found, only .* of grade 1\b"
    assert re.search(f"{message}|{exhausted}", result.stderr), result.stderr


def test_the_default_game_has_four_pegs():
    assert json.loads(run("play", "--json", stdin="quit\n").stdout)["board"]["game"]["pegs"] == 4


def test_with_json_standard_output_has_only_the_document():
    lines = ("hint", "codes", "1122", "board", "help", "undo", "1345", "quit")
    session = run("play", "4x6", "--seed", 1, "--json", stdin=typed(*lines))
    document = json.loads(session.stdout)
    assert len(document["board"]["rows"]) == 1
    assert "1,296 codes remain." in session.stderr
    finished = run("play", "4x6", "--seed", 1, "--turns", 1, "--json", stdin=typed("1122"))
    assert json.loads(finished.stdout)["board"]["rows"]
    assert "Not found in 1 guess" in finished.stderr


def test_a_score_can_be_corrected_before_it_contradicts_others():
    maker = ("play", "4x6", "--role", "maker", "--strategy", "first-consistent", "--json")
    fixed = run(*maker, stdin=typed("1.0", "fix 1 2.0", "quit"))
    rows = json.loads(fixed.stdout)["board"]["rows"]
    assert [(row["black"], row["white"]) for row in rows] == [(2, 0)]


def test_menu_commands_have_aliases_and_save_keeps_existing_files(tmp_path):
    file = tmp_path / "game.json"
    file.write_text("mine")
    session = run("play", "4x6", "--seed", 1, stdin=typed("?", f"save {file}", "q"))
    assert "show this list" in session.stderr
    assert "exists" in session.stderr
    assert file.read_text() == "mine"
    assert run("play", "4x6", stdin="exit\n").exit_code == 0


@pytest.mark.parametrize("boards", [(), ("--boards", 2)])
def test_a_game_is_saved_again_in_its_own_file(boards, tmp_path, monkeypatch):
    """A resumed game, and a game that was saved before, replaces its file, but no other one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.json").write_text("mine")
    new = run(
        *("play", "4x6", "--seed", 1, *boards),
        stdin=typed("1122", "save game.json", "3345", "save game.json", "quit"),
    )
    assert "exists" not in new.stderr
    resumed = run(
        *("play", "--resume", "game.json"),
        stdin=typed("5566", f"save {tmp_path}/game.json", "save other.json", "quit"),
    )
    assert "other.json exists" in resumed.stderr
    assert "game.json exists" not in resumed.stderr
    assert (tmp_path / "other.json").read_text() == "mine"
    assert "5 5 6 6" in run("play", "--resume", "game.json", stdin="quit\n").stdout


def test_consistent_only_accepts_only_consistent_guesses(tmp_path):
    file = tmp_path / "game.json"
    game = ("play", "4x6", "--consistent-only", "--seed", 1)
    session = run(*game, stdin=typed("1122", "1122", "hint", f"save {file}", "quit"))
    text = session.stdout.splitlines()[0].removeprefix("1: 1122  ")
    assert f"That cannot be the code: row 1 would score 4 black 0 white, but scored {text}." in (
        session.stderr
    )
    assert "chance of being the code: 1 in" in session.stdout
    again = run("play", "--resume", file, stdin=typed("1122", "quit"))
    assert "That cannot be the code" in again.stderr
    assert "--consistent-only" in run("play", "--resume", file, "--consistent-only").stderr


def test_consistent_only_refuses_guesses_that_are_not_codes():
    session = run(
        "play",
        "lingo",
        "--consistent-only",
        "--seed",
        1,
        stdin=typed("zzzzz", "zzzzz", "quit"),
    )
    assert "That cannot be the code: it is not in the word list." in session.stderr
    session = run("play", "4x6!", "--consistent-only", "--seed", 1, stdin=typed("1122", "quit"))
    assert "That cannot be the code: colors must not repeat." in session.stderr


def test_the_default_number_of_turns_is_that_of_the_game():
    for game, turns in (("mini", 6), ("mastermind", 12), ("4x6", None)):
        document = json.loads(run("play", game, "--json", stdin="quit\n").stdout)
        assert document["turns"] == turns


def test_the_machine_finds_the_code_of_a_person():
    game, code, lines = find_game("mastermind"), (3, 0, 2, 2), []
    for _ in range(12):
        session = run("play", "mastermind", "--role", "maker", "--seed", 1, stdin=typed(*lines))
        if session.exit_code == 0:
            break
        guess = session.stdout.rpartition(": ")[2].strip()
        black, white = game.score(code, tuple(int(digit) - 1 for digit in guess))
        lines.append(f"{black}.{white}")
    assert "ended" not in session.stderr
    assert f"Found in {len(lines)} guesses." in session.stdout
    assert lines[-1] == "4.0"


def test_a_score_that_no_guess_can_get_is_asked_again():
    maker = ("play", "4x6", "--role", "maker", "--strategy", "first-consistent")
    result = run(*maker, stdin=typed("4.1", "3.1", "1.0", "quit"))
    assert result.stderr.count("a score that a guess can get, found '4.1'") == 1
    assert "there are only 4 pegs" in result.stderr
    assert "found '3.1'" in result.stderr
    assert "guess 2: 1" in result.stdout
    assert "can't be right" not in result.stdout


def test_contradictory_scores_are_reported_at_once_and_can_be_corrected():
    maker = ("play", "4x6", "--role", "maker", "--strategy", "first-consistent")
    corrected = run(*maker, stdin=typed("0.0", "0.0", "0.0", "0.0", "0.0", "0.0", "fix 6 4.0"))
    assert "Inconsistent: no code gets exactly these scores." in corrected.stdout
    assert "Found in 6 guesses." in corrected.stdout
    impossible = run(*maker, stdin=typed("0.2", "undo", "1.0", "quit"))
    assert "Row 1 can't be right" in impossible.stdout
    assert "guess 2: 1" in impossible.stdout
    result = run(*maker, stdin=typed("0.2", "fix 9 1.0", "fix 1 x", "what", "1.0", "quit"))
    assert result.stdout.count("Row 1 can't be right") == 1  # not again after each line
    assert result.stderr.count("This line was not read as a score.") == 2
    assert "with a row 1 to 1, found" in result.stderr
    assert "expected BLACK.WHITE such as 1.1, found 'x'" in result.stderr
    assert "Type undo" in result.stderr


def test_a_code_that_was_not_found_is_checked_against_the_scores():
    maker = ("play", "4x6", "--role", "maker", "--turns", 1, "--strategy", "first-consistent")
    wrong = run(*maker, stdin=typed("0.0", "1234"))
    assert "Row 1 was scored 0 black 0 white; right is 1 black 0 white." in wrong.stdout
    without_code = run(*maker, stdin=typed("0.0", ""))
    assert "Not found in 1 guess.\n" in without_code.stdout


def test_a_score_needs_all_its_parts():
    session = run("play", "4x6", "--role", "maker", stdin=typed("1.?", "quit"))
    assert "all its parts" in session.stderr


def test_the_question_for_a_score_has_an_example():
    """The example is a score of the game, and `fix` without one asks for it."""
    numbers = run("play", "4x6", "--role", "maker", stdin=typed("1.0", "fix 1", "fix 7", "quit"))
    assert human_player.score_prompt(find_game("4x6")) == "score (black, white), such as 1.1"
    assert "expected the score after the row, such as fix 1 1.1, found '1'" in numbers.stderr
    assert "expected fix ROW SCORE with a row 1 to 1, found '7'" in numbers.stderr
    prompt = human_player.score_prompt(find_game("daily-word"))
    assert re.fullmatch("score, such as [-GY]{5}", prompt)


def test_a_codemaker_is_asked_for_letters_in_a_game_of_words():
    maker = ("play", "word-3", "--role", "maker", "--strategy", "first-consistent")
    assert "a code of 3 pegs and 26 letters" in run(*maker, stdin=typed("quit")).stderr


@pytest.mark.parametrize("role", ["breaker", "maker"])
def test_saved_games_can_be_resumed(role, tmp_path):
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
        stdin=typed(move, f"save {file}", "quit"),
    )
    assert f"--resume {file}" in saved.stderr
    document = json.loads(file.read_text("utf-8"))
    validator("play").validate(document)
    assert len(read_saved(file.read_text("utf-8")).now.board.rows) == 1
    uninterrupted = run(
        "play", "4x6", "--role", role, "--seed", 4, "--turns", 8, stdin=typed(move, move, "quit")
    )
    resumed = run("play", "--resume", file, stdin=typed(move, "quit"))
    assert resumed.exit_code == 0
    assert resumed.stdout.splitlines()[-1] == uninterrupted.stdout.splitlines()[-1]
    undone = run("play", "--resume", file, "--json", stdin=typed("undo", "quit"))
    assert Board.parse(json.dumps(json.loads(undone.stdout.splitlines()[-1])["board"])).rows == ()


def test_a_turn_that_is_taken_back_is_shown():
    played = run("play", "4x6", "--seed", 1, stdin=typed("1122", "1334", "undo", "undo", "quit"))
    lines = played.stdout.splitlines()
    shown = lines[lines.index(next(line for line in lines if line.startswith("2: 1334"))) + 1 :]
    assert [line.split() for line in shown[:2]] == [
        ["row", "guess", "black", "white"],
        ["1", "1", "1", "2", "2", "1", "1"],
    ]
    assert "The board is empty." in shown


def test_files_that_cannot_be_written_or_read_are_reported(tmp_path):
    session = run("play", "4x6", stdin=typed(f"save {tmp_path}/none/file", "quit"))
    assert "No such file" in session.stderr
    assert session.exit_code == 0
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


def test_the_end_of_the_input_is_a_failure_and_the_document_has_the_game():
    ended = run("play", "4x6", "--seed", 1, "--json", stdin=typed("1122"))
    document = json.loads(ended.stdout.splitlines()[-1])
    validator("play").validate(document)
    assert len(document["board"]["rows"]) == 1
    assert ended.exit_code == 1
    assert "the input ended" in ended.stderr


def test_the_program_plays_through_a_pipe():
    session = program("play", "bulls-and-cows", "--seed", "1", input=typed("1234", "quit"))
    assert session.returncode == 0
    assert session.stdout.startswith("1: 1234")


def test_an_evil_codemaker_keeps_the_most_codes(tmp_path):
    """Undo, save and resume work, and the code that is printed at the end is consistent."""
    file = tmp_path / "game.json"
    lines = ("1122", "fix 1 2.0", "undo", "1122", "hint", f"save {file}", "quit")
    session = run("play", "4x6", "--evil", "--seed", 1, stdin=typed(*lines))
    assert "1: 1122  0 black 0 white" in session.stdout  # 256 codes, and no other score leaves more
    assert "try `undo`" in session.stderr
    saved = json.loads(file.read_text())
    assert (saved["evil"], saved["secret"]) == (True, None)
    again = run("play", "--resume", file, "--json", stdin=typed("3345", "quit"))
    assert len(json.loads(again.stdout)["board"]["rows"]) == 2
    assert "The codemaker is you." in run("play", "4x6", "--evil", "--role", "maker").stderr
    lost = run("play", "4x6", "--evil", "--turns", 2, "--json", stdin=typed("1122", "3345"))
    result = re.search(r"the code could still have been ([1-6]{4})", lost.stderr)
    board = mmsat.Board.parse(json.dumps(json.loads(lost.stdout)["board"]))
    assert board.is_consistent([int(color) - 1 for color in result[1]])
    file.write_text(json.dumps(saved | {"secret": [1, 2, 3, 4]}))
    assert "expected null" in run("play", "--resume", file).stderr


def test_knuth_needs_five_guesses_against_an_evil_player():
    match = ("match", "4x6", "--player", "evil:first-consistent", "--player", "knuth", "--seed", 1)
    rounds = json.loads(run(*match, "--json").stdout)["rounds"]
    (evil_round,) = [entry for entry in rounds if entry["maker"] == 1]
    assert (evil_round["found"], evil_round["guesses"]) == (True, 5)


def test_hard_mode_refuses_guesses_that_ignore_hints(tmp_path):
    file = tmp_path / "game.json"
    game = ("play", "daily-word", "--hard", "--seed", 1)
    secret = "".join(chr(64 + color) for color in secret_of("daily-word", 1))
    first = next(word for word in ("CRANE", "TOILS", "DUMPY") if {*word} & {*secret})
    session = run(*game, stdin=typed(first, "ZZZZZ", "ZZZZZ", "hint", f"save {file}", "quit"))
    assert f"Hard mode: a guess must use all hints of row 1, {first}=" in session.stderr
    assert "ZZZZZ" not in session.stdout
    assert read_saved(file.read_text()).now.hard
    hint = session.stdout.rpartition("Guess ")[2][:5]
    again = run("play", "--resume", file, stdin=typed(hint, "board", "quit"))
    assert f"2: {hint}" in again.stdout
    assert "Hard mode" not in again.stderr
    assert "--hard" in run("play", "--resume", file, "--hard").stderr


def test_hard_mode_works_in_games_without_words():
    session = run("play", "4x6", "--hard", "--seed", 1, stdin=typed("1122", "1122", "quit"))
    assert "Hard mode: a guess must use all hints of row 1, 1122=" in session.stderr


@pytest.mark.parametrize("game", ["4x6", "bulls-and-cows", "daily-word", "3x4w", "2x5x3"])
def test_quit_shows_the_code(game):
    secret = json.loads(run("play", game, "--seed", 5, "--json", stdin="").stdout)["secret"]
    parsed = find_game(game)
    code = parsed.format_code([color - 1 for color in secret])
    assert f"The code was {code}.\n" in run("play", game, "--seed", 5, stdin="quit\n").stdout
    several = run("play", game, "--seed", 5, "--boards", 2, "--json", stdin="")
    shown = run("play", game, "--seed", 5, "--boards", 2, stdin="quit\n").stdout
    for number, text in enumerate(json.loads(several.stdout)["secrets"], 1):
        assert f"Board {number}: the code was {text}.\n" in shown
    ended = run("play", game, "--seed", 5, stdin="")
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "the input ended before the game was over" in ended.stderr


def test_quit_of_a_codemaker_and_of_an_evil_game():
    assert (
        run("play", "4x6", "--role", "maker", "--seed", 1, stdin="quit\n").stdout.count("\n") == 1
    )
    shown = run("play", "2x2", "--evil", "--seed", 1, stdin="quit\n").stdout
    assert re.fullmatch(r"The code could still have been [12]{2}\.\n", shown)


@pytest.mark.parametrize(("key", "exit_code"), [("c", 130), ("d", 0)])
@pytest.mark.parametrize("boards", [(), ("--boards", 2)])
def test_ctrl_c_and_ctrl_d_save_the_game(key, exit_code, boards, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for module in (human_player, play, several_play):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    lines = iter(["1122", None])

    def read(_self, _prompt):
        line = next(lines)
        if line is None and key == "c":
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr(human_player.Prompt, "read", read)
    left = run("play", "4x6", *boards, "--seed", 2)
    assert left.exit_code == exit_code
    assert "mmsat play --resume mmsat-game.json" in left.stderr
    monkeypatch.undo()
    resumed = run("play", "--resume", tmp_path / "mmsat-game.json", stdin="quit\n").stdout
    assert "1 1 2 2" in resumed
    monkeypatch.chdir(tmp_path)
    for module in (human_player, play, several_play):
        monkeypatch.setattr(module, "is_terminal", lambda: True)
    lines = iter(["3345", None])
    monkeypatch.setattr(human_player.Prompt, "read", read)
    assert (
        "mmsat play --resume mmsat-game.json" in run("play", "--resume", "mmsat-game.json").stderr
    )
    assert [file.name for file in tmp_path.iterdir()] == ["mmsat-game.json"]
    monkeypatch.undo()
    resumed = run("play", "--resume", tmp_path / "mmsat-game.json", stdin="quit\n").stdout
    assert "3 3 4 5" in resumed
    assert "he code was" in resumed


@pytest.mark.parametrize("seed", range(4))
def test_lingo_gives_the_first_letter(seed, tmp_path):
    file = tmp_path / "game.json"
    lines = ("codes", "hint", "undo", "AALII", "undo", "AALII", "CRANE", f"save {file}", "board")
    session = run("play", "lingo", "--seed", seed, stdin=typed(*lines, "quit"))
    code = re.search(r"The code was ([A-Z]{5})\.", session.stdout)[1]
    letter = code[0]
    assert re.search(rf" 1  {letter} \? \? \? \?\s+G \? \? \? \?\n", session.stdout)
    remaining = mmsat.count(f"lingo/{letter}????=G????").count
    assert f"{remaining:,} codes remain." in session.stdout
    assert "\n1: AALII" in session.stdout
    assert "\n2: CRANE" in session.stdout
    resumed = run("play", "--resume", file, stdin=typed(code))
    assert "Found in 3 guesses." in resumed.stdout
    lost = run("play", "lingo", "--seed", seed, stdin=typed(*["AALII"] * 5)).stdout
    assert f"Not found in 5 guesses: the code is {code}." in lost
