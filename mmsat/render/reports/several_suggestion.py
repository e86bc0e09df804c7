"""A guess for several boards at once, and the reasons for it."""

from collections.abc import Iterator

from mmsat.english import in_short, noun_phrase
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.several_suggestion import BoardOutlook, SeveralSuggestion


def lines(suggestion: SeveralSuggestion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the guess, and a line per board."""
    print_code = speller(suggestion.boards.game).print_code
    solved_boards = [str(board + 1) for board in suggestion.solves]
    why = f", the code of {noun_phrase('board', solved_boards)}" if solved_boards else ""
    yield from paragraphs([f"Guess {print_code(suggestion.guess)}{why}."], style.wrap)
    yield []
    outlooks = {each.board: each for each in suggestion.outlooks}
    rows = [
        [str(n + 1), *(describe(outlooks[n]) if n in outlooks else ["solved", "", "", ""])]
        for n in range(len(suggestion.boards.boards))
    ]
    heads = ["board", "codes", "remaining on average", "at worst", "chance of being the code"]
    yield from table(heads, rows, style.wrap, (0, 1, 2, 3))
    if suggestion.others:
        yield []
        yield from paragraphs([f"Or {', '.join(map(print_code, suggestion.others))}."], style.wrap)


def describe(outlook: BoardOutlook) -> list[str]:
    """Return the expected effect of the guess on a board; of a sample, as shares of the codes."""
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
