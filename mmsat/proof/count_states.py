"""The states of a counting proof: the counters after the first pegs of a code.

A state has the values of the counters of a counting formula after some pegs of its order. A counter
that no remaining peg and no count of colors uses has the value 0 in a state, so that codes with the
same completions share one state.

The search is depth-first. A state without completions is generalized to bounds
on few counters, for which there is no completion either: a dead end. The bounds of a dead end
follow from the dead ends of its successors. States within the bounds of a known dead end are not
searched.
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
    """Colors that the counters do not distinguish at a place of the order."""

    colors: tuple[int, ...]
    gains: tuple[tuple[int, int], ...]
    """The counters that have an input there, each with its increase for these colors: 0 or 1."""


class Edge(NamedTuple):
    """A group of colors at a place, and the state after it."""

    group: int
    target: State


class Node(NamedTuple):
    """A state with completions, and all its successors."""

    edges: list[Edge]
    dead_groups: list[tuple[int, Bounds]]
    """The groups after which there is no completion, with bounds within which that is so."""


class DeadEnd(NamedTuple):
    """Bounds within which no state has a completion."""

    bounds: Bounds
    groups: list[tuple[int, Bounds]]
    """For each group of colors, the bounds within which it leads to a dead end; empty if `bounds`
    violate a constraint."""


class DeadEnds:
    """The dead ends at a place, with an index by the values of counters."""

    def __init__(self, counters: Sequence[Counter]) -> None:
        self.all: list[Bounds] = []
        self.index = [[0] * (counter.maximum + 1) for counter in counters]
        """For each counter and value, a bit set of the dead ends whose bounds allow the value."""

    def add(self, bounds: Bounds) -> None:
        """Add a dead end."""
        bit = 1 << len(self.all)
        self.all.append(bounds)
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
        return self.all[(matching & -matching).bit_length() - 1] if self.all else None


class StateSearch:
    """Finds all states with completions, and dead ends for all others."""

    def __init__(self, formula: CountingFormula) -> None:
        """Prepare the groups of colors, and the counters that matter at each place."""
        self.counters = formula.counters
        self.pegs = len(formula.order)
        self.groups = [_group_colors(effects) for effects in formula.effects]
        used_in_tails = {number for counter in self.counters for number, _, _ in counter.tail}
        last = [
            self.pegs if counter.tail or number in used_in_tails else max(counter.places, default=0)
            for number, counter in enumerate(self.counters)
        ]
        self.kept = [[place <= end for end in last] for place in range(self.pegs)]
        """For each place, the counters whose values matter after the peg there."""
        self.inputs_before = [
            [sum(one < place for one in counter.places) for counter in self.counters]
            for place in range(self.pegs + 1)
        ]
        """For each place and counter, the number of inputs before the peg there."""
        self.is_finished = [[place > end + 1 for end in last] for place in range(self.pegs + 1)]
        """For each place and counter, whether states before the peg there have 0 as its value."""
        self.nodes: list[dict[State, Node]] = [{} for _ in range(self.pegs + 1)]
        self.dead_ends = [DeadEnds(self.counters) for _ in range(self.pegs + 1)]
        self.finished: list[tuple[int, State | DeadEnd]] = []
        """The states with completions and the dead ends, each after those that it uses, with their
        places."""
        self.visited_count = 0
        self.edge_count = 0

    def outputs(self, place: int, number: int) -> list[int]:
        """Return the outputs of a counter before the peg at a place."""
        inputs = self.inputs_before[place][number]
        return self.counters[number].outputs[inputs - 1] if inputs else []

    def exact_bounds(self, place: int, state: State) -> Bounds:
        """Return the bounds that only this state at a place satisfies."""
        finished = self.is_finished[place]
        values = ((number, value) for number, value in enumerate(state) if not finished[number])
        return self._trim(place, {number: (value, value) for number, value in values})

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
        kept = self.kept[place]
        return tuple([value if kept[number] else 0 for number, value in enumerate(values)])

    def run(self) -> bool:
        """Search from the start, and return whether there is a code.

        Raises SizeError if there are too many states or edges.
        """
        start = self.start
        stack: list[tuple[int, State, Iterator[int], Node]]
        if self._dead_bounds(0, start) is not None:
            return False
        stack = [(0, start, iter(range(len(self.groups[0]))), Node([], []))]
        while stack:
            place, state, remaining_groups, node = stack[-1]
            for number in remaining_groups:
                target = self.step(place, state, self.groups[place][number])
                if target in self.nodes[place + 1]:
                    node.edges.append(Edge(number, target))
                    continue
                bounds = self._dead_bounds(place + 1, target)
                if bounds is not None:
                    node.dead_groups.append((number, self._pull_back(place, number, bounds)))
                    continue
                self._count_state()
                if place + 1 == self.pegs:
                    self._finish(place + 1, target, Node([], []))
                    node.edges.append(Edge(number, target))
                    continue
                # Visit the successor first; its group is then processed again.
                groups = iter(range(len(self.groups[place + 1])))
                stack[-1] = place, state, chain([number], remaining_groups), node
                stack.append((place + 1, target, groups, Node([], [])))
                break
            else:
                stack.pop()
                if node.edges:
                    self._finish(place, state, node)
                else:
                    self._add_dead_end(place, DeadEnd(_join(node.dead_groups), node.dead_groups))
        return start in self.nodes[0]

    def _count_state(self) -> None:
        """Count a visited state; raises SizeError if there are too many."""
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

    def _dead_bounds(self, place: int, state: State) -> Bounds | None:
        """Return the bounds of a dead end that contains a state, or None if none is known."""
        bounds = self.dead_ends[place].find(state)
        if bounds is None:
            bounds = self._violated(place, state)
            if bounds is not None:
                self._add_dead_end(place, DeadEnd(bounds, []))
        return bounds

    def _violated(self, place: int, state: State) -> Bounds | None:
        """Return bounds of the state that violate a constraint whatever follows, or None."""
        for number, counter in enumerate(self.counters):
            if counter.high is None or self.is_finished[place][number]:
                continue
            value = state[number]
            remaining = len(counter.places) - self.inputs_before[place][number]
            true, false = self._decided_tail(place, state, counter)
            excess = value + len(true) - counter.high
            if excess > 0:
                return self._reason(place, state, number, true, excess - 1, are_true=True)
            lack = counter.low - value - remaining - (len(counter.tail) - len(false))
            if lack > 0:
                return self._reason(place, state, number, false, lack - 1, are_true=False)
        return None

    def _decided_tail(
        self, place: int, state: State, counter: Counter
    ) -> tuple[list[TailInput], list[TailInput]]:
        """Return the tail inputs that are true in every completion, and those that are false."""
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

    def _reason(
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

        They limit the counter and the counts of colors that decide its tail inputs. The state
        violates the constraint by `spare` more than necessary, which allows weaker bounds.
        """
        remaining = self.pegs - place

        def strength(entry: TailInput) -> int:
            return entry.level if entry.is_reached == are_true else -entry.level

        needed = sorted(decided, key=strength)  # drop the inputs with the tightest bounds
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
        return self._trim(place, bounds)

    def _trim(self, place: int, bounds: Bounds) -> Bounds:
        """Return bounds without those that every state at a place satisfies."""
        trimmed: Bounds = {}
        for number, (low, high) in bounds.items():
            top = min(self.inputs_before[place][number], self.counters[number].maximum)
            maximum = None if high is None or high >= top else high
            if low > 0 or maximum is not None:
                trimmed[number] = low, maximum
        return trimmed

    def _pull_back(self, place: int, number: int, bounds: Bounds) -> Bounds:
        """Return the bounds before a peg of a group that imply bounds after it."""
        gains = dict(self.groups[place][number].gains)
        before = {
            counter: (
                max(0, low - gains.get(counter, 0)),
                None if high is None else high - gains.get(counter, 0),
            )
            for counter, (low, high) in bounds.items()
        }
        return self._trim(place, before)


def _group_colors(effects: list[dict[int, int]]) -> list[Group]:
    """Return the groups of colors that have the same effects."""
    groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for color, effect in enumerate(effects):
        groups.setdefault(tuple(sorted(effect.items())), []).append(color)
    return [Group(tuple(colors), gains) for gains, colors in groups.items()]


def _tighten(bounds: Bounds, number: int, low: int, high: int | None) -> None:
    """Intersect the bounds on a counter with further ones."""
    old_low, old_high = bounds.get(number, (0, None))
    highs = [one for one in (old_high, high) if one is not None]
    bounds[number] = max(low, old_low), min(highs, default=None)


def _join(dead: list[tuple[int, Bounds]]) -> Bounds:
    """Return the bounds that imply all of these."""
    joined: Bounds = {}
    for _, bounds in dead:
        for number, (low, high) in bounds.items():
            _tighten(joined, number, low, high)
    return joined
