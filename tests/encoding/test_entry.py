"""The entries of the catalogue of encodings."""

from __future__ import annotations

import json

import pytest

from mmsat.encoding.cnf import entries, load
from mmsat.errors import InputError


def test_entries_are_sorted_by_name_and_equal_those_of_load():
    names = [entry.name for entry in entries()]

    assert names == sorted(set(names))
    assert "totalizer" in names
    assert all(load(entry.name) == entry for entry in entries())


def test_an_entry_is_the_same_after_a_round_trip_through_json():
    for entry in entries():
        parsed = json.loads(json.dumps(entry.to_dict()))
        assert parsed == entry.to_dict()
        assert parsed["name"] == entry.name


@pytest.mark.parametrize("name", ["", "models", "Totalizer", "../encodings/totalizer", "unary"])
def test_an_unknown_name_is_a_fault_that_lists_the_names(name):
    with pytest.raises(InputError) as caught:
        load(name)

    (fault,) = caught.value.faults
    assert fault.found == name
    assert all(entry.name in fault.expected for entry in entries())
