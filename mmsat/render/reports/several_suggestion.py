"""A guess for several boards at once, and the reasons for it."""

from collections.abc import Iterator

from mmsat.english import in_short, plural
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table
from mmsat.results.several_suggestion import BoardOutlook, SeveralSuggestion


def lines(found: SeveralSuggestion, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the guess, and a line per board."""
    print_code = speller(found.boards.game).print_code
    sure = [str(board + 1) for board in found.solves]
    why = f", the code of {plural('board', len(sure))} {', '.join(sure)}" if sure else ""
    yield from paragraphs([f"Guess {print_code(found.guess)}{why}."], style.wrap)
    yield []
    told = {each.board: each for each in found.outlooks}
    rows = [
        [str(n + 1), *(describe(told[n]) if n in told else ["solved", "", "", ""])]
        for n in range(len(found.boards.boards))
    ]
    heads = ["board", "codes", "left on average", "at worst", "chance to be the code"]
    yield from table(heads, rows, style.wrap, (0, 1, 2, 3))
    if found.others:
        yield []
        yield from paragraphs([f"Or {', '.join(map(print_code, found.others))}."], style.wrap)


def describe(each: BoardOutlook) -> list[str]:
    """Return the expected effect of the guess on a board; of a sample, as shares of the codes."""
    prospect = each.prospect
    if each.is_exact:
        left = [in_short(prospect.expected), f"{prospect.worst:,}"]
    else:
        size = prospect.judged_by
        left = [
            f"about {float(prospect.expected / size):.2%}",
            f"about {prospect.worst / size:.2%}",
        ]
    chance = f"1 in {prospect.chance.denominator:,}" if prospect.is_possible else "none"
    return [str(each.codes), *left, chance]
