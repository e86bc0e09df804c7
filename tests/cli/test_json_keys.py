"""Each JSON key has one type, except for the exceptions listed in the documentation."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.support.schemas import NAMES, schema

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
CASES = ("anyOf", "oneOf", "allOf")


def types(part, root):
    """Return the types that a schema allows, without null; for a list, the type of its items."""
    while "$ref" in part:
        part = root["$defs"][part["$ref"].rpartition("/")[2]]
    type_names = part.get("type", [])
    result = {type_names} if isinstance(type_names, str) else set(type_names)
    if not result:
        values = [part["const"]] if "const" in part else part.get("enum", [])
        result = {TYPES[type(value)] for value in values}
    result = {f"list of {item_types(part, root)}" if item == "array" else item for item in result}
    for case in CASES:
        for entry in part.get(case, []):
            result |= types(entry, root)
    return result - {"null"}


def item_types(part, root):
    """Return the joined types of the items of a list."""
    inner = (*part.get("prefixItems", []), part.get("items"))
    inner = [entry for entry in inner if isinstance(entry, dict)]
    return " or ".join(sorted(set().union(*(types(entry, root) for entry in inner)))) or "anything"


def keys(part):
    """Yield the keys of a schema, each with its schema."""
    if isinstance(part, list):
        for inner in part:
            yield from keys(inner)
    elif isinstance(part, dict):
        yield from part.get("properties", {}).items()
        for name, inner in part.items():
            yield from keys(inner) if name != "if" else ()


def test_keys_have_one_type():
    """The page of the documentation lists the exceptions."""
    results = defaultdict(set)
    for name in NAMES:
        document = schema(name)
        for key, part in keys(document):
            if isinstance(part, dict):
                results[key] |= types(part, document)
    keys_with_several_types = {
        key: ", ".join(sorted(kinds)) for key, kinds in results.items() if len(kinds) > 1
    }
    documented = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| \w.* \|$", PAGE, re.MULTILINE))

    assert len(results) > 200
    assert documented == keys_with_several_types
