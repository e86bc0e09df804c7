"""Prove that a strategy is optimal, or the value of a game, by bounds that `mmsat verify` checks.

proof/check_strategy.py and proof/check_value.py describe the certificates. A guess divides a set of
codes into classes, one per score. `BoundCollector` proves a lower bound of the cost of a set from
lower bounds for the classes of each guess. For most guesses, the sizes of the classes alone prove
the bound. For each other guess, the bounds of some of its classes are raised, the smallest class
first. The kernel's search computes how far the bound of a class can be raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, pairwise, permutations
from math import lcm
from typing import Any, ClassVar

from mmsat._core import IMPOSSIBLE
from mmsat._util import Array
from mmsat._util.arguments import RULES, check_arguments, instance_of
from mmsat.errors import Description, Fault, InputError, InternalError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.words import Words
from mmsat.proof import ProofJson
from mmsat.proof.bundle import Bundle, board_text
from mmsat.proof.check_strategy import (
    OBJECTIVES,
    Bounds,
    Line,
    Map,
    Notation,
    ScoreTable,
    merge_guesses,
)
from mmsat.proof.check_value import WeightedTable, require_scores
from mmsat.proof.verify import verify_new
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.strategy.game_value import GameValue, group_codes
from mmsat.strategy.optimal import WAIT_SECONDS, AnswerTable, Symmetries
from mmsat.strategy.optimal.search import Optimum
from mmsat.strategy.tree import Node, StrategyTree

Progress = Callable[[str], None]

MAX_PROOF_BYTES = 100_000_000
"""Maximum size of a proof in bytes."""
MAX_MAPPED_ROWS = 2
"""An equivalent set is looked up for each set of codes with up to this many rows. Two sets are
equivalent if a permutation of pegs and colors maps the rows of one to those of the other."""
MAX_PERMUTED_PEGS = 6
"""Maximum number of pegs whose permutations are all tried to find maps: 720 permutations."""
LINES_PER_REPORT = 100
"""Number of bounds between two reports of progress."""
MEMO_BITS = 12
"""Binary logarithm of the number of entries in the memo table of the kernel's search for a set. The
table is small, because each of the many searches needs a new one."""


class GameProof:
    """Base class of proofs about a whole game; such a proof uses no rows."""

    __slots__ = ()
    text: str
    method: ClassVar[str]

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> ProofJson:
        """Return stable JSON keys. The text is not included."""
        return {"method": self.method, "rows": [], "bytes": len(self.text.encode())}


@dataclass(frozen=True, slots=True)
class StrategyProof(GameProof):
    """A proof that a strategy is optimal, verified after it was made."""

    game: Game
    """The game."""
    objective: str
    """average or worst."""
    cost: int
    """The total number of guesses over all codes, or the number of guesses in the worst case."""
    bounds: int
    """The number of lower bounds in the proof."""
    text: str = field(repr=False)
    """The proof as text, which `mmsat verify` reads."""
    method: ClassVar[str] = "strategy"
    """The kind of proof."""


@dataclass(frozen=True, slots=True)
class ValueProof(GameProof):
    """A proof of the value of a game, verified after it was made."""

    game: Game
    """The game."""
    value: Fraction
    """The average number of guesses if both sides play optimal mixtures."""
    bounds: int
    """The number of lower bounds in the proof."""
    text: str = field(repr=False)
    """The proof as text, which `mmsat verify` reads."""
    method: ClassVar[str] = "value"
    """The kind of proof."""


RULES["value"] = instance_of("a GameValue", GameValue)
RULES["optimum"] = instance_of("an Optimum", Optimum)


@check_arguments
def prove_optimum(
    optimum: Optimum,
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> StrategyProof | None:
    """Prove that a strategy is optimal by a text that can be checked without its search.

    Parameters
    ----------
    optimum : Optimum
        The result of `optimal` with the objective "average" or "worst", for a game of up to 4,096
        codes whose scores identify every code. Other options than `consistent_only` are not
        supported.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    StrategyProof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the optimum is not proven, or if its game or its options are not supported.
    SizeError
        If the game has too many codes, or if the proof exceeds 100 MB.

    Notes
    -----
    The proof has the strategy tree and lower bounds of the costs of sets of codes. Each bound
    follows for every guess from the sizes of its classes and from earlier bounds of these classes.
    Sets that a permutation of pegs and colors maps to each other share a bound. The number of
    bounds grows steeply with the number of codes.

    Examples
    --------
    >>> proof = mmsat.prove_optimum(mmsat.optimal("3x4"))
    >>> proof.cost, mmsat.verify(proof).holds
    (206, True)
    """
    deadline = Deadline(timeout)
    tree = require_tree(optimum)
    is_worst = optimum.objective == "worst"
    table = ScoreTable(optimum.game, is_worst=is_worst, codes_only=optimum.consistent_only)
    if not table.has_unique_wins:
        expected = "a game whose scores identify every code"
        raise InputError.of("the optimum", expected, str(optimum.game))
    cost = optimum.bound
    collector = BoundCollector(table, deadline, on_progress)
    try:
        collector.prove((), table.select(()), cost)
    except TimeUpError:
        return None
    guesses = "codes" if optimum.consistent_only else "all"
    bundle = Bundle(
        board_text(Board(optimum.game, ())),
        "optimal",
        "strategy",
        {"objective": optimum.objective, "guesses": guesses, "cost": str(cost)},
        {
            "tree": "".join(write_guesses(collector.notation, tree.root)),
            "bounds": "".join(collector.lines),
        },
    )
    text = str(bundle)
    if verify_new(text, bundle.verdict, timeout=deadline.remaining).holds is None:
        return None
    return StrategyProof(optimum.game, optimum.objective, cost, len(collector.lines), text)


@check_arguments
def prove_value(
    value: GameValue,
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> ValueProof | None:
    """Prove the value of a game by a text that can be checked without any search.

    Parameters
    ----------
    value : GameValue
        The result of `game_value`, for a game of up to 1,296 codes in which every guess is a code.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    ValueProof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the game is not supported.
    SizeError
        If the game has too many codes, or if the proof exceeds 100 MB.

    Notes
    -----
    The proof has the mixtures of both sides. `verify` plays the trees of the codebreaker against
    every code. Lower bounds of sets of codes with the weights of the codemaker's mixture show that
    no strategy needs fewer guesses against it on average, as in `prove_optimum`.

    Examples
    --------
    >>> proof = mmsat.prove_value(mmsat.game_value("3x4"))
    >>> proof.value, mmsat.verify(proof).holds
    (Fraction(219, 68), True)
    """
    deadline = Deadline(timeout)
    game = value.game
    require_provable_value(game)
    table = WeightedTable.of(game)
    require_scores(table)
    kernel_table = AnswerTable.of(game)
    kinds = group_codes(kernel_table.guesses, kernel_table.symmetries)
    probabilities = [kind.probability / kind.codes for kind in value.codemaker]
    # The weight of a code is its probability, times a common denominator.
    scale = lcm(*(probability.denominator for probability in probabilities))
    weights = [int(probability * scale) for probability in probabilities]
    weight_of_code = {
        code: weight
        for codes, weight in zip(kinds.values(), weights, strict=True)
        for code in codes
    }
    table.weights[:] = [weight_of_code[code] for code in kernel_table.guesses]
    collector = WeightedCollector(table, deadline, on_progress)
    try:
        collector.prove((), table.select(()), int(value.value * int(table.weights.sum())))
    except TimeUpError:
        return None
    notation = collector.notation
    weighted_examples = sorted(
        (kind.example, weight) for kind, weight in zip(value.codemaker, weights, strict=True)
    )
    # The weight of a tree, in the same way.
    tree_scale = lcm(*(played.probability.denominator for played in value.codebreaker))
    trees = (
        line
        for played in value.codebreaker
        for line in chain(
            (f"tree {int(played.probability * tree_scale)}\n",),
            write_guesses(notation, played.tree.root),
        )
    )
    bundle = Bundle(
        board_text(Board(game, ())),
        "valued",
        "value",
        {"value": f"{value.value.numerator}/{value.value.denominator}"},
        {
            "maps": "".join(f"{mapping}\n" for mapping in list_maps(game, kernel_table.symmetries)),
            "codemaker": "".join(
                f"{notation.guesses[table.index[code]]} {weight}\n"
                for code, weight in weighted_examples
                if weight
            ),
            "trees": "".join(trees),
            "bounds": "".join(collector.lines),
        },
    )
    text = str(bundle)
    if verify_new(text, bundle.verdict, timeout=deadline.remaining).holds is None:
        return None
    return ValueProof(game, value.value, len(collector.lines), text)


def require_provable_value(game: Game) -> None:
    """Raise InputError or SizeError if the value of a game cannot be proved."""
    if faults := guess_faults(game, game.size):
        raise InputError(faults, "a proof of the value")
    WeightedTable.require_size(game)


def list_maps(game: Game, symmetries: Symmetries) -> Iterator[Map]:
    """Yield a transposition and a cycle of pegs, and of colors, which generate all symmetries."""
    identity = Map(tuple(range(game.pegs)), tuple(range(game.colors)))
    for are_alike, name in (
        (symmetries.are_pegs_alike, "pegs"),
        (symmetries.are_colors_alike, "colors"),
    ):
        numbers = getattr(identity, name)
        if not are_alike or len(numbers) == 1:
            continue
        swapped, shifted = (*numbers[1::-1], *numbers[2:]), (*numbers[1:], *numbers[:1])
        for moved in dict.fromkeys((swapped, shifted)):  # equal for two numbers
            yield identity._replace(**{name: moved})


def require_tree(optimum: Optimum) -> StrategyTree:
    """Return the tree of an optimum, or raise InputError if its proof is not supported."""
    faults = []
    tree = optimum.tree
    if not optimum.is_proven or tree is None:
        faults.append(Fault("", None, "a strategy that is proven to be optimal"))
    if optimum.objective not in OBJECTIVES:
        faults.append(Fault("", optimum.objective, "the objective average or worst"))
    if optimum.objective == "average" and optimum.max_guesses is not None:
        faults.append(Fault("", optimum.max_guesses, "no maximum number of guesses"))
    if optimum.hard:
        faults.append(Fault("", Description("hard mode"), "no rule for the guesses"))
    faults += guess_faults(optimum.game, optimum.guesses)
    if faults or tree is None:
        raise InputError(faults, "the optimum")
    return tree


def guess_faults(game: Game, num_guesses: int) -> list[Fault]:
    """Return a fault if guesses need not be codes; `num_guesses` is the number of all guesses."""
    space = game.space
    allows_others = isinstance(space, Words) and space.allows_any_guess
    is_supported = not allows_others and num_guesses <= game.size
    return [] if is_supported else [Fault("", str(game), "a game in which every guess is a code")]


class BoundCollector:
    """Proves lower bounds of the costs of sets of codes, and collects them as lines.

    A set consists of the codes that get the scores of some rows. A row is the index of a guess and
    the number of its score. The cost of a set is the minimum total number of guesses for its codes,
    or the minimum number in the worst case if `table.is_worst`.
    """

    def __init__(
        self, table: ScoreTable, deadline: Deadline, on_progress: Progress | None = None
    ) -> None:
        self.table = table
        self.deadline = deadline
        self.on_progress = on_progress
        self.notation = Notation(table)
        self.bounds = Bounds(table)
        self.lines: list[str] = []
        self.num_bytes = 0
        self.costs: dict[bytes, int] = {}
        """The least cost of each set for which it was computed, by the bytes of its codes."""
        self.equivalents: dict[Any, tuple[int, tuple[tuple[int, int], ...], int]] = {}
        """For each key of equivalent rows, the index of the line with the best bound, its rows, and
        this bound."""
        self.kernel_table = AnswerTable.of(table.game)

    def prove(self, rows: tuple[tuple[int, int], ...], codes: Array, bound: int) -> None:
        """Prove a lower bound for `codes`, all codes that get the scores of `rows`."""
        if self.bounds.by_codes.get(codes.tobytes(), 0) >= bound:
            return
        if self.deadline.passed:
            raise TimeUpError
        # If an equivalent set has such a bound, name its line and the map.
        key, mapping = self.normal_form(rows)
        line, known_rows, known_bound = self.equivalents.get(key, (0, (), 0))
        if key is not None and known_bound >= bound:
            _, known_mapping = self.normal_form(known_rows)
            self.add(codes, Line(rows, known_bound, line, (compose(known_mapping, mapping),)))
            return
        maps = self.prove_guesses(rows, codes, bound)
        self.add(codes, Line(rows, bound, None, maps))
        if key is not None:
            self.equivalents[key] = len(self.lines) - 1, rows, bound

    def prove_guesses(
        self, rows: tuple[tuple[int, int], ...], codes: Array, bound: int
    ) -> tuple[Map, ...]:
        """Prove bounds of classes that imply the bound for every guess; return the line's maps."""
        if len(codes) < 2:
            return ()
        partitions = self.table.partition(codes)
        maps: tuple[Map, ...] = ()
        unproved = self.bounds.unproved_guesses(partitions, bound, ())
        if len(unproved) > 1 and len(rows) < MAX_MAPPED_ROWS:
            maps = self.useful_maps(rows, unproved)
            unproved = self.bounds.unproved_guesses(partitions, bound, maps)
        for guess in unproved:
            classes = sorted(
                self.table.classes(partitions, guess), key=lambda item: (len(item[1]), item[0])
            )
            # The amount by which the sum of the bounds of the classes has to be raised. The classes
            # of earlier guesses may have raised bounds of classes of this guess.
            missing = bound - self.bounds.guess_bound(partitions, guess)
            if self.table.is_worst and missing > 0:
                self.prove_worst(rows, guess, classes, bound - 1)
                continue
            for score, members in classes:
                if missing <= 0:
                    break
                class_bound = self.bounds.of(members, partitions)
                class_rows = (*rows, (guess, score))
                gain = min(missing, self.cost(class_rows, members) - class_bound)
                if gain > 0:
                    self.prove(class_rows, members, class_bound + gain)
                    missing -= gain
            if missing > 0:
                text = self.notation.guesses[guess]
                raise InternalError(f"the guess {text} after {rows} needs less than {bound}")
        return maps

    def prove_worst(
        self,
        rows: tuple[tuple[int, int], ...],
        guess: int,
        classes: Sequence[tuple[int, Array]],
        bound: int,
    ) -> None:
        """Prove that one class of a guess needs at least `bound` guesses in the worst case."""
        for score, members in classes:
            class_rows = (*rows, (guess, score))
            if self.cost(class_rows, members) >= bound:
                self.prove(class_rows, members, bound)
                return
        raise InternalError(f"the guess {guess} after {rows} needs less than {bound + 1}")

    def add(self, codes: Array, line: Line) -> None:
        """Add a line; raises SizeError if the proof gets too large."""
        text = self.notation.print_line(line)
        self.lines.append(text)
        self.num_bytes += len(text)
        if self.num_bytes > MAX_PROOF_BYTES:
            message = f"the proof exceeds {MAX_PROOF_BYTES // 10**6} MB"
            raise SizeError(message)
        self.bounds.add(codes, line.bound)
        if self.on_progress is not None and len(self.lines) % LINES_PER_REPORT == 0:
            self.on_progress(f"proving that it is optimal, {len(self.lines):,} lower bounds")

    def cost(self, rows: tuple[tuple[int, int], ...], codes: Array) -> int:
        """Return the least cost of the codes that get the scores of some rows."""
        if len(codes) < 2:
            return self.table.total(codes)
        key = codes.tobytes()
        if key not in self.costs:
            partitions = self.table.partition(codes)
            guess = int(partitions.guess_bounds.argmin())
            sizes = [len(members) for _, members in self.table.classes(partitions, guess)]
            # The bounds of up to 2 codes are exact.
            self.costs[key] = (
                int(partitions.guess_bounds[guess])
                if max(sizes) < 3
                else self.search(rows, codes.tolist())
            )
        return self.costs[key]

    def search(self, _rows: tuple[tuple[int, int], ...], codes: list[int]) -> int:
        """Return the least cost of a set of codes, by the search of the kernel."""
        max_guesses = 1 if self.table.is_worst else 0  # 0 for no limit
        while True:
            kernel = self.kernel_table.make_search(
                possible=codes,
                max_guesses=max_guesses,
                consistent_only=self.table.codes_only,
                stop_at_first=self.table.is_worst,
                threads=1,
                memo_bits=MEMO_BITS,
            )
            kernel.start(IMPOSSIBLE)
            while not kernel.wait(WAIT_SECONDS):
                if self.deadline.passed:
                    break
            kernel.stop()
            if self.deadline.passed:
                raise TimeUpError
            if not self.table.is_worst:
                return kernel.total
            if kernel.total < IMPOSSIBLE:
                return max_guesses
            max_guesses += 1

    def normal_form(self, rows: tuple[tuple[int, int], ...]) -> tuple[Any, Map]:
        """Return a key that equivalent rows share, and the map from `rows` to the rows of the key.

        The key is None if there are no rows or too many rows, or if the game has no symmetry that
        this module uses.
        """
        game = self.table.game
        identity = Map(tuple(range(game.pegs)), tuple(range(game.colors)))
        is_compared = self.table.is_symmetric and game.pegs <= MAX_PERMUTED_PEGS
        if not is_compared or not 0 < len(rows) <= MAX_MAPPED_ROWS:
            return None, identity
        least_key: Any = None
        map_to_key = identity
        # The least key over all orders of rows and of pegs, with colors numbered as they appear.
        for order in permutations(rows):
            guesses = [self.table.codes[guess] for guess, _ in order]
            for pegs in permutations(range(game.pegs)):
                colors: dict[int, int] = {}
                moved = []
                for guess in guesses:
                    moved_colors = [0] * game.pegs
                    for peg, color in zip(pegs, guess, strict=True):
                        moved_colors[peg] = color
                    moved.append(
                        tuple(colors.setdefault(color, len(colors)) for color in moved_colors)
                    )
                key = tuple(zip(moved, (score for _, score in order), strict=True))
                if least_key is None or key < least_key:
                    for color in range(game.colors):
                        colors.setdefault(color, len(colors))
                    least_key = key
                    map_to_key = Map(pegs, tuple(colors[color] for color in range(game.colors)))
        return least_key, map_to_key

    def useful_maps(
        self, rows: tuple[tuple[int, int], ...], guesses: Sequence[int]
    ) -> tuple[Map, ...]:
        """Return maps that keep the rows, each of which merges more of the guesses."""
        if not self.table.is_symmetric:
            return ()
        chosen: list[Map] = []
        num_labels = len(guesses)
        for mapping in self.keeping_maps([self.table.codes[guess] for guess, _ in rows]):
            labels = merge_guesses(self.table, [*chosen, mapping])
            num_merged = len({*labels[list(guesses)].tolist()})
            if num_merged < num_labels:
                chosen.append(mapping)
                num_labels = num_merged
        return tuple(chosen)

    def keeping_maps(self, guesses: Sequence[Code]) -> Iterator[Map]:
        """Yield generators of the maps that keep each of some guesses."""
        game = self.table.game
        used = {color for guess in guesses for color in guess}
        identity = tuple(range(game.colors))
        # Exchanges of two colors that do not occur in the guesses
        for color, next_color in pairwise(color for color in identity if color not in used):
            swapped = list(identity)
            swapped[color], swapped[next_color] = next_color, color
            yield Map(tuple(range(game.pegs)), tuple(swapped))
        # Permutations of pegs that a renaming of the colors undoes in all guesses
        for pegs in permutations(range(min(game.pegs, MAX_PERMUTED_PEGS))):
            all_pegs = (*pegs, *range(len(pegs), game.pegs))
            pairs = {
                (color, guess[peg])
                for guess in guesses
                for peg, color in zip(all_pegs, guess, strict=True)
            }
            colors = dict(pairs)
            if len(pairs) == len(colors) == len({*colors.values()}):
                yield Map(all_pegs, tuple(colors.get(color, color) for color in identity))


