"""Reports of matches, of reviews of played games, and of audits.

The report of a match is a table of points and rounds, or of strategies if several boards are played
at once. The report of a review is a table of guesses with sentences. The report of an audit is a
summary in sentences. Reviews and audits can also be plotted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from mmsat._util.text import in_short, quantity
from mmsat.auditing.summary import (
    NO_ERROR_FOUND,
    OUTCOMES,
    UNNAMED,
    Summary,
    summary_sentences,
)
from mmsat.game.notation.board_reader import speller
from mmsat.play.match import MatchResult, SeveralMatch
from mmsat.play.review_result import BEST_PLAY, Move, Review, amount, percent, review_sentences
from mmsat.render import Line, paragraphs, pyplot, save_figure, save_plot, table
from mmsat.render.board import Style


def match_lines(result: MatchResult, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the points and the winner; in full, first one line per round."""
    if in_full:
        yield from match_rounds(result, style)
        yield []
    rows = []
    for player, name in enumerate(result.names):
        num_rounds, num_found, num_guesses = result.guesses(player)
        average = f"{num_guesses / num_rounds:.2f}" if num_rounds else "-"
        share = f"{num_found} of {num_rounds}" if num_rounds else "-"
        rows.append([str(player + 1), name, str(result.points[player]), share, average])
    yield from table(["", "player", "points", "found", "guesses each"], rows, style.wrap, (2,))
    if result.winner is not None:
        message = f"Player {result.winner + 1}, {result.names[result.winner]}, wins."
    else:
        message = "A draw." if result.is_complete else "The match was not played to its end."
    yield []
    yield from paragraphs([message], style.wrap)


def match_rounds(result: MatchResult, style: Style) -> Iterator[Line]:
    """Yield one line per round."""
    rows = [
        [
            str(number),
            result.names[played.maker],
            "-" if played.secret is None else speller(result.game).print_code(played.secret),
            str(len(played.board.rows)),
            "yes" if played.is_found else "no",
            " ".join(map(str, played.points)),
        ]
        for number, played in enumerate(result.played, 1)
    ]
    heads = ["round", "codemaker", "code", "guesses", "found", "points"]
    yield from table(heads, rows, style.wrap, (0, 3))


