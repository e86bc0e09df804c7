"""A person at the table: reads guesses and scores line by line, from a terminal or a pipe.

A line is a guess or a score, or a word of the menu in small letters; a guess that is such a word is
written in capitals.
"""

import os
from collections.abc import Callable, Iterable

import mmsat
from mmsat.cli.output import say
from mmsat.cli.prompt import Prompt, is_terminal
from mmsat.cli.table_talk import SECONDS, TableTalk, describe_game
from mmsat.diagnosis.sentences import verdict_sentences
from mmsat.errors import Fault, InconsistentError, Place
from mmsat.game.game import Game
from mmsat.game.hard_mode import find_breach
from mmsat.game.row import Code, Score
from mmsat.matches.players import Player
from mmsat.matches.round import Round
from mmsat.notation.board_reader import BoardReader
from mmsat.notation.speller import speller
from mmsat.strategy.suggest import suggestion_sentences

HERE = Place(1, 1)
MENU = {
    "hint": "show what the machine would guess",
    "board": "show the guesses so far",
    "codes": "count the codes that remain",
    "undo": "take the last turn back",
    "fix": "correct a score you gave: fix ROW SCORE",
    "save": "keep the game for later: save FILE",
    "quit": "leave the game (also q, exit)",
    "help": "show this list (also ?)",
}
ALSO = {"q": "quit", "exit": "quit", "?": "help"}


class LeftError(Exception):
    """The person leaves the table; `is_ended` if the input just ended."""

    def __init__(self, now: Round, *, is_ended: bool) -> None:
        """As it stands."""
        super().__init__()
        self.now = now
        self.is_ended = is_ended


class ChangedError(Exception):
    """The person takes a turn back or corrects a score; the round goes on as `now`."""

    def __init__(self, now: Round) -> None:
        """As it is then."""
        super().__init__()
        self.now = now


