"""Make puzzles: random boards with exactly one consistent code and no superfluous row.

A grade of difficulty can be required. A puzzle includes its solution by steps. Its rows can be put
in words, in the style of padlock puzzles: "one digit is right and in the right place".
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple, NotRequired, TypedDict

from mmsat._util import Array
from mmsat._util.arguments import check_arguments
from mmsat._util.results import BoardLine, CodeText, ColorList, Displayable, Positive
from mmsat._util.text import join_words, quantity
from mmsat.diagnosis.steps import Difficulty, DifficultyJson, Grade, StepJson, Steps
from mmsat.diagnosis.steps.stepwise import Plan, find_grade, find_steps
from mmsat.errors import Fault, InputError, InternalError, MmsatError, SizeError
from mmsat.game import Code, Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import add_text
from mmsat.game.unread import agrees_all
from mmsat.limits import LIMITS
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.answers import all_codes

WORDED_SCORINGS = ("black-white", "black", "color")
"""The kinds of scoring that can be put in words."""
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""The words for 0 to 10 in clues; larger numbers are printed in digits."""


def has_clues(game: Game) -> bool:
    """Return whether the scores of a game can be put in words."""
    return game.scoring.name in WORDED_SCORINGS


def clues(board: Board) -> list[str]:
    """Return each row in words; empty if the scoring is not one of `WORDED_SCORINGS`."""
    return [clue(board.game, row) for row in board.rows] if has_clues(board.game) else []


def clue(game: Game, row: Row) -> str:
    """Return one row in words. The score of a row of a puzzle has no unread part.

    Numbers count pegs of the guess, so a color that is guessed twice may count twice. A part of the
    score that is not mentioned is zero. If only blacks are scored, a clue states nothing about
    colors in wrong places.
    """
    numbers = dict(zip(game.parts, (part or 0 for part in row.score), strict=True))
    noun = peg_noun(game)
    if game.scoring.name == "color":
        return f"{number_and_verb(numbers['color'], noun)} right, in any place."
    if game.scoring.name == "black":
        return f"{number_and_verb(numbers['black'], noun)} in the right place."
    if not numbers["white"]:
        return (
            f"{number_and_verb(numbers['black'], noun)} right"
            f"{' and in the right place' * (numbers['black'] > 0)}."
        )
    misplaced = "right but in the wrong place"
    if not numbers["black"]:
        return f"{number_and_verb(numbers['white'], noun)} {misplaced}."
    exact = f"{number_and_verb(numbers['black'], noun)} right and in the right place"
    return f"{exact}, {number_and_verb(numbers['white'])} {misplaced}."


def peg_noun(game: Game) -> str:
    """Return the noun for a peg: "digit" if all symbols are digits, else the noun of the game."""
    symbols = speller(game).symbols or ("1",)  # without symbols, colors are printed as numbers
    return "digit" if all(symbol.isdecimal() for symbol in symbols) else speller(game).noun


def number_and_verb(number: int, noun: str = "") -> str:
    """Return a number with its verb: "One digit is" with a noun, "two are" without."""
    word = NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)
    verb = "is" if number < 2 else "are"
    noun_in_number = f" {noun}{'s' * (number > 1)}" if noun else ""
    return f"{word.capitalize() if noun else word}{noun_in_number} {verb}"


class PuzzleJson(TypedDict):
    """A board with exactly one code and no superfluous row."""

    board: BoardLine
    code: ColorList
    """The solution."""
    code_text: NotRequired[CodeText]
    grade: Grade
    """Grade of the difficulty, from 1 to 6."""
    rows: Positive
    """Number of rows."""
    clues: list[str]
    """Each row in the words of a padlock puzzle; empty if the scoring is neither `black-white` nor
    `black` nor `color`."""
    distractors: list[ColorList]
    """For each row, a code that satisfies all other rows."""
    difficulty: DifficultyJson
    steps: list[StepJson]
    """The deduction of the solution."""
    sentences: list[str]
    """The deduction in words, line by line."""


