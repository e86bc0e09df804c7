"""The value of a game as a contest of codemaker and codebreaker, by a double-oracle search.

The codemaker chooses a mixture of kinds of codes (codes of one kind are hidden alike: who exchanges
pegs and colors at random loses nothing), the codebreaker a mixture of trees. From a few trees on:
solve the game in which there are no others, find by complete search the best tree against the
codemaker's mixture of that game, and add it, until no tree is better than those that are there
(McMahan, Gordon and Blum 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from time import monotonic

from mmsat.errors import Fault, InputError, InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.game.variants import find_game
from mmsat.strategy.analysis import pattern
from mmsat.strategy.optimal.table import AnswerTable
from mmsat.strategy.replay import replay
from mmsat.strategy.tree import StrategyTree
from mmsat.strategy.value.kinds import kinds_of
from mmsat.strategy.value.matrix import Solution, solve_matrix
from mmsat.strategy.value.mixture import GameValue, HiddenKind, PlayedTree

Progress = Callable[[int, Fraction], None]

MOST_KINDS = 64
HEAVIEST = 1 << 48
"""Of all codes together."""
FIRST = 1 << 12
"""What a guess of the codemaker's mixture counts more than a guess of all codes alike, where trees
are looked for; so that codes that are never hidden are found soon, too."""


def game_value(game: Game | str, *, on_progress: Progress | None = None) -> GameValue:
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
    search = _Search(game)
    return search.run(on_progress or (lambda *_: None))


class _Search:
    """The codes by kind, and the trees so far."""

    def __init__(self, game: Game) -> None:
        self.started = monotonic()
        self.game = game
        self.table = AnswerTable.of(game)
        self.codes = self.table.guesses
        self.kinds = [*kinds_of(self.codes, self.table.alike).values()]
        if len(self.kinds) > MOST_KINDS:
            raise SizeError(
                f"the value is found for games of up to {MOST_KINDS} kinds of codes, "
                f"and {game} has {len(self.kinds):,}"
            )
        if not self.table.tells_all:
            rule = "the value is of a game whose scores tell each code from all others"
            raise InputError([Fault(rule, str(game), "such a game, as 4x6")], "the game")
        number = {code: each for each, kind in enumerate(self.kinds) for code in kind}
        self.number = [number[code] for code in self.codes]
        self.trees: list[StrategyTree] = []
        self.averages: list[tuple[Fraction, ...]] = []
        self.searches = 0

    def run(self, on_progress: Progress) -> GameValue:
        """Add trees until none is better than their mixture."""
        size = len(self.codes)
        self._answer([Fraction(len(kind), size) for kind in self.kinds], 1)
        while True:
            solved = solve_matrix([*zip(*self.averages, strict=True)])
            on_progress(self.searches, solved.value)
            if self._answer(solved.rows, FIRST) < solved.value:
                continue
            least = self._answer(solved.rows, 1)
            if least == solved.value:
                return self._result(solved)
            if least > solved.value:
                raise InternalError(f"{self.game}: the best answer is worse than a known one")

    def _answer(self, mixture: Sequence[Fraction], first: int) -> Fraction:
        """Add a tree against a mixture; returns the guesses that it takes against it.

        With `first` 1 it is proven to be best; above it, the codes all alike count a little, too.
        """
        shares = [each / len(kind) for each, kind in zip(mixture, self.kinds, strict=True)]
        scale = lcm(*(share.denominator for share in shares))
        if first > 1:  # then weights may be rounded
            scale = min(scale, (HEAVIEST - len(self.codes)) // first)
            weights = [int(share * scale) * first + 1 for share in shares]
        elif scale <= HEAVIEST:
            weights = [int(share * scale) for share in shares]
        else:
            raise SizeError(f"the mixtures of {self.game} have fractions too long to search with")
        kernel = self.table.response(self.number, weights)
        cost = kernel.solve()
        self.searches += 1
        tree = StrategyTree(self.game, self.table.grown(kernel.tree()), "best answer")
        turns = replay(tree)
        if sum(weights[kind] * turns[code] for code, kind in self._numbered()) != cost:
            raise InternalError(f"{self.game}: the tree does not have the cost {cost}")
        sums = [0] * len(self.kinds)
        for code, kind in self._numbered():
            sums[kind] += turns[code]
        averages = tuple(
            Fraction(total, len(kind)) for total, kind in zip(sums, self.kinds, strict=True)
        )
        if averages not in self.averages:
            self.trees.append(tree)
            self.averages.append(averages)
        return sum((p * a for p, a in zip(mixture, averages, strict=True)), Fraction(0))

    def _numbered(self) -> Iterator[tuple[Code, int]]:
        return zip(self.codes, self.number, strict=True)

    def _result(self, solved: Solution) -> GameValue:
        """What is known at the end, its last constraint checked again."""
        played = [
            PlayedTree(*each)
            for each in zip(self.trees, solved.columns, self.averages, strict=False)
            if each[1]
        ]
        for kind in range(len(self.kinds)):
            taken = sum((each.probability * each.averages[kind] for each in played), Fraction(0))
            if taken > solved.value:
                raise InternalError(f"{self.game}: a code takes more guesses than the value")
        hidden = [
            HiddenKind(kind[0], pattern(kind[0]), len(kind), probability)
            for kind, probability in zip(self.kinds, solved.rows, strict=True)
        ]
        return GameValue(
            self.game, solved.value, hidden, played, self.searches, monotonic() - self.started
        )
