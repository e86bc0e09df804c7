"""Rows in words, in the style of padlock puzzles: "one digit is right and in its place"."""

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.notation.speller import speller

KINDS = ("black-white", "black", "color")
"""The scorings that can be put in words."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def has_clues(game: Game) -> bool:
    """Return whether the scores of a game can be put in words."""
    return game.scoring.name in KINDS


def clues(board: Board) -> list[str]:
    """Return the rows in words; empty for scores of other kinds, such as marks."""
    return [clue(board.game, row) for row in board.rows] if has_clues(board.game) else []


def clue(game: Game, row: Row) -> str:
    """Return one row in words.

    Numbers count pegs of the guess, so a color that is guessed twice may count twice. A component
    that is not mentioned is zero. If only blacks are scored, a clue states nothing about colors in
    other places.
    """
    numbers = dict(zip(game.parts, (part or 0 for part in row.score), strict=True))
    noun = name(game)
    if game.scoring.name == "color":
        return f"{count(numbers['color'], noun)} right, in any place."
    if game.scoring.name == "black":
        return f"{count(numbers['black'], noun)} in the right place."
    if not numbers["white"]:
        return (
            f"{count(numbers['black'], noun)} right"
            f"{' and in the right place' * (numbers['black'] > 0)}."
        )
    misplaced = "right but in the wrong place"
    if not numbers["black"]:
        return f"{count(numbers['white'], noun)} {misplaced}."
    exact = f"{count(numbers['black'], noun)} right and in the right place"
    return f"{exact}, {count(numbers['white'])} {misplaced}."


def name(game: Game) -> str:
    """Return the noun for a peg: digit, or the noun of the game."""
    symbols = speller(game).symbols or ("1",)
    return "digit" if all(symbol.isdecimal() for symbol in symbols) else speller(game).noun


def count(number: int, noun: str = "") -> str:
    """Return a number with its verb: `One digit is` with a noun, `two are` without."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    verb = "is" if number < 2 else "are"
    thing = f" {noun}{'s' * (number > 1)}" if noun else ""
    return f"{word.capitalize() if noun else word}{thing} {verb}"
