"""State the facts of a conflict in words, without any search."""

from collections.abc import Iterator, Sequence

from mmsat.board import Board
from mmsat.diagnosis.phrases import Phrases
from mmsat.results.facts import CommonFact, Fact, LiteralsFact, ScoreFact, is_one_guess


def clauses(board: Board, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield the clauses that state the facts of a conflict: usually one for each row."""
    scores = [fact for fact in facts if isinstance(fact, ScoreFact)]
    if is_one_guess(board, scores):
        yield "they score the same guess differently"
    elif scores and board.game.space.table() is not None:
        yield f"no word fits {'both' if len(facts) == 2 else 'all of them'}"
    elif common := [fact.pegs for fact in facts if isinstance(fact, CommonFact)]:
        is_partial = any(None in board.rows[fact.row].score for fact in facts)
        at_least = "at least " * is_partial
        yield (
            f"they share no {board.game.spelled.noun}, and together they score "
            f"{at_least}{sum(common)} of {board.game.pegs} pegs"
        )
    else:
        phrases = Phrases(board)
        for fact in facts:
            if isinstance(fact, LiteralsFact):
                words = phrases.literals(fact.literals)
                that = "" if words.startswith("there ") else "that "
                yield f"row {fact.row + 1} says {that}{words}"
            elif isinstance(fact, ScoreFact):
                yield f"row {fact.row + 1} {describe_components(board, fact)}"


def describe_components(board: Board, fact: ScoreFact) -> str:
    """Return `scores 3 black 2 white`, or `has 2 white (of 3 black 2 white)`."""
    scoring, whole = board.game.scoring, board.rows[fact.row].score
    if fact.score == whole:
        return f"scores {scoring.describe(whole)}"
    names = scoring.parts(board.game.pegs)
    components = " ".join(
        f"{number} {name}"
        for number, name in zip(fact.score, names, strict=True)
        if number is not None
    )
    return f"has {components} (of {scoring.describe(whole)})"