@dataclass(frozen=True, repr=False)
class Puzzle(Displayable):
    """A board with exactly one code and no superfluous row."""

    board: Board
    """The board of the puzzle."""
    code: Code
    """The solution, with colors from 0."""
    distractors: tuple[Code, ...]
    """For each row, a code that satisfies all other rows, which shows that the row is needed."""
    steps: Steps
    """The deduction of the solution."""

    @property
    def grade(self) -> int:
        """The difficulty of the hardest step, 1 to 6."""
        return self.steps.grade or EASIEST_GRADE

    def to_dict(self) -> PuzzleJson:
        """Return a dict for JSON, with colors from 1; see schemas/puzzle.json."""
        solution = self.steps.to_dict()
        document: PuzzleJson = {
            "board": str(self.board),
            "code": [color + 1 for color in self.code],
            "grade": self.grade,
            "rows": len(self.board.rows),
            "clues": clues(self.board),
            "distractors": [[color + 1 for color in code] for code in self.distractors],
            "difficulty": Difficulty.of(self.steps.steps).to_dict(),
            "steps": solution["steps"],
            "sentences": solution["sentences"],
        }
        add_text(self.board.game, document, "code")
        return document


EASIEST_GRADE = 1
"""The grade of a board whose solution has no steps."""
MAX_USELESS_GUESSES = 100
"""Maximum number of useless guesses, which exclude no further code, that are drawn for one row.
After these, the best useful guess so far becomes the row. If there is none, another code is
drawn."""
COMPARED_GUESSES = 8
"""If a number of rows is required, each row is the best of up to this many useful guesses."""


@dataclass(frozen=True)
class Requirements:
    """Requirements for the board of a puzzle, in addition to its grade; None means any."""

    rows: int | None = None
    """The number of rows."""
    max_black: int | None = None
    """The maximum number of black key pegs in a row."""
    all_colors: bool = False
    """Whether every color of the code must be in some guess."""
    easy_last: bool = False
    """Whether rows that exclude more codes by themselves, which are easier to use, come later."""


class Draft(NamedTuple):
    """A board with exactly one code and no superfluous row."""

    board: Board
    code: Code
    distractors: tuple[Code, ...]
    """For each row, a code that violates only this row."""


def check_request(game: Game, requirements: Requirements) -> None:
    """Raise SizeError for a game of too many codes, InputError for impossible requirements."""
    faults = []
    if game.size < 2:
        faults.append(Fault("", str(game), "a game of at least 2 codes"))
    if requirements.max_black is not None and "black" not in game.parts:
        rule = f"scores of {game} have no blacks"
        faults.append(Fault(rule, requirements.max_black, "no max_black", part="max_black"))
    if requirements.rows == 0:
        faults.append(Fault("", requirements.rows, "1 or more", part="rows"))
    InputError.refuse(faults, "the puzzle")
    if game.size > LIMITS.puzzle_codes:
        smaller = f"a game of up to {LIMITS.puzzle_codes:,} codes"
        raise SizeError.of("puzzles", smaller, f"{game} with {game.size:,} codes")


