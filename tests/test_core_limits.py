"""Inputs that the kernel refuses because its integers would overflow (mmsat/_core/README.md)."""

from __future__ import annotations

import numpy as np
import pytest

from mmsat import _core
from tests.support import tiers

SMALLEST, LARGEST = -(2**31), 2**31 - 1
LAYOUT = (2, [2], [0], [1, 1], [], [], [])
"""Arguments of a counter of the codes of two pegs and two colors, without constraints."""


def numbers(values, dtype=np.int32):
    return np.array(values, dtype=dtype)


def cells(rows, columns):
    return np.zeros((rows, columns), dtype=np.uint8)


def search(low=0, high=0, slack=0):
    return _core.Search(2, 2, [([1], low, high)], [], slack)


def weighted(low=0, high=0, spare=(), weights=None):
    return _core.WeightedSearch(2, 2, [], [[([1], low, high)]], spare, 1, weights)


def counter(kind=_core.Counter, bits=3, **changes):
    names = ("pegs", "sizes", "once", "allowed", "amounts", "steps", "ranges")
    pegs, *remainder = (changes.get(name, was) for name, was in zip(names, LAYOUT, strict=True))
    return kind(pegs, *map(numbers, remainder), bits, 1 << 20)


def lattice(weight=1, total=1):
    weights = numbers([[weight, 0, 0, 0]])
    return _core.Lattice(2, [[0, 1], [0, 1]], weights, [total])


