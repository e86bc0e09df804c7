"""The catalogue of encodings is read whole."""

from __future__ import annotations

import json

import pytest

from mmsat.encoding.catalogue import entries, load
from mmsat.errors import InputError


def test_entries_come_by_name_and_load_gives_the_same():
    names = [entry.name for entry in entries()]

    assert names == sorted(set(names))
    assert "totalizer" in names
    assert all(load(entry.name) == entry for entry in entries())


def test_an_entry_turns_into_json_and_back():
    for entry in entries():
        read = json.loads(json.dumps(entry.to_dict()))
        assert read == entry.to_dict()
        assert read["name"] == entry.name


@pytest.mark.parametrize("name", ["", "models", "Totalizer", "../encodings/totalizer", "unary"])
def test_a_name_that_is_not_there_is_a_fault_that_lists_the_names(name):
    with pytest.raises(InputError) as caught:
        load(name)

    (fault,) = caught.value.faults
    assert fault.found == name
    assert all(entry.name in fault.expected for entry in entries())
