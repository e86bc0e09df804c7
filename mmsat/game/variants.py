"""The published games, by the name that can stand in place of a size: `super/11223=1.1`."""

from __future__ import annotations

from typing import NamedTuple

from mmsat.game.game import Game


class Variant(NamedTuple):
    """A game as it was sold or is played."""

    name: str
    """The name in a board line, a header and commands."""
    title: str
    """What the box says."""
    year: str
    """The year it came out, or a word."""
    game: Game
    """Its size and rules."""
    note: str
    """What sets it apart, and how many guesses it allows where the box tells."""


def variant(name: str, title: str, year: str, size: str, note: str) -> Variant:
    """A row of the table."""
    return Variant(name, title, year, Game.parse(size), note)


VARIANTS: dict[str, Variant] = {
    each.name: each
    for each in (
        variant("mastermind", "Mastermind", "1972", "4x6", "the original; 12, 10, 8 or 6 guesses"),
        variant("mastermind44", "Mastermind44", "1972", "5x6", "for four players"),
        variant("super", "Super (Deluxe, Advanced) Mastermind", "1975", "5x8", "the larger board"),
        variant("number", "Number Mastermind", "1976", "4x6", "digits for colors"),
        variant("walt-disney", "Walt Disney Mastermind", "1978", "3x5", "characters for colors"),
        variant("mini", "Mini (Travel) Mastermind", "1988", "4x6", "six guesses"),
        variant("challenge", "Mastermind Challenge", "1993", "5x8", "both make and break at once"),
        variant("kids", "Mastermind for Kids", "1996", "3x6", "animals for colors"),
        variant("new", "New Mastermind", "2004", "4x6", "up to five players"),
        variant("bulls-and-cows", "Bulls and cows", "older", "4x10!", "four different digits"),
    )
}


def find_game(name: str) -> Game:
    """The game of a size (`4x6`) or of a name (`super`); raises InputError for anything else."""
    return VARIANTS[name].game if name in VARIANTS else Game.parse(name)


def is_game(name: str) -> bool:
    """Whether a word is a game's name or looks like a size."""
    return name in VARIANTS or (name[:1].isdigit() and "x" in name)
