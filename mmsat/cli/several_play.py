"""`mmsat play --boards N`: play several boards at once against the machine.

The person guesses the codes of the machine, or, as codemaker, scores the machine's guesses. Each
line is a guess, the score of one board, or a command of the menu.
"""

from collections.abc import Sequence
from typing import Annotated, TypedDict

import mmsat
from mmsat._util.results import BoardLine, Positive, Schema
from mmsat._util.text import quantity
from mmsat.cli.human_player import (
    ALIASES,
    QUERY_SECONDS,
    HumanPlayer,
    LeftError,
    TableTalk,
    is_terminal,
)
from mmsat.cli.output import FAILURE, leave, print_json, print_message
from mmsat.diagnosis.sentences import remaining, verdict_sentences
from mmsat.errors import InconsistentError
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.several_boards import SeveralBoards
from mmsat.play.round import ROLES, Round
from mmsat.render.reports import text
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.several import rank_together, suggest_many

MENU = {
    "hint": "show what the machine would guess",
    "board": "show the guesses so far on all boards",
    "codes": "count the codes that remain on each board",
    "undo": "take the last guess back",
    "quit": "leave the game (also q, exit)",
    "help": "show this list (also ?)",
}


class UndoneError(Exception):
    """The person undid the last guess."""


def play_boards(
    game: Game,
    count: int,
    *,
    role: str,
    turns: int,
    seed: int | None,
    any_word: bool,
    as_json: bool,
) -> None:
    """Play a game until its end, or until the person quits. It cannot be saved.

    - `role`: `maker` if the person is the codemaker.
    - `turns`: the maximum number of guesses.
    - `seed`: the seed for the codes and for the guesses of the machine.
    - `any_word`: accept guesses outside the word list in a game of words.
    - `as_json`: print a JSON document, and everything else on standard error.
    """
    is_maker = role == "maker"
    secrets = None if is_maker else draw_codes(game, count, seed)
    table = Table(game, count, secrets, turns, seed, any_word=any_word, to_stderr=as_json)
    is_input_ended = False
    if is_terminal():
        table.talk.welcome(Round(Board(game), turns), is_maker=is_maker)
    try:
        while not table.is_over:
            table.take_turn()
        table.end()
    except LeftError as error:
        is_input_ended = error.is_input_ended
    if as_json:
        secret_texts = None if secrets is None else [*map(speller(game).print_code, secrets)]
        document: SeveralPlayJson = {
            "boards": table.now.to_list(),
            "role": role,
            "turns": turns,
            "solved": table.now.is_solved,
            "secrets": secret_texts,
        }
        print_json(document)
    if is_input_ended and not is_terminal():
        print_message("the input ended before the game was over")
        leave(FAILURE)


class SeveralPlayJson(TypedDict):
    """A game of several boards."""

    boards: Annotated[list[BoardLine], Schema(minItems=1)]
    """A board line for each board; a solved board has no rows after its last guess."""
    role: Annotated[str, Schema(enum=ROLES)]
    """The role of the person."""
    turns: Positive
    """Maximum number of guesses."""
    solved: bool
    """Whether all boards are solved."""
    secrets: list[str] | None
    """The codes of the boards, as text; null if the person has them."""


class Table:
    """A game of several boards between a person and the machine."""

    def __init__(
        self,
        game: Game,
        count: int,
        secrets: Sequence[Code] | None,
        turns: int,
        seed: int | None,
        *,
        any_word: bool,
        to_stderr: bool,
    ) -> None:
        """Start a game; `secrets` are the codes of the machine, None if the person has them."""
        self.now = SeveralBoards.start(game, count)
        self.secrets = secrets
        self.turns = turns
        self.seed = seed
        self.talk = TableTalk(to_stderr=to_stderr)
        self.person = HumanPlayer("you", talk=self.talk, any_word=any_word)
        self.empty_round = Round(Board(game))
        self.speller = speller(game)

    @property
    def is_over(self) -> bool:
        """Whether all boards are solved, or all guesses are used up."""
        return self.now.is_solved or len(self.now.guesses) >= self.turns

    def take_turn(self) -> None:
        """Play one guess and its scores, or undo the last guess."""
        try:
            if self.secrets is not None:
                guess = self.read_guess()
                self.now = self.now.with_guess(guess, self.secrets)
                self.print_scores()
            else:
                self.now = self.ask_scores()
        except UndoneError:
            self.now = self.now.without_last()
        except InconsistentError as error:
            self.talk.print_sentence(str(error))

    def read_guess(self) -> Code:
        """Ask the person for a guess until it is valid."""
        number = len(self.now.guesses)
        while True:
            line = self.ask(f"guess {number + 1} ({self.turns - number} left)")
            code = self.person.read_code(self.empty_round, line)
            if code is not None and self.person.is_word(self.empty_round, code):
                return code

    def ask_scores(self) -> SeveralBoards:
        """Make a guess, ask the person for its score on each board, and return the boards."""
        (guess,) = rank_together(self.now, seed=self.seed)
        self.talk.print_sentence(
            f"guess {len(self.now.guesses) + 1}: {self.speller.print_code(guess)}"
        )
        scores = [self.ask_score(number, guess) for number in self.now.unsolved]
        return self.now.with_scores(guess, scores)

    def ask_score(self, number: int, guess: Code) -> Score:
        """Ask for the score of a guess on a board until no contradiction with others is found."""
        while True:
            parts = ", ".join(self.empty_round.board.game.parts)
            line = self.ask(f"board {number + 1}, score ({parts})")
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
            word = ALIASES.get(line, line).removeprefix(":")
            if word not in MENU:
                return line
            self.run_command(word)

    def run_command(self, word: str) -> None:
        """Run a menu command."""
        if word == "hint":
            self.print_lines(text(suggest_many(self.now, seed=self.seed)))
        elif word == "board":
            for number, board in enumerate(self.now.boards, 1):
                self.talk.print_sentence(f"Board {number}:")
                self.talk.show_round(Round(board))
        elif word == "codes":
            for number, board in self.now.unsolved.items():
                count_text = remaining(mmsat.count(board, timeout=QUERY_SECONDS))
                self.talk.print_sentence(f"Board {number + 1}: {count_text}.")
        elif word == "undo":
            raise UndoneError
        elif word == "quit":
            if self.person.prompt.is_agreed("Leave the game?"):
                raise LeftError(self.empty_round, is_input_ended=False)
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
        for number in self.now.unsolved if self.secrets else ():
            code = self.speller.print_code((self.secrets or ())[number])
            self.talk.print_sentence(f"Board {number + 1}: the code is {code}.")
