"""Frozen records behave like frozen dataclasses, whichever way their methods are compiled."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from mmsat.frozen import frozen


class Pair:
    """Two fields and more."""

    first: int
    second: str = "b"
    others: list[int] = field(default_factory=list, compare=False)
    hidden: int = field(default=0, repr=False)

    def __post_init__(self):
        object.__setattr__(self, "first", int(self.first))


BODY = {
    name: value for name, value in vars(Pair).items() if name not in ("__dict__", "__weakref__")
}
Ours = frozen(type("Ours", (), BODY | {"__qualname__": "Ours"}))
Theirs = dataclass(frozen=True)(type("Theirs", (), BODY | {"__qualname__": "Theirs"}))
ARGUMENTS = [((1,), {}), (("2", "c"), {}), ((1,), {"hidden": 5}), ((1, "b", [7]), {})]


def shown(record):
    return repr(record).removeprefix(type(record).__name__)


@pytest.mark.parametrize(("values", "named"), ARGUMENTS)
def test_like_a_dataclass(values, named):
    ours, theirs = Ours(*values, **named), Theirs(*values, **named)

    assert shown(ours) == shown(theirs)
    assert [field.name for field in fields(ours)] == [field.name for field in fields(theirs)]
    for others in ARGUMENTS:
        assert (ours == Ours(*others[0], **others[1])) == (
            theirs == Theirs(*others[0], **others[1])
        )
    assert hash(ours) == hash(Ours(*values, **named))
    assert ours != theirs
    assert shown(replace(ours, second="z")) == shown(replace(theirs, second="z"))


def test_defaults_are_created_for_each_record():
    assert Ours(1).others is not Ours(1).others


def test_nothing_can_be_changed():
    record = Ours(1)
    with pytest.raises(FrozenInstanceError):
        record.first = 2
    with pytest.raises(FrozenInstanceError):
        del record.first
    with pytest.raises(FrozenInstanceError):
        record.another = 2


def test_records_go_to_other_processes_and_back():
    record = Ours(3, "c", [1], 9)
    copy = pickle.loads(pickle.dumps(record))  # noqa: S301  (our own)
    assert copy == record
    assert copy.others == [1]


def test_missing_arguments_are_named():
    with pytest.raises(TypeError, match="first"):
        Ours()


def test_own_methods_stay():
    @frozen
    class Own:
        value: int

        def __repr__(self):
            return "own"

    assert repr(Own(1)) == "own"
    assert Own(1) == Own(1)
