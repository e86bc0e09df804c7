"""What a row says, as padlock puzzles put it: one digit is right and in its place."""

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.notation.speller import speller

KINDS = ("black-white", "black", "color")
"""The scorings whose numbers are told in words."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def has_clues(game: Game) -> bool:
    """Whether the scores of a game can be told so."""
    return game.scoring.name in KINDS


def clues(board: Board) -> list[str]:
    """The rows in words, none where the scores are marks or of pairs."""
    return [clue(board.game, row) for row in board.rows] if has_clues(board.game) else []


def clue(game: Game, row: Row) -> str:
    """One row in words.

    Numbers count pegs of the guess, so that a color that is guessed twice may count twice. A part
    that is not told of is zero, but what only blacks tell is nothing about other places.
    """
    told = dict(zip(game.parts, (part or 0 for part in row.score), strict=True))
    noun = name(game)
    if game.scoring.name == "color":
        return f"{count(told['color'], noun)} right, in any place."
    if game.scoring.name == "black":
        return f"{count(told['black'], noun)} in the right place."
    if not told["white"]:
        return (
            f"{count(told['black'], noun)} right{' and in the right place' * (told['black'] > 0)}."
        )
    misplaced = "right but in the wrong place"
    if not told["black"]:
        return f"{count(told['white'], noun)} {misplaced}."
    both = f"{count(told['black'], noun)} right and in the right place"
    return f"{both}, {count(told['white'])} {misplaced}."


def name(game: Game) -> str:
    """What a peg shows: a digit, or what the game calls it."""
    symbols = speller(game).symbols or ("1",)
    return "digit" if all(symbol.isdecimal() for symbol in symbols) else speller(game).noun


def count(number: int, noun: str = "") -> str:
    """A number of things, and the verb: `One digit is`, `two are`; the noun makes it a start."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    verb = "is" if number < 2 else "are"
    thing = f" {noun}{'s' * (number > 1)}" if noun else ""
    return f"{word.capitalize() if noun else word}{thing} {verb}"
