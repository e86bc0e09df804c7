"""A human player, who enters guesses and scores line by line in a terminal or through a pipe.

Each line is a guess, a score, or a command of the menu in lower case. A guess with the same letters
as a command is written in upper case.

`Prompt` reads the lines. It offers editing, history and completion on a terminal, and reads plain
lines from a pipe. Prompts are printed on standard error. `TableTalk` prints the messages of a game:
the welcome, the board, the letters, and the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import click

import mmsat
from mmsat._util.registry import similar_names
from mmsat._util.text import capitalize, join_words, quantity
from mmsat.cli.output import FAILURE, INTERRUPTED, leave, print_message, typed_board
from mmsat.diagnosis.sentences import remaining_codes, verdict_sentences
from mmsat.errors import Fault, InconsistentError, Place
from mmsat.game import Code, Score
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import BoardReader, speller
from mmsat.play import Player, Round
from mmsat.render import Span
from mmsat.render.board import BoardTable, letters_by_mark
from mmsat.render.terminal import show, show_board, show_sentences, style
from mmsat.strategy.strategy import find_breach
from mmsat.strategy.suggest import suggestion_sentences


def is_terminal() -> bool:
    """Return whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


class Prompt:
    """Reads line by line; on a terminal, the Tab key completes `words`."""

    def __init__(self, words: Iterable[str]) -> None:
        """Create the prompt; the session for terminals is created when it is first used."""
        self.words = list(words)
        self.session: Any = None

    def read(self, prompt: str) -> str | None:
        """Return the next line, stripped; None at the end of the input (Ctrl-D)."""
        if not is_terminal():
            line = "" if sys.stdin is None else sys.stdin.readline()
            return line.strip() if line else None
        if os.environ.get("TERM") in ("dumb", "unknown", None):
            click.echo(f"{prompt}> ", err=True, nl=False)
            line = sys.stdin.readline()
            return line.strip() if line else None
        try:
            return str(self._session().prompt(f"{prompt}> ")).strip()
        except EOFError:
            return None

    def _session(self) -> Any:
        """Return the prompt_toolkit session, which is created by the first call."""
        if self.session is None:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.completion import WordCompleter
            from prompt_toolkit.output import create_output

            stream: Any = getattr(sys.stderr, "stream", sys.stderr)
            completer = WordCompleter(self.words, sentence=True)
            output = create_output(stdout=stream)
            # completion by Tab only: otherwise, empty lines are reserved for a menu
            self.session = PromptSession(
                completer=completer, complete_while_typing=False, output=output
            )
        return self.session

    def ask_yes_or_no(self, question: str) -> bool:
        """Ask a yes-or-no question and return the answer; without a terminal, return True."""
        if not is_terminal():
            return True
        while True:
            answer = self.read(f"{question} (y/n)")
            if answer is None or answer.lower() in ("n", "no"):
                return False
            if answer.lower() in ("y", "yes"):
                return True


QUERY_SECONDS = 10.0
"""Time limit, in seconds, for checking whether scores are consistent, and for counting codes."""


