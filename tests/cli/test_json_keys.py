"""A key of the JSON that mmsat prints has one type, but for those that a page tells."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.support.schemas import NAMES, schema

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
TYPES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
CASES = ("anyOf", "oneOf", "allOf")


def types(part, root):
    """The types that a schema allows, but for null; of a list, what is in it."""
    while "$ref" in part:
        part = root["$defs"][part["$ref"].rpartition("/")[2]]
    named = part.get("type", [])
    result = {named} if isinstance(named, str) else set(named)
    if not result:
        values = [part["const"]] if "const" in part else part.get("enum", [])
        result = {TYPES[type(value)] for value in values}
    result = {f"list of {listed(part, root)}" if item == "array" else item for item in result}
    for case in CASES:
        for entry in part.get(case, []):
            result |= types(entry, root)
    return result - {"null"}


def listed(part, root):
    """What a list has: its types, joined."""
    inner = (*part.get("prefixItems", []), part.get("items"))
    inner = [entry for entry in inner if isinstance(entry, dict)]
    return " or ".join(sorted(set().union(*(types(entry, root) for entry in inner)))) or "anything"


def keys(part):
    """The keys that a schema tells, each with its schema."""
    if isinstance(part, list):
        for inner in part:
            yield from keys(inner)
    elif isinstance(part, dict):
        yield from part.get("properties", {}).items()
        for name, inner in part.items():
            yield from keys(inner) if name != "if" else ()


def test_keys_have_one_type():
    """What JSON schemas say is what the page of the documentation says."""
    results = defaultdict(set)
    for name in NAMES:
        document = schema(name)
        for key, part in keys(document):
            if isinstance(part, dict):
                results[key] |= types(part, document)
    several = {key: ", ".join(sorted(kinds)) for key, kinds in results.items() if len(kinds) > 1}
    texts = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| \w.* \|$", PAGE, re.MULTILINE))

    assert len(results) > 200
    assert texts == several
