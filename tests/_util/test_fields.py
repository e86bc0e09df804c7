"""Positions of JSON values, compared with a parser that reads character by character."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mmsat._util.fields import locate
from tests.support import strategies as _untimed  # noqa: F401  (loads the settings)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
LAYOUTS = st.sampled_from(
    [
        {"indent": None},
        {"indent": 2},
        {"indent": 0},
        {"indent": "\t", "separators": (" ,  ", " :\n ")},
        {"separators": (",", ":")},
        {"ensure_ascii": False, "separators": ("\n,\n", "\r\n:\t")},
    ]
)


class _Walker:
    """Reads valid JSON by recursion, counting lines and columns as it goes."""

    def __init__(self, text):
        self.text, self.index, self.line, self.column = text, 0, 1, 1
        self.places = {}
        self.value(())

    def step(self):
        symbol = self.text[self.index]
        self.index += 1
        self.line, self.column = (
            (self.line + 1, 1) if symbol == "\n" else (self.line, self.column + 1)
        )
        return symbol

    def peek(self):
        while self.index < len(self.text) and self.text[self.index] in " \t\r\n":
            self.step()
        return self.text[self.index : self.index + 1]

    def string(self):
        taken = self.step()
        while True:
            taken += self.step()
            if taken[-1] == "\\":
                taken += self.step()
            elif taken[-1] == '"':
                return json.loads(taken)

    def value(self, path):
        opening = self.peek()
        self.places[path] = (self.line, self.column)
        if opening == "[":
            self.step()
            number = 0
            while self.peek() != "]":
                self.value((*path, number))
                number += 1
                if self.peek() == ",":
                    self.step()
            self.step()
        elif opening == "{":
            self.step()
            while self.peek() != "}":
                key = self.string()
                self.peek()
                self.step()
                self.value((*path, key))
                if self.peek() == ",":
                    self.step()
            self.step()
        elif opening == '"':
            self.string()
        else:
            while self.index < len(self.text) and self.text[self.index] not in " \t\r\n,]}":
                self.step()


@given(value=VALUES, layout=LAYOUTS, before=st.sampled_from(["", " ", "\n\t "]))
def test_every_value_is_where_the_slow_parser_finds_it(value, layout, before):
    text = before + json.dumps(value, **layout) + before
    places = _Walker(text).places
    assert locate(text, set(places)) == places


@given(value=VALUES)
def test_only_the_paths_that_are_asked_for_are_reported(value):
    text = json.dumps(value)
    places = _Walker(text).places
    for path in places:
        assert locate(text, {path, ("no", "such", "path")}) == {path: places[path]}


def test_of_a_repeated_key_the_value_that_counts_is_reported():
    text = '{"a": 1,\n "b": {"c": 2},\n "a": 3,\n "b": {"c": 4}}'
    assert json.loads(text) == {"a": 3, "b": {"c": 4}}
    assert locate(text, {("a",), ("b", "c")}) == {("a",): (3, 7), ("b", "c"): (4, 13)}


def test_a_long_list_and_a_deep_nest_are_walked():
    deep = 300
    text = "[" * deep + "7" + "]" * deep
    assert locate(text, {(0,) * deep}) == {(0,) * deep: (1, deep + 1)}
    long = json.dumps(list(range(1000)), indent=1)
    assert locate(long, {(999,)}) == {(999,): (1001, 2)}