def several_match_lines(result: SeveralMatch, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield one line per strategy; in full, first one line per game."""
    num_games = len(result.guesses)
    if in_full:
        print_code = speller(result.game).print_code
        games = [
            [" ".join(map(str, guesses)), " ".join(map(print_code, codes))]
            for codes, guesses in zip(result.codes, result.guesses, strict=True)
        ]
        yield from table(["guesses", "codes"], games, style.wrap, ())
        yield []
    rows = [
        [
            name,
            f"{result.wins(index)} of {num_games}",
            in_short(result.average(index)),
            str(result.most(index)),
        ]
        for index, name in enumerate(result.names)
        if num_games
    ]
    if rows:
        yield from table(["strategy", "won", "guesses each", "most"], rows, style.wrap, (2,))
        yield []
    games_and_boards = f"{quantity(num_games, 'game')} of {quantity(result.count, 'board')}"
    yield from paragraphs(
        [f"{games_and_boards}, won within {quantity(result.turns, 'guess')}."], style.wrap
    )


REVIEW_HEADS = (
    "row",
    "guess",
    "codes",
    "left",
    "cost",
    "best cost",
    "best guess",
    "skill",
    "luck",
    "luckier than",
)
"""Heads of the table of a review."""
NUMBER_COLUMNS = (0, 2, 3, 4, 5, 7, 8, 9)
"""Indices of the columns of numbers in the table of a review."""
DARK, RED, GREEN = "#472d7b", "#c1121f", "#8fd3b6"
UNITS = {True: "guesses", False: "codes"}
"""The unit of the cost of a guess, by whether it is judged by best play."""


def review_lines(review: Review, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the table of guesses and a summary; in full, also a sentence per guess."""
    if review.moves:
        yield from table(
            REVIEW_HEADS, [*review_rows(review)], style.wrap and style.width, NUMBER_COLUMNS
        )
    if in_full:
        sentences = [f"{move.number + 1}. {move.sentence}" for move in review.moves]
        yield from paragraphs(sentences, style.wrap)
    yield from paragraphs(review_sentences(review), style.wrap)


def review_rows(review: Review) -> Iterator[list[str]]:
    """Yield the cells of the table, one row per guess."""
    spell = speller(review.board.game)
    for move in review.moves:
        yield [
            str(move.number + 1),
            spell.print_row(move.row),
            "?" if move.codes_before is None else f"{move.codes_before:,}",
            "?" if move.codes_after is None else f"{move.codes_after:,}",
            f"{amount(move.cost)} {UNITS[move.by == BEST_PLAY]}",
            amount(move.least),
            spell.print_code(move.best) if move.loss else "",
            percent(move.skill),
            "" if move.luck is None else amount(move.luck, "+"),
            "" if move.luckier is None else percent(move.luckier),
        ]


def draw_review(review: Review, path: str) -> None:
    """Plot the remaining and expected codes, and the skill; equal reviews give equal bytes."""
    plt = pyplot()
    moves = review.moves
    spell = speller(review.board.game)
    width = max(3.0, 0.7 * (len(moves) + 1))
    figure, (upper_axes, lower_axes) = plt.subplots(
        2, 1, figsize=(width, 4), sharex=True, layout="constrained"
    )
    counted_moves = [move for move in moves if move.codes_before]
    start = [(0, counted_moves[0].codes_before)] if counted_moves else []
    remaining = [(move.number + 1, move.codes_after) for move in counted_moves if move.codes_after]
    if start:
        upper_axes.plot(
            *zip(*start, *remaining, strict=False), marker="o", label="remaining codes", color=DARK
        )
        expected = [(move.number + 1, expected_codes(move)) for move in counted_moves]
        upper_axes.plot(
            *zip(*expected, strict=True), "_", markersize=12, label="expected", color=RED
        )
        upper_axes.legend()
    upper_axes.set_yscale("log")
    upper_axes.set_ylabel("codes left")
    numbers = [move.number + 1 for move in moves]
    lower_axes.bar(numbers, [float(100 * move.skill) for move in moves], color=GREEN)
    for move in moves:
        if move.loss:
            best_guess = spell.print_code(move.best)
            lower_axes.annotate(best_guess, (move.number + 1, 2), ha="center", rotation=90)
    lower_axes.set_ylim(0, 105)
    lower_axes.set_ylabel("skill in %")
    names = [spell.print_row(move.row) for move in moves]
    lower_axes.set_xticks(numbers, names, rotation=45, ha="right")
    save_figure(figure, path, "Remaining codes after each guess, and the skill of each guess")


def expected_codes(move: Move) -> float:
    """Return the number of remaining codes if the score gives the expected information."""
    return float(move.codes_before or 0) / 2**move.expected_bits


def summary_lines(summary: Summary, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield sentences, and a confusion table if the logs record the actual errors."""
    yield from paragraphs(summary_sentences(summary), style.wrap)
    if summary.knows_slips:
        yield from confusion_table(summary, style.wrap)


def confusion_table(summary: Summary, width: int | None) -> Iterator[Line]:
    """Yield a table of games by actual error (rows) and by result of the audit (columns).

    Games without an error, recorded or found, are in a sentence of the summary instead.
    """
    actual_errors = sorted(
        {actual for actual, outcome in summary.confusion if outcome != NO_ERROR_FOUND}
    )
    rows = [
        [*(str(summary.confusion[actual, outcome]) for outcome in OUTCOMES), actual]
        for actual in actual_errors
    ]
    yield from table([*OUTCOMES.values(), "actual error"], rows, width, range(len(OUTCOMES)))


def make_folder(path: str) -> Path:
    """Return the folder at a path; create it if it does not exist."""
    os.makedirs(path, exist_ok=True)
    return Path(path)


def draw_summary(summary: Summary, folder: Path) -> list[Path]:
    """Plot the slips and the skill, if there are any; equal summaries give equal bytes."""
    plt = pyplot()
    paths: list[Path] = []
    if summary.slips:
        words, games = zip(*reversed(summary.slips.most_common()), strict=True)
        height = max(1.2, 0.5 + 0.25 * len(words))
        figure, axes = plt.subplots(figsize=(5, height), layout="constrained")
        axes.barh([value or UNNAMED for value in words], games, color="#c1121f")
        axes.set_xlabel("games")
        paths += save_plot(figure, folder, "slips")
    if summary.skills:
        figure, axes = plt.subplots(figsize=(5, 2.4), layout="constrained")
        first_records, means, _ = zip(*summary.skills, strict=True)
        axes.plot(first_records, [100 * mean for mean in means], marker="o", color="#472d7b")
        axes.set_xlabel("record")
        axes.set_ylabel("skill in %")
        paths += save_plot(figure, folder, "skill")
    return paths


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "MatchResult": match_lines,
    "Review": review_lines,
    "SeveralMatch": several_match_lines,
    "Summary": summary_lines,
}
"""The functions of reports, by the names of the classes of results."""
