"""The value of a game as a contest of codemaker and codebreaker, by a double-oracle search.

The codemaker chooses a mixture of kinds of codes (codes of one kind are hidden alike: who exchanges
pegs and colors at random loses nothing), the codebreaker a mixture of trees. From a few trees on:
solve the game in which there are no others, find by complete search the best tree against the
codemaker's mixture of that game, and add it, until no tree is better than those that are there
(McMahan, Gordon and Blum 2003).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from time import monotonic

from mmsat.errors import Fault, InputError, InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.row import Code
from mmsat.strategy.analysis import color_pattern
from mmsat.strategy.optimal.answer_table import AnswerTable, Symmetries
from mmsat.strategy.tree import StrategyTree, replay
from mmsat.strategy.value.game_value import GameValue, HiddenKind, PlayedTree
from mmsat.strategy.value.matrix_game import Solution, solve_matrix

OnProgress = Callable[[int, Fraction], None]


MOST_KINDS = 64
HEAVIEST = 1 << 48
"""Of all codes together."""
FIRST = 1 << 12
"""What a guess of the codemaker's mixture counts more than a guess of all codes alike, where trees
are looked for; so that codes that are never hidden are found soon, too."""


def game_value(game: Game | str, *, on_progress: OnProgress | None = None) -> GameValue:
    """Find the value of a game, and mixtures of both sides that guarantee it.

    Exact, and proven from both sides: a complete search finds no tree that takes fewer guesses on
    average against the codemaker's mixture; and every tree of the codebreaker's mixture is played
    against every code by the plain scorer, no code taking more on average. Costs some twenty
    complete searches in one thread: 4x6 takes seconds.

    - `game`: a game, or its size or name.
    - `on_progress`: called with the searches done and what the codebreaker can guarantee so far.

    Raises SizeError for games with more than 32,768 codes, 64 scores or 64 kinds of codes, and
    InputError where a score does not tell a code from another.
    """
    if isinstance(game, str):
        game = find_game(game)
    return _DoubleOracle(game).run(on_progress or (lambda *_: None))


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
            raise SizeError(
                f"the value is found for games of up to {MOST_KINDS} kinds of codes, "
                f"and {game} has {len(self.kinds):,}"
            )
        if not self.table.tells_all:
            rule = "the value is of a game whose scores tell each code from all others"
            raise InputError([Fault(rule, str(game), "such a game, as 4x6")], "the game")
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
        if first > 1:  # then weights may be rounded
            scale = min(scale, (HEAVIEST - len(self.codes)) // first)
            return [int(share * scale) * first + 1 for share in shares]
        if scale > HEAVIEST:
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
