"""JSON schemas of the documents that the commands print."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema

NAMES = (
    "analyze",
    "audit",
    "board",
    "check",
    "count",
    "decode",
    "encode",
    "encodings",
    "explain",
    "game",
    "games",
    "generate",
    "instances",
    "lift",
    "list",
    "match",
    "match-several",
    "move",
    "odds",
    "optimal",
    "play",
    "play-several",
    "position",
    "proof",
    "puzzle",
    "reduce",
    "review",
    "static",
    "steps",
    "suggest",
    "suggest-several",
    "suspicion",
    "tree",
    "verify",
)


def schema(name):
    return json.loads((files("mmsat") / "schemas" / f"{name}.json").read_text("utf-8"))


def validator(name):
    return jsonschema.Draft202012Validator(schema(name))
