"""Make puzzles of a wished grade."""

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
from mmsat.puzzles.draft import Draft, Drafts, Wish
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
    most_black: int | None = None,
    all_colors: bool = False,
    easy_last: bool = False,
    seed: int | None = 0,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Puzzle:
    """Make a board with exactly one code, of which no row can be left out, and solve it in steps.

    A code and guesses are drawn until one code is left; superfluous rows are left out in random
    order; the rest is graded as `mmsat.steps` does. That is repeated until all wishes are met.

    - `game`: of up to a million codes. Guesses are codes, and none of them is the answer.
    - `grade`: of the hardest step that a person needs, 1 to 6; None for any.
    - `rows`: how many, None for any.
    - `most_black`: no row has more blacks.
    - `all_colors`: every color of the code is in some guess.
    - `easy_last`: the more codes a row rules out by itself, the later it comes.
    - `seed`: the same arguments give the same puzzle; None is 0.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with how many boards of each grade have been seen, after each.

    Raises InputError for a request that no board fulfills, SizeError for a larger game,
    TimeLimitError after `timeout` seconds, and MmsatError, with the grades that were seen, if none
    of some hundred graded boards, or of some thousand drawn ones, matches. A board of 4 pegs costs
    some hundredths of a second.
    """
    return finish(
        timeout,
        on_progress,
        _first,
        game,
        grade=grade,
        rows=rows,
        most_black=most_black,
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
    **wishes: Any,
) -> Iterator[Puzzle]:
    """Make puzzle after puzzle, all different, until no more are found; else as `puzzle`."""
    game, wish = Game.of(game), Wish(**wishes)
    drafts = Drafts(game, wish, random.Random(seed or 0))
    made: set[Board] = set()
    while True:
        draft, solution = find(drafts, grade, made, on_progress)
        made.add(draft.board)
        yield Puzzle(draft.board, draft.code, draft.distractors, solution)


def find(
    drafts: Drafts, grade: int | None, made: set[Board], on_progress: Progress | None
) -> tuple[Draft, Steps]:
    """The next board of a grade that has not been made, with its steps."""
    seen: Counter[int] = Counter()
    for _ in range(LIMITS.puzzle_drafts):
        draft = drafts.draw()
        if draft is None or draft.board in made:
            continue
        found = None if grade is None else find_grade(draft.board, draft.code)
        if found in {None, grade}:
            solution = solve(draft)
            found = solution.grade or 1
            if grade in {None, found}:
                return draft, solution
        seen[found or 1] += 1
        if on_progress is not None:
            on_progress(seen)
        if seen.total() == LIMITS.puzzle_boards:
            break
    raise MmsatError(failure(drafts.game, grade, seen, len(made)))


def solve(draft: Draft) -> Steps:
    """The steps that `mmsat.steps` finds, without a process of its own."""
    plan, *_, chain = find_steps(draft.board, draft.code)
    if not isinstance(plan, Plan) or not isinstance(chain, tuple) or isinstance(chain, Plan):
        raise InternalError(f"the steps of {draft.board} have no plan or no end")
    return Steps(draft.board, Status.CONSISTENT, chain, plan.goals, (), True, 0.0, plan.certain)


def failure(game: Game, grade: int | None, seen: Mapping[int, int], made: int) -> str:
    """What was found instead."""
    more = " more" if made else ""
    wanted = "" if grade is None else f" of grade {grade}"
    kinds = [
        f"{quantity(number, 'board')} of grade {each}" for each, number in sorted(seen.items())
    ]
    if not kinds:
        return f"no{more} matching puzzle of a {game} game was found"
    return f"no{more} puzzle{wanted} of a {game} game was found, but {join_words(kinds)}"
