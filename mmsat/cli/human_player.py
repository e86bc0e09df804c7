"""A person at the table: reads guesses and scores line by line, from a terminal or a pipe.

What is asked goes to standard error, boards and answers to standard output. A line is a guess or a
score, or a word of the menu; where the word is also a guess, a colon before it makes it the word.
"""

import sys
from collections.abc import Callable, Iterable

import click

import mmsat
from mmsat.cli.output import say
from mmsat.diagnosis.sentences import remaining, verdict_sentences
from mmsat.english import capitalize
from mmsat.errors import Fault, InconsistentError, Place
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.matches.players import Player
from mmsat.matches.round import Round
from mmsat.notation.speller import speller
from mmsat.render.terminal import show_board
from mmsat.strategy.suggest import suggestion_sentences

SECONDS = 10.0
"""What is spent to see whether scores contradict each other, and for a count."""
HERE = Place(1, 1)
MENU = {
    "hint": "what the machine would guess",
    "board": "the guesses so far",
    "codes": "how many codes remain",
    "undo": "take the last turn back",
    "fix": "fix ROW SCORE corrects a score",
    "save": "save FILE keeps the game for later",
    "quit": "end here",
    "help": "this",
}


class LeftError(Exception):
    """The person leaves the table; `is_ended` if the input just ended."""

    def __init__(self, now: Round, *, is_ended: bool) -> None:
        """As it stands."""
        super().__init__()
        self.now = now
        self.is_ended = is_ended


class UndoneError(Exception):
    """The person takes a turn back."""