class TableTalk:
    """Prints the messages of a game; in all methods, `now` is the current round."""

    def __init__(self, *, to_stderr: bool = False) -> None:
        """Print on standard output, or if `to_stderr` (with --json), on standard error."""
        self.to_stderr = to_stderr

    def print_sentence(self, text: str) -> None:
        """Print a sentence, wrapped to the width of the terminal."""
        if self.to_stderr:
            print_message(text)
        else:
            show_sentences([text])

    def show_round(self, now: Round, code: Code | None = None) -> None:
        """Print the board, with `code` if it is given."""
        if self.to_stderr:
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
        if game.space.table() is None and spell.symbols and not self.to_stderr:
            table = BoardTable(now.board, style())
            for start in range(0, game.colors, game.pegs):
                colors = range(start, min(start + game.pegs, game.colors))
                show([[Span("  "), *table.pegs(tuple(colors))]])
        guess, _, score = spell.example.partition("=")
        if is_maker:
            print_message(f"Think of a code, such as {guess}. Score each guess, such as {score}:")
        else:
            limit_text = (
                ""
                if now.remaining_turns is None
                else f" You have {quantity(now.remaining_turns, 'guess')}."
            )
            print_message(f"Guess the code, such as {guess}.{limit_text} A score consists of:")
        print_message(f"  {game.scoring.summary}")
        print_message("Type help for all commands.")

    def print_turn(self, now: Round) -> None:
        """Print the score of the last guess; on a terminal, print the board instead."""
        if is_terminal() and not self.to_stderr:
            self.show_round(now)
            for line in letters_by_mark(now.board):
                self.print_sentence(line)
            return
        game, row = now.board.game, now.board.rows[-1]
        spelled = speller(game).print_code(row.guess)
        self.print_sentence(f"{now.num_guesses}: {spelled}  {game.scoring.describe(row.score)}")

    def print_change(self, now: Round) -> None:
        """Print the board after a turn was taken back or a score was corrected."""
        if now.board.rows:
            self.show_round(now)
        else:
            self.print_sentence("The board is empty.")

    def print_end(self, now: Round, secret: Code | None, verb: str = "is") -> None:
        """Print how the game ended, and which scores are wrong for the code `secret`.

        `verb` follows "the code": "is", or for an undetermined code, "could still have been".
        """
        self.show_round(now, secret)
        guesses = quantity(now.num_guesses, "guess")
        if now.is_found:
            self.print_sentence(f"Found in {guesses}.")
        elif secret is None:
            self.print_sentence(f"Not found in {guesses}.")
        else:
            spelled = speller(now.board.game).print_code(secret)
            self.print_sentence(f"Not found in {guesses}: the code {verb} {spelled}.")
        for row in now.board.missed(secret) if secret is not None else ():
            guess, score = now.board.rows[row]
            describe = now.board.game.scoring.describe
            right = now.board.game.score(secret or (), guess)
            self.print_sentence(
                f"Row {row + 1} was scored {describe(score)}; right is {describe(right)}."
            )

    def print_remaining(self, now: Round) -> None:
        """Print how many codes remain."""
        count_text = remaining_codes(mmsat.count(now.board, timeout=QUERY_SECONDS))
        self.print_sentence(f"{capitalize(count_text)}.")


def describe_code(game: Game) -> str:
    """Describe a code of the game, for a person who is the codemaker."""
    colors = quantity(game.colors, game.color_symbols.noun)
    return f"a code of {quantity(game.pegs, 'peg')} and {colors}"


def score_prompt(game: Game) -> str:
    """Return the question for a score, with its numbers unless it consists of marks."""
    numbers = "" if game.scoring.marks else f" ({', '.join(game.parts)})"
    return f"score{numbers}, such as {speller(game).example_score}"


LINE_START = Place(1, 1)
"""The position of every typed line in faults."""
MENU = {
    "hint": "show what the machine would guess",
    "board": "show the guesses so far",
    "codes": "count the codes that remain",
    "undo": "take back the last turn",
    "fix": "correct a score that you gave: fix ROW SCORE",
    "save": "save the game: save FILE",
    "quit": "leave the game (also q, exit)",
    "help": "show this list (also ?)",
}
"""The commands of the menu, with their meanings."""
ALIASES = {"q": "quit", "exit": "quit", "?": "help"}
"""Other names of commands."""


class LeftError(Exception):
    """The person left the game in the round `now`.

    `is_input_ended` is False after the command `quit`, and True if the input ended by Ctrl-D or by
    Ctrl-C. `is_interrupted` is True only after Ctrl-C.
    """

    def __init__(
        self, now: Round, *, is_input_ended: bool = False, is_interrupted: bool = False
    ) -> None:
        """Create the exception."""
        super().__init__()
        self.now = now
        self.is_input_ended = is_input_ended or is_interrupted
        self.is_interrupted = is_interrupted

    def leave(self) -> None:
        """End the program with the exit code of an input that ended before the game was over."""
        if self.is_interrupted:
            leave(INTERRUPTED)
        if self.is_input_ended and not is_terminal():
            print_message("the input ended before the game was over")
            leave(FAILURE)


class ChangedError(Exception):
    """The person undid a turn or corrected a score; the game continues with the round `now`."""

    def __init__(self, now: Round) -> None:
        """Create the exception."""
        super().__init__()
        self.now = now


