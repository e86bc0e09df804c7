"""`mmsat play --boards N`: play several boards at once against the machine.

The person guesses the codes of the machine, or, as codemaker, scores the machine's guesses. Each
line is a guess, the score of one board, or a command of the menu.
"""

import json
import os
from dataclasses import replace

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli.human_player import (
    QUERY_SECONDS,
    HumanPlayer,
    LeftError,
    TableTalk,
    is_terminal,
    score_prompt,
)
from mmsat.cli.output import print_json, print_message, say, typed_board
from mmsat.diagnosis.sentences import remaining_codes, verdict_sentences
from mmsat.errors import InconsistentError
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import Speller, speller
from mmsat.play import Round
from mmsat.play.saved import SavedBoards, SavedGame
from mmsat.render.reports import text
from mmsat.strategy.several import SeveralBoards, rank_together, suggest_many


def save_game(saved: SavedGame | SavedBoards, file: str) -> None:
    """Save a game to a file, and print how to resume it."""
    atomic_write(file, [json.dumps(saved.to_dict()), "\n"])
    say(f"saved; continue with mmsat play --resume {file}")


def unused_file_name() -> str:
    """Return the name of a file that does not exist."""
    names = ("mmsat-game.json", *(f"mmsat-game-{number}.json" for number in range(2, 1000)))
    return next(name for name in names if not os.path.exists(name))


# The words of the menu and their meanings.
MENU = {
    "hint": "show what the machine would guess",
    "board": "show the guesses so far on all boards",
    "codes": "count the codes that remain on each board",
    "undo": "take back the last guess",
    "save": "save the game: save FILE",
    "quit": "leave the game (also q, exit)",
    "help": "show this list (also ?)",
}


class UndoneError(Exception):
    """The person undid the last guess."""


def play_boards(saved: SavedBoards, file: str | None, *, as_json: bool) -> None:
    """Play a game until its end, or until the person quits.

    - `file`: the file from which the game was resumed; None for a new game.
    - `as_json`: print a JSON document, and everything else on standard error.
    """
    table = Table(saved, file, to_stderr=as_json)
    departure: LeftError | None = None
    table.start()
    try:
        while not table.saved.is_over:
            table.take_turn()
        table.end()
    except LeftError as error:
        departure = error
        if departure.is_input_ended and is_terminal():
            save_game(table.saved, table.person.file or unused_file_name())
        elif not departure.is_input_ended:
            table.reveal("was")
    if as_json:
        print_json(table.saved.to_dict())
    if departure is not None:
        departure.leave()


