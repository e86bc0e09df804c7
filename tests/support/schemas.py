"""JSON schemas of the documents that the commands print."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema

from docs.schemas import BY_HAND, DOCUMENTS

NAMES = sorted((*DOCUMENTS, *BY_HAND))


def schema(name):
    return json.loads((files("mmsat") / "schemas" / f"{name}.json").read_text("utf-8"))


def validator(name):
    return jsonschema.Draft202012Validator(schema(name))
