"""Generate the schemas of JSON documents from their declarations: `python -m docs.schemas`.

A document is a TypedDict, or a union of several, declared beside the code that makes it. Keys are
described by docstrings, which exist only in the source, so the syntax tree is read for them. A
library such as pydantic would have to be loaded by every module that declares a document.
"""

import ast
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from mmsat._util.results import Schema
from mmsat.auditing.summary import AuditJson
from mmsat.cli.commands.catalogues import InstancesJson
from mmsat.cli.commands.check import CheckJson
from mmsat.cli.commands.codes import CountOutputJson, ListOutputJson
from mmsat.cli.commands.encoding import DecodedJson, EncodedJson, EncodingsJson
from mmsat.cli.commands.explain import ExplainJson
from mmsat.cli.commands.generate import FamiliesJson
from mmsat.cli.commands.optimal import OptimalJson
from mmsat.cli.commands.play import PuzzleOutputJson
from mmsat.cli.commands.proofs import VerifyJson
from mmsat.cli.commands.reductions import (
    LIFTED_RULES,
    BoardReductionJson,
    GameFileJson,
    LiftedJson,
    ReductionsJson,
)
from mmsat.cli.commands.strategies import StrategiesJson, ValueOutputJson
from mmsat.cli.commands.study import SuiteJson
from mmsat.counting.listing import OddsJson
from mmsat.diagnosis import VERDICT_RULES
from mmsat.diagnosis.steps import StepsJson
from mmsat.diagnosis.suspect import SuspicionJson
from mmsat.game.notation.document import GamesJson, ScoreJson
from mmsat.play.match import MatchJson, SeveralMatchJson
from mmsat.play.review_result import ReviewJson
from mmsat.play.saved import SavedBoardsJson
from mmsat.reductions.families import FamilyBoardJson
from mmsat.strategy.analyze import AnalysisJson, ComparisonJson
from mmsat.strategy.several import SeveralSuggestionJson
from mmsat.strategy.static import StaticSetJson
from mmsat.strategy.suggest import SuggestionJson
from mmsat.strategy.tree import TreeJson
from mmsat.web.questions import ProofTextJson
from mmsat.web.view_model import EvaluationJson, MoveJson, PositionJson, ScoresJson, SplitJson

FOLDER = Path(__file__).parents[1] / "mmsat" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}


class Document(NamedTuple):
    """A JSON document."""

    title: str
    kind: Any
    """The type that declares it."""


def output(command: str, kind: Any) -> Document:
    """Return the document that a command prints with --json."""
    return Document(f"Output of mmsat {command} --json", kind)


