"""How the page displays games and boards, and how the codemaker of the page answers.

- A game: the symbols and paints of its colors, and the parts of its scores.
- A guess: the number of codes for each of its scores.
- A code: the scores of all rows if it is the secret.

The codemaker is stateless: its answer depends only on the board and on the options of the question.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Annotated, Any, TypedDict

from mmsat._util.results import (
    BoardJson,
    BoardLine,
    ColorList,
    ColorNumber,
    Digits,
    NonEmpty,
    NonNegative,
    Positive,
    Ratio,
    Schema,
)
from mmsat.diagnosis import Verdict
from mmsat.diagnosis.explanation import ReasonJson, find_reason
from mmsat.diagnosis.steps import Steps
from mmsat.diagnosis.steps.stepwise import Frame, frames
from mmsat.errors import InputError
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.definition import DefinitionJson, to_definition
from mmsat.game.game import Game
from mmsat.game.names import is_file_name
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import add_texts, published_games_by_year
from mmsat.game.space import VariableMap
from mmsat.game.tolerance import Tolerance
from mmsat.play import Round, draw_code, draw_remaining_code, evade
from mmsat.play.review import Position, RemainingGuesses, find_best, is_searchable
from mmsat.play.review_result import BEST_PLAY, EXPECTED_CODES, MeasureName
from mmsat.render import NAMED_COLORS, Paint, paint, paint_background
from mmsat.strategy.answers import class_sizes
from mmsat.strategy.candidates import ProspectJson, draw_pool, evaluate_guesses
from mmsat.strategy.optimal import TooLongError
from mmsat.strategy.strategy import State, find_breach
from mmsat.strategy.suggest import count_pool

MAX_FRAME_CELLS = 400
"""Maximum of pegs times colors for which the page shows the knowledge after each step."""
MAX_LISTED_SCORES = 2048
"""Impossible scores are listed only for games with at most this many scores, including those with
unread parts."""

CssColor = Annotated[str, Schema(pattern="^#[0-9a-f]{6}$")]


class PaintJson(TypedDict):
    """The CSS colors of a paint."""

    background: CssColor
    ink: CssColor
    """The color of the symbol on this background."""


class ColorJson(PaintJson):
    """A color of the game."""

    symbol: NonEmpty


class MarkJson(TypedDict):
    """A mark, which scores one peg of a guess."""

    symbol: NonEmpty
    name: NonEmpty
    also: str
    """Other symbols that are accepted for the mark."""


class AppearanceJson(TypedDict):
    """A game as the page displays it."""

    line: NonEmpty
    """The first part of a board line."""
    title: NonEmpty | None
    """The title of the oldest published game with this line; null if there is none."""
    pegs: Positive
    colors: Positive
    codes: Digits
    """Number of codes."""
    noun: NonEmpty
    """The noun for a color."""
    joined: bool
    """Whether the colors of a code are joined by '-'."""
    symbols: list[ColorJson]
    """The colors in order."""
    parts: Annotated[list[NonEmpty], Schema(minItems=1)]
    """Names of the parts of a score."""
    highest: NonNegative
    """Maximum of a part of a score."""
    impossible_scores: dict[str, list[NonEmpty]]
    """The scores that no code and guess can have, grouped by reason; empty for games of many
    scores. A score is its parts joined by dots, with ? for an unread part."""
    marks: list[MarkJson]
    """The possible marks; empty if scores are numbers."""
    ordered: bool
    """Whether a mark states whether a color comes before or after another one."""
    words: bool
    """Whether codes are words of a list."""
    range: NonEmpty
    """The symbols of the colors, in words."""
    definition: DefinitionJson | None
    """The definition of a custom game; null for a game that a board line can name."""
    repeats: NonEmpty
    """The rule for codes, in words."""
    has_repeats: bool
    """Whether a code can have a color more than once."""
    rule: NonEmpty
    """The rule for scores, in words."""
    example: NonEmpty
    """An example of a code."""


class ShownRowJson(TypedDict):
    """A row as the page displays it."""

    guess: Annotated[list[ColorNumber | None], Schema(minItems=1)]
    """The color of each peg, from 1; null for an unread peg."""
    score: list[int | str | None]
    """The numbers of the score, or the symbols of its marks; null for an unread part."""


class PositionJson(TypedDict):
    """A board as the page displays it."""

    board: NonEmpty
    """The board line."""
    game: AppearanceJson
    rows: list[ShownRowJson]
    document: BoardJson
    """The board document; its complete schema is board.json."""


def position(board: Board, color_names: Mapping[str, int] | None = None) -> PositionJson:
    """Return a board as the page displays it: the board line, the game and the rows.

    `color_names` maps the color names in the text of the board to colors, numbered from 0.
    """
    scoring = board.game.scoring
    document = board.to_dict()
    rows: list[ShownRowJson] = [
        {"guess": entry["guess"], "score": scoring.to_json(row.score)}
        for entry, row in zip(document["rows"], board.rows, strict=True)
    ]
    return {
        "board": str(board),
        "game": appearance(board.game, color_names),
        "rows": rows,
        "document": document,
    }


def conflict_reason(verdict: Verdict) -> ReasonJson | None:
    """Return why the rows of a verdict's conflict contradict each other; None if it is unknown.

    If lies are allowed, the result is always None, because a conflict then has another meaning:
    more of its rows are wrong than the lies allow.
    """
    board, conflict = verdict.board, verdict.conflict
    if conflict is None or verdict.tolerance.lies:
        return None
    reason = find_reason(board, conflict.rows, conflict.facts)
    return None if reason is None else reason.to_dict(board)


def step_frames(steps: Steps) -> list[dict[str, Any] | None]:
    """Return the knowledge after each sentence of a deduction; None for sentences without a step.

    `rows` are the rows of the step, numbered from 1. `has` states for each peg and color whether
    the peg has the color; None means that this is unknown. `new` lists the pairs of peg and color,
    from 0, that this step decided or states (a step can state what the rules of the game already
    decide). `counts` has the minimum and the maximum number of pegs of each color, and `new_counts`
    lists the colors, from 0, whose numbers this step decided or states. For large games, the
    result is [].
    """
    if steps.board.game.pegs * steps.board.game.colors > MAX_FRAME_CELLS:
        return []
    variables = steps.board.game.variables
    all_frames = frames(steps)
    return [
        None if line.step is None else _describe(next(all_frames), variables)
        for line in steps.lines()
    ]


def _describe(frame: Frame, variables: VariableMap) -> dict[str, Any]:
    """Return the knowledge after a step, with the keys that `step_frames` explains."""
    before, after = frame.before, frame.after
    new = {
        (peg, color)
        for peg, colors in enumerate(after.has)
        for color, state in enumerate(colors)
        if state is not before.has[peg][color]
    }
    new_counts = {
        color
        for color, (low, high) in enumerate(after.counts)
        if low == high and (low, high) != before.counts[color]
    }
    # The rules of the game may imply a conclusion before the step that states it.
    for literal in frame.step.found:
        if variables.is_at(literal):
            new.add(variables.peg_color(literal))
        else:
            new_counts.add(variables.color_count(literal)[0])
    return {
        "rows": [row + 1 for row in frame.step.rows],
        "has": after.has,
        "new": sorted(map(list, new)),
        "counts": after.counts,
        "new_counts": sorted(new_counts),
    }


@cache
def _published_titles() -> dict[str, str]:
    """Return the title of the oldest published game for each first part of a board line."""
    return {
        str(published.game): published.title for published in reversed(published_games_by_year())
    }


def appearance(game: Game, color_names: Mapping[str, int] | None = None) -> AppearanceJson:
    """Return a game as the page displays it; the symbols are in the order of the colors.

    `color_names` maps color names to colors, numbered from 0, which are painted accordingly.
    """
    notation = speller(game)
    # If a color combines a paint and a shape, `shapes` consecutive colors have the same paint.
    shapes = prod(game.scoring.factors(game.colors)[1:])
    paints = {
        color: paint_background(NAMED_COLORS[name]) for name, color in (color_names or {}).items()
    }
    symbols = notation.symbols or [str(color) for color in range(1, game.colors + 1)]
    return {
        "line": str(game),
        "title": _published_titles().get(str(game)),
        "pegs": game.pegs,
        "colors": game.colors,
        "codes": str(game.size),
        "noun": notation.noun,
        "joined": not notation.symbols,
        "symbols": [
            {"symbol": symbol, **_paint(paints.get(color) or paint(color // shapes))}
            for color, symbol in enumerate(symbols)
        ],
        "parts": list(game.parts),
        "highest": min(game.pegs, game.scoring.highest),
        "impossible_scores": impossible_scores(game),
        "marks": [
            {"symbol": mark.symbol, "name": mark.name, "also": mark.also}
            for mark in game.scoring.marks
        ],
        "ordered": bool(game.scoring.marks) and not game.scoring.are_colors_alike,
        "words": game.space.table() is not None,
        "range": notation.color_range,
        "definition": to_definition(game) if is_file_name(str(game)) else None,
        "repeats": game.space.summary,
        "has_repeats": game.space.has_repeats,
        "rule": game.scoring.summary,
        "example": notation.example,
    }


def impossible_scores(game: Game) -> dict[str, list[str]]:
    """Return the scores that no code and guess can have, grouped by reason.

    A score is its parts joined by dots, with `?` for an unread part. For games of many scores, the
    result is empty.
    """
    scoring, pegs = game.scoring, game.pegs
    values = [None, *range(len(scoring.marks) or pegs + 1)]
    if len(values) ** len(game.parts) > MAX_LISTED_SCORES:
        return {}
    scores_by_reason: dict[str, list[str]] = {}
    for score in product(values, repeat=len(game.parts)):
        reason = scoring.flaw(pegs, score)
        if reason is not None:
            parts = ("?" if part is None else str(part) for part in scoring.to_json(score))
            scores_by_reason.setdefault(reason, []).append(".".join(parts))
    return scores_by_reason


def _paint(color_paint: Paint) -> PaintJson:
    """Return the CSS colors of a paint."""
    return {"background": f"#{color_paint.background}", "ink": f"#{color_paint.foreground}"}


MIN_LIE_RANGE = 8
"""The rows with lies are drawn from this many first rows. If the number of lies is larger, each of
that many first rows has a lie."""


class MoveJson(TypedDict):
    """A scored guess."""

    board: NonEmpty
    """The board line."""
    score: list[int | str | None] | None
    """The score of the guess; null without a guess."""
    found: bool
    """Whether the code was found."""
    code: str | None
    """The code as text; null if it is not to be revealed."""


def read_guess(board: Board, text: str) -> Code:
    """Return a guess in the notation of the board's guesses."""
    return speller(board.game).parse_code(text, "the guess", board.conventions)


