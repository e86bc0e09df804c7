"""Reports of suggested guesses, and of strategies and their values.

Suggestion           the next guess and its reasons
SeveralSuggestion    a guess for several boards at once, and its effect on each board
Analysis             the numbers of guesses that a strategy needs
Optimum              the numbers of guesses of the best strategy, and the proven claim
StaticSet            the guesses, the codes that they distinguish, and the proven claim
GameValue            the value of a game, and the mixed strategies of both sides
StrategyTree         an outline of the tree; drawings are in SVG, and in DOT for Graphviz
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from math import floor, log10
from typing import TYPE_CHECKING

from mmsat._util.text import in_short, noun_phrase, quantity
from mmsat.game import Code, Score
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import Pairs
from mmsat.render import Line, Span, fields, paragraphs, table
from mmsat.render.board import BoardTable, Style

if TYPE_CHECKING:
    from fractions import Fraction

    from mmsat.render.picture import Drawing
    from mmsat.strategy.analyze import Analysis
    from mmsat.strategy.game_value import GameValue
    from mmsat.strategy.optimal.search import Optimum
    from mmsat.strategy.several import BoardOutlook, SeveralSuggestion
    from mmsat.strategy.static import StaticSet
    from mmsat.strategy.suggest import Suggestion
    from mmsat.strategy.tree import Node, StrategyTree


def suggestion_lines(suggestion: Suggestion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the guess with its reasons; if pegs are painted, or in full, first the board."""
    from mmsat.strategy.suggest import suggestion_sentences

    if style.painted or in_full:
        table = BoardTable(suggestion.board, style)
        yield from table.lines(every_row=in_full, code=suggestion.guess, name="guess")
        yield []
    yield from paragraphs(suggestion_sentences(suggestion), style.wrap)


def several_suggestion_lines(
    suggestion: SeveralSuggestion, style: Style, *, in_full: bool
) -> Iterator[Line]:
    """Yield the guess, and one line per board."""
    print_code = speller(suggestion.boards.game).print_code
    solved_boards = [str(board + 1) for board in suggestion.solves]
    reason = f", the code of {noun_phrase('board', solved_boards)}" if solved_boards else ""
    yield from paragraphs([f"Guess {print_code(suggestion.guess)}{reason}."], style.wrap)
    yield []
    outlooks = {outlook.board: outlook for outlook in suggestion.outlooks}
    rows = [
        [
            str(board + 1),
            *(describe_outlook(outlooks[board]) if board in outlooks else ["solved", "", "", ""]),
        ]
        for board in range(len(suggestion.boards.boards))
    ]
    heads = ["board", "codes", "codes left on average", "at worst", "chance of being the code"]
    yield from table(heads, rows, style.wrap, (0, 1, 2, 3))
    if suggestion.others:
        yield []
        yield from paragraphs([f"Or {', '.join(map(print_code, suggestion.others))}."], style.wrap)


def describe_outlook(outlook: BoardOutlook) -> list[str]:
    """Return the effect of the guess on a board, as the cells of its row after the number.

    If it is estimated from a sample, the codes that the guess leaves are percentages.
    """
    prospect = outlook.prospect
    if outlook.is_exact:
        remaining = [in_short(prospect.expected), f"{prospect.worst:,}"]
    else:
        size = prospect.judged_by
        remaining = [
            f"about {float(prospect.expected / size):.2%}",
            f"about {prospect.worst / size:.2%}",
        ]
    chance = f"1 in {prospect.chance.denominator:,}" if prospect.is_possible else "none"
    return [str(outlook.codes), *remaining, chance]


MAX_SINGLE_COLUMNS, NUM_SHARED_COLUMNS = 20, 6
"""In the distribution of an analysis, each number of guesses has a column if the maximum is at most
MAX_SINGLE_COLUMNS. Otherwise, at most NUM_SHARED_COLUMNS columns have ranges of numbers."""
MAX_PEGS_BY_KIND = 16
"""Maximum number of pegs for which codes are also counted by kind, such as 2+1+1 for codes with a
color at two pegs and two other colors at one peg each."""


