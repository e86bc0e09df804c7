"""The value of a game in which both the codemaker and the codebreaker play optimally.

The codemaker chooses a mixture of kinds of codes. Codes of one kind are equally likely, because
exchanging pegs and colors at random costs the codemaker nothing. The codebreaker chooses a mixture
of trees. The value is found by a double-oracle search (McMahan, Gordon and Blum 2003): solve the
game restricted to a few trees, find the best tree against the codemaker's mixture of that game by
complete search, and add it. Repeat until the best tree does not improve the codebreaker's mixture.

Most searches are preliminary, with rounded probabilities. An exact search follows only if the tree
of a preliminary one does not improve the mixture.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from time import monotonic
from typing import Annotated, Any, NamedTuple, TypedDict

from mmsat._util.arguments import check_arguments
from mmsat._util.results import Displayable, GameText, Positive, Schema, Seconds, Share
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.analyze import (
    AverageDecimal,
    Pattern,
    PositiveFraction,
    color_pattern,
    format_fraction,
    round_fraction,
)
from mmsat.strategy.optimal import AnswerTable, Symmetries
from mmsat.strategy.tree import StrategyTree, replay

MAX_KINDS = 64
"""Maximum number of kinds of codes, a limit of the kernel."""
MAX_TOTAL_WEIGHT, MAX_TOTAL_COST = 1 << 48, 1 << 60
"""Maximum total weight of all codes, and maximum total cost: limits of the kernel, which adds costs
as 64-bit integers. The cost of a tree is at most the total weight times the number of codes, as no
code needs more guesses than there are codes."""
MIXTURE_FACTOR = 1 << 12
"""In a preliminary search, the weight of a code is its rounded probability times this factor, plus
1. With the 1, the tree also needs few guesses for codes of probability 0."""


class ProbabilityJson(TypedDict):
    """A probability."""

    probability: Annotated[str, Schema(pattern="^(0|[1-9][0-9]*)/[1-9][0-9]*$")]
    """Exact probability, as a fraction in lowest terms."""
    probability_decimal: Share
    """The same, rounded to six decimal places."""


class HiddenKindJson(ProbabilityJson):
    """A kind of equally likely codes, and the probability that the codemaker hides one of them."""

    example: str
    """The first code of the kind."""
    pattern: Pattern
    codes: Positive
    """Number of codes of the kind."""


class PlayedTreeJson(ProbabilityJson):
    """A tree that the codebreaker may play, exchanging pegs and colors at random."""

    opening: str
    """The first guess."""
    total: Positive
    """Total number of guesses over all codes."""
    max: Positive
    """Maximum number of guesses."""
    averages: list[PositiveFraction]
    """Average number of guesses for the codes of each kind, in the order of `codemaker`."""


class GameValueJson(TypedDict):
    """The average number of guesses if both sides play optimal mixtures; printed with --value."""

    game: GameText
    value: PositiveFraction
    value_decimal: AverageDecimal
    codemaker: Annotated[list[HiddenKindJson], Schema(minItems=1)]
    """The mixture of the codemaker."""
    codebreaker: Annotated[list[PlayedTreeJson], Schema(minItems=1)]
    """The mixture of the codebreaker."""
    searches: Positive
    """Number of complete searches for trees, including preliminary ones."""
    seconds: Seconds


class HiddenKind(NamedTuple):
    """A kind of equally likely codes, and the probability that the codemaker hides one of them."""

    example: Code
    """The first code of the kind."""
    pattern: tuple[int, ...]
    """Number of pegs of each color, in descending order: (2, 1, 1) has a pair."""
    codes: int
    """Number of codes of the kind."""
    probability: Fraction
    """Probability of the kind, not of one code."""


class PlayedTree(NamedTuple):
    """A tree, and the probability that the codebreaker plays it, with pegs and colors shuffled."""

    tree: StrategyTree
    """The tree."""
    probability: Fraction
    """The probability that this tree is played."""
    averages: tuple[Fraction, ...]
    """Average number of guesses for the codes of each kind."""


@dataclass(frozen=True, repr=False)
class GameValue(Displayable):
    """The average number of guesses if both sides play optimal mixtures."""

    game: Game
    """The game."""
    value: Fraction
    """The average number of guesses, exactly."""
    codemaker: Sequence[HiddenKind]
    """The codemaker's mixture. No strategy needs fewer guesses on average against it."""
    codebreaker: Sequence[PlayedTree]
    """The codebreaker's mixture. No code needs more guesses on average against it."""
    searches: int
    """Number of complete searches for trees, including preliminary ones."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""

    def records(self) -> list[dict[str, Any]]:
        """Return one record per kind of codes, for pandas.DataFrame or polars."""
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

    def to_dict(self) -> GameValueJson:
        """Return a dict with the stable JSON keys; see schemas/analyze.json."""
        spell = speller(self.game)
        return {
            "game": str(self.game),
            "value": format_fraction(self.value),
            "value_decimal": round_fraction(self.value),
            "codemaker": [
                {
                    "example": spell.print_code(kind.example),
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    "probability": format_fraction(kind.probability),
                    "probability_decimal": round_fraction(kind.probability),
                }
                for kind in self.codemaker
            ],
            "codebreaker": [
                {
                    "opening": spell.print_code(played.tree.root.guess),
                    "total": played.tree.total,
                    "max": played.tree.max,
                    "averages": [format_fraction(average) for average in played.averages],
                    "probability": format_fraction(played.probability),
                    "probability_decimal": round_fraction(played.probability),
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
    """Probability of each row, for the maximizing side."""
    columns: tuple[Fraction, ...]
    """Probability of each column, for the minimizing side."""


def solve_matrix(matrix: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game in which one side chooses a row to maximize, the other a column to minimize.

    All entries must be positive. Solves the linear program of the columns in Dantzig's form
    (maximize the sum of y subject to A y <= 1; the value is the reciprocal of that sum) by the
    simplex method with Bland's rule, which always terminates. Each pivot updates the whole
    table.
    """
    num_columns = len(matrix[0])
    num_rows = len(matrix)
    # Each line has the coefficients of y, those of the slack variables, and the right side.
    table = [
        [*row, *(Fraction(column == number) for column in range(num_rows)), Fraction(1)]
        for number, row in enumerate(matrix)
    ]
    gains = [Fraction(1)] * num_columns + [Fraction(0)] * (num_rows + 1)
    basis = [num_columns + row for row in range(num_rows)]
    while any(gain > 0 for gain in gains[:-1]):
        # Bland's rule: of all candidates, the one with the lowest index enters or leaves.
        entering = next(column for column, gain in enumerate(gains) if gain > 0)
        leaving = min(
            (row for row in range(num_rows) if table[row][entering] > 0),
            key=lambda row: (table[row][-1] / table[row][entering], basis[row]),
        )
        pivot = table[leaving][entering]
        table[leaving] = [cell / pivot for cell in table[leaving]]
        for line in (*table[:leaving], *table[leaving + 1 :], gains):
            ratio = line[entering]
            if ratio:
                line[:] = [
                    cell - ratio * pivot_cell
                    for cell, pivot_cell in zip(line, table[leaving], strict=True)
                ]
        basis[leaving] = entering
    # The last gain is the negated sum of y. The gains of the slack variables, which have one column
    # per row, are the negated dual solution.
    value = -1 / gains[-1]
    columns = [Fraction(0)] * num_columns
    for row, column in enumerate(basis):
        if column < num_columns:
            columns[column] = table[row][-1] * value
    rows = [-gain * value for gain in gains[num_columns:-1]]
    return Solution(value, tuple(rows), tuple(columns))