def answer_guess(
    board: Board,
    *,
    guess: str | None,
    seed: int | None,
    lies: int,
    evil: bool,
    hard: bool,
    reveal: bool,
) -> MoveJson:
    """Score a guess if it is given, reveal the code if requested, and return the new board.

    The seed determines the code, which is drawn from all codes of the game. An `evil` codemaker has
    no code: it gives the score that leaves the most codes, and reveals one of the remaining codes.
    A codemaker with `lies` gives the score of another code in at most this many rows. A lie never
    denies that the guess is the code, and never claims that it is. Raises InputError for an invalid
    guess, for a word that is not in the list of the game, and in a `hard` game for a guess that
    ignores information of an earlier score.
    """
    seed = seed or 0
    secret = draw_code(board.game, random.Random(seed))
    score = None
    if guess is not None:
        code = read_guess(board, guess)
        if board.game.space.table() is not None and not board.game.contains(code):
            raise InputError.of("the guess", "a word of the list of this game", guess)
        breach = find_breach(board.game, board.rows, code) if hard else None
        if breach is not None:
            rule = f"hard mode; this one ignores information of row {breach + 1}"
            expected = "a guess that uses the information of all scores"
            raise InputError.of("the guess", expected, guess, rule)
        score = evade(board, code) if evil else score_or_lie(board, code, secret, seed, lies)
        board = Round(board).with_row(code, score).board
    if evil and reveal:
        secret = draw_remaining_code(board, random.Random(seed))
    return {
        "board": str(board),
        "score": None if score is None else board.game.scoring.to_json(score),
        "found": Round(board).is_found,
        "code": speller(board.game).print_code(secret) if reveal else None,
    }


