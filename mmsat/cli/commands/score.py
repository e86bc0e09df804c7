"""The command `mmsat score`."""

from dataclasses import replace
from typing import TypedDict

import click

from mmsat._util.results import BoardLine, ColorList, GameText, ScoreList
from mmsat.cli import options
from mmsat.cli.output import print_json
from mmsat.errors import InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller


class ScoreJson(TypedDict):
    """The score of a guess."""

    game: GameText
    code: ColorList
    guess: ColorList
    score: ScoreList
    board: BoardLine
    """The guess and its score as a board line."""


@options.command(
    "score",
    "mmsat score 4x6 1122 1213",
    "mmsat score daily-word CRANE TRAIL",
    "mmsat score bulls-and-cows 1234 1325 --json",
)
@options.game
@click.argument("code")
@click.argument("guess")
@options.as_json
def score_command(game: Game, code: str, guess: str, *, as_json: bool) -> None:
    """Score a guess against a code.

    Prints the score as in a board line: BLACK.WHITE such as 1.2, or the marks of the game. GAME is
    a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE.
    """
    secret, guessed = read(game, code, "CODE"), read(game, guess, "GUESS")
    if not game.contains(secret):
        raise InputError.of("CODE", f"a code of {game}", code, game.space.summary)
    score = game.score(secret, guessed)
    if as_json:
        document: ScoreJson = {
            "game": str(game),
            "code": [color + 1 for color in secret],
            "guess": [color + 1 for color in guessed],
            "score": game.scoring.to_json(score),
            "board": str(Board(game, [Row(guessed, score)])),
        }
        print_json(document)
    else:
        click.echo(speller(game).print_score(score))


def read(game: Game, text: str, source: str) -> Code:
    """Return the code of an argument; raise InputError with the name of the argument."""
    try:
        return speller(game).parse_code(text, source)
    except InputError as error:
        raise InputError([replace(fault, line=None) for fault in error.faults], source) from None
