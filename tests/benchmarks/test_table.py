"""Tables of runs: existing rows are kept, and a truncated one is removed."""

from __future__ import annotations

import pytest

from benchmarks.table import Table
from mmsat.errors import InputError


def test_tables_keep_what_is_there(tmp_path):
    path = tmp_path / "table.csv"
    table = Table(path, ("name", "size", "value"), 2)
    assert not path.exists()
    table.add({"name": "a", "size": 1, "value": None})
    table.add({"name": "b", "size": 2, "value": 0.5})
    with path.open("a") as file:
        file.write("c,3,1")  # an interruption, perhaps of a longer number
    again = Table(path, ("name", "size", "value"), 2)
    assert [line["name"] for line in again] == ["a", "b"]
    assert again.find("b", 2) == {"name": "b", "size": "2", "value": "0.5"}
    assert again.find("c", 3) is None
    assert path.read_text() == "name,size,value\na,1,\nb,2,0.5\n"
    with pytest.raises(InputError, match="table of this study"):
        Table(path, ("name", "value"), 1)
