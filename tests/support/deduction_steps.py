"""Plain definitions for deduction steps: masks over all codes, and checks of a chain of steps."""

from __future__ import annotations

from functools import cache, reduce
from operator import and_

from mmsat.diagnosis.steps import Way
from tests.support import twins


class Masks:
    """The codes of a board as bit masks: the codes with a row's score, or with a true literal."""

    def __init__(self, board):
        self.board = board
        self.codes = list(twins.codes(board.game))
        self.all_codes = (1 << len(self.codes)) - 1
        scoring = board.game.scoring
        self.rows = [
            self.mask(lambda code, row=row: twins.agrees(scoring, code, row.guess, row.score))
            for row in board.rows
        ]
        self.literal = cache(self.of_literal)

    def mask(self, has_property):
        return sum(1 << number for number, code in enumerate(self.codes) if has_property(code))

    def of_literal(self, literal):
        variables = self.board.game.variables
        if literal < 0:
            return self.all_codes & ~self.literal(-literal)
        if variables.is_at(literal):
            peg, color = variables.peg_color(literal)
            return self.mask(lambda code: code[peg] == color)
        color, count = variables.color_count(literal)
        return self.mask(lambda code: code.count(color) >= count)

    def has_code(self, rows, literals=(), denied=()):
        """Return whether a code satisfies the rows and literals, and not all literals `denied`."""
        remaining_mask = reduce(and_, (self.rows[row] for row in rows), self.all_codes)
        remaining_mask = reduce(and_, map(self.literal, literals), remaining_mask)
        return bool(
            remaining_mask & ~reduce(and_, map(self.literal, denied), self.all_codes)
            if denied
            else remaining_mask
        )


def check_trials(has_code, step):
    """Check that each new literal that was tried has a reason, which contradicts the named rows."""
    tried = [-trial.supposed for trial in step.trials]
    assert bool(tried) == (step.way is Way.FAILED_LITERAL)
    assert tried == [literal for literal in step.found if literal in tried]
    for trial in step.trials:
        assert set(trial.rows) <= set(step.rows)
        assert not has_code(trial.rows, [*step.literals, trial.supposed, *trial.implied]), trial
        for literal in trial.implied:
            assert not has_code(step.rows, [*step.literals, trial.supposed], (literal,)), trial


def check_chain(has_code, steps, given=()):
    """Check that each step follows from earlier conclusions; return all conclusions.

    `given` has the literals that are assumed at the beginning.
    """
    conclusions = list(given)
    for number, step in enumerate(steps):
        assert set(step.literals) <= set(conclusions), "only earlier literals are used"
        assert len(step.rows) <= 2 or step.supposed is not None or step.way is Way.LISTING
        assert not has_code(step.rows, step.literals, step.found), step
        assert bool(step.steps) == (step.supposed is not None) == (step.way is Way.SUPPOSING)
        check_trials(has_code, step)
        if step.supposed is not None:
            assert step.found == (-step.supposed,)
            assert all(set(entry.rows) <= set(step.rows) for entry in step.steps)
            check_chain(has_code, step.steps, [*step.literals, step.supposed])
            assert not step.steps[-1].found, "the assumption is refuted"
        assert step.found or number == len(steps) - 1, "only the last one is the contradiction"
        conclusions += step.found
    return conclusions


def check_end(board, has_code, plan, steps, code):
    """Check that the last step is a contradiction, or that all common facts are concluded."""
    conclusions = check_chain(has_code, steps)
    all_rows = range(len(board.rows))
    if code is None:
        assert steps
        assert not steps[-1].found
        assert {row for step in steps for row in step.rows} == set(plan.conflict)
        return
    assert all(step.found for step in steps)
    assert set(plan.goals) <= set(conclusions)
    for literal in statements(board.game, code):
        is_shared = not has_code(all_rows, (), literal)
        assert is_shared == (not has_code((), plan.goals, literal)), literal


def statements(game, code):
    """Yield each fact about a code, as the literals that state it together.

    The facts are the color of each peg, and the number of pegs of each color.
    """
    variables = game.variables
    for peg, color in enumerate(code):
        yield (variables.at(peg, color),)
    for color in range(game.colors):
        number = code.count(color)
        low = [variables.least(color, number)] if number else []
        high = [-variables.least(color, number + 1)] if number < game.pegs else []
        yield (*low, *high)
