"""The command `mmsat review`."""

from __future__ import annotations

import json

from mmsat.play.saved import read_saved
from tests.support.cli_runner import CONSISTENT, SLIPPED, run


def test_a_review_is_a_table_a_drawing_and_a_document(tmp_path):
    plots = [tmp_path / name for name in ("one.svg", "two.svg")]
    for plot in plots:
        result = run("review", CONSISTENT, "-v", "-o", plot)
        assert result.exit_code == 0
    document = json.loads(run("review", CONSISTENT, "--json").stdout)
    assert plots[0].read_bytes() == plots[1].read_bytes()
    assert plots[0].read_bytes().count(b"</svg>") == 1
    lines = result.stdout.splitlines()
    heading = next(index for index, line in enumerate(lines) if line.split()[:1] == ["row"])
    assert lines[heading].split()[:4] == ["row", "guess", "codes", "left"]
    for move, line in zip(document["moves"], lines[heading + 1 :], strict=False):
        assert line.split()[0] == str(move["row"])
        assert f"{move['skill']:.1%}" in line
        assert f"{move['row']}. {move['sentence']}" in lines
    assert f"Skill {document['skill']:.1%}" in result.stdout


def test_games_that_cannot_be_reviewed_are_reported():
    result = run("review", SLIPPED)
    assert result.exit_code == 1
    assert "No code gets the scores of rows 1, 2 and 3" in result.stdout
    assert run("review", "4x6").stdout == "There are no guesses to review.\n"
    assert run("review", CONSISTENT, "-o", "game.gif").exit_code == 2
    assert run("review", "16x8/1122334455667788=3.4", "--timeout", 0.001).exit_code == 1


def test_a_saved_game_is_a_board_of_every_command(tmp_path):
    saved = tmp_path / "game.json"
    typed = f"1122\n1334\nsave {saved}\nquit\n"
    run("play", "4x6", "--seed", 5, stdin=typed)
    board = str(read_saved(saved.read_text("utf-8")).now.board)
    assert board.count("/") == 2
    for command in ("review", "check", "explain", "list", "count"):
        expected = run(command, board)
        result = run(command, saved)
        assert (result.stdout, result.exit_code) == (expected.stdout, expected.exit_code), command


def test_a_saved_game_of_several_boards_is_not_one_board(tmp_path):
    saved = tmp_path / "games.json"
    run("play", "4x6", "--boards", 2, "--seed", 5, stdin=f"1122\nsave {saved}\nquit\n")
    result = run("check", saved)
    assert result.exit_code == 2
    assert "the saved game: expected one board, found several boards" in result.stderr


def test_the_faults_of_a_saved_game_are_listed(tmp_path):
    saved = tmp_path / "game.json"
    saved.write_text('{"mmsat-play": 1, "role": "cook", "turns": 0}', "utf-8")
    result = run("check", saved)
    assert result.exit_code == 2
    assert "the saved game" in result.stderr
    assert "role" in result.stderr
