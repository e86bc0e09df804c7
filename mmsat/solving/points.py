"""Walks over the points of a lattice in a box: over all of them, or from basis to basis over some.

All codes are equally far from the middle of their box. After some vectors of a basis, the part of
that way that is known is mostly not much more than their share of all vectors. A pruned walk cuts
off points that are farther by then: nearly all of the work, and some codes. With another basis it
has another chance (Schnorr and Euchner 1994; Gama, Nguyen and Regev, Eurocrypt 2010). It never
tells that there is no code, so it works beside a walk over all points. On three boards of 30 pegs
and 6 colors it did not pay: there the box itself cuts off as much. So two colors alone are pruned.
"""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from mmsat._core import Lattice as Kernel
from mmsat._core import SearchStatus
from mmsat.errors import SizeError
from mmsat.solving.portfolio import Work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.constraints.linear_systems import PegEquations
    from mmsat.constraints.system import System

BLOCKS = (10, 15, 20, 25, 30)
"""Sizes of the blocks of basis vectors that are made short, in turn: large ones are costly at
first."""
LARGE_BLOCKS = (40, 50)
"""Half a second more, for lattices of two colors whose walk takes far longer ..."""
LARGE = 90
"""... from so many dimensions on."""
COLORFUL = (20, 4)
"""The size and the times for more than two colors."""
FIRST = 3
"""Sizes that are quick: those who work by turns with a large lattice need not wait for them all."""
TOURS = 4
"""Times that each size goes over the basis, at most."""
THREADS = 2
"""Cores that walk, each over a part of the points."""
STEPS = 2_000_000
"""Points of the least budget: a tenth of a second."""
MOST_STEPS = 5_000_000
"""Points without a look at what the other threads have found: about a third of a second."""
LOOK = 20_000
"""Points that are walked over in the time of a look at one that the equations allow."""
WAIT = 16
"""The budget from which a pruned walk helps: until then all points are nearly done, or never."""
TRIAL = 100_000_000
"""Points that are seen with one basis at most: about as long as eight bases take to be made."""
SPARED = 0.03
"""What is added to the share of the way at first: 0 cuts off most, 1 nothing."""
GROWTH = 1.3
"""The factor by which that grows after a trial of few points, and shrinks after one of too many."""


class Points(Work):
    """The points of lattices, walked over step by step, one after the other."""

    name = "lattice"

    def __init__(
        self, readings: Sequence[PegEquations], system: System, lattices: Lattices | None = None
    ) -> None:
        """Do nothing yet."""
        self._left = list(readings)
        self.system = system
        self._lattices = Lattices() if lattices is None else lattices
        self._kernel: Kernel | None = None
        self._blocks: tuple[int, ...] = ()
        """The sizes of blocks that are still to be made short."""

    def step(self, budget: int) -> bool:
        """Make a basis, make it shorter, or walk on; whether there is a further code, or none."""
        self.code = None
        left = STEPS * budget
        while left > 0:
            if self._kernel is None:
                if not self._left:
                    return True
                self._kernel = self._begin(self._left.pop(0))
                if self._blocks:
                    return False
            self._shorten(self._kernel, len(self._blocks))
            status = self._kernel.advance(min(left, MOST_STEPS), THREADS)
            if status is SearchStatus.EXHAUSTED:
                self._kernel = None
            elif status is SearchStatus.BUDGET_SPENT:
                left -= MOST_STEPS
            elif self.system.satisfies(self._kernel.code):
                self.code = self._kernel.code
                return True
            else:
                left -= LOOK
        return False

    def _begin(self, places: PegEquations) -> Kernel:
        """The next lattice with a short basis, or of a large one what is quick at first."""
        kernel = self._lattices.make(places)
        if places.colors > 2:
            with telling_sizes():
                kernel.reduce_blocks(*COLORFUL)
            return kernel
        is_large = len(kernel.basis) >= LARGE
        self._blocks = BLOCKS + LARGE_BLOCKS if is_large else BLOCKS
        self._shorten(kernel, FIRST if is_large else len(BLOCKS))
        return kernel

    def _shorten(self, kernel: Kernel, many: int) -> None:
        """Make the basis shorter, by so many sizes of blocks."""
        with telling_sizes():
            for block in self._blocks[:many]:
                kernel.reduce_blocks(block, TOURS)
        self._blocks = self._blocks[many:]

    def close(self) -> None:
        """Let go of what holds memory outside Python."""
        self._kernel = None


class Pruned(Work):
    """Walks over some points of one lattice, each with another basis."""

    name = Points.name

    def __init__(self, places: PegEquations, system: System) -> None:
        """Do nothing yet."""
        self.places = places
        self.system = system
        self._spared = SPARED
        self._trials = 0

    def step(self, budget: int) -> bool:
        """Trial after trial within half the budget; whether there is a code."""
        self.code = None
        left = STEPS * (budget // 2) if budget >= WAIT else 0
        while left > 0:
            points = self._try()
            if self.code is not None:
                return True
            left -= max(points, MOST_STEPS)
            if points >= TRIAL:
                self._spared /= GROWTH
            elif points < TRIAL / 4:
                self._spared = min(1.0, self._spared * GROWTH)
        return False

    def _try(self) -> int:
        """One basis, and the points that were looked at."""
        source = random.Random(self._trials)
        self._trials += 1
        pegs = len(self.places.allowed)
        order = source.sample(range(pegs), pegs)
        kernel = make_kernel(reorder(self.places, order))
        with telling_sizes():
            for block in BLOCKS + LARGE_BLOCKS:
                kernel.reduce_blocks(block, TOURS)
        levels = len(kernel.basis)
        known = [(levels - level) / levels for level in range(levels)]
        kernel.prune([self._spared + (1 - self._spared) * share for share in known])
        for points in range(0, TRIAL, MOST_STEPS):
            status = kernel.advance(MOST_STEPS, THREADS)
            if status is SearchStatus.CODE_FOUND:
                colors = dict(zip(order, kernel.code, strict=True))
                code = tuple(colors[peg] for peg in range(pegs))
                if self.system.satisfies(code):
                    self.code = code
            if status is not SearchStatus.BUDGET_SPENT:
                return points
        return TRIAL

    def close(self) -> None:
        """Nothing is held outside Python."""


class Lattices:
    """Lattices of boards that are much alike: each begins with the basis of the one before."""

    def __init__(self) -> None:
        """None yet."""
        self._last: Kernel | None = None

    def make(self, places: PegEquations) -> Kernel:
        """The lattice with some basis."""
        self._last = make_kernel(places, self._last)
        return self._last


def make_kernel(places: PegEquations, other: Kernel | None = None) -> Kernel:
    """The lattice with some basis, begun with that of another one, if that suits it."""
    with telling_sizes():
        return Kernel(
            places.colors, places.allowed, places.weights, places.totals, other, places.likely
        )


@contextmanager
def telling_sizes() -> Iterator[None]:
    """Raise SizeError where the numbers of a lattice are too large."""
    try:
        yield
    except OverflowError as error:
        raise SizeError(f"the engine lattice is for smaller boards: {error}") from error


def reorder(places: PegEquations, order: list[int]) -> PegEquations:
    """The same equations about pegs in another order: the basis becomes another one."""
    by_peg = places.weights.reshape(len(places.totals), -1, places.colors)
    return replace(
        places,
        allowed=tuple(places.allowed[peg] for peg in order),
        weights=by_peg[:, order].copy().reshape(places.weights.shape),
    )
