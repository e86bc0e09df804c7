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
        literal = self.step()
        while True:
            literal += self.step()
            if literal[-1] == "\\":
                literal += self.step()
            elif literal[-1] == '"':
                return json.loads(literal)

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


@given(value=VALUES, layout=LAYOUTS, blanks=st.sampled_from(["", " ", "\n\t "]))
def test_positions_agree_with_those_of_the_slow_parser(value, layout, blanks):
    text = blanks + json.dumps(value, **layout) + blanks
    places = _Walker(text).places
    assert locate(text, set(places)) == places


@given(value=VALUES)
def test_only_the_given_paths_are_located(value):
    text = json.dumps(value)
    places = _Walker(text).places
    for path in places:
        assert locate(text, {path, ("no", "such", "path")}) == {path: places[path]}


def test_the_last_value_of_a_repeated_key_is_located():
    text = '{"a": 1,\n "b": {"c": 2},\n "a": 3,\n "b": {"c": 4}}'
    assert json.loads(text) == {"a": 3, "b": {"c": 4}}
    assert locate(text, {("a",), ("b", "c")}) == {("a",): (3, 7), ("b", "c"): (4, 13)}


def test_values_in_long_and_in_deeply_nested_lists_are_located():
    depth = 300
    nested_text = "[" * depth + "7" + "]" * depth
    assert locate(nested_text, {(0,) * depth}) == {(0,) * depth: (1, depth + 1)}
    long_text = json.dumps(list(range(1000)), indent=1)
    assert locate(long_text, {(999,)}) == {(999,): (1001, 2)}
