"""The schemas of JSON documents are generated from the declarations."""

import jsonschema
import pytest

from docs.schemas import BY_HAND, DOCUMENTS, FOLDER, reference, schema, text
from mmsat._util import results
from mmsat.game.game import MAX_COLORS, MAX_PEGS


def test_every_schema_is_generated_or_listed():
    assert {file.stem for file in FOLDER.glob("*.json")} == {*DOCUMENTS, *BY_HAND}
    assert not {*DOCUMENTS} & {*BY_HAND}


def test_limits_are_those_of_games():
    assert (results.MAX_PEGS, results.MAX_COLORS) == (MAX_PEGS, MAX_COLORS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_schemas_are_up_to_date(name):
    assert (FOLDER / f"{name}.json").read_text("utf-8") == text(name), "run python -m docs.schemas"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_objects_are_described(name):
    """Every object has a description, and every reference leads to a definition."""
    document = schema(name)
    definitions = document.get("$defs", {})

    jsonschema.Draft202012Validator.check_schema(document)
    assert all(definition["description"] for definition in definitions.values())
    for part in parts(document):
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in definitions


def test_the_reference_lists_every_key():
    """Every key of every document is in a table of the page about JSON."""
    page = reference()

    for name in DOCUMENTS:
        assert f"\n### {name}\n" in page
        for part in parts(schema(name)):
            for key in part.get("properties", ()) if "required" in part else ():
                assert f"\n| `{key}`" in page


def parts(value):
    """Yield every object inside a JSON value."""
    if isinstance(value, dict):
        yield value
        value = [*value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from parts(inner)
