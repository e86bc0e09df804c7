"""Prove that a strategy is optimal, by lower bounds that `mmsat verify` checks.

proof/strategy_certificate.py describes the certificate. `BoundCollector` proves a bound of a set of
codes by that of classes. It finds the guesses that may need less than the bound by the sizes of
their classes, and raises the bounds of some of these classes, the smallest first. The kernel's
search knows how far the bound of a class can be raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any

from mmsat._core import IMPOSSIBLE
from mmsat._util.arguments import check_arguments
from mmsat._util.arrays import Array
from mmsat._util.display import Shown
from mmsat._util.text import quantity
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.proof.bundle import Bundle, board_text
from mmsat.proof.check_strategy import Bounds, Line, Notation
from mmsat.proof.strategy_certificate import Map, ScoreTable, merge_guesses
from mmsat.proof.verify import verify
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.strategy.optimal.answer_table import WAIT_SECONDS, AnswerTable
from mmsat.strategy.optimal.search import Optimum
from mmsat.strategy.tree import Node

Progress = Callable[[str], None]

MAX_PROOF_BYTES = 100_000_000
"""Maximum size of a proof in bytes."""
MAX_MAPPED_ROWS = 2
"""Maximum number of rows of a set that is compared with sets that maps move to it."""
LINES_PER_REPORT = 100
"""Number of bounds between two reports of progress."""
MEMO_BITS = 12
"""Size of the memory of the kernel's search for one set, as the logarithm of its entries."""


