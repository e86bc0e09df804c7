"""The value of a game: the mixed strategies of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.notation.speller import speller
from mmsat.render.table import fields, paragraphs, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from mmsat.render.board import Style
    from mmsat.render.spans import Line
    from mmsat.strategy.game_value import GameValue


PROVEN = (
    "Proven: if codes are hidden with these probabilities, the same for all codes of a kind, no "
    "strategy needs fewer guesses on average; and if these trees are played, with pegs and colors "
    "exchanged at random, no code needs more."
)


def lines(value: GameValue, style: Style, *, in_full: bool) -> Iterator[Line]:
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
    for heads, sides in (
        (["kind", "such as", "codes", "hidden", "exactly"], kinds),
        (["tree", "opening", "guesses", "played", "exactly"], trees),
    ):
        rows = [
            [f"{number}", spell.print_code(code), num_codes, *decimal_and_exact(probability)]
            for number, (code, num_codes, probability) in enumerate(sides, 1)
        ]
        yield []
        yield from table(heads, rows, None, numbers=(2, 3))
    yield []
    yield from paragraphs([PROVEN], style.wrap)


def decimal_and_exact(probability: Fraction) -> tuple[str, str]:
    """Return a probability as a decimal and as a fraction."""
    return f"{float(probability):.4f}", str(probability)