class DraftSource:
    """Draws random boards of one game that have exactly one code and no superfluous row."""

    def __init__(self, game: Game, requirements: Requirements, rng: random.Random) -> None:
        """List the codes of the game; see `check_request` for errors."""
        check_request(game, requirements)
        self.game, self.requirements, self.rng = game, requirements, rng
        self.codes = all_codes(game)

    def draw(self) -> Draft | None:
        """Draw a code and rows, and remove superfluous rows; None if requirements are not met."""
        code_index = self.rng.randrange(len(self.codes))
        rows = self._draw_rows(self.code(code_index))
        if rows is None:
            return None
        violations = [~agrees_all(self.game, self.codes, row) for row in rows]
        # For each code, the number of kept rows that it violates. A row is superfluous if there is
        # no code that violates this row only.
        violation_counts = sum(violated.astype("u4") for violated in violations)
        kept = list(range(len(rows)))
        for row in self.rng.sample(kept, len(kept)):
            if not ((violation_counts == 1) & violations[row]).any():
                kept.remove(row)
                violation_counts = violation_counts - violations[row]
        if self.requirements.easy_last:
            kept.sort(key=lambda row: (int(violations[row].sum()), rows[row].guess))
        board = Board(self.game, tuple(rows[row] for row in kept))
        if not self._meets_requirements(board, self.code(code_index)):
            return None
        # For each row, the indices of the codes that violate only this row
        near_misses = (((violation_counts == 1) & violations[row]).nonzero()[0] for row in kept)
        distractors = tuple(
            self.code(indices[self.rng.randrange(len(indices))]) for indices in near_misses
        )
        return Draft(board, self.code(code_index), distractors)

    def code(self, index: int) -> Code:
        """Return the code with an index in the list."""
        return tuple(self.codes[index].tolist())

    def _meets_requirements(self, board: Board, code: Code) -> bool:
        """Return whether a board has the required number of rows and the required colors."""
        requirements = self.requirements
        guessed_colors = {color for row in board.rows for color in row.guess}
        has_colors = guessed_colors >= {*code} or not requirements.all_colors
        return has_colors and requirements.rows in {None, len(board.rows)}

    def _draw_rows(self, code: Code) -> list[Row] | None:
        """Draw rows until only this code satisfies them; each row excludes further codes.

        Return None after too many consecutive guesses that exclude no further code.
        """
        rows: list[Row] = []
        remaining = self.codes
        num_useless = 0
        choices: list[tuple[Row, Array]] = []  # useful rows, each with the codes that remain
        while len(remaining) > 1:
            row = self._draw_row(code)
            after_row = None if row is None else remaining[agrees_all(self.game, remaining, row)]
            if row is None or after_row is None or len(after_row) == len(remaining):
                num_useless += 1
                if num_useless >= MAX_USELESS_GUESSES and not choices:
                    return None
            else:
                choices.append((row, after_row))
            # Choose a row if there are enough choices, or if it is hard to find more of them.
            if len(choices) == (1 if self.requirements.rows is None else COMPARED_GUESSES) or (
                choices and num_useless >= MAX_USELESS_GUESSES
            ):
                row, remaining = min(
                    choices, key=lambda choice: self._pace_deviation(len(rows) + 1, len(choice[1]))
                )
                rows.append(row)
                choices, num_useless = [], 0
        return rows

    def _draw_row(self, code: Code) -> Row | None:
        """Return the row of a random guess; None if it is the code, or gets too many blacks."""
        guess = self.code(self.rng.randrange(len(self.codes)))
        score = self.game.score(code, guess)
        max_black = self.requirements.max_black
        if guess == code or (
            max_black is not None and score[self.game.parts.index("black")] > max_black
        ):
            return None
        return Row(guess, score)

    def _pace_deviation(self, num_rows: int, num_remaining: int) -> float:
        """Return how far the number of remaining codes after some rows deviates from an even pace.

        At an even pace, each row divides the number of codes by the same factor, such that one code
        remains after the required number of rows. The deviation is the difference between the
        logarithms of the two numbers of codes. If no number of rows is required, there is only one
        choice, and its deviation does not matter.
        """
        target_rows = self.requirements.rows or 1
        return abs(log(num_remaining) - log(len(self.codes)) * max(0.0, 1 - num_rows / target_rows))


Progress = Callable[[Mapping[int, int]], None]
"""Progress callback; see `on_progress` of `puzzle`."""