class HumanPlayer(Player):
    """A player whose guesses and scores are entered by a person.

    In all methods, `now` is the current round. Methods that read a value print the faults of an
    invalid line.
    """

    def __init__(
        self,
        name: str,
        *,
        strategy: str = "auto",
        seed: int | None = None,
        save: Callable[[Round, str], None] | None = None,
        talk: TableTalk | None = None,
        may_fix: bool = False,
        file: str | None = None,
    ) -> None:
        """Create a player.

        - `name`: the name used in prompts.
        - `strategy`, `seed`: the strategy and the seed of hints.
        - `save`: writes a round to a file; None if neither saving nor undoing turns is possible.
        - `may_fix`: whether the person may correct earlier scores, as a codemaker.
        - `file`: the file that has this game, from which it was resumed; None for a new game.
        """
        self.name = name
        self.strategy = strategy
        self.seed = seed
        self.save = save
        self.talk = talk or TableTalk()
        self.may_fix = may_fix
        self.file = file
        self.prompt = Prompt(self.menu())
        self.board_reader: BoardReader | None = None
        self.refused_word: Code | None = None

    def menu(self) -> dict[str, str]:
        """Return the commands that this player can use, with their meanings."""
        unusable = {"undo", "save"} if self.save is None else set()
        if not self.may_fix:
            unusable.add("fix")
        return {word: meaning for word, meaning in MENU.items() if word not in unusable}

    def hide(self, game: Game) -> None:
        """Ask the person to think of a code, which the person does not enter."""
        print_message(f"{self.name}: think of {describe_code(game)}.")

    def guess(self, now: Round) -> Code:
        """Ask for a guess until it is valid and allowed by the rules."""
        remaining_guesses = "" if now.remaining_turns is None else f" ({now.remaining_turns} left)"
        while True:
            line = self.ask(f"guess {now.num_guesses + 1}{remaining_guesses}", now)
            code = None if line is None else self.read_guess(now, line)
            if code is not None and may_guess(now, code):
                return code

    def as_typed(self, now: Round, guess: Code) -> Round:
        """Return the round with codes printed in the symbols in which the person types them."""
        return replace(now, board=typed_board(now.board, self.reader(now).conventions, guess))

    def answer(self, now: Round, guess: Code) -> Round:
        """Ask for the score of a guess, and return the round with it.

        Ask again, or let the person correct earlier rows, until a code gets all scores.
        """
        game = now.board.game
        self.talk.print_sentence(
            f"guess {len(now.board.rows) + 1}: {speller(game).print_code(guess)}"
        )
        while True:
            line = self.ask(score_prompt(game), now)
            score = None if line is None else self.read_score(now, line)
            accepted_round = None if score is None else self.confirm(now.with_row(guess, score))
            if accepted_round is not None:
                return accepted_round

    def reveal(self, now: Round) -> Code | None:
        """Ask for the code after the game; return None for an empty line."""
        while True:
            line = self.read_line("what was the code? (an empty line keeps it secret)", now)
            if not line:
                return None
            code = self.read_code(now, line)
            if code is not None and now.board.game.contains(code):
                return code
            if code is not None:
                print_message(f"That cannot be the code: {unlisted_reason(now.board.game)}.")

    def confirm(self, now: Round) -> Round | None:
        """Let the person correct scores until they are consistent, and return that round.

        Return None if the person undoes the last score, which has to be entered again.
        """
        while not self.may_be_consistent(now):
            fixed = now
            while fixed is now:
                words = self.split_command(self.read_line("undo, or fix ROW SCORE", now))
                if words == ["undo"]:
                    return None
                if words[:1] == ["fix"]:
                    fixed = self.fix(now, words[1:])
                elif not (words and self.run_command(now, words)):
                    print_message(
                        "This line was not read as a score. Type undo to give the last score "
                        "again, or fix ROW SCORE to correct a row."
                    )
            now = fixed
        return now

    def may_be_consistent(self, now: Round) -> bool:
        """Return whether a code gets all scores, or whether that is not decided in time.

        If no code gets all scores, print which rows contradict each other.
        """
        verdict = mmsat.check(now.board, timeout=QUERY_SECONDS)
        if verdict.is_consistent is False:
            for sentence in verdict_sentences(verdict):
                self.talk.print_sentence(sentence)
        return verdict.is_consistent is not False

    def fix(self, now: Round, words: list[str]) -> Round:
        """Return the round with the score of a row corrected.

        `words` are the row number and the score. If they are invalid, return the same round.
        """
        rows = len(now.board.rows)
        if len(words) < 2 or not words[0].isdecimal() or not 1 <= int(words[0]) <= rows:
            expected = f"fix ROW SCORE with a row 1 to {rows}"
            if words and words[0].isdecimal() and 1 <= int(words[0]) <= rows:
                example = speller(now.board.game).example_score
                expected = f"the score after the row, such as fix {int(words[0])} {example}"
            print_message(f"expected {expected}, found {' '.join(words)!r}")
            return now
        score = self.read_score(now, " ".join(words[1:]))
        return now if score is None else now.with_score(int(words[0]) - 1, score)

    def reader(self, now: Round) -> BoardReader:
        """Return the reader of typed lines; all lines of a game have to follow its conventions."""
        game = now.board.game
        if self.board_reader is None or self.board_reader.spelling.game != game:
            self.board_reader = BoardReader(speller(game))
        return self.board_reader

    def read_guess(self, now: Round, line: str) -> Code | None:
        """Read a guess; return None if it is invalid.

        In a game of words, a word that the list does not have, or that is the plural of a command,
        is accepted when it is typed for the second time, because it is often a typing error.
        """
        code = self.read_code(now, line)
        game = now.board.game
        if code is None or game.space.table() is None or code == self.refused_word:
            return code
        reason = f"The word list does not have {speller(game).print_code(code)}."
        if game.contains(code):
            if not (line.endswith("s") and line[:-1] in self.menu()):
                return code
            reason = ""
        self.refused_word = code
        advice = "To guess this word, type it again."
        print_message(" ".join(filter(None, (reason, self.meant_command(line), advice))))
        return None

    def read_code(self, now: Round, line: str) -> Code | None:
        """Read a code; return None if it is invalid."""
        faults: list[Fault] = []
        code = self.reader(now).read_code(line, LINE_START, faults)
        self.print_faults(faults, line)
        return code

    def read_score(self, now: Round, line: str) -> Score | None:
        """Read a complete score; return None if it is invalid or has unread parts."""
        faults: list[Fault] = []
        score = self.reader(now).read_score(line, LINE_START, faults)
        if score is not None and None in score:
            faults.append(Fault("", line, "a score with all its parts"))
        elif score is not None and (
            flaw := now.board.game.scoring.flaw(now.board.game.pegs, score)
        ):
            faults.append(Fault(flaw, line, "a score that a guess can get"))
        self.print_faults(faults, line)
        return None if faults else score

    def meant_command(self, line: str) -> str:
        """Return a question with the commands that are similar to a line, or "" without any."""
        words = line.removeprefix(":").split()
        names = similar_names(words[0], self.menu()) if words and words[0].islower() else ()
        return f"Did you mean the command {join_words(names, 'or')}?" if names else ""

    def print_faults(self, faults: Sequence[Fault], line: str) -> None:
        """Print the faults of a typed line, and the command that may have been meant."""
        for fault in faults:
            print_message(str(fault))
        question = self.meant_command(line)
        if faults and question:
            print_message(question)

    def split_command(self, line: str) -> list[str]:
        """Return the words of a line, with an alias of a menu command replaced by the command."""
        first, *arguments = line.removeprefix(":").split() or [""]
        return [ALIASES.get(first, first), *arguments] if first else []

    def ask(self, prompt: str, now: Round) -> str | None:
        """Read a line; if it is a menu command, run it and return None.

        Raises ChangedError if the command undoes a turn or corrects a score.
        """
        line = self.read_line(prompt, now)
        words = self.split_command(line)
        if not words or words[0] not in MENU:
            return line
        if self.save is not None and words == ["undo"]:
            raise ChangedError(now.without_last())
        if self.may_fix and words[0] == "fix":
            fixed = self.fix(now, words[1:])
            if fixed is now or not self.may_be_consistent(fixed):
                return None
            raise ChangedError(fixed)
        if not self.run_command(now, words):
            return line
        # a command such as `hint` may also be a word of the game, which the person meant to guess
        spell = speller(now.board.game)
        code = spell.read_code(words[0], LINE_START, [])
        if code is not None:
            capitals = words[0].upper()
            is_same_code = spell.read_code(capitals, LINE_START, []) == code
            numbers = "-".join(str(color + 1) for color in code)
            print_message(f"(To guess this word, type {capitals if is_same_code else numbers}.)")
        return None

    def run_command(self, now: Round, words: list[str]) -> bool:
        """Run a menu command; return False if `words` is not such a command."""
        match words:
            case ["hint"]:
                self.hint(now)
            case ["board"]:
                self.talk.show_round(now)
            case ["codes"]:
                self.talk.print_remaining(now)
            case ["save", *file]:
                self.save_game(now, " ".join(file))
            case ["quit"]:
                if self.prompt.ask_yes_or_no("Leave the game?"):
                    raise LeftError(now)
            case ["help"]:
                for word, meaning in self.menu().items():
                    print_message(f"  {word:<6} {meaning}")
            case ["fix", *_]:
                print_message("`fix` corrects scores that you gave; try `undo`.")
            case ["undo", *_]:
                print_message("`undo` works only in `mmsat play`.")
            case _:
                return False
        return True

    def hint(self, now: Round) -> None:
        """Print a suggested guess with its reasons."""
        try:
            suggestion = mmsat.suggest(
                now.board,
                strategy=self.strategy,
                consistent_only=now.consistent_only,
                hard=now.hard,
                seed=self.seed,
            )
        except InconsistentError as error:
            self.talk.print_sentence(str(error))
            return
        for sentence in suggestion_sentences(suggestion):
            self.talk.print_sentence(sentence)

    def save_game(self, now: Round, file: str) -> None:
        """Save the game; a file of another game is replaced only if the person agrees."""
        if self.save is None:
            print_message("A match is not saved.")
        elif not file:
            print_message("`save` needs the name of a file: save FILE")
        elif self.may_write(file):
            try:
                self.save(now, file)
                self.file = file
            except OSError as error:
                print_message(f"{file}: {error.strerror or error}")

    def may_write(self, file: str) -> bool:
        """Return whether a file is new or has this game, or may be replaced."""
        has_this_game = self.file is not None and os.path.realpath(file) == os.path.realpath(
            self.file
        )
        if has_this_game or not os.path.exists(file):
            return True
        if is_terminal():
            return self.prompt.ask_yes_or_no(f"{file} exists; write over it?")
        print_message(f"{file} exists; save the game under another name.")
        return False

    def read_line(self, prompt: str, now: Round) -> str:
        """Read a line; raise LeftError at the end of the input (Ctrl-D) and on Ctrl-C."""
        try:
            line = self.prompt.read(f"{self.name}: {prompt}")
        except KeyboardInterrupt:
            raise LeftError(now, is_interrupted=True) from None
        if line is None:
            raise LeftError(now, is_input_ended=True)
        return line


def may_guess(now: Round, guess: Code) -> bool:
    """Return whether the rules allow a guess; if not, print the reason."""
    game = now.board.game
    row_index = find_breach(game, now.board.rows, guess) if now.hard else None
    if row_index is not None:
        spell, row = speller(game), now.board.rows[row_index]
        spelled = f"{spell.print_code(row.guess)}={spell.print_score(row.score)}"
        print_message(f"Hard mode: a guess must use all hints of row {row_index + 1}, {spelled}.")
        return False
    if not now.consistent_only or now.board.is_consistent(guess):
        return True
    if not game.contains(guess):
        print_message(f"That cannot be the code: {unlisted_reason(game)}.")
    for missed in now.board.missed(guess):
        row_guess, score = now.board.rows[missed]
        wrong, right = map(game.scoring.describe, (game.score(guess, row_guess), score))
        print_message(
            f"That cannot be the code: row {missed + 1} would score {wrong}, but scored {right}."
        )
    return False


def unlisted_reason(game: Game) -> str:
    """Return why a sequence of colors that is not a code of the game cannot be the code."""
    if game.space.table() is None:
        return f"{game.color_symbols.noun}s must not repeat"
    return "it is not in the word list"
