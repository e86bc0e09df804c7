"""The states of a counting proof: the counters after the first pegs of a code.

The counting formula (`CountingFormula` in check_codes.py) has the pegs in a certain order. A
*place* is the index of a peg in this order. The value of a counter is the number of its inputs
that are true so far, but at most its maximum: larger numbers have the same consequences. Its
*tail* consists of the inputs about counts of colors, which follow after the last peg.

A *state* has the value of each counter after some pegs. A counter that no longer matters has the
value 0, so that codes with the same completions share one state.

The search is depth-first. A state without completions is generalized to bounds on few counters,
within which no state has a completion: a *dead end*. The bounds of a dead end follow from the dead
ends of its successors. States within the bounds of a known dead end are not searched.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from mmsat.errors import SizeError
from mmsat.limits import LIMITS
from mmsat.proof.check_codes import Counter, CountingFormula, TailInput

State = tuple[int, ...]
"""The value of each counter."""
Bounds = dict[int, tuple[int, int | None]]
"""The minimum and the maximum value of some counters; None if there is no maximum."""


class Group(NamedTuple):
    """Colors that the counters do not distinguish at a place."""

    colors: tuple[int, ...]
    gains: tuple[tuple[int, int], ...]
    """The counters that have an input there, each with its increase for these colors: 0 or 1."""


class Edge(NamedTuple):
    """A group of colors at a place, and the state after a peg with such a color."""

    group: int
    """The index of the group."""
    target: State


class Node(NamedTuple):
    """A state with completions, and all its successors."""

    edges: list[Edge]
    dead_groups: list[tuple[int, Bounds]]
    """The index of each group that leads to a dead end, with bounds on the state that imply
    this."""


class DeadEnd(NamedTuple):
    """Bounds within which no state has a completion."""

    bounds: Bounds
    groups: list[tuple[int, Bounds]]
    """The index of each group of colors, with bounds within which it leads to a dead end. Empty if
    all states within `bounds` violate a constraint."""


class DeadEnds:
    """The dead ends at a place, with an index by the values of counters."""

    def __init__(self, counters: Sequence[Counter]) -> None:
        self.bounds: list[Bounds] = []
        self.index = [[0] * (counter.maximum + 1) for counter in counters]
        """For each counter and value, a bit set of the dead ends whose bounds allow the value."""

    def add(self, bounds: Bounds) -> None:
        """Add a dead end."""
        bit = 1 << len(self.bounds)
        self.bounds.append(bounds)
        for number, sets in enumerate(self.index):
            low, high = bounds.get(number, (0, None))
            for value in range(low, len(sets) if high is None else high + 1):
                sets[value] |= bit

    def find(self, state: State) -> Bounds | None:
        """Return the bounds of a dead end that contains a state, or None."""
        matching = -1
        for sets, value in zip(self.index, state, strict=True):
            matching &= sets[value]
            if not matching:
                return None
        return self.bounds[(matching & -matching).bit_length() - 1] if self.bounds else None


class StateSearch:
    """Search for all states with completions, and for dead ends that include all other states."""

    def __init__(self, formula: CountingFormula) -> None:
        """Prepare the groups of colors, and the counters that matter at each place."""
        self.counters = formula.counters
        self.pegs = len(formula.order)
        self.groups = [_group_colors(effects) for effects in formula.effects]
        # A counter matters up to the place of its last input. Counters with a tail, and counters of
        # colors whose counts are in a tail, matter to the end.
        used_in_tails = {number for counter in self.counters for number, _, _ in counter.tail}
        last_places = [
            self.pegs if counter.tail or number in used_in_tails else max(counter.places, default=0)
            for number, counter in enumerate(self.counters)
        ]
        self.is_kept = [[place <= last for last in last_places] for place in range(self.pegs)]
        """For each place and counter, whether the value matters after the peg there."""
        self.inputs_before = [
            [sum(earlier < place for earlier in counter.places) for counter in self.counters]
            for place in range(self.pegs + 1)
        ]
        """For each place and counter, the number of inputs before the peg there."""
        self.is_finished = [
            [place > last + 1 for last in last_places] for place in range(self.pegs + 1)
        ]
        """For each place and counter, whether the value no longer matters before the peg there."""
        self.nodes: list[dict[State, Node]] = [{} for _ in range(self.pegs + 1)]
        """For each place, the states with completions."""
        self.dead_ends = [DeadEnds(self.counters) for _ in range(self.pegs + 1)]
        """For each place, the dead ends."""
        self.finished: list[tuple[int, State | DeadEnd]] = []
        """The states with completions and the dead ends, with their places. Each comes after its
        successors."""
        self.visited_count = 0
        self.edge_count = 0

    def outputs(self, place: int, number: int) -> list[int]:
        """Return the output variables of a counter before the peg at a place."""
        inputs = self.inputs_before[place][number]
        return self.counters[number].outputs[inputs - 1] if inputs else []

    def exact_bounds(self, place: int, state: State) -> Bounds:
        """Return the bounds that only this state at a place satisfies."""
        finished = self.is_finished[place]
        values = ((number, value) for number, value in enumerate(state) if not finished[number])
        return self._drop_implied(place, {number: (value, value) for number, value in values})

    @property
    def start(self) -> State:
        """The state before the first peg."""
        return (0,) * len(self.counters)

    def step(self, place: int, state: State, group: Group) -> State:
        """Return the state after a peg with a color of a group."""
        values = list(state)
        for number, gain in group.gains:
            if gain:
                values[number] = min(values[number] + 1, self.counters[number].maximum)
        is_kept = self.is_kept[place]
        return tuple([value if is_kept[number] else 0 for number, value in enumerate(values)])

    def run(self) -> bool:
        """Search all states from the start, and return whether there is a code.

        Raises SizeError if there are too many states or edges.
        """
        start = self.start
        stack: list[tuple[int, State, Iterator[int], Node]]
        if self._find_dead_end(0, start) is not None:
            return False
        # Each entry has a place, a state, the groups that are not yet processed, and the node.
        stack = [(0, start, iter(range(len(self.groups[0]))), Node([], []))]
        while stack:
            place, state, remaining_groups, node = stack[-1]
            for number in remaining_groups:
                target = self.step(place, state, self.groups[place][number])
                if target in self.nodes[place + 1]:
                    node.edges.append(Edge(number, target))
                    continue
                bounds = self._find_dead_end(place + 1, target)
                if bounds is not None:
                    node.dead_groups.append((number, self._pull_back(place, number, bounds)))
                    continue
                self._count_state()
                if place + 1 == self.pegs:
                    self._finish(place + 1, target, Node([], []))
                    node.edges.append(Edge(number, target))
                    continue
                # Visit the successor first. Then the group is processed again, and finds it in
                # `nodes` or `dead_ends`.
                groups = iter(range(len(self.groups[place + 1])))
                stack[-1] = place, state, chain([number], remaining_groups), node
                stack.append((place + 1, target, groups, Node([], [])))
                break
            else:
                stack.pop()
                if node.edges:
                    self._finish(place, state, node)
                else:
                    bounds = _intersect([bounds for _, bounds in node.dead_groups])
                    self._add_dead_end(place, DeadEnd(bounds, node.dead_groups))
        return start in self.nodes[0]

    def _count_state(self) -> None:
        """Count a visited state; raises SizeError if there are too many states or edges."""
        self.visited_count += 1
        if self.edge_count > LIMITS.proof_edges:
            limit, count = f"{LIMITS.proof_edges:,} edges between states", self.edge_count
        elif self.visited_count > LIMITS.proof_states:
            limit, count = f"{LIMITS.proof_states:,} states", self.visited_count
        else:
            return
        raise SizeError.of("a proof of this count", f"up to {limit}", f"at least {count:,}")

    def _finish(self, place: int, state: State, node: Node) -> None:
        """Store a state with completions."""
        self.nodes[place][state] = node
        self.edge_count += len(node.edges)
        self.finished.append((place, state))

    def _add_dead_end(self, place: int, dead_end: DeadEnd) -> None:
        """Store a dead end."""
        self.dead_ends[place].add(dead_end.bounds)
        self.finished.append((place, dead_end))

    def _find_dead_end(self, place: int, state: State) -> Bounds | None:
        """Return the bounds of a dead end that contains a state, or None.

        The dead end is a known one, or a new one if the state violates a constraint.
        """
        bounds = self.dead_ends[place].find(state)
        if bounds is None:
            bounds = self._find_violation(place, state)
            if bounds is not None:
                self._add_dead_end(place, DeadEnd(bounds, []))
        return bounds

    def _find_violation(self, place: int, state: State) -> Bounds | None:
        """Return bounds around the state within which a constraint cannot be satisfied, or None."""
        for number, counter in enumerate(self.counters):
            if counter.high is None or self.is_finished[place][number]:
                continue
            value = state[number]
            remaining = len(counter.places) - self.inputs_before[place][number]
            true, false = self._decided_tail(place, state, counter)
            excess = value + len(true) - counter.high
            if excess > 0:
                return self._violation_bounds(place, state, number, true, excess - 1, are_true=True)
            lack = counter.low - value - remaining - (len(counter.tail) - len(false))
            if lack > 0:
                return self._violation_bounds(place, state, number, false, lack - 1, are_true=False)
        return None

    def _decided_tail(
        self, place: int, state: State, counter: Counter
    ) -> tuple[list[TailInput], list[TailInput]]:
        """Return the tail inputs that are true, and that are false, in every completion."""
        true: list[TailInput] = []
        false: list[TailInput] = []
        remaining = self.pegs - place
        for entry in counter.tail:
            color_counter, count, is_reached = entry
            if state[color_counter] >= count:
                (true if is_reached else false).append(entry)
            elif state[color_counter] + remaining < count:
                (false if is_reached else true).append(entry)
        return true, false

    def _violation_bounds(
        self,
        place: int,
        state: State,
        number: int,
        decided: list[TailInput],
        spare: int,
        *,
        are_true: bool,
    ) -> Bounds:
        """Return bounds within which the constraint of counter `number` is violated.

        The bounds limit the counter, and the counts of colors that decide its tail inputs. The
        `decided` inputs are all true or all false. The state violates the constraint by `spare`
        more than necessary, which allows weaker bounds.
        """
        remaining = self.pegs - place

        def strength(entry: TailInput) -> int:
            return entry.threshold if entry.is_reached == are_true else -entry.threshold

        # Each unit of `spare` makes one input unnecessary. The inputs with the tightest bounds are
        # dropped, and the remaining units weaken the bound of the counter.
        needed = sorted(decided, key=strength)
        dropped = min(spare, len(needed))
        needed = needed[: len(needed) - dropped]
        spare -= dropped
        value = state[number]
        bounds: Bounds = {}
        if are_true:
            if value > spare:
                bounds[number] = (value - spare, None)
        elif not self.is_finished[place][number]:
            bounds[number] = (0, value + spare)
        for color_counter, count, is_reached in needed:
            if is_reached == are_true:  # the count is reached
                _tighten(bounds, color_counter, count, None)
            else:
                _tighten(bounds, color_counter, 0, count - 1 - remaining)
        return self._drop_implied(place, bounds)

    def _drop_implied(self, place: int, bounds: Bounds) -> Bounds:
        """Return the bounds, except for bounds that every state at the place satisfies."""
        needed: Bounds = {}
        for number, (low, high) in bounds.items():
            highest_value = min(self.inputs_before[place][number], self.counters[number].maximum)
            maximum = None if high is None or high >= highest_value else high
            if low > 0 or maximum is not None:
                needed[number] = low, maximum
        return needed

    def _pull_back(self, place: int, number: int, bounds: Bounds) -> Bounds:
        """Return bounds before a place that imply `bounds` after it.

        The peg at the place has a color of group `number`.
        """
        gains = dict(self.groups[place][number].gains)
        before = {
            counter: (
                max(0, low - gains.get(counter, 0)),
                None if high is None else high - gains.get(counter, 0),
            )
            for counter, (low, high) in bounds.items()
        }
        return self._drop_implied(place, before)


def _group_colors(effects: list[dict[int, int]]) -> list[Group]:
    """Return the groups of colors that have the same effects on counters at a place."""
    groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for color, effect in enumerate(effects):
        groups.setdefault(tuple(sorted(effect.items())), []).append(color)
    return [Group(tuple(colors), gains) for gains, colors in groups.items()]


def _tighten(bounds: Bounds, number: int, low: int, high: int | None) -> None:
    """Add bounds `low` and `high` on the counter `number` to those in `bounds`."""
    old_low, old_high = bounds.get(number, (0, None))
    highs = [limit for limit in (old_high, high) if limit is not None]
    bounds[number] = max(low, old_low), min(highs, default=None)


def _intersect(several_bounds: list[Bounds]) -> Bounds:
    """Return the intersection of bounds."""
    intersection: Bounds = {}
    for bounds in several_bounds:
        for number, (low, high) in bounds.items():
            _tighten(intersection, number, low, high)
    return intersection