class HumanPlayer(Player):
    """Asks a person, who is called by a name."""

    def __init__(
        self,
        name: str,
        *,
        strategy: str = "auto",
        seed: int | None = None,
        save: Callable[[Round, str], None] | None = None,
        talk: TableTalk | None = None,
        any_word: bool = True,
        may_fix: bool = False,
    ) -> None:
        """Hints come from a strategy.

        `save` keeps a round in a file where that is possible; then turns can be taken back, too.
        Without `any_word`, guesses in a game of words are words of the list. Who gives scores
        `may_fix` them.
        """
        self.name = name
        self.strategy = strategy
        self.seed = seed
        self.save = save
        self.talk = talk or TableTalk()
        self.any_word = any_word
        self.may_fix = may_fix
        self.prompt = Prompt(MENU)
        self.typed: BoardReader | None = None

    def hide(self, game: Game) -> None:
        """The person keeps the code."""
        say(f"{self.name}: think of {describe_game(game)}.")

    def guess(self, now: Round) -> Code:
        """A guess; says what is wrong with one that cannot be read."""
        left = "" if now.left is None else f" ({now.left} left)"
        while True:
            line = self.ask(f"guess {len(now.board.rows) + 1}{left}", now)
            code = None if line is None else self.read_code(now, line)
            if code is not None and self.is_word(now, code) and may_guess(now, code):
                return code

    def answer(self, now: Round, guess: Code) -> Round:
        """The score that the person gives, once it goes with those before."""
        game = now.board.game
        self.talk.tell(f"guess {len(now.board.rows) + 1}: {speller(game).print_code(guess)}")
        while True:
            line = self.ask(f"score ({', '.join(game.parts)})", now)
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
        while not self.is_sound(now):
            words = self.words(self.line("undo, or fix ROW SCORE", now))
            if words == ["undo"]:
                return None
            if words[:1] == ["fix"]:
                now = self.fix(now, words[1:])
            elif not (words and self.choose(now, words)):
                say("Type undo to give the last score again, or fix ROW SCORE to correct a row.")
        return now

    def is_sound(self, now: Round) -> bool:
        """Whether some code gets the scores, for all we know; says which rows can't be right."""
        verdict = mmsat.check(now.board, timeout=SECONDS)
        if verdict.is_consistent is False:
            for sentence in verdict_sentences(verdict):
                self.talk.tell(sentence)
        return verdict.is_consistent is not False

    def fix(self, now: Round, words: list[str]) -> Round:
        """The round with a row's score corrected, or as it was where that cannot be read."""
        rows = len(now.board.rows)
        if len(words) < 2 or not words[0].isdecimal() or not 1 <= int(words[0]) <= rows:
            say(f"expected fix ROW SCORE with a row 1 to {rows}, found {' '.join(words)!r}")
            return now
        score = self.read_score(now, " ".join(words[1:]))
        return now if score is None else now.with_score(int(words[0]) - 1, score)

    def reader(self, now: Round) -> BoardReader:
        """Return the reader of what the person types, who writes all of it in the same way."""
        game = now.board.game
        if self.typed is None or self.typed.spelling.game != game:
            self.typed = BoardReader(speller(game))
        return self.typed

    def read_code(self, now: Round, line: str) -> Code | None:
        """A code; what is wrong with it is said."""
        faults: list[Fault] = []
        code = self.reader(now).read_code(line, HERE, faults)
        say_faults(faults)
        return code

    def read_score(self, now: Round, line: str) -> Score | None:
        """A score in all its parts; what is wrong with it is said."""
        faults: list[Fault] = []
        score = self.reader(now).read_score(line, HERE, faults)
        if score is not None and None in score:
            faults.append(Fault("", line, "a score with all its parts"))
        say_faults(faults)
        return None if faults else score

    def is_word(self, now: Round, guess: Code) -> bool:
        """Whether a guess is a word, in a game of words; says if it is not."""
        game = now.board.game
        if self.any_word or game.space.table() is None or game.contains(guess):
            return True
        spelled = speller(game).print_code(guess)
        say(f"{spelled} is not in the list of words; --any-word takes it.")
        return False

    def words(self, line: str) -> list[str]:
        """The words of a line, the first as the menu has it."""
        first, *rest = line.removeprefix(":").split() or [""]
        return [ALSO.get(first, first), *rest] if first else []

    def ask(self, prompt: str, now: Round) -> str | None:
        """A line, or None if it was from the menu, and that is done."""
        line = self.line(prompt, now)
        words = self.words(line)
        if not words or words[0] not in MENU:
            return line
        if self.save is not None and words == ["undo"]:
            raise ChangedError(now.without_last())
        if self.may_fix and words[0] == "fix":
            fixed = self.fix(now, words[1:])
            if fixed is now or not self.is_sound(fixed):
                return None
            raise ChangedError(fixed)
        if not self.choose(now, words):
            return line
        spell = speller(now.board.game)
        code = spell.read_code(words[0], HERE, [])
        if code is not None:
            capitals = words[0].upper()
            is_clear = spell.read_code(capitals, HERE, []) == code
            numbers = "-".join(str(color + 1) for color in code)
            say(f"(To guess this word, type {capitals if is_clear else numbers}.)")
        return None

    def choose(self, now: Round, words: list[str]) -> bool:
        """Whether a line was from the menu; does what it says."""
        match words:
            case ["hint"]:
                self.hint(now)
            case ["board"]:
                self.talk.show_round(now)
            case ["codes"]:
                self.talk.remaining(now)
            case ["save", *file]:
                self.keep(now, " ".join(file))
            case ["quit"]:
                if self.prompt.is_agreed("Leave the game?"):
                    raise LeftError(now, is_ended=False)
            case ["help"]:
                for word, meaning in MENU.items():
                    say(f"  {word:<6} {meaning}")
            case ["fix", *_]:
                say("`fix` corrects scores that you gave; try `undo`.")
            case ["undo", *_]:
                say("`undo` takes turns back in `mmsat play` alone.")
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
                hard=now.hard,
                seed=self.seed,
            )
        except InconsistentError as error:
            self.talk.tell(str(error))
            return
        for sentence in suggestion_sentences(found):
            self.talk.tell(sentence)

    def keep(self, now: Round, file: str) -> None:
        """Save the game, unless the file is another's."""
        if self.save is None:
            say("A match is not saved.")
        elif not file:
            say("expected save FILE, found no name of a file")
        elif os.path.exists(file) and not is_terminal():
            say(f"{file} exists; save the game under another name.")
        elif not os.path.exists(file) or self.prompt.is_agreed(f"{file} exists; write over it?"):
            try:
                self.save(now, file)
            except OSError as error:
                say(f"{file}: {error.strerror or error}")

    def line(self, prompt: str, now: Round) -> str:
        """The next line; raises LeftError where the input ends, as by Ctrl-D."""
        line = self.prompt.read(f"{self.name}: {prompt}")
        if line is None:
            raise LeftError(now, is_ended=True)
        return line


def may_guess(now: Round, guess: Code) -> bool:
    """Whether the rules allow a guess; says what speaks against it."""
    game = now.board.game
    breach = find_breach(game, now.board.rows, guess) if now.hard else None
    if breach is not None:
        spell, broken = speller(game), now.board.rows[breach]
        spelled = f"{spell.print_code(broken.guess)}={spell.print_score(broken.score)}"
        say(f"Hard mode: a guess has to use what row {breach + 1}, {spelled} told.")
        return False
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
