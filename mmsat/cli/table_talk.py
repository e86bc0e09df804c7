"""What is said at the table: the welcome, the board, the letters, and how a game ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mmsat
from mmsat.cli.output import say
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

SECONDS = 10.0
"""What is spent to see whether scores contradict each other, and for a count."""


class TableTalk:
    """Speaks on standard output, or on standard error where a document goes there."""

    def __init__(self, *, aside: bool = False) -> None:
        """`aside` is for a command that prints JSON."""
        self.aside = aside

    def tell(self, text: str) -> None:
        """Say a sentence, within the width of a terminal."""
        if self.aside:
            say(text)
        else:
            show_sentences([text])

    def show_round(self, now: Round, code: Code | None = None) -> None:
        """Draw the board."""
        if self.aside:
            for line in BoardTable(now.board).lines(every_row=True, code=code, is_named=False):
                say("".join(span.text for span in line).rstrip())
        else:
            show_board(now.board, every_row=True, code=code, is_named=False)

    def welcome(self, now: Round, *, is_maker: bool) -> None:
        """Tell a person what is played, how a guess and a score are written, and what else is."""
        game = now.board.game
        spell = speller(game)
        repeats = "may repeat" if game.space.has_repeats else "do not repeat"
        words = f", {quantity(game.size, 'word')}" if game.space.table() is not None else ""
        say(
            f"{game}: {quantity(game.pegs, 'peg')}, {quantity(game.colors, spell.noun)}{words}; ",
            nl=False,
        )
        say(f"{spell.noun}s {repeats}.")
        if game.space.table() is None and spell.symbols and not self.aside:
            table = BoardTable(now.board, style())
            for start in range(0, game.colors, game.pegs):
                colors = range(start, min(start + game.pegs, game.colors))
                show([[Span("  "), *table.pegs(tuple(colors))]])
        guess, _, score = spell.example.partition("=")
        if is_maker:
            say(f"Think of a code, such as {guess}. Score each guess, such as {score}:")
        else:
            left = "" if now.left is None else f" You have {quantity(now.left, 'guess')}."
            say(f"Guess the code, such as {guess}.{left} A score tells:")
        say(f"  {game.scoring.summary}")
        say("Type help for what else you can do.")

    def turn(self, now: Round) -> None:
        """Tell the score of the last guess; on a terminal, show the board."""
        if is_terminal() and not self.aside:
            self.show_round(now)
            for line in letters(now):
                self.tell(line)
            return
        game, row = now.board.game, now.board.rows[-1]
        spelled = speller(game).print_code(row.guess)
        self.tell(f"{len(now.board.rows)}: {spelled}  {game.scoring.describe(row.score)}")

    def end(self, now: Round, secret: Code | None, verb: str = "is") -> None:
        """Tell how the game ended; a code that a person told is checked against the scores."""
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
        """Tell how many codes remain."""
        left = remaining(mmsat.count(now.board, timeout=SECONDS))
        self.tell(f"{capitalize(left)}.")


def letters(now: Round) -> list[str]:
    """Where places have marks: the letters by the best mark that they got, and those not used."""
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
    return [f"  {name}: {' '.join(found)}" for name, found in named if found]


def describe_game(game: Game) -> str:
    """What a person thinks of as codemaker."""
    return f"a code of {quantity(game.pegs, 'peg')} and {quantity(game.colors, game.spelled.noun)}"