@check_arguments
def puzzle(
    game: Game | str,
    *,
    grade: int | None = None,
    rows: int | None = None,
    max_black: int | None = None,
    all_colors: bool = False,
    easy_last: bool = False,
    seed: int | None = 0,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Puzzle:
    """Make a board with exactly one code and no superfluous row, and solve it by steps.

    Parameters
    ----------
    game : Game or str
        A game of up to a million codes, or its size or name. Guesses are codes, and none of them is
        the solution.
    grade : int, optional
        Grade of the hardest step, 1 to 6. By default, any grade.
    rows : int, optional
        Number of rows. By default, any number.
    max_black : int, optional
        Maximum number of black key pegs in a row.
    all_colors : bool, default False
        Whether every color of the code must be in some guess.
    easy_last : bool, default False
        Whether rows that exclude more codes by themselves come later.
    seed : int, default 0
        Seed of all random choices; None means 0. The same arguments give the same puzzle.
    timeout : float, optional
        Time limit in seconds; unlimited by default.
    on_progress : callable, optional
        Called after each board with the number of boards so far, by grade.

    Returns
    -------
    Puzzle
        The puzzle, with its solution.

    Raises
    ------
    InputError
        If no board can meet a requirement, or if an argument is invalid.
    SizeError
        If the game has too many codes.
    TimeLimitError
        If no puzzle is found within `timeout`.
    MmsatError
        If none of 500 graded boards, or of 5,000 drawn ones, meets the requirements. The message
        lists the grades that were found.

    Notes
    -----
    A code and guesses are drawn until only this code remains. Superfluous rows are removed in
    random order, and the board is graded by `steps`. This is repeated until all requirements are
    met. A board of 4 pegs takes some hundredths of a second.

    Examples
    --------
    >>> puzzle = mmsat.puzzle("4x6", grade=2, seed=1)
    >>> mmsat.count(puzzle.board).count, puzzle.board.is_consistent(puzzle.code)
    (1, True)
    """
    return run_with_progress(
        timeout,
        on_progress,
        _first_puzzle,
        game,
        grade=grade,
        rows=rows,
        max_black=max_black,
        all_colors=all_colors,
        easy_last=easy_last,
        seed=seed,
        task_name="the puzzle",
    )


def _first_puzzle(game: Game | str, **settings: Any) -> Puzzle:
    return next(puzzles(game, **settings))


@check_arguments
def puzzles(
    game: Game | str,
    *,
    grade: int | None = None,
    rows: int | None = None,
    max_black: int | None = None,
    all_colors: bool = False,
    easy_last: bool = False,
    seed: int | None = 0,
    on_progress: Progress | None = None,
) -> Iterator[Puzzle]:
    """Yield different puzzles.

    The arguments and the errors are those of `puzzle`, without `timeout`.
    """
    game = Game.of(game)
    requirements = Requirements(rows, max_black, all_colors=all_colors, easy_last=easy_last)
    source = DraftSource(game, requirements, random.Random(seed or 0))
    earlier_boards: set[Board] = set()
    while True:
        draft, solution = find_draft(source, grade, earlier_boards, on_progress)
        earlier_boards.add(draft.board)
        yield Puzzle(draft.board, draft.code, draft.distractors, solution)


def find_draft(
    source: DraftSource,
    grade: int | None,
    earlier_boards: set[Board],
    on_progress: Progress | None,
) -> tuple[Draft, Steps]:
    """Draw a board of a grade, or any grade if None, that is not in `earlier_boards`.

    Returns the draft of the board, and its steps.
    """
    boards_by_grade: Counter[int] = Counter()
    for _ in range(LIMITS.puzzle_drafts):
        draft = source.draw()
        if draft is None or draft.board in earlier_boards:
            continue
        solution = None
        # If a grade is required, most boards are only graded, which is faster than solving.
        # `find_grade` returns None for both grade 5 and grade 6.
        board_grade = None if grade is None else find_grade(draft.board, draft.code)
        if board_grade is None or board_grade == grade:
            solution = solve(draft)
            board_grade = solution.grade
        boards_by_grade[board_grade or EASIEST_GRADE] += 1
        if on_progress is not None:
            on_progress(boards_by_grade)
        if solution is not None and grade in {None, board_grade or EASIEST_GRADE}:
            return draft, solution
        if boards_by_grade.total() == LIMITS.puzzle_boards:
            break
    raise MmsatError(failure_message(source.game, grade, boards_by_grade, len(earlier_boards)))


def solve(draft: Draft) -> Steps:
    """Return the same steps as `mmsat.steps`, computed in this process."""
    # `find_steps` yields the plan, then the steps so far, then the shortened chain of steps, which
    # is a tuple. A Plan is a tuple, too.
    plan, *_, chain = find_steps(draft.board, draft.code)
    if not isinstance(plan, Plan) or not isinstance(chain, tuple) or isinstance(chain, Plan):
        raise InternalError(f"the steps of {draft.board} have no plan or no end")
    return Steps(
        draft.board,
        Status.CONSISTENT,
        chain,
        plan.goals,
        conflict=(),
        is_complete=True,
        seconds=0.0,
        certain=plan.certain,
    )


def failure_message(
    game: Game, grade: int | None, boards_by_grade: Mapping[int, int], num_earlier: int
) -> str:
    """Return the error message, which lists the grades that were found."""
    further = " further" if num_earlier else ""
    required_grade = "" if grade is None else f" of grade {grade}"
    grades = [
        f"{quantity(number, 'board')} of grade {board_grade}"
        for board_grade, number in sorted(boards_by_grade.items())
    ]
    if not grades:
        return f"no{further} matching puzzle of a {game} game was found"
    return (
        f"no{further} puzzle{required_grade} of a {game} game was found, only {join_words(grades)}"
    )