def score_or_lie(board: Board, guess: Code, secret: Code, seed: int, lies: int) -> Score:
    """Return the score of a guess, or a lie if the next row is one of the rows drawn for lies.

    A lie is the score of a random code.
    """
    game, row_index = board.game, len(board.rows)
    score = game.score(secret, guess)
    lie_rows = random.Random(seed).sample(range(max(MIN_LIE_RANGE, lies)), lies)
    if row_index not in lie_rows or guess == secret:
        return score
    lie = game.score(draw_code(game, random.Random(f"{seed} {row_index}")), guess)
    winning_score = game.score(guess, guess)
    return score if lie == winning_score else lie


MAX_SPLIT_CODES = 50_000
"""Maximum number of remaining codes that are split. If there are more, this many are drawn."""

ShownScore = Annotated[
    list[int | str | None],
    Schema(description="The numbers of a score, or the symbols of its marks.", minItems=1),
]


class PartJson(TypedDict):
    """The codes for which a guess would get one score."""

    score: ShownScore
    codes: Positive
    """Number of these codes, among the codes that are split."""
    wins: bool
    """Whether the guess is the code if it gets this score."""


class SplitJson(TypedDict):
    """How the score of a guess splits the remaining codes."""

    board: NonEmpty
    """The board line."""
    guess: ColorList
    judged_by: Positive
    """Number of remaining codes that are split."""
    exact: bool
    """Whether these are all remaining codes, not a sample."""
    parts: Annotated[list[PartJson], Schema(minItems=1)]
    """The possible scores, those with the most codes first."""