OnProgress = Callable[[int, Fraction], None]
"""Progress callback: called with the number of searches and the average number of guesses that the
codebreaker can guarantee so far."""


@check_arguments
def game_value(
    game: Game | str, *, timeout: float | None = None, on_progress: OnProgress | None = None
) -> GameValue:
    """Find the value of a game, and optimal mixed strategies of both sides.

    The codemaker chooses the probabilities of the codes, and the codebreaker those of strategies.
    The value is the average number of guesses if both choose optimally.

    Parameters
    ----------
    game : Game or str
        A game of up to 32,768 codes, 64 scores and 64 kinds of codes, or its size or name.
    timeout : float, optional
        Time limit in seconds, unlimited by default.
    on_progress : callable, optional
        Called with the number of finished searches, and with the average that the codebreaker can
        guarantee so far.

    Returns
    -------
    GameValue
        The exact value, and a mixture for each side that guarantees it.

    Raises
    ------
    InputError
        If the scores do not identify every code, or if an argument is invalid.
    SizeError
        If the game has too many codes, scores or kinds of codes.
    TimeLimitError
        If the search is not finished within `timeout`.

    Notes
    -----
    The double-oracle method [1]_ adds best responses until they do not improve the mixture of
    the codebreaker. The value is proven from both sides. A complete search finds no tree that needs
    fewer guesses on average against the mixture of the codemaker. Every tree of the mixture of the
    codebreaker is played against every code by the plain scorer, and no code needs more guesses on
    average. This costs about twenty complete searches in one thread: 4x6 takes seconds.

    References
    ----------
    .. [1] H. B. McMahan, G. J. Gordon and A. Blum, "Planning in the presence of cost functions
       controlled by an adversary", ICML 2003.

    Examples
    --------
    >>> mmsat.game_value("2x3").value
    Fraction(29, 12)
    """
    game = Game.of(game)
    return run_with_progress(timeout, on_progress, _find, game, task_name="the value of the game")


def _find(game: Game, on_progress: OnProgress) -> GameValue:
    return _DoubleOracle(game).run(on_progress)


def code_kind(code: Code, symmetries: Symmetries) -> tuple[int, ...]:
    """Return a key that is the same for all codes of a kind (an orbit), and differs between kinds.

    - If pegs and colors are interchangeable, the key has the number of pegs of each color.
    - If only pegs are, it has the colors in ascending order.
    - If only colors are, it has, for each peg, the first peg of the same color.
    - Otherwise, it is the code.
    """
    if symmetries.are_pegs_alike and symmetries.are_colors_alike:
        return color_pattern(code)
    if symmetries.are_pegs_alike:
        return tuple(sorted(code))
    return tuple(map(code.index, code)) if symmetries.are_colors_alike else code