DOCUMENTS = {
    "analyze": output("analyze", AnalysisJson | ComparisonJson | ValueOutputJson),
    "audit": output("audit", AuditJson),
    "check": output("check", Annotated[CheckJson, VERDICT_RULES]),
    "count": output("count", CountOutputJson),
    "decode": output("decode", DecodedJson),
    "encode": output("encode", EncodedJson),
    "encodings": output("encodings", EncodingsJson),
    "evaluation": Document("Answer of mmsat serve to evaluate", EvaluationJson),
    "explain": output("explain", ExplainJson),
    "families": output("families", FamiliesJson),
    "games": output("games", GamesJson),
    "generate": output("generate", FamilyBoardJson),
    "instances": output("instances", InstancesJson),
    "lift": output("lift", Annotated[LiftedJson, LIFTED_RULES]),
    "list": output("list", ListOutputJson),
    "match": output("match", MatchJson),
    "match-several": output("match --boards", SeveralMatchJson),
    "move": Document("Answer of mmsat serve to play", MoveJson),
    "odds": output("odds", OddsJson),
    "optimal": output("optimal", OptimalJson),
    "play-several": Document(
        "A saved game of mmsat play --boards, and its --json output", SavedBoardsJson
    ),
    "position": Document("Answer of mmsat serve to board", PositionJson),
    "proof": Document("Answer of mmsat serve to proof", ProofTextJson),
    "puzzle": Document("Output of mmsat puzzle --json, one line per puzzle", PuzzleOutputJson),
    "reduce": output("reduce", BoardReductionJson | GameFileJson),
    "reductions": output("reductions", ReductionsJson),
    "review": output("review", ReviewJson),
    "score": output("score", ScoreJson),
    "scores": Document("Answer of mmsat serve to scores", ScoresJson),
    "split": Document("Answer of mmsat serve to split", SplitJson),
    "static": output("static", StaticSetJson),
    "steps": output("explain --steps", StepsJson),
    "strategies": output("strategies", StrategiesJson),
    "suite": output("suite", SuiteJson),
    "suggest": output("suggest", SuggestionJson),
    "suggest-several": output("suggest with several boards", SeveralSuggestionJson),
    "suspicion": Document("Answer of mmsat serve to suspect", SuspicionJson),
    "tree": Document("Strategy tree, as written by mmsat analyze -o", TreeJson),
    "verify": output("verify", VerifyJson),
}
"""The generated documents, by the names of their schemas."""
BY_HAND = ("board", "game", "play")
"""Names of the schemas that are written by hand. They describe files that people write, in several
notations, and have conditions that types cannot express."""


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of a document."""
    document, writer = DOCUMENTS[name], Writer()
    body = writer.inline(document.kind)
    head = {"$schema": DIALECT, "$id": f"urn:mmsat:schema:{name}", "title": document.title}
    definitions = {"$defs": writer.definitions} if writer.definitions else {}
    whole: dict[str, Any] = json.loads(json.dumps(head | body | definitions))  # tuples become lists
    return whole


class Writer:
    """Converts types to JSON schemas, and collects the definitions of the objects inside."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def convert(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a type; a TypedDict becomes a reference to its definition."""
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.convert(arguments[0]) | keywords(kind)
        if is_typeddict(kind):
            name = kind.__name__.removesuffix("Json")
            if name not in self.definitions:
                self.definitions[name] = {}  # a recursive type refers to it
                self.definitions[name] = self.object(kind)
            return {"$ref": f"#/$defs/{name}"}
        if origin in {Union, UnionType}:
            return {"anyOf": [self.convert(argument) for argument in arguments]}
        if origin is Literal:
            return {"const": arguments[0]} if len(arguments) == 1 else {"enum": [*arguments]}
        if origin is list:
            return {"type": "array", "items": self.convert(*arguments)}
        if origin is dict:
            key, value = map(self.convert, arguments)
            return {"type": "object", "propertyNames": key, "additionalProperties": value}
        return {} if kind is Any else {"type": TYPES[kind]}

    def inline(self, kind: Any) -> dict[str, Any]:
        """Return the schema of the type of a document; its own objects need no definition."""
        if get_origin(kind) is Annotated:
            return self.inline(get_args(kind)[0]) | keywords(kind)
        if is_typeddict(kind):
            return self.object(kind)
        return {"anyOf": [self.inline(argument) for argument in get_args(kind)]}

    def object(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a TypedDict."""
        # By default, names in an inherited annotation would be looked up in the module of the
        # subclass first. Empty namespaces prevent that.
        hints = get_type_hints(kind, {}, {}, include_extras=True)
        texts = descriptions(kind)
        optional = {
            key
            for key, hint in hints.items()
            if key in kind.__optional_keys__ or get_origin(hint) is NotRequired
        }
        types = {
            key: get_args(hint)[0] if get_origin(hint) is NotRequired else hint
            for key, hint in hints.items()
        }
        properties = {
            key: self.convert(hint) | ({"description": texts[key]} if key in texts else {})
            for key, hint in types.items()
        }
        requires = {key: [*needed] for key, hint in types.items() if (needed := required_by(hint))}
        return {
            "type": "object",
            **({"description": " ".join(kind.__doc__.split())} if kind.__doc__ else {}),
            "properties": properties,
            "required": [key for key in hints if key not in optional],
            **({"dependentRequired": requires} if requires else {}),
            "additionalProperties": False,
        }


def annotations(kind: Any) -> list[Schema]:
    """Return the `Schema` annotations of a type."""
    metadata = kind.__metadata__ if get_origin(kind) is Annotated else ()
    return [annotation for annotation in metadata if isinstance(annotation, Schema)]


def keywords(kind: Any) -> dict[str, Any]:
    """Return the keywords that the annotations of a type add."""
    return {key: value for note in annotations(kind) for key, value in note.keywords.items()}


def required_by(kind: Any) -> list[str]:
    """Return the keys that must be present if a key with this type is."""
    return [key for note in annotations(kind) for key in note.requires]


@cache
def classes(module: str) -> dict[str, ast.ClassDef]:
    """Return the syntax trees of the classes of a module by name."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def descriptions(kind: Any) -> dict[str, str]:
    """Return the docstrings of the keys of a TypedDict and of its bases.

    Keys that are not identifiers are declared in a call of TypedDict, and described in `Schema`.
    """
    node = classes(kind.__module__).get(kind.__name__)
    if node is None:
        return {}
    texts: dict[str, str] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id != "TypedDict":
            texts |= descriptions(vars(sys.modules[kind.__module__])[base.id])
    for statement, following in zip(node.body, node.body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(following, ast.Expr):
            key, text = ast.unparse(statement.target), ast.literal_eval(following.value)
            texts[key] = " ".join(text.split())
    return texts


def reference() -> str:
    """Return all keys of the documents in Markdown, for the page about JSON."""
    definitions: dict[str, Any] = {}
    sections = ["", "## Documents"]
    for name in DOCUMENTS:
        document = schema(name)
        for defined, part in document.get("$defs", {}).items():
            if definitions.setdefault(defined, part) != part:
                raise ValueError(f"two objects are named {defined}")
        objects = document.get("anyOf", [document])
        sections += [f"### {name}", f"{document['title']}.", *map(key_table, objects)]
    sections.append("## Objects in documents")
    for defined in sorted(definitions):
        sections += [f"### {defined}", key_table(definitions[defined])]
    return "\n\n".join(sections) + "\n"


def key_table(part: dict[str, Any]) -> str:
    """Return the description of an object and the table of its keys in Markdown."""
    rows = [
        f"| `{key}`{'' if key in part['required'] else ' (optional)'} | {type_words(value)} "
        f"| {value.get('description', '')} |"
        for key, value in part["properties"].items()
    ]
    head = "| key | type | meaning |\n|---|---|---|\n"
    return f"{part['description']}\n\n{head}" + "\n".join(rows)


def type_words(part: dict[str, Any]) -> str:
    """Return the type of a value in words."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in part:
        return " or ".join(map(type_words, part["anyOf"]))
    if "enum" in part or "const" in part:
        return ", ".join(
            f"`{json.dumps(value)}`" for value in part.get("enum", [part.get("const")])
        )
    if part.get("type") == "array":
        return f"list of {type_words(part['items'])}"
    if part.get("type") == "object":
        return f"object with values: {type_words(part['additionalProperties'])}"
    return str(part.get("type", "any"))


def text(name: str) -> str:
    """Return the text of the file of a schema."""
    return json.dumps(schema(name), indent=2) + "\n"


if __name__ == "__main__":
    for name in DOCUMENTS:
        (FOLDER / f"{name}.json").write_text(text(name), "utf-8")