class WeightedCollector(BoundCollector):
    """Proves lower bounds of costs in which each guess for a code costs the weight of the code."""

    def __init__(
        self, table: WeightedTable, deadline: Deadline, on_progress: Progress | None = None
    ) -> None:
        super().__init__(table, deadline, on_progress)
        levels, level_of_code = table.levels  # the different weights; for each code, an index
        self.kernel = self.kernel_table.make_response(
            level_of_code.tolist(), levels.tolist(), self._stop_at_deadline
        )

    def _stop_at_deadline(self) -> None:
        if self.deadline.passed:
            raise TimeUpError

    def search(self, rows: tuple[tuple[int, int], ...], codes: list[int]) -> int:
        """Return the least cost of the codes that get the scores of some rows."""
        return self.kernel.solve_set(codes, [guess for guess, _ in rows])


def compose(first: Map, second: Map) -> Map:
    """Return the map that moves by `first`, and then back by `second`."""
    peg_of = {peg: index for index, peg in enumerate(second.pegs)}
    color_of = {color: index for index, color in enumerate(second.colors)}
    return Map(
        tuple(peg_of[peg] for peg in first.pegs), tuple(color_of[color] for color in first.colors)
    )


def write_guesses(notation: Notation, root: Node) -> Iterator[str]:
    """Yield the guesses of a tree as lines, each node before its branches in order of scores."""
    index = notation.table.index
    stack = [root]
    while stack:
        node = stack.pop()
        yield f"{notation.guesses[index[node.guess]]}\n"
        stack += [node.branches[score] for score in sorted(node.branches, reverse=True)]