def group_codes(codes: Sequence[Code], symmetries: Symmetries) -> dict[tuple[int, ...], list[Code]]:
    """Return the codes of each kind; kinds with the most pegs of one color come first."""
    kinds: dict[tuple[int, ...], list[Code]] = {}
    for code in codes:
        kinds.setdefault(code_kind(code, symmetries), []).append(code)
    order = sorted(kinds, key=lambda kind: (color_pattern(kinds[kind][0]), kind), reverse=True)
    return {kind: kinds[kind] for kind in order}


class _DoubleOracle:
    """The state of a double-oracle search: the codes by kind, and the trees found so far."""

    def __init__(self, game: Game) -> None:
        self.started = monotonic()
        self.game = game
        self.table = AnswerTable.of(game)
        self.codes = self.table.guesses
        self.kinds = [*group_codes(self.codes, self.table.symmetries).values()]
        if len(self.kinds) > MAX_KINDS:
            expected = f"a game of up to {MAX_KINDS} kinds of codes"
            raise SizeError.of("the value", expected, f"{game} with {len(self.kinds):,} kinds")
        if not self.table.has_unique_win:
            expected = "a game whose scores can identify every code"
            raise InputError.of("the game", expected, str(game))
        kind_of_code = {code: number for number, kind in enumerate(self.kinds) for code in kind}
        self.kind_numbers = [kind_of_code[code] for code in self.codes]
        """The index in `kinds` of the kind of each code."""
        self.trees: list[StrategyTree] = []
        self.averages: list[tuple[Fraction, ...]] = []
        self.searches = 0

    def run(self, on_progress: OnProgress) -> GameValue:
        """Add best responses until they do not improve the mixture of the codebreaker."""
        size = len(self.codes)
        self._respond([Fraction(len(kind), size) for kind in self.kinds], is_exact=True)
        while True:
            # The matrix has a row for each kind of codes, and a column for each tree.
            solution = solve_matrix([*zip(*self.averages, strict=True)])
            on_progress(self.searches, solution.value)
            # No exact search is needed as long as preliminary ones improve the mixture.
            if self._respond(solution.rows, is_exact=False) < solution.value:
                continue
            best_cost = self._respond(solution.rows, is_exact=True)
            if best_cost == solution.value:
                return self._conclude(solution)
            if best_cost > solution.value:
                raise InternalError(f"{self.game}: the best tree is worse than an earlier one")

    def _respond(self, mixture: Sequence[Fraction], *, is_exact: bool) -> Fraction:
        """Add the best tree against a mixture, and return its average number of guesses against it.

        If `is_exact`, the tree is proven to be best. Otherwise, the search is preliminary: it uses
        rounded weights; see MIXTURE_FACTOR.
        """
        weights = self._weigh(mixture, is_exact=is_exact)
        kernel = self.table.make_response(self.kind_numbers, weights)
        cost = kernel.solve()
        self.searches += 1
        tree = StrategyTree(self.game, self.table.build_tree(kernel.tree()), "best response")
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
        return sum(
            (probability * average for probability, average in zip(mixture, averages, strict=True)),
            Fraction(0),
        )

    def _weigh(self, mixture: Sequence[Fraction], *, is_exact: bool) -> list[int]:
        """Return the weight of one code of each kind: a whole number within the kernel's limits."""
        probabilities = [
            probability / len(kind) for probability, kind in zip(mixture, self.kinds, strict=True)
        ]
        scale = lcm(*(probability.denominator for probability in probabilities))
        max_total_weight = min(MAX_TOTAL_WEIGHT, MAX_TOTAL_COST // len(self.codes))
        if not is_exact:
            scale = min(scale, (max_total_weight - len(self.codes)) // MIXTURE_FACTOR)
            return [int(probability * scale) * MIXTURE_FACTOR + 1 for probability in probabilities]
        if scale > max_total_weight:
            raise SizeError(
                f"the denominators in the codemaker's mixture for {self.game} are too large"
            )
        return [int(probability * scale) for probability in probabilities]

    def _conclude(self, solution: Solution) -> GameValue:
        """Check that no code needs more guesses on average than the value; return the result."""
        # The preliminary and the exact response to `solution` may each have added a tree at the end
        # of the list. These trees have no column in the matrix, and `zip` omits them.
        trees = zip(self.trees, solution.columns, self.averages, strict=False)
        played = [
            PlayedTree(tree, probability, averages)
            for tree, probability, averages in trees
            if probability
        ]
        for number in range(len(self.kinds)):
            average = sum(
                (tree.probability * tree.averages[number] for tree in played), Fraction(0)
            )
            if average > solution.value:
                raise InternalError(f"{self.game}: a code needs more guesses than the value")
        hidden = [
            HiddenKind(kind[0], color_pattern(kind[0]), len(kind), probability)
            for kind, probability in zip(self.kinds, solution.rows, strict=True)
        ]
        seconds = monotonic() - self.started
        return GameValue(self.game, solution.value, hidden, played, self.searches, seconds)