@dataclass(frozen=True, slots=True, repr=False)
class StrategyProof(Shown):
    """A proof that a strategy is optimal, verified after it was made."""

    game: Game
    """The game."""
    objective: str
    """average or worst."""
    cost: int
    """The total number of guesses over all codes, or the number of guesses in the worst case."""
    bounds: int
    """The number of lower bounds in the proof."""
    text: str
    """The content of the file."""

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return stable JSON keys. The text is not included."""
        return {"bounds": self.bounds, "bytes": len(self.text.encode())}


class BoundCollector:
    """Proves lower bounds of sets of codes, and collects them as lines."""

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
        """The least cost of each set that was asked for, by the bytes of its codes."""
        self.equivalents: dict[Any, tuple[int, tuple[tuple[int, int], ...], int]] = {}
        """For each class of equivalent rows, the line with the best bound, its rows and bound."""
        self.kernel_table = AnswerTable.of(table.game)

    def prove(self, rows: tuple[tuple[int, int], ...], codes: Array, bound: int) -> None:
        """Prove a lower bound of the codes that get the scores of some rows."""
        if self.bounds.by_codes.get(codes.tobytes(), 0) >= bound:
            return
        if self.deadline.passed:
            raise TimeUpError
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
        """Prove bounds of classes, so that each guess needs a bound; return the maps of the line."""
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
            missing = bound - self.bounds.need(partitions, guess)
            if self.table.is_worst and missing > 0:
                self.prove_worst(rows, guess, classes, bound - 1)
                continue
            for score, members in classes:
                if missing <= 0:
                    break
                known = self.bounds.of(members, partitions.by_size)
                gain = min(missing, self.cost(members) - known)
                if gain > 0:
                    self.prove((*rows, (guess, score)), members, known + gain)
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
            if self.cost(members) >= bound:
                self.prove((*rows, (guess, score)), members, bound)
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

    def cost(self, codes: Array) -> int:
        """Return the least cost of a set of codes."""
        if len(codes) < 3:
            return len(codes) if self.table.is_worst else 2 * len(codes) - 1
        key = codes.tobytes()
        if key not in self.costs:
            partitions = self.table.partition(codes)
            guess = int(partitions.needs.argmin())
            sizes = [len(members) for _, members in self.table.classes(partitions, guess)]
            # The bounds of up to 2 codes are exact.
            self.costs[key] = (
                int(partitions.needs[guess]) if max(sizes) < 3 else self.search(codes.tolist())
            )
        return self.costs[key]

    def search(self, codes: list[int]) -> int:
        """Return the least cost of a set of codes, by the search of the kernel."""
        max_guesses = 1 if self.table.is_worst else 0
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
                pass
            kernel.stop()
            if not self.table.is_worst:
                return kernel.total
            if kernel.total < IMPOSSIBLE:
                return max_guesses
            max_guesses += 1

    def normal_form(self, rows: tuple[tuple[int, int], ...]) -> tuple[Any, Map]:
        """Return a key that equivalent rows share, and a map to the rows of the key.

        The key is None if sets are not compared: for many rows, and in games without maps.
        """
        game = self.table.game
        identity = Map(tuple(range(game.pegs)), tuple(range(game.colors)))
        if not self.table.is_symmetric or not 0 < len(rows) <= MAX_MAPPED_ROWS:
            return None, identity
        best: Any = None
        best_map = identity
        for order in permutations(rows):
            guesses = [self.table.codes[guess] for guess, _ in order]
            for pegs in permutations(range(game.pegs)):
                colors: dict[int, int] = {}
                moved = []
                for guess in guesses:
                    new = [0] * game.pegs
                    for peg, color in zip(pegs, guess, strict=True):
                        new[peg] = color
                    moved.append(tuple(colors.setdefault(color, len(colors)) for color in new))
                key = tuple(zip(moved, (score for _, score in order), strict=True))
                if best is None or key < best:
                    for color in range(game.colors):
                        colors.setdefault(color, len(colors))
                    best = key
                    best_map = Map(pegs, tuple(colors[color] for color in range(game.colors)))
        return best, best_map

    def useful_maps(
        self, rows: tuple[tuple[int, int], ...], guesses: Sequence[int]
    ) -> tuple[Map, ...]:
        """Return maps that keep the rows and merge the most of some guesses."""
        if not self.table.is_symmetric:
            return ()
        chosen: list[Map] = []
        number = len(guesses)
        for mapping in self.keeping_maps([self.table.codes[guess] for guess, _ in rows]):
            labels = merge_guesses(self.table, [*chosen, mapping])
            merged = len({*labels[list(guesses)].tolist()})
            if merged < number:
                chosen.append(mapping)
                number = merged
        return tuple(chosen)

    def keeping_maps(self, guesses: Sequence[Code]) -> Iterator[Map]:
        """Yield generators of the maps that keep each of some guesses."""
        game = self.table.game
        used = {color for guess in guesses for color in guess}
        identity = tuple(range(game.colors))
        for one, other in pairwise(color for color in identity if color not in used):
            swapped = list(identity)
            swapped[one], swapped[other] = other, one
            yield Map(tuple(range(game.pegs)), tuple(swapped))
        for pegs in permutations(range(game.pegs)):
            colors: dict[int, int] = {}
            for guess in guesses:
                for peg, color in zip(pegs, guess, strict=True):
                    if colors.setdefault(color, guess[peg]) != guess[peg]:
                        break
                else:
                    continue
                break
            else:
                if len({*colors.values()}) == len(colors):
                    yield Map(pegs, tuple(colors.get(color, color) for color in identity))


def compose(first: Map, second: Map) -> Map:
    """Return the map that moves by `first`, and then back by `second`."""
    peg_of = {peg: index for index, peg in enumerate(second.pegs)}
    color_of = {color: index for index, color in enumerate(second.colors)}
    return Map(
        tuple(peg_of[peg] for peg in first.pegs), tuple(color_of[color] for color in first.colors)
    )


def list_guesses(notation: Notation, root: Node) -> Iterator[str]:
    """Yield the guesses of a tree as lines, each node before its branches in order of scores."""
    index = notation.table.index
    stack = [root]
    while stack:
        node = stack.pop()
        yield f"{notation.guesses[index[node.guess]]}\n"
        stack += [node.branches[score] for score in sorted(node.branches, reverse=True)]