class Table:
    """A game of several boards between a person and the machine."""

    def __init__(self, saved: SavedBoards, file: str | None, *, to_stderr: bool) -> None:
        """Create the table for a new or a resumed game."""
        self.saved = saved
        self.talk = TableTalk(to_stderr=to_stderr)
        self.person = HumanPlayer(
            "you",
            save=lambda _, file: save_game(self.saved, file),
            talk=self.talk,
            file=file,
        )
        self.empty_round = Round(Board(saved.now.game), saved.remaining_turns)

    @property
    def speller(self) -> Speller:
        """The notation of the game, with the symbols in which the person types codes."""
        return speller(self.now.game)

    @property
    def now(self) -> SeveralBoards:
        """The current boards."""
        return self.saved.now

    def start(self) -> None:
        """Print the game on a terminal, and the boards of a resumed game."""
        if is_terminal() and not self.saved.is_over:
            self.talk.welcome(self.empty_round, is_maker=self.saved.role == "maker")
        if self.now.guesses:
            self.show_boards()

    def show_boards(self) -> None:
        """Print the guesses so far on each board."""
        for number, board in enumerate(self.now.boards, 1):
            self.talk.print_sentence(f"Board {number}:")
            self.talk.show_round(Round(board))

    def take_turn(self) -> None:
        """Play one guess and its scores, or undo the last guess."""
        secrets = self.saved.secrets
        try:
            if secrets is None:
                self.set_boards(self.ask_scores())
            else:
                guess = self.read_guess()
                self.set_boards(self.as_typed(guess).with_guess(guess, secrets))
                self.print_scores()
        except UndoneError:
            self.set_boards(self.now.without_last())
        except InconsistentError as error:
            self.talk.print_sentence(str(error))

    def as_typed(self, guess: Code) -> SeveralBoards:
        """Return the boards with codes printed in the symbols in which the person types them."""
        conventions = self.person.reader(self.empty_round).conventions
        boards = (typed_board(board, conventions, guess) for board in self.now.boards)
        return replace(self.now, boards=tuple(boards))

    def set_boards(self, boards: SeveralBoards) -> None:
        """Continue with these boards."""
        self.saved = replace(self.saved, now=boards)

    def read_guess(self) -> Code:
        """Ask the person for a guess until it is valid."""
        number, remaining_turns = len(self.now.guesses), self.saved.remaining_turns
        while True:
            line = self.ask(f"guess {number + 1} ({remaining_turns} left)")
            code = self.person.read_guess(self.empty_round, line)
            if code is not None:
                return code

    def ask_scores(self) -> SeveralBoards:
        """Make a guess, ask the person for its score on each board, and return the boards."""
        (guess,) = rank_together(self.now, seed=self.saved.seed)
        self.talk.print_sentence(
            f"guess {len(self.now.guesses) + 1}: {self.speller.print_code(guess)}"
        )
        scores = [self.ask_score(number, guess) for number in self.now.unsolved]
        return self.now.with_scores(guess, scores)

    def ask_score(self, number: int, guess: Code) -> Score:
        """Ask for the score of a guess on a board until it contradicts none of its other scores."""
        while True:
            line = self.ask(f"board {number + 1}, {score_prompt(self.empty_round.board.game)}")
            score = self.person.read_score(self.empty_round, line)
            if score is None:
                continue
            board = self.now.boards[number].with_row(guess, score)
            verdict = mmsat.check(board, timeout=QUERY_SECONDS)
            if verdict.is_consistent is not False:
                return score
            for sentence in verdict_sentences(verdict):
                self.talk.print_sentence(sentence)
            print_message("Give this score again, or type undo to take back the previous guess.")

    def ask(self, prompt: str) -> str:
        """Read lines and run menu commands; return the first line that is not a menu command."""
        while True:
            line = self.person.read_line(prompt, self.empty_round)
            word, *arguments = self.person.split_command(line) or [""]
            if word not in MENU or (arguments and word != "save"):
                return line
            self.run_command(word, arguments)

    def run_command(self, word: str, arguments: list[str]) -> None:
        """Run a menu command; only `save` has arguments."""
        if word == "hint":
            self.print_lines(text(suggest_many(self.now, seed=self.saved.seed)))
        elif word == "board":
            self.show_boards()
        elif word == "codes":
            for number, board in self.now.unsolved.items():
                count_text = remaining_codes(mmsat.count(board, timeout=QUERY_SECONDS))
                self.talk.print_sentence(f"Board {number + 1}: {count_text}.")
        elif word == "undo":
            raise UndoneError
        elif word == "save":
            self.person.save_game(self.empty_round, " ".join(arguments))
        elif word == "quit":
            if self.person.prompt.ask_yes_or_no("Leave the game?"):
                raise LeftError(self.empty_round)
        else:
            for item, meaning in MENU.items():
                print_message(f"  {item:<6} {meaning}")

    def print_lines(self, report: str) -> None:
        """Print the lines of a text one by one."""
        for line in report.splitlines():
            self.talk.print_sentence(line)

    def print_scores(self) -> None:
        """Print the scores of the last guess on each board on which it was made."""
        turn = len(self.now.guesses)
        self.talk.print_sentence(f"{turn}: {self.speller.print_code(self.now.guesses[-1])}")
        for number, board in enumerate(self.now.boards, 1):
            if len(board.rows) == turn:
                score = self.empty_round.board.game.scoring.describe(board.rows[-1].score)
                self.talk.print_sentence(f"  board {number}: {score}{', solved' * board.is_solved}")

    def end(self) -> None:
        """Print how the game ended, with the codes of unsolved boards."""
        guesses = quantity(len(self.now.guesses), "guess")
        if self.now.is_solved:
            self.talk.print_sentence(f"All boards solved in {guesses}.")
            return
        self.talk.print_sentence(f"Not solved in {guesses}.")
        self.reveal("is")

    def reveal(self, verb: str) -> None:
        """Print the codes of the unsolved boards, unless only the person knows them.

        `verb` is `is` or `was`.
        """
        secrets = self.saved.secrets or ()
        for number in self.now.unsolved if secrets else ():
            code = self.speller.print_code(secrets[number])
            self.talk.print_sentence(f"Board {number + 1}: the code {verb} {code}.")
