"""Make puzzles of a requested grade."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.diagnosis.steps.steps import Steps
from mmsat.diagnosis.steps.stepwise import Plan, find_grade, find_steps
from mmsat.english import join_words, quantity
from mmsat.errors import InternalError, MmsatError
from mmsat.game.game import Game
from mmsat.limits import LIMITS
from mmsat.puzzles.draft import Draft, Drafts, Requirements
from mmsat.puzzles.puzzle import Puzzle
from mmsat.results.verdict import Status
from mmsat.solving.executor import finish

Progress = Callable[[Mapping[int, int]], None]


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
        Grade of the hardest step, 1 to 6. By default, any grade will do.
    rows : int, optional
        Number of rows. By default, any number will do.
    max_black : int, optional
        Maximum number of black key pegs in a row.
    all_colors : bool, default False
        Whether every color of the code must be in some guess.
    easy_last : bool, default False
        Whether rows that exclude more codes by themselves come later.
    seed : int, default 0
        Seed of all random choices. The same arguments give the same puzzle.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called after each board with the number of boards so far, by grade.

    Returns
    -------
    Puzzle
        The puzzle, with its solution.

    Raises
    ------
    InputError
        If no board can meet a request, or if an argument is invalid.
    SizeError
        If the game has too many codes.
    TimeLimitError
        If no puzzle is found within `timeout`.
    MmsatError
        If none of 500 graded boards, or of 5,000 drawn ones, meets the requests. The message has
        the grades that were found.

    Notes
    -----
    A code and guesses are drawn until only this code remains. Superfluous rows are removed in
    random order, and the board is graded by `steps`. This is repeated until all requests are met. A
    board of 4 pegs takes some hundredths of a second.

    Examples
    --------
    >>> puzzle = mmsat.puzzle("4x6", grade=2, seed=1)
    >>> mmsat.count(puzzle.board).count, puzzle.board.is_consistent(puzzle.code)
    (1, True)
    """
    return finish(
        timeout,
        on_progress,
        _first,
        game,
        grade=grade,
        rows=rows,
        max_black=max_black,
        all_colors=all_colors,
        easy_last=easy_last,
        seed=seed,
        work="the puzzle",
    )


def _first(game: Game | str, **settings: Any) -> Puzzle:
    return next(puzzles(game, **settings))


@check_arguments
def puzzles(
    game: Game | str,
    *,
    grade: int | None = None,
    seed: int | None = 0,
    on_progress: Progress | None = None,
    **settings: Any,
) -> Iterator[Puzzle]:
    """Yield different puzzles until no more are found. The arguments are those of `puzzle`."""
    game, requirements = Game.of(game), Requirements(**settings)
    drafts = Drafts(game, requirements, random.Random(seed or 0))
    made: set[Board] = set()
    while True:
        draft, solution = find(drafts, grade, made, on_progress)
        made.add(draft.board)
        yield Puzzle(draft.board, draft.code, draft.distractors, solution)


def find(
    drafts: Drafts, grade: int | None, made: set[Board], on_progress: Progress | None
) -> tuple[Draft, Steps]:
    """Return a new board of a grade, and its steps."""
    seen: Counter[int] = Counter()
    for _ in range(LIMITS.puzzle_drafts):
        draft = drafts.draw()
        if draft is None or draft.board in made:
            continue
        board_grade = None if grade is None else find_grade(draft.board, draft.code)
        if board_grade in {None, grade}:
            solution = solve(draft)
            board_grade = solution.grade or 1
            if grade in {None, board_grade}:
                return draft, solution
        seen[board_grade or 1] += 1
        if on_progress is not None:
            on_progress(seen)
        if seen.total() == LIMITS.puzzle_boards:
            break
    raise MmsatError(failure(drafts.game, grade, seen, len(made)))


def solve(draft: Draft) -> Steps:
    """Return the steps of `mmsat.steps`, computed in this process."""
    plan, *_, chain = find_steps(draft.board, draft.code)
    if not isinstance(plan, Plan) or not isinstance(chain, tuple) or isinstance(chain, Plan):
        raise InternalError(f"the steps of {draft.board} have no plan or no end")
    return Steps(draft.board, Status.CONSISTENT, chain, plan.goals, (), True, 0.0, plan.certain)


def failure(game: Game, grade: int | None, seen: Mapping[int, int], made: int) -> str:
    """Return the error message, which lists the grades found."""
    more = " more" if made else ""
    wanted = "" if grade is None else f" of grade {grade}"
    grades = [
        f"{quantity(number, 'board')} of grade {board_grade}"
        for board_grade, number in sorted(seen.items())
    ]
    if not grades:
        return f"no{more} matching puzzle of a {game} game was found"
    return f"no{more} puzzle{wanted} of a {game} game was found, only {join_words(grades)}"