def analysis_lines(analysis: Analysis, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the totals, and the distribution of the number of guesses."""
    error = analysis.standard_error
    exact = f" = {analysis.total:,}/{analysis.codes:,}"
    tree = analysis.tree
    figures = {
        "game": str(analysis.game),
        "strategy": analysis.strategy,
        "opening": speller(analysis.game).print_code(tree.root.guess) if tree else "",
        "codes": f"{analysis.codes:,}{', drawn at random' * analysis.is_sample}",
        "guesses": f"{analysis.total:,}",
        "average": f"{float(analysis.average):.4f}"
        + (exact if error is None else f", standard error {error:.4f}"),
        "max": str(analysis.max),
    }
    yield from fields(figures, style.wrap)
    yield []
    yield from distribution(analysis)


def distribution(analysis: Analysis) -> Iterator[Line]:
    """Yield a table of the number of codes by number of guesses, in total and per kind of code."""
    kinds = analysis.kinds if analysis.game.pegs <= MAX_PEGS_BY_KIND else ()
    first, step = 1, 1
    if analysis.max > MAX_SINGLE_COLUMNS:
        first = min(turn for _, turn in analysis.games)
        step = -(-(analysis.max + 1 - first) // NUM_SHARED_COLUMNS)  # rounded up
    starts = range(first, analysis.max + 1, step)
    heads = [str(start) if step == 1 else f"{start}-{start + step - 1}" for start in starts]

    def row(name: str, average: float, turns: Iterable[int]) -> list[str]:
        """Return a row of the table, given the number of guesses for each code."""
        codes = Counter((turn - first) // step for turn in turns)
        return [name, *(str(codes[n] or "-") for n in range(len(starts))), f"{average:.4f}"]

    rows = [row("codes", float(analysis.average), (turn for _, turn in analysis.games))]
    if len(kinds) > 1:
        rows += [
            row("+".join(map(str, kind.pattern)), float(kind.average), kind.turns) for kind in kinds
        ]
    yield from table(
        ["guesses", *heads, "average"], rows, None, right_aligned=range(1, len(heads) + 1)
    )


def optimum_lines(optimum: Optimum, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the analysis of the strategy, and its claims."""
    if optimum.analysis is not None:
        yield from analysis_lines(optimum.analysis, style, in_full=in_full)
        yield []
    yield from paragraphs(optimum_sentences(optimum), style.wrap)


def optimum_sentences(optimum: Optimum) -> list[str]:
    """Return the claims: whether `max_guesses` are enough, if requested, and the proven claim."""
    if optimum.max_guesses is None or optimum.analysis is None:
        return [optimum_sentence(optimum)]
    verb = "is" if optimum.max_guesses == 1 else "are"
    mode = ""
    if optimum.hard:
        mode = " in hard mode"
    elif optimum.consistent_only:
        mode = " with consistent guesses"
    enough = f"{quantity(optimum.max_guesses, 'guess')} {verb} always enough{mode}."
    return [enough, optimum_sentence(optimum)]


def optimum_sentence(optimum: Optimum) -> str:
    """Return the proven claim as a sentence, with the chance of a hash collision."""
    limit = (
        "" if optimum.max_guesses is None else f" within {quantity(optimum.max_guesses, 'guess')}"
    )
    kind = "strategy"
    if optimum.hard:
        kind = "hard-mode strategy"
    elif optimum.consistent_only:
        kind = "consistent strategy"
    if optimum.analysis is None:
        if optimum.is_proven:
            return f"No {kind} finds every code{limit}{collision_chance(optimum)}."
        return "No strategy was found in time."
    if optimum.objective == "worst":
        bound_words = f"No {kind} finds every code in fewer than {quantity(optimum.bound, 'guess')}"
        bound_words += collision_chance(optimum)
        return (
            f"{bound_words}."
            if optimum.is_proven
            else f"{bound_words}; this one may not be optimal."
        )
    if optimum.is_proven:
        return f"No {kind} has a lower total{limit}{collision_chance(optimum)}."
    total_words = f"No {kind} has a total below {optimum.bound:,}{limit}{collision_chance(optimum)}"
    return f"{total_words}; this one may not be optimal."


def collision_chance(optimum: Optimum) -> str:
    """Return the bound on the probability of a hash collision in parentheses, or "" if it is 0."""
    if optimum.hash_error_bound == 0:
        return ""
    return f" (chance of a hash collision: below 1e{floor(log10(optimum.hash_error_bound)) + 1})"


LAST_HEAD = "told apart"
"""Head of the last column in the table of a static set. Its numbers are right-aligned with it."""


def static_set_lines(static_set: StaticSet, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the bounds, the guesses one by one, and the proven claim."""
    codes = f"{static_set.game.size:,}"
    if static_set.kinds < static_set.game.size:
        codes += f", of which guesses can tell {static_set.kinds:,} apart"
    figures = {
        "game": str(static_set.game),
        "codes": codes,
        "counting": f"at least {quantity(static_set.counting_bound, 'guess')}",
        "guesses": f"{len(static_set.guesses)}" if static_set.tells_all else "",
    }
    yield from fields(figures, style.wrap)
    yield []
    if static_set.guesses:
        spell = speller(static_set.game)
        columns = zip(static_set.guesses, static_set.scores, static_set.apart, strict=True)
        rows = [
            [f"{number}", spell.print_code(guess), f"{scores}", f"{apart:>{len(LAST_HEAD)},}"]
            for number, (guess, scores, apart) in enumerate(columns, 1)
        ]
        yield from table(["", "guess", "scores", LAST_HEAD], rows, None, right_aligned=(0, 2))
        yield []
    yield from paragraphs([static_set_sentence(static_set)], style.wrap)


def static_set_sentence(static_set: StaticSet) -> str:
    """Return the proven claim as a sentence."""
    bound_words = (
        f"No set of fewer than {quantity(static_set.bound, 'guess')} tells all codes apart"
    )
    if static_set.max_guesses is not None:
        max_size = quantity(static_set.max_guesses, "guess")
        if static_set.tells_all:
            verb = "tells" if static_set.max_guesses == 1 else "tell"
            return f"{max_size} {verb} all codes apart; fewer may be enough, too."
        if static_set.is_proven:
            return f"No set of {max_size} tells all codes apart."
        return f"It is not known yet whether {max_size} can. {bound_words}."
    if not static_set.tells_all:
        return f"No set was found in time. {bound_words}."
    if static_set.is_proven:
        return (
            f"{bound_words}."
            if static_set.guesses
            else "There is only one code, so no guess is needed."
        )
    return f"{bound_words}; this one may not be smallest."


VALUE_CLAIM = (
    "Proven: if codes are hidden with these probabilities, the same for all codes of a kind, no "
    "strategy needs fewer guesses on average; and if these trees are played, with pegs and colors "
    "exchanged at random, no code needs more."
)
"""The claim that is proven about the value of a game."""


def game_value_lines(value: GameValue, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the value, and the probabilities of hidden codes and of played trees."""
    spell = speller(value.game)
    figures = {
        "game": str(value.game),
        "codes": f"{sum(kind.codes for kind in value.codemaker):,}",
        "value": f"{float(value.value):.6f} = {value.value}",
    }
    yield from fields(figures, style.wrap)
    kinds = [(kind.example, f"{kind.codes:,}", kind.probability) for kind in value.codemaker]
    trees = [
        (played.tree.root.guess, f"{played.tree.total:,}", played.probability)
        for played in value.codebreaker
    ]
    for heads, entries in (
        (["kind", "such as", "codes", "hidden", "exactly"], kinds),
        (["tree", "opening", "guesses", "played", "exactly"], trees),
    ):
        rows = [
            [f"{number}", spell.print_code(code), num_codes, *decimal_and_exact(probability)]
            for number, (code, num_codes, probability) in enumerate(entries, 1)
        ]
        yield []
        yield from table(heads, rows, None, right_aligned=(2, 3))
    yield []
    yield from paragraphs([VALUE_CLAIM], style.wrap)


def decimal_and_exact(probability: Fraction) -> tuple[str, str]:
    """Return a probability as a decimal and as a fraction."""
    return f"{float(probability):.4f}", str(probability)


MAX_PICTURE_ROWS = 40
"""Maximum number of rows of the picture of a tree. If there are more, later turns are omitted."""
ROW_HEIGHT, PEG_WIDTH, GAP, MARGIN = 18, 17, 70, 12
"""Sizes in the picture of a tree, in pixels. The gap between two guesses has the score."""


def tree_lines(tree: StrategyTree, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the lines of `outline`."""
    return ([Span(line)] for line in outline(tree))


def tree_svg(tree: StrategyTree) -> str:
    """Return the first guesses of a tree as SVG."""
    return "\n".join(svg_lines(tree, MAX_PICTURE_ROWS)) + "\n"


def outline(tree: StrategyTree) -> Iterator[str]:
    """Yield one line per guess: the score that leads to it, and the guess, indented by its turn."""
    spell = speller(tree.game)
    for turn, score, node in tree.steps():
        label = "" if score is None else f"{spell.print_score(score)}  "
        yield f"{'  ' * (turn - 1)}{label}{spell.print_code(node.guess)}"


def dot(tree: StrategyTree) -> Iterator[str]:
    """Yield the lines of a DOT file; guesses that cannot be the code are dashed."""
    spell = speller(tree.game)
    yield "digraph strategy {"
    yield '  rankdir=LR; node [shape=box, fontname="monospace"];'
    path: list[int] = []  # numbers of the nodes from the root to this one
    for number, (turn, score, node) in enumerate(tree.steps()):
        style = "" if node.wins else ", style=dashed"
        yield f'  n{number} [label="{quote(spell.print_code(node.guess))}"{style}];'
        path[turn - 1 :] = [number]
        if score is not None:
            label = quote(spell.print_score(score))
            yield f'  n{path[-2]} -> n{number} [label="{label}"];'
    yield "}"


def quote(text: str) -> str:
    """Return text escaped for a quoted string in DOT."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def svg_lines(tree: StrategyTree, max_rows: int = sys.maxsize) -> Iterator[str]:
    """Yield the lines of an SVG file. The first branch of a guess is in the same row as the guess.

    If the tree has more than `max_rows` rows, later turns are omitted so that it fits, but never
    the first turn. Guesses with omitted branches show the number of remaining codes.
    """
    game = tree.game
    column_width = game.pegs * PEG_WIDTH + GAP
    last_turn = last_fitting_turn(tree, max_rows)
    drawn_steps = [*place_steps(tree, last_turn)]
    from mmsat.render.picture import Drawing

    drawing = Drawing(
        f"{tree.strategy or 'Strategy'} on {game}",
        f"{quantity(tree.codes, 'code')} in {quantity(tree.total, 'guess')}, at most {tree.max}",
    )
    rows_of_path: list[int] = []  # rows of the guesses from the root to this one
    for turn, score, node, row in drawn_steps:
        left, top = MARGIN + (turn - 1) * column_width, MARGIN + row * ROW_HEIGHT
        middle = top + ROW_HEIGHT // 2
        rows_of_path[turn - 1 :] = [row]
        if score is not None:
            corner, start = left - GAP + 6, MARGIN + rows_of_path[-2] * ROW_HEIGHT + ROW_HEIGHT // 2
            drawing.path(f"M{corner} {start}V{middle}H{left}")
            text = speller(game).print_score(score)
            drawing.text(corner + 4, middle - 3, text, "dim", size=10)
        draw_guess(drawing, game, node.guess, left, top)
        if turn == last_turn and node.branches:
            num_codes = quantity(codes_below(node), "code")
            drawing.text(
                left + game.pegs * PEG_WIDTH + 6, middle + 4, f"... {num_codes}", "dim", size=11
            )
    width = 2 * MARGIN + last_turn * column_width
    if last_turn < tree.max:
        width += GAP  # for the numbers of remaining codes
    return drawing.lines(width, (max(row for *_, row in drawn_steps) + 1) * ROW_HEIGHT + 2 * MARGIN)


def last_fitting_turn(tree: StrategyTree, max_rows: int) -> int:
    """Return the last turn down to which a tree fits into `max_rows` rows, at least 1."""
    for turn in range(tree.max, 1, -1):
        if max(row for *_, row in place_steps(tree, turn)) < max_rows:
            return turn
    return 1


def codes_below(node: Node) -> int:
    """Return the number of codes for which the game continues after the guess of a node."""
    pending = [*node.branches.values()]
    num_codes = 0
    while pending:
        branch = pending.pop()
        num_codes += branch.wins
        pending += branch.branches.values()
    return num_codes


def place_steps(
    tree: StrategyTree, last_turn: int
) -> Iterator[tuple[int, Score | None, Node, int]]:
    """Yield the steps of a tree down to a turn, with their rows in the picture.

    The first branch of a guess is in the row of the guess. The other branches are below it.
    """
    row, previous_turn = 0, 0
    for turn, score, node in tree.steps():
        if turn > last_turn:
            continue
        if turn <= previous_turn:  # not the first branch of the guess before
            row += 1
        previous_turn = turn
        yield turn, score, node, row


def draw_guess(drawing: Drawing, game: Game, guess: Code, left: int, top: int) -> None:
    """Draw a guess, with its upper left corner at these coordinates."""
    scoring, symbols = game.scoring, game.color_symbols.names
    shapes = scoring.shapes if isinstance(scoring, Pairs) else 1
    for peg, color in enumerate(guess):
        symbol = symbols[color] if symbols else str(color + 1)
        drawing.peg(
            (left + peg * PEG_WIDTH, top + 1, PEG_WIDTH - 1, ROW_HEIGHT - 2),
            color // shapes,
            symbol,
        )


def drawing(tree: StrategyTree, path: str) -> Iterator[str]:
    """Yield the lines of a drawing as DOT or SVG, depending on the suffix of the path."""
    yield from (f"{line}\n" for line in (dot if path.endswith(".dot") else svg_lines)(tree))


LINES: dict[str, Callable[..., Iterator[Line]]] = {
    "Analysis": analysis_lines,
    "GameValue": game_value_lines,
    "Optimum": optimum_lines,
    "SeveralSuggestion": several_suggestion_lines,
    "StaticSet": static_set_lines,
    "StrategyTree": tree_lines,
    "Suggestion": suggestion_lines,
}
"""The functions of reports, by the names of the classes of results."""
PICTURES = {"StrategyTree": tree_svg}
"""Functions that draw results for which a picture of the report would not be useful."""