class ScoresJson(TypedDict):
    """The scores that the guesses of a board get if some code is the secret."""

    board: NonEmpty
    """The board line."""
    code: ColorList
    scores: list[ShownScore]
    """The score of each row."""
    wrong: list[Positive]
    """The numbers of the rows whose scores on the board are different."""


def split(board: Board, guess: Code, tolerance: Tolerance, seed: int | None) -> SplitJson:
    """Return how the score of a guess splits the remaining codes.

    Raises InconsistentError if no code remains.
    """
    game = board.game
    pool = draw_pool(State(board, tolerance=tolerance), MAX_SPLIT_CODES, seed)
    winning_score = game.score(guess, guess)
    return {
        "board": str(board),
        "guess": [color + 1 for color in guess],
        "judged_by": len(pool.codes),
        "exact": pool.is_all,
        "parts": [
            {
                "score": game.scoring.to_json(score),
                "codes": size,
                "wins": score == winning_score,
            }
            for score, size in class_sizes(game, pool.codes, guess)
        ],
    }


def score_rows(board: Board, code: Code) -> ScoresJson:
    """Return the scores that the guesses of a board get if `code` is the secret."""
    game = board.game
    return {
        "board": str(board),
        "code": [color + 1 for color in code],
        "scores": [game.scoring.to_json(game.score(code, row.guess)) for row in board.rows],
        "wrong": [row + 1 for row in board.missed(code)],
    }


class EvaluationJson(ProspectJson):
    """A guess and its evaluation."""

    board: BoardLine
    codes: Digits
    """Number of codes that remain before the guess; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""
    exact: bool
    """Whether the guess is evaluated against all remaining codes, not against a sample."""
    by: MeasureName
    cost: Ratio | None
    """The average number of guesses or of remaining codes; null if it takes too long to compute."""


def evaluate(
    board: Board, guess: Code, tolerance: Tolerance, seed: int | None
) -> Iterator[EvaluationJson]:
    """Yield the evaluation of a guess.

    If the cost takes longer to compute, the first evaluation has no cost. The cost is in the same
    measure as in `compare_guesses`: the average number of guesses if it can be computed for this
    board, otherwise the expected number of remaining codes. Raises InconsistentError if no code
    remains.
    """
    state = State(board, tolerance=tolerance)
    pool = draw_pool(state, MAX_SPLIT_CODES, seed)
    (prospect,) = evaluate_guesses(state, pool, [guess])
    codes = count_pool(pool)
    # If the guess is evaluated against a sample, the expected number of codes is scaled up.
    scale = Fraction(codes.count, prospect.judged_by) if codes.exact else Fraction(1)

    def describe(by: str, cost: Fraction | None) -> EvaluationJson:
        """Return the document with a cost in the measure `by`."""
        document: EvaluationJson = {
            "board": str(board),
            "codes": str(codes.count),
            "codes_exact": codes.exact,
            "exact": pool.is_all,
            **prospect.to_dict(),
            "by": by,
            "cost": None if cost is None else str(cost),
        }
        return add_texts(board.game, document)

    if not tolerance.lies and is_searchable(state):
        yield describe(BEST_PLAY, None)
        position = Position(state, MAX_SPLIT_CODES, seed)
        if find_best(position)[0] == BEST_PLAY:
            cost = None
            with suppress(TooLongError):
                cost = RemainingGuesses(position).cost(guess, position.split(guess))
            yield describe(BEST_PLAY, cost)
            return
    yield describe(EXPECTED_CODES, prospect.expected * scale)