class HumanPlayer(Player):
    """Asks a person, who is called by a name."""

    def __init__(
        self,
        name: str,
        *,
        strategy: str = "auto",
        seed: int | None = None,
        save: Callable[[Round, str], None] | None = None,
        may_undo: bool = False,
    ) -> None:
        """Hints come from a strategy. `save` keeps a round in a file, where that is possible."""
        self.name = name
        self.strategy = strategy
        self.seed = seed
        self.save = save
        self.may_undo = may_undo

    def hide(self, game: Game) -> None:
        """The person keeps the code."""
        say(f"{self.name}: think of a code of {game.pegs} pegs and {game.colors} colors.")

    def guess(self, now: Round) -> Code:
        """A guess; says what is wrong with one that cannot be read."""
        left = "" if now.left is None else f", {now.left} left"
        prompt = f"guess {len(now.board.rows) + 1}{left}"
        while True:
            line = self.ask(prompt, now)
            code = None if line is None else self.read_code(now, line)
            if code is not None and may_guess(now, code):
                return code

    def answer(self, now: Round, guess: Code) -> Round:
        """The score that the person gives, once it goes with those before."""
        click.echo(f"guess {len(now.board.rows) + 1}: {speller(now.board.game).print_code(guess)}")
        while True:
            line = self.ask("score", now)
            score = None if line is None else self.read_score(now, line)
            sound = None if score is None else self.confirm(now.with_row(guess, score))
            if sound is not None:
                return sound

    def reveal(self, now: Round) -> Code | None:
        """The code that the person tells, or keeps with an empty line."""
        while True:
            line = self.line("what was the code? (nothing to keep it)", now)
            if not line:
                return None
            code = self.read_code(now, line)
            if code is not None and now.board.game.contains(code):
                return code

    def confirm(self, now: Round) -> Round | None:
        """The round once its scores go together, or None if the last is to be given again.

        Says at once which rows contradict each other.
        """
        while not is_sound(now):
            words = self.line("undo, or fix ROW SCORE", now).removeprefix(":").split()
            if words == ["undo"]:
                return None
            if words[:1] == ["fix"]:
                now = self.fix(now, words[1:])
            elif not (words and self.choose(now, words)):
                say("Write undo to give the last score again, or fix ROW SCORE to correct a row.")
        return now

    def fix(self, now: Round, words: list[str]) -> Round:
        """The round with a row's score corrected, or as it was where that cannot be read."""
        rows = len(now.board.rows)
        if len(words) < 2 or not words[0].isdecimal() or not 1 <= int(words[0]) <= rows:
            say(f"A row is 1 to {rows}; write fix ROW SCORE.")
            return now
        score = self.read_score(now, " ".join(words[1:]))
        return now if score is None else now.with_score(int(words[0]) - 1, score)

    def read_code(self, now: Round, line: str) -> Code | None:
        """A code; what is wrong with it is said."""
        faults: list[Fault] = []
        code = speller(now.board.game).read_code(line, HERE, faults)
        say_faults(faults)
        return code

    def read_score(self, now: Round, line: str) -> Score | None:
        """A score in all its parts; what is wrong with it is said."""
        faults: list[Fault] = []
        score = speller(now.board.game).read_score(line, HERE, faults)
        if score is not None and None in score:
            faults.append(Fault("a score in play has all its parts", line, "numbers or marks"))
        say_faults(faults)
        return None if faults else score

    def ask(self, prompt: str, now: Round) -> str | None:
        """A line, or None if it was from the menu, and that is done."""
        line = self.line(prompt, now)
        words = line.removeprefix(":").split()
        is_guess = speller(now.board.game).read_code(line, HERE, []) is not None
        if not words or words[0] not in MENU or is_guess:
            return line
        if words == ["undo"] and self.may_undo:
            raise UndoneError
        return None if self.choose(now, words) else line

    def choose(self, now: Round, words: list[str]) -> bool:
        """Whether a line was from the menu; does what it says."""
        match words:
            case ["hint"]:
                self.hint(now)
            case ["board"]:
                show_round(now)
            case ["codes"]:
                click.echo(count_remaining(now))
            case ["save", file]:
                self.keep(now, file)
            case ["quit"]:
                raise LeftError(now, is_ended=False)
            case ["help"]:
                for word, meaning in MENU.items():
                    say(f"  {word:<6} {meaning}")
            case ["undo" | "fix" | "save", *_]:
                say("That can't be done here.")
            case _:
                return False
        return True

    def hint(self, now: Round) -> None:
        """A guess with its reasons."""
        try:
            found = mmsat.suggest(
                now.board,
                strategy=self.strategy,
                consistent_only=now.consistent_only,
                seed=self.seed,
            )
        except InconsistentError as error:
            click.echo(str(error))
            return
        for sentence in suggestion_sentences(found):
            click.echo(sentence)

    def keep(self, now: Round, file: str) -> None:
        """Save the game."""
        if self.save is None:
            say("Matches are not saved.")
            return
        try:
            self.save(now, file)
        except OSError as error:
            say(f"{file}: {error.strerror or error}")

    def line(self, prompt: str, now: Round) -> str:
        """The next line, without blanks around; raises LeftError where the input ends."""
        if sys.stdin is not None and sys.stdin.isatty():
            click.echo(f"{self.name}: {prompt}> ", err=True, nl=False)
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            raise LeftError(now, is_ended=True)
        return line.strip()


def is_sound(now: Round) -> bool:
    """Whether some code gets the scores, for all we know; says which rows can't all be right."""
    verdict = mmsat.check(now.board, timeout=SECONDS)
    if verdict.is_consistent is False:
        for sentence in verdict_sentences(verdict):
            click.echo(sentence)
    return verdict.is_consistent is not False


def may_guess(now: Round, guess: Code) -> bool:
    """Whether the rules allow a guess; says what speaks against it."""
    game = now.board.game
    if not now.consistent_only or now.board.is_consistent(guess):
        return True
    if not game.contains(guess):
        why = "in no code a color repeats" if game.space.table() is None else "it is in no list"
        say(f"That cannot be the code: {why}.")
    for row in now.board.missed(guess):
        asked, score = now.board.rows[row]
        scored, told = map(game.scoring.describe, (game.score(guess, asked), score))
        say(f"That cannot be the code: row {row + 1} would score {scored}, and scored {told}.")
    return False


def say_faults(faults: Iterable[Fault]) -> None:
    """Say what is wrong with a line."""
    for fault in faults:
        say(str(fault))


def show_round(now: Round, code: Code | None = None) -> None:
    """Draw the board on standard output."""
    show_board(now.board, every_row=True, code=code)


def count_remaining(now: Round) -> str:
    """How many codes remain, in a sentence."""
    return f"{capitalize(remaining(mmsat.count(now.board, timeout=SECONDS)))}."
