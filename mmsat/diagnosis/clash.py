"""Why a few rows can't all be right, as a player would say it: what each of them says."""

from collections.abc import Iterator, Mapping, Sequence

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.phrases import Phrases
from mmsat.diagnosis.steps.counting import CountingPropagator
from mmsat.diagnosis.steps.premises import smallest_premises
from mmsat.game.row import Row, Score
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.executor import is_large

ROWS = 4
"""Rows of the largest conflict that is put in words ..."""
CLAUSES = 6
"""... and the clauses that are told at most ..."""
LITERALS = 2_000
"""... of a game with no more literals."""


def explain_clash(board: Board, rows: Sequence[int]) -> str | None:
    """What the rows of a minimal conflict say against each other; None where that is long.

    Facts that each row tells by itself come first, if they contradict; else the parts of the scores
    that no code has together.
    """
    game = board.game
    if not 2 <= len(rows) <= ROWS or 2 * game.pegs * game.colors > LITERALS:
        return None
    if is_one_guess(board, rows):
        return "they score the same guess differently"
    facts = contradicting_facts(board, rows)
    if facts:
        return "; ".join(tell(board, facts))
    if game.space.table() is not None:
        return f"no word fits {'both' if len(rows) == 2 else 'all of them'}"
    guesses = [{*board.rows[row].guess} for row in rows]
    common = sum(part or 0 for row in rows for part in board.rows[row].score)
    is_shared = len(rows) > 2 or not guesses[0].isdisjoint(guesses[1])
    if game.scoring.name in {"black-white", "color"} and common > game.pegs and not is_shared:
        noun = game.spelled.noun
        return f"they share no {noun}, and together they score {common} of {game.pegs} pegs"
    scores = [] if game.scoring.marks or is_large(board) else trim_scores(board, rows)
    return "; ".join(
        f"row {row + 1} scores {describe_parts(board, score)}"
        for row, score in zip(rows, scores, strict=False)
    )


def is_one_guess(board: Board, rows: Sequence[int]) -> bool:
    """Whether two rows are of one guess, and a part of their scores was read differently."""
    if len(rows) > 2:
        return False
    first, second = (board.rows[row] for row in rows)
    return first.guess == second.guess and any(
        None not in both and len({*both}) > 1
        for both in zip(first.score, second.score, strict=True)
    )


def contradicting_facts(board: Board, rows: Sequence[int]) -> dict[int, list[int]]:
    """Literals that each row tells by itself, and that leave no code; by row, empty if none do."""
    counting = CountingPropagator(System.of(board))
    rules = counting.close(counting.state(()), has_words=False)
    known = {*counting.literals(rules)}
    says: dict[int, set[int]] = {}
    by: dict[int, int] = {}
    for row in rows:
        state = counting.close(rules, (row,), has_words=False)
        says[row] = {*counting.literals(state)} - known
        by |= dict.fromkeys(says[row] - by.keys(), row)

    def is_enough(literals: Sequence[int]) -> bool:
        return not counting.close(counting.state(literals), has_words=False).is_possible

    phrases = Phrases(board)
    plain = sorted(by, key=lambda literal: (plainness(phrases, literal), abs(literal)))
    if not is_enough(plain):
        return {}
    facts = smallest_premises(plain, is_enough).literals
    if len([*phrases.clauses(facts)]) > CLAUSES:
        return {}
    found = {row: [literal for literal in facts if by[literal] == row] for row in rows}
    for row in rows if phrases.is_ordered else ():  # before 3, and not before 6 as that is enough
        pegs = {phrases.peg(literal) for literal in found[row] if literal < 0}
        more = says[row] - {*found[row]}
        found[row] += [each for each in more if each < 0 and phrases.peg(each) in pegs]
    return {row: literals for row, literals in found.items() if literals}


def tell(board: Board, facts: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """What each row says."""
    phrases = Phrases(board)
    earlier: list[int] = []
    for row, literals in facts.items():
        clause = one(phrases, board.rows[row], literals, earlier) or phrases.literals(literals)
        that = "" if clause.startswith("there ") else "that "
        yield f"row {row + 1} says {that}{clause}"
        earlier += literals


def plainness(phrases: Phrases, literal: int) -> int:
    """What is told first: what is there and what is not, then pegs, then how many there are.

    Where colors have an order, pegs are.
    """
    variables = phrases.variables
    if variables.is_at(literal):
        return 1 if literal > 0 or phrases.is_ordered else 2
    return 3 if variables.color_count(literal)[1] > 1 else 2 * phrases.is_ordered


def one(phrases: Phrases, row: Row, literals: Sequence[int], earlier: Sequence[int]) -> str | None:
    """`there is one`, after another row has said that there is none."""
    (literal, *more) = literals
    if more or literal < 0 or -literal not in earlier or not phrases.is_bare:
        return None
    marks = phrases.board.game.scoring.marks
    color, _ = phrases.variables.color_count(literal)
    names = {
        marks[mark].name
        for asked, mark in zip(row.guess, row.score, strict=False)
        if marks and asked == color and mark is not None
    }
    return "there is one, elsewhere" if "elsewhere" in names else "there is one"


def trim_scores(board: Board, rows: Sequence[int]) -> list[Score]:
    """Their scores without the parts that the conflict can do without."""
    scores = [list(board.rows[row].score) for row in rows]
    for score in scores:
        for part, number in enumerate(score):
            score[part] = None
            if has_code(board, rows, scores) and number is not None:
                score[part] = number
    return [tuple(score) for score in scores]


def has_code(board: Board, rows: Sequence[int], scores: Sequence[Sequence[int | None]]) -> bool:
    """Whether some code gets these scores instead."""
    changed = board.changed({row: tuple(each) for row, each in zip(rows, scores, strict=True)})
    return next(iter(SlicedSearch(System.of(changed.only(rows)))), None) is not None


def describe_parts(board: Board, score: Score) -> str:
    """The parts of a score that are left, in words."""
    if None not in score:
        return board.game.scoring.describe(score)
    names = board.game.scoring.parts(board.game.pegs)
    return " ".join(
        f"{number} {name}" for number, name in zip(score, names, strict=True) if number is not None
    )
