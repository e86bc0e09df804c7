"""What `mmsat analyze` and `mmsat optimal` print and save: a strategy's figures, a game's value."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mmsat.cli.output import say
from mmsat.files import atomic_write
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.render.table import table
from mmsat.render.terminal import show, show_fields, show_gap, show_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from mmsat.strategy.analysis import Analysis
    from mmsat.strategy.game_value import GameValue
    from mmsat.strategy.tree import StrategyTree

PROVEN = (
    "Proven: no strategy takes fewer guesses against these kinds, where codes of a kind are hidden "
    "alike; and no code takes more against these trees, with pegs and colors exchanged at random."
)


def save_tree(tree: StrategyTree, file: str) -> None:
    """Save a tree, and say how large it is."""
    atomic_write(file, [load("mmsat.strategy.tree_file:print_tree")(tree)])
    say_size(tree, file)


def say_size(tree: StrategyTree, file: str) -> None:
    """Say how large the tree in a file is."""
    say(f"{file}: {sum(1 for _ in tree.nodes()):,} guesses")


def print_analysis(analysis: Analysis) -> None:
    """Print the figures, the distribution, and the averages by kind of code."""
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
    show_fields(figures)
    show_gap()
    print_distribution(analysis)


def print_distribution(analysis: Analysis) -> None:
    """Print how many codes take so many guesses, in all and for each kind of code."""
    kinds = analysis.kinds
    turns = range(1, analysis.max + 1)

    def row(name: str, average: float, ends: Iterable[int]) -> list[str]:
        codes = Counter(ends)
        return [name, *(str(codes[turn] or "-") for turn in turns), f"{average:.4f}"]

    rows = [row("codes", float(analysis.average), (turn for _, turn in analysis.games))]
    if len(kinds) > 1:
        rows += [
            row("+".join(map(str, kind.pattern)), float(kind.average), kind.turns) for kind in kinds
        ]
    show(table(["guesses", *map(str, turns), "average"], rows, None, numbers=turns))


def print_value(found: GameValue) -> None:
    """Print the value, and what both sides do."""
    spell = speller(found.game)
    figures = {
        "game": str(found.game),
        "codes": f"{sum(kind.codes for kind in found.codemaker):,}",
        "value": f"{float(found.value):.6f} = {found.value}",
    }
    show_fields(figures)
    kinds = [(kind.example, f"{kind.codes:,}", kind.probability) for kind in found.codemaker]
    trees = [
        (played.tree.root.guess, f"{played.tree.total:,}", played.probability)
        for played in found.codebreaker
    ]
    for heads, sides in (
        (["kind", "such as", "codes", "hidden", "exactly"], kinds),
        (["tree", "opening", "guesses", "played", "exactly"], trees),
    ):
        rows = [
            [f"{number}", spell.print_code(code), many, *decimal_and_exact(probability)]
            for number, (code, many, probability) in enumerate(sides, 1)
        ]
        show_gap()
        show(table(heads, rows, None, numbers=(2, 3)))
    show_gap()
    show_sentences([PROVEN])


def decimal_and_exact(probability: Fraction) -> tuple[str, str]:
    """A probability as a decimal, and exactly."""
    return f"{float(probability):.4f}", str(probability)