def optimal(codes=2, **changes):
    table = cells(codes, 64 * -(-codes // 64))
    return _core.Optimal(cells(codes, 1), 1, table, table, 2, False, False, False, **changes)


def reasons(weight=1, weight_of_repeats=16, answers=256, columns=5):
    """Return the reason of one board with one row.

    The only code gives the guess the answer 0, but the row has the answer 1.
    """
    table, colors = cells(1, 64), np.zeros((1, 1), dtype=np.uint16)
    out = np.zeros((1, columns), dtype=np.uint32)
    _core.Batch.of_table(table, colors).reasons(
        numbers([0], np.uint32),
        numbers([1], np.uint8),
        numbers([0, 1], np.int64),
        numbers([0], np.uint32),
        np.full((1, answers), weight, dtype=np.uint32),
        "black-white",
        weight_of_repeats,
        2,
        out,
    )
    return out


@pytest.mark.parametrize(
    "call",
    [
        lambda: search(low=SMALLEST),
        lambda: search(high=LARGEST),
        lambda: search(slack=2**31 + 1),
        lambda: search().set_slack(2**32 - 1),
        lambda: weighted(low=SMALLEST),
        lambda: weighted(high=LARGEST),
        lambda: weighted(spare=[1]),
        lambda: weighted(spare=[-1]),
        lambda: weighted().exclude([1]),
        lambda: weighted().exclude([]),
        lambda: weighted(weights=[1.0] * 4),
        lambda: weighted(weights=[0.0] * 5),
        lambda: weighted(weights=[float("inf")] * 5),
        lambda: _core.surrogate_filter([], [], [], 9, 9),
        lambda: _core.surrogate_filter([[[1], []]], [0], [0], 9, 9),
        lambda: _core.surrogate_filter([[[1], [2]]], [0], [], 9, 9),
        lambda: _core.surrogate_filter([[[1], [2]], [[1]]], [0, 0], [0, 0], 9, 9),
        lambda: _core.surrogate_filter([[[1], [2]], [[1], [2, 3]]], [0, 0], [0, 0], 9, 9),
        lambda: _core.Annealer(2, 2, 1).add([([1], SMALLEST, 0)]),
        lambda: lattice(weight=SMALLEST),
        lambda: lattice(weight=64),
        lambda: lattice(total=2**28),
        lambda: lattice(total=-(2**63)),
        lambda: lattice().advance(1, 2**40),
        lambda: counter(pegs=2**63, allowed=[]),
        lambda: counter(bits=1),
        lambda: counter(ranges=[SMALLEST, 0]),
        lambda: counter(ranges=[0, 2**29 + 1]),
        lambda: counter(ranges=[0, 1], amounts=[0, 0, 0, SMALLEST]),
        lambda: counter(ranges=[0, 1], amounts=[0, 0, 0, 2**28, 1, 0, 0, -(2**28) - 1]),
        lambda: counter(ranges=[0, 1], steps=[0, 1, 0, SMALLEST]),
        lambda: _core.Batch.of_lists(cells(1, 2), 2, 2**31, 2**31),
        lambda: _core.Batch.of_table(cells(1, 64), np.zeros((2, 1), dtype=np.uint16)),
        lambda: _core.Batch.of_table(cells(1, 64), np.zeros((1, 0), dtype=np.uint16)),
        lambda: reasons(answers=255),
        lambda: reasons(columns=4),
        lambda: _core.Translator(
            65, 2, 1, 2, numbers([0, 0], np.uint8), False, numbers([1], np.uint64)
        ),
        lambda: optimal(2**15 + 1),
        lambda: optimal(partition_hash_bits=-1),
        lambda: optimal(partition_hash_bits=65),
        lambda: optimal().start(-1),
        lambda: optimal().start(2**28 + 1),
        lambda: optimal().recall([(0, 0, SMALLEST, True)]),
    ],
)
def test_numbers_beyond_the_limits_are_refused(call):
    with pytest.raises(ValueError, match=" "):
        call()


def test_numbers_at_the_limits_are_accepted():
    for weight in (0, 1, 2**32 - 1):
        assert reasons(weight, weight_of_repeats=weight).tolist() == [[1, 1, 0, 0, 0]]
    assert search(low=-(2**30), high=2**30, slack=2**31).count(100) == _core.SearchStatus.EXHAUSTED
    assert (
        weighted(
            low=-(2**30), high=2**30, spare=[0], weights=[1e-300, 1e300, 1.0, 1.0, 1.0]
        ).advance(9)
        == _core.SearchStatus.CODE_FOUND
    )
    assert lattice(total=2**19).advance(10, 1) == _core.SearchStatus.EXHAUSTED
    with pytest.raises(OverflowError):
        lattice(total=2**28 - 1)
    largest = [[[-(2**14), 2**14], [0, 2**14]]]
    assert _core.surrogate_filter(largest, [2**15], [2**15], 2**28, 9) == [[False, True]] * 2
    for bound in (2**28, -(2**63)):
        with pytest.raises(OverflowError):
            _core.surrogate_filter(largest, [bound], [2**15], 2**28, 9)
    counter_at_limit = counter(ranges=[-(2**29), 2**29], amounts=[0, 0, 0, 2**28, 1, 0, 0, 2**28])
    assert counter_at_limit.advance(10**6)
    assert int.from_bytes(counter_at_limit.count, "little") == 4


@pytest.mark.parametrize("kind", [_core.Counter, _core.Diagram])
def test_a_count_that_no_code_reaches(kind):
    """Each of two colors has at most one peg, but a step is for two pegs of a color.

    Such a step was once written beyond the end of an array.
    """
    steps = [0, 2, 0, 1, 0, 2, 0, 1, 1, 2, 0, -1]
    created = counter(kind, sizes=[1, 1], once=[1, 1], allowed=[1] * 4, steps=steps, ranges=[0, 0])
    assert created.advance(10**6)
    assert int.from_bytes(created.count, "little") == 2


@pytest.mark.parametrize("largest", [0, 1, 253, 254, 255])
def test_tables_count_every_answer(largest):
    """Answers have 8 bits, and a table may use all of them."""
    rng = np.random.default_rng(largest)
    table = cells(20, 64)
    table[:, :20] = rng.integers(max(0, largest - 3), largest, size=(20, 20), endpoint=True)
    batch = _core.Batch.of_table(table, np.zeros((20, 1), dtype=np.uint16))
    expected = [int((table[3, :20] == answer).sum()) for answer in range(256)]
    for only_exists in (False, True):
        out = np.zeros(256, dtype=np.uint32)
        guesses = np.full(256, 3, dtype=np.uint32)
        starts = np.arange(257, dtype=np.int64)
        batch.count(guesses, np.arange(256, dtype=np.uint8), starts, only_exists, out)
        assert out.tolist() == [int(n > 0) if only_exists else n for n in expected]


def test_states_beyond_the_last_one_are_refused():
    diagram = counter(_core.Diagram)
    assert diagram.advance(10**6)
    for node, index in ((2**64 - 1, 0), (2**64 - 2, 0), (1, 0), (0, 2**64 - 1)):
        with pytest.raises(IndexError):
            diagram.options(0, node, index)


@pytest.mark.parametrize("literal", [2**63, 2**64, 2**31, 2**32, 2**32 + 1, 2])
def test_literals_of_proofs_that_are_out_of_range_are_refused(literal):
    for sign in ("", "-"):
        trimmer = _core.Trimmer(1, numbers([1, 0]), f"{sign}{literal} 0\n".encode())
        assert trimmer.advance(2**64 - 1) == _core.Check.FAILS
        assert trimmer.fault == (
            "line 1 of the solver's proof: expected whole numbers from -1 to 1 that end with 0"
        )
        checker = _core.LratChecker(
            1, numbers([1, 0, -1, 0]), f"3 {sign}{literal} 0 1 0\n".encode()
        )
        assert checker.advance(2**64 - 1) == _core.Check.FAILS


def test_a_total_that_is_larger_than_a_candidate_holds():
    """Each guess excludes one code: 1 + 2 + ... + 1000 guesses, which need over 18 bits."""
    codes = 1000
    table = np.zeros((codes, 1024), dtype=np.uint8)
    table[:, :codes] = np.eye(codes, dtype=np.uint8)
    spelled = np.array([divmod(code, 255) for code in range(codes)], dtype=np.uint8)
    created = _core.Optimal(spelled, 255, table, table, 2, False, False, True, 0, True)
    created.start(2**28)
    assert created.wait(60 * tiers.SLOWNESS)
    assert created.total == codes * (codes + 1) // 2


def test_symmetries_of_codes_with_too_many_sequences_of_colors_to_number():
    """16 pegs of one color each, 16 colors: 2**64 sequences of colors, but only 16 codes."""
    codes = 16
    table = np.zeros((codes, 64), dtype=np.uint8)
    table[:, :codes] = np.eye(codes, dtype=np.uint8)
    spelled = np.repeat(np.arange(codes, dtype=np.uint8)[:, None], 16, axis=1)
    created = _core.Optimal(spelled, codes, table, table, 2, True, True, True)
    created.start(2**28)
    assert created.wait(60 * tiers.SLOWNESS)
    assert created.total == codes * (codes + 1) // 2
