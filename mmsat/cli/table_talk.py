"""The messages of games with a person: the welcome, the board, the letters, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mmsat
from mmsat.cli.output import print_message
from mmsat.cli.prompt import is_terminal
from mmsat.diagnosis.sentences import remaining
from mmsat.english import capitalize, quantity
from mmsat.notation.speller import speller
from mmsat.render.board import BoardTable
from mmsat.render.spans import Span
from mmsat.render.terminal import show, show_board, show_sentences, style

if TYPE_CHECKING:
    from mmsat.game.game import Game
    from mmsat.game.row import Code
    from mmsat.matches.round import Round

QUERY_SECONDS = 10.0
"""Time limit, in seconds, for checking whether scores are consistent, and for counting codes."""


class TableTalk:
    """Prints the messages of a game; `now` is always the current round."""

    def __init__(self, *, aside: bool = False) -> None:
        """Print on standard output, or if `aside` (with --json) on standard error."""
        self.aside = aside

    def tell(self, text: str) -> None:
        """Print a sentence, wrapped to the width of the terminal."""
        if self.aside:
            print_message(text)
        else:
            show_sentences([text])

    def show_round(self, now: Round, code: Code | None = None) -> None:
        """Print the board, with `code` if it is given."""
        if self.aside:
            for line in BoardTable(now.board).lines(every_row=True, code=code, is_named=False):
                print_message("".join(span.text for span in line).rstrip())
        else:
            show_board(now.board, every_row=True, code=code, is_named=False)

    def welcome(self, now: Round, *, is_maker: bool) -> None:
        """Print the game, and how to enter guesses and scores."""
        game = now.board.game
        spell = speller(game)
        repeats = "may repeat" if game.space.has_repeats else "do not repeat"
        words = f", {quantity(game.size, 'word')}" if game.space.table() is not None else ""
        print_message(
            f"{game}: {quantity(game.pegs, 'peg')}, {quantity(game.colors, spell.noun)}{words}; ",
            nl=False,
        )
        print_message(f"{spell.noun}s {repeats}.")
        if game.space.table() is None and spell.symbols and not self.aside:
            table = BoardTable(now.board, style())
            for start in range(0, game.colors, game.pegs):
                colors = range(start, min(start + game.pegs, game.colors))
                show([[Span("  "), *table.pegs(tuple(colors))]])
        guess, _, score = spell.example.partition("=")
        if is_maker:
            print_message(f"Think of a code, such as {guess}. Score each guess, such as {score}:")
        else:
            left = "" if now.left is None else f" You have {quantity(now.left, 'guess')}."
            print_message(f"Guess the code, such as {guess}.{left} A score consists of:")
        print_message(f"  {game.scoring.summary}")
        print_message("Type help for all commands.")

    def turn(self, now: Round) -> None:
        """Print the score of the last guess; on a terminal, print the board instead."""
        if is_terminal() and not self.aside:
            self.show_round(now)
            for line in letters(now):
                self.tell(line)
            return
        game, row = now.board.game, now.board.rows[-1]
        spelled = speller(game).print_code(row.guess)
        self.tell(f"{len(now.board.rows)}: {spelled}  {game.scoring.describe(row.score)}")

    def end(self, now: Round, secret: Code | None, verb: str = "is") -> None:
        """Print how the game ended; a code entered by a person is compared with the scores."""
        self.show_round(now, secret)
        guesses = quantity(len(now.board.rows), "guess")
        if now.is_found:
            self.tell(f"Found in {guesses}.")
        elif secret is None:
            self.tell(f"Not found in {guesses}.")
        else:
            spelled = speller(now.board.game).print_code(secret)
            self.tell(f"Not found in {guesses}: the code {verb} {spelled}.")
        for row in now.board.missed(secret) if secret is not None else ():
            guess, score = now.board.rows[row]
            describe = now.board.game.scoring.describe
            right = now.board.game.score(secret or (), guess)
            self.tell(f"Row {row + 1} was scored {describe(score)}; right is {describe(right)}.")

    def remaining(self, now: Round) -> None:
        """Print how many codes remain."""
        left = remaining(mmsat.count(now.board, timeout=QUERY_SECONDS))
        self.tell(f"{capitalize(left)}.")


def letters(now: Round) -> list[str]:
    """Return a line per mark with the letters whose best mark it is, then the unused letters.

    There are no lines if the scores of the game have no marks, or no mark has been read.
    """
    game = now.board.game
    marks, symbols = game.scoring.marks, speller(game).symbols
    best: dict[int, int] = {}
    for guess, score in now.board.rows if marks else ():
        for color, mark in zip(guess, score, strict=True):
            if mark is not None:
                best[color] = max(mark, best.get(color, mark))
    if not best:
        return []
    named = [
        (mark.name, [symbols[color] for color in sorted(best) if best[color] == number])
        for number, mark in reversed([*enumerate(marks)])
    ]
    named.append(("not used", [name for color, name in enumerate(symbols) if color not in best]))
    return [f"  {name}: {' '.join(group)}" for name, group in named if group]


def describe_game(game: Game) -> str:
    """Return the description of a code of the game, for a person who is the codemaker."""
    return f"a code of {quantity(game.pegs, 'peg')} and {quantity(game.colors, game.spelled.noun)}"
