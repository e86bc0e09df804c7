"""What a game is worth when the codemaker hides codes as cleverly as the codebreaker guesses.

The codemaker chooses a mixture of kinds of codes (codes of one kind are hidden alike: who exchanges
pegs and colors at random loses nothing), the codebreaker a mixture of trees. From a few trees on:
solve the game in which there are no others, find by complete search the best tree against the
codemaker's mixture of that game, and add it, until no tree is better than those that are there: a
double-oracle search (McMahan, Gordon and Blum 2003).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from time import monotonic
from typing import Any, NamedTuple

from mmsat.arguments import check_arguments
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.shown import Shown
from mmsat.solving.executor import finish
from mmsat.strategy.analysis import color_pattern, print_average, print_fraction
from mmsat.strategy.optimal.answer_table import AnswerTable, Symmetries
from mmsat.strategy.tree import StrategyTree, replay

MOST_KINDS = 64
HEAVIEST, COSTLIEST = 1 << 48, 1 << 60
"""Of all codes together; and the weight of all codes times the guesses of the deepest tree."""
FIRST = 1 << 12
"""What a guess of the codemaker's mixture counts more than a guess of all codes alike, where trees
are looked for; so that codes that are never hidden are found soon, too."""


class HiddenKind(NamedTuple):
    """How often the codemaker hides a code of one kind; within the kind, all alike."""

    example: Code
    """The first code of the kind."""
    pattern: tuple[int, ...]
    """The pegs of its colors, the most first: (2, 1, 1) has a pair."""
    codes: int
    probability: Fraction


class PlayedTree(NamedTuple):
    """How often the codebreaker plays by a tree, pegs and colors exchanged at random."""

    tree: StrategyTree
    probability: Fraction
    averages: tuple[Fraction, ...]
    """The guesses that a code takes, by its kind."""


@dataclass(frozen=True, repr=False)
class GameValue(Shown):
    """The guesses that a game takes on average when both sides play their best mixtures."""

    game: Game
    value: Fraction
    codemaker: Sequence[HiddenKind]
    """No strategy needs fewer guesses on average against this."""
    codebreaker: Sequence[PlayedTree]
    """No code needs more guesses on average against this."""
    searches: int
    """Complete searches for a best answer to a codemaker."""
    seconds: float = field(compare=False)

    def records(self) -> list[dict[str, Any]]:
        """A line for each kind of code that may be hidden, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [
            {
                "example": print_code(kind.example),
                "pattern": "+".join(map(str, kind.pattern)),
                "codes": kind.codes,
                "probability": float(kind.probability),
            }
            for kind in self.codemaker
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/analyze.json."""
        spell = speller(self.game)
        return {
            "game": str(self.game),
            **print_average(self.value, "value"),
            "codemaker": [
                {
                    "example": spell.print_code(kind.example),
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    **print_average(kind.probability, "probability"),
                }
                for kind in self.codemaker
            ],
            "codebreaker": [
                {
                    "opening": spell.print_code(played.tree.root.guess),
                    "total": played.tree.total,
                    "max": played.tree.max,
                    "averages": [print_fraction(average) for average in played.averages],
                    **print_average(played.probability, "probability"),
                }
                for played in self.codebreaker
            ],
            "searches": self.searches,
            "seconds": round(self.seconds, 3),
        }


class Solution(NamedTuple):
    """The value of a matrix game, and mixtures of both sides that guarantee it."""

    value: Fraction
    rows: tuple[Fraction, ...]
    """How likely each row is, for the side that wants much."""
    columns: tuple[Fraction, ...]
    """How likely each column is, for the side that wants little."""


def solve_matrix(matrix: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game where one side chooses a row for the most, the other a column for the least.

    All entries are above 0. Solves the linear program of the columns in Dantzig's form (the largest
    sum of y with A y <= 1; the value is one by that sum) by the simplex method with Bland's rule,
    which always ends. Cost: a pass over the table for each pivot.
    """
    many = len(matrix[0])
    size = len(matrix)
    table = [
        [*row, *(Fraction(place == number) for place in range(size)), Fraction(1)]
        for number, row in enumerate(matrix)
    ]
    gains = [Fraction(1)] * many + [Fraction(0)] * (size + 1)
    basis = [many + row for row in range(size)]
    while any(gain > 0 for gain in gains[:-1]):
        entering = next(column for column, gain in enumerate(gains) if gain > 0)
        leaving = min(
            (row for row in range(size) if table[row][entering] > 0),
            key=lambda row: (table[row][-1] / table[row][entering], basis[row]),
        )
        pivot = table[leaving][entering]
        table[leaving] = [cell / pivot for cell in table[leaving]]
        for line in (*table[:leaving], *table[leaving + 1 :], gains):
            share = line[entering]
            if share:
                line[:] = [a - share * b for a, b in zip(line, table[leaving], strict=True)]
        basis[leaving] = entering
    value = -1 / gains[-1]
    columns = [Fraction(0)] * many
    for row, column in enumerate(basis):
        if column < many:
            columns[column] = table[row][-1] * value
    rows = [-gain * value for gain in gains[many:-1]]
    return Solution(value, tuple(rows), tuple(columns))


OnProgress = Callable[[int, Fraction], None]


@check_arguments
def game_value(
    game: Game | str, *, timeout: float | None = None, on_progress: OnProgress | None = None
) -> GameValue:
    """Find the value of a game, and mixtures of both sides that guarantee it.

    Exact, and proven from both sides: a complete search finds no tree that takes fewer guesses on
    average against the codemaker's mixture; and every tree of the codebreaker's mixture is played
    against every code by the plain scorer, no code taking more on average. Costs some twenty
    complete searches in one thread: 4x6 takes seconds.

    - `game`: a game, or its size or name.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with the searches done and what the codebreaker can guarantee so far.

    Raises SizeError for games with more than 32,768 codes, 64 scores or 64 kinds of codes,
    TimeLimitError after `timeout` seconds, and InputError if no score identifies a code.
    """
    game = Game.of(game)
    return finish(timeout, on_progress, _find, game, work="the value of the game")


def _find(game: Game, on_progress: OnProgress) -> GameValue:
    return _DoubleOracle(game).run(on_progress)


def code_kind(code: Code, symmetries: Symmetries) -> tuple[int, ...]:
    """What all codes of a kind (an orbit) share, and no others: by what may be exchanged.

    With pegs and colors, how many pegs have the same color; with pegs alone, the colors in order;
    with colors alone, where each color comes first; else the code itself.
    """
    if symmetries.pegs and symmetries.colors:
        return color_pattern(code)
    if symmetries.pegs:
        return tuple(sorted(code))
    return tuple(map(code.index, code)) if symmetries.colors else code


def group_codes(codes: Sequence[Code], symmetries: Symmetries) -> dict[tuple[int, ...], list[Code]]:
    """The codes of each kind, the kinds with the most pegs of one color first."""
    kinds: dict[tuple[int, ...], list[Code]] = {}
    for code in codes:
        kinds.setdefault(code_kind(code, symmetries), []).append(code)
    order = sorted(kinds, key=lambda kind: (color_pattern(kinds[kind][0]), kind), reverse=True)
    return {kind: kinds[kind] for kind in order}


class _DoubleOracle:
    """The codes by kind, and the trees so far."""

    def __init__(self, game: Game) -> None:
        self.started = monotonic()
        self.game = game
        self.table = AnswerTable.of(game)
        self.codes = self.table.guesses
        self.kinds = [*group_codes(self.codes, self.table.symmetries).values()]
        if len(self.kinds) > MOST_KINDS:
            fewer = f"a game of up to {MOST_KINDS} kinds of codes"
            raise SizeError.of("the value", fewer, f"{game} with {len(self.kinds):,}")
        if not self.table.tells_all:
            rule = "the value is of a game whose scores tell each code from all others"
            raise InputError.of("the game", "a game such as 4x6", str(game), rule)
        numbers = {code: number for number, kind in enumerate(self.kinds) for code in kind}
        self.numbers = [numbers[code] for code in self.codes]
        self.trees: list[StrategyTree] = []
        self.averages: list[tuple[Fraction, ...]] = []
        self.searches = 0

    def run(self, on_progress: OnProgress) -> GameValue:
        """Add trees until none is better than their mixture."""
        size = len(self.codes)
        self._respond([Fraction(len(kind), size) for kind in self.kinds], 1)
        while True:
            solution = solve_matrix([*zip(*self.averages, strict=True)])
            on_progress(self.searches, solution.value)
            if self._respond(solution.rows, FIRST) < solution.value:
                continue
            least = self._respond(solution.rows, 1)
            if least == solution.value:
                return self._conclude(solution)
            if least > solution.value:
                raise InternalError(f"{self.game}: the best answer is worse than a known one")

    def _respond(self, mixture: Sequence[Fraction], first: int) -> Fraction:
        """Add a tree against a mixture; returns the guesses that it takes against it.

        With `first` 1 it is proven to be best; above it, the codes all alike count a little, too.
        """
        weights = self._weigh(mixture, first)
        kernel = self.table.search_response(self.numbers, weights)
        cost = kernel.solve()
        self.searches += 1
        tree = StrategyTree(self.game, self.table.build_tree(kernel.tree()), "best answer")
        turns = replay(tree)
        sums = [sum(turns[code] for code in kind) for kind in self.kinds]
        if sum(weight * total for weight, total in zip(weights, sums, strict=True)) != cost:
            raise InternalError(f"{self.game}: the tree does not have the cost {cost}")
        averages = tuple(
            Fraction(total, len(kind)) for total, kind in zip(sums, self.kinds, strict=True)
        )
        if averages not in self.averages:
            self.trees.append(tree)
            self.averages.append(averages)
        return sum((p * a for p, a in zip(mixture, averages, strict=True)), Fraction(0))

    def _weigh(self, mixture: Sequence[Fraction], first: int) -> list[int]:
        """What a code of each kind counts, as whole numbers."""
        shares = [share / len(kind) for share, kind in zip(mixture, self.kinds, strict=True)]
        scale = lcm(*(share.denominator for share in shares))
        heaviest = min(HEAVIEST, COSTLIEST // len(self.codes))
        if first > 1:  # then weights may be rounded
            scale = min(scale, (heaviest - len(self.codes)) // first)
            return [int(share * scale) * first + 1 for share in shares]
        if scale > heaviest:
            raise SizeError(f"the mixtures of {self.game} have fractions too long to search with")
        return [int(share * scale) for share in shares]

    def _conclude(self, solution: Solution) -> GameValue:
        """What is known at the end, its last constraint checked again."""
        mixed = zip(self.trees, solution.columns, self.averages, strict=False)
        played = [PlayedTree(*tree) for tree in mixed if tree[1]]
        for kind in range(len(self.kinds)):
            taken = sum((tree.probability * tree.averages[kind] for tree in played), Fraction(0))
            if taken > solution.value:
                raise InternalError(f"{self.game}: a code takes more guesses than the value")
        hidden = [
            HiddenKind(kind[0], color_pattern(kind[0]), len(kind), probability)
            for kind, probability in zip(self.kinds, solution.rows, strict=True)
        ]
        seconds = monotonic() - self.started
        return GameValue(self.game, solution.value, hidden, played, self.searches, seconds)
