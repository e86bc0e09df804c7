"""The JSON output of the commands matches the shipped schemas exactly."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

import mmsat
from mmsat.game.board import PRINTERS, Status
from mmsat.game.library import families, instances
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS
from mmsat.solving import Decision
from tests.support.cli_runner import CONSISTENT, LONG_COUNT, SLIPPED, TANGLED, run
from tests.support.reduction_examples import example_file, options, shown
from tests.support.schemas import NAMES, schema, validator
from tests.support.strategies import boards

WEIGHED = ("count", "odds", "suggest", "review")
MANY_ROWS = 20
SLOW_RUNS = [
    ("check", "grand/1A2B3C4D=4.1.?"),
    ("suggest", "10x10/AABBCCDDEE=2.4", "--strategy", "any-consistent", "--limit", "1"),
    ("review", "10x10/AABBCCDDEE=2.4/ABCDEFGHIJ=1.5"),
    ("suggest", "5x26p/CRANE=GY-?-/SLATE=-----"),
]
RUNS = [
    ("check", CONSISTENT),
    ("check", SLIPPED),
    ("check", SLIPPED, "--consistent-play"),
    ("check", "4x6/1122=?.1/3345=1.?"),
    ("check", "4x10!b/AABB=9"),
    ("check", "3x30/1-2-3=1.?"),
    ("explain", CONSISTENT),
    ("explain", SLIPPED),
    ("explain", TANGLED, "--limit", "1"),
    ("explain", "2x2w/12=?/11=5"),
    ("explain", TANGLED, "--lies", "2", "--by", "pegs"),
    ("explain", SLIPPED, "--suspect", "1,3"),
    ("explain", CONSISTENT, "--suspect", "2"),
    ("explain", "secret-search-3/CAT=RRE/CAB=LLL", "--suspect", "2"),
    ("check", SLIPPED, "--lies", "1"),
    ("check", "secret-search-3/CAT=RRE/CAB=LLL", "--lies", "2", "--by", "pegs"),
    ("count", CONSISTENT, "--lies", "1"),
    ("list", CONSISTENT, "--lies", "1", "--limit", "2"),
    ("odds", CONSISTENT, "--lies", "1", "--by", "pegs"),
    ("count", CONSISTENT),
    ("count", LONG_COUNT, "--timeout", "0.1", "--engine", "brute"),
    ("list", CONSISTENT),
    ("list", SLIPPED),
    ("list", CONSISTENT, "--limit", "2"),
    ("list", CONSISTENT, "--sample", "3", "--seed", "1"),
    ("list", CONSISTENT, "--from", "30"),
    ("odds", CONSISTENT),
    ("odds", SLIPPED),
    ("odds", "4x10!/ABCD=1.1"),
    ("suggest", CONSISTENT),
    *((name, CONSISTENT, "--weights", "4,2,1,1,1,1/2") for name in WEIGHED),
    ("review", CONSISTENT),
    ("review", SLIPPED),
    ("review", "4x6"),
    ("review", "4x4b/1122=1/1234=?"),
    ("match", "3x3", "--player", "first-consistent", "--player", "sampled", "--turns", "1"),
    ("analyze", "3x4"),
    ("analyze", "4x6", "--strategy", "random-consistent", "--sample", "5"),
    ("analyze", "4x6", "--sample", "1"),
    ("analyze", "3x3", "--value"),
    ("puzzle", "3x4", "--grade", "2"),
    ("puzzle", "daily-word"),
    ("encode", CONSISTENT),
    ("encode", CONSISTENT, "--to", "asp"),
    ("check", "5x26p/CRANE=GY-?-/SLATE=-----"),
    ("explain", "secret-search-3/CAT=RRE/CAB=LLL"),
    ("list", "word/GAME=2.0/GATE=3.0", "--limit", "2"),
    ("games",),
    ("games", "daily-word"),
    ("optimal", "3x4"),
    ("optimal", "3x4", "--objective", "worst"),
    ("optimal", "3x4", "--max-guesses", "2"),
    ("static", "3x4"),
    ("static", "2x3w"),
    ("static", "1x1"),
    ("static", "3x4", "--max-guesses", "2"),
    ("encodings",),
    ("encodings", "totalizer"),
    ("generate", "six-colors", "--size", "4"),
    ("generate", "permanent", "--size", "4", "--answer", "inconsistent"),
    ("strategies",),
    ("strategies", "knuth"),
    ("families",),
    ("families", "six-colors"),
    ("score", "4x6", "1122", "1213"),
    ("score", "daily-word", "CRANE", "TRAIL"),
    ("reductions",),
    *(("reductions", name) for name in (*REDUCTIONS, *GAME_REDUCTIONS)),
    *(("reduce", name, str(example_file(name)), *options(name)) for name in REDUCTIONS),
    ("reduce", "one-in-three+one-in-three-3sat", str(example_file("sat"))),
    *(("reduce", name, str(example_file(name)), *options(name)) for name in GAME_REDUCTIONS),
    *(("lift", "sat", str(example_file("sat")), text) for text in ("inconsistent", "unknown")),
    ("lift", "vertex-cover", str(example_file("vertex-cover")), "-k", "1", "2121122"),
    ("instances",),
    *(("instances", family) for family in families()),
]


def identifier(arguments):
    """Return the arguments without the folders of files."""
    return " ".join(Path(word).name if Path(word).is_absolute() else word for word in arguments)


def objects(value, path=""):
    """Yield every schema of an object inside a schema, with its path."""
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield path, value
        for key, inner in value.items():
            yield from objects(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from objects(inner, f"{path}/{number}")


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_and_strict(name):
    document = schema(name)
    jsonschema.Draft202012Validator.check_schema(document)

    assert document["$id"] == f"urn:mmsat:schema:{name}"
    results = list(objects(document))
    assert results
    for path, entry in results:
        is_strict = entry["additionalProperties"] is False or entry["propertyNames"]
        assert is_strict, path


@pytest.mark.parametrize(
    "arguments",
    [*RUNS, *(pytest.param(words, marks=pytest.mark.slow) for words in SLOW_RUNS)],
    ids=identifier,
)
def test_commands_print_one_document_that_their_schema_allows(arguments):
    result = run(*arguments, "--json")

    validator(arguments[0]).validate(json.loads(result.stdout))
    assert result.stdout.count("\n") == 1


def test_the_summary_of_an_audit_is_valid(tmp_path):
    run("generate", "--games", 20, "--slips", 0.5, "-o", tmp_path / "log.jsonl")
    result = run(
        "audit", tmp_path / "log.jsonl", "-o", tmp_path / "o.csv", "--depth", "review", "--json"
    )
    validator("audit").validate(json.loads(result.stdout))


@pytest.mark.parametrize("answer", ["s UNSATISFIABLE", "s UNKNOWN", "s SATISFIABLE\nv 1 -2 0"])
def test_documents_of_decode_are_valid(answer):
    result = run("decode", "1x2", "-", "--json", stdin=answer)
    validator("decode").validate(json.loads(result.stdout))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_documents_of_lift_are_valid(name):
    """If there is an answer, no key may be null."""
    reduction = shown(name)
    code = next(code for code in mmsat.codes(reduction.board) if code not in reduction.known)
    spelled = mmsat.codes(reduction.board).format(code)
    result = run("lift", name, example_file(name), *options(name), spelled, "--json")
    document = json.loads(result.stdout)
    validator("lift").validate(document)
    assert document["certificate"] == reduction.spell(reduction.decode(code))
    for key in document:
        assert not validator("lift").is_valid(document | {key: None})


@pytest.mark.parametrize(
    "board",
    [CONSISTENT, SLIPPED, TANGLED, "4x6", "secret-search-3/CAT=RRE/CAB=LLL", "2x2w/12=?/11=5"],
)
def test_documents_of_steps_need_every_key(board):
    document = json.loads(run("explain", board, "--steps", "--json").stdout)
    validator("steps").validate(document)
    for key in document:
        assert not validator("steps").is_valid({k: v for k, v in document.items() if k != key})


def test_documents_of_undecided_boards_are_valid(monkeypatch):

    def decide(*_, **__):
        return Decision(Status.UNKNOWN, None, "auto")

    monkeypatch.setattr("mmsat.solving.searches.Auto.decide", decide)
    for name in ("check", "explain"):
        document = json.loads(run(name, CONSISTENT, "--json").stdout)
        assert document["verdict"] == "unknown"
        validator(name).validate(document)
    document = json.loads(run("explain", CONSISTENT, "--steps", "--json").stdout)
    assert document["verdict"] == "unknown"
    validator("steps").validate(document)


@given(boards())
def test_every_board_prints_as_a_valid_document(board):
    validator("board").validate(json.loads(PRINTERS["json"](board)))
    validator("board").validate(board.to_dict())


def instance_parameter(instance):
    """Return the test parameter of an instance; boards with many rows are slow tests."""
    marks = [pytest.mark.slow] * (len(instance.board.rows) > MANY_ROWS)
    return pytest.param(instance, marks=marks, id=instance.name)


@pytest.mark.parametrize("instance", [*map(instance_parameter, instances())])
def test_documents_with_extra_or_missing_keys_are_refused(instance):
    """Both the schema and mmsat refuse them."""
    document = instance.board.to_dict()
    with_extra_key = document | {"comment": "hello"}
    required_keys = ["game", "rows"]
    invalid_documents = [
        with_extra_key,
        *({k: v for k, v in document.items() if k != key} for key in required_keys),
    ]
    for row in document["rows"][:10]:  # some boards have hundreds
        invalid_documents.append(document | {"rows": [row | {"gray": 1}]})
        invalid_documents.extend(
            document | {"rows": [{k: v for k, v in row.items() if k != key}]} for key in row
        )
    for entry in invalid_documents:
        assert not validator("board").is_valid(entry)
        with pytest.raises(mmsat.InputError):
            mmsat.Board.parse(json.dumps(entry))


@pytest.mark.parametrize(
    ("game", "row"),
    [
        ("4x6", {"guess": "1122", "black": 1, "white": 1}),
        ("4x6w", {"guess": [1, 1, 2, 2], "color": 2}),
        ("bulls-and-cows", {"guess": "1234", "score": "1A1B"}),
        ("wordle", {"guess": "CRANE", "marks": "-YY--"}),
    ],
)
def test_documents_may_state_the_game_as_text_and_omit_the_version(game, row):
    document = {"game": game, "rows": [row]}
    validator("board").validate(document)
    board = mmsat.Board.parse(document)
    assert (board.game, len(board.rows)) == (mmsat.Game.parse(game), 1)
    assert not validator("board").is_valid({"game": game, "rows": [row | {"gray": 1}]})
    assert not validator("board").is_valid({"game": 46, "rows": [row]})


def test_documents_of_the_library_are_valid():
    documents = [
        json.loads(instance.text) for instance in instances() if instance.file.endswith(".json")
    ]

    assert documents
    for document in documents:
        validator("board").validate(document)


WORDS = "wordle/CRANE=-YY--/SOLAR=---YY"


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", WORDS),
        ("list", WORDS),
        ("suggest", WORDS),
        ("suggest", "wordle/CRANE=-YY--", "wordle/CRANE=--Y--"),
        ("review", WORDS),
        ("score", "wordle", "CRANE", "TRAIL"),
        ("puzzle", "word-3", "--seed", "1"),
    ],
    ids=" ".join,
)
def test_codes_of_words_have_their_text_beside_them(arguments):
    """Every code of a document has it, but not in games of digits from 1."""
    document = json.loads(run(*arguments, "--json").stdout)
    game = mmsat.Game.parse("word-3" if arguments[0] == "puzzle" else "wordle")
    num_texts = check_texts(game, document)
    assert num_texts
    arguments = [re.sub("(wordle|word-3)(/.*)?$", "4x6", argument) for argument in arguments]
    arguments = [re.sub("^[A-Z]+$", "1234", argument) for argument in arguments]
    assert "_text" not in run(*arguments, "--json").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "bulls-and-cows/9305=1.2"),
        ("list", "bulls-and-cows/9305=1.2", "--limit", "5"),
        ("suggest", "bulls-and-cows/9305=1.2/1482=0.1"),
        ("review", "bulls-and-cows/9305=1.2/1482=0.1"),
        ("score", "bulls-and-cows", "0135", "9305"),
        ("puzzle", "bulls-and-cows", "--seed", "1"),
    ],
    ids=" ".join,
)
def test_codes_of_digits_from_0_have_their_text_beside_them(arguments):
    document = json.loads(run(*arguments, "--json").stdout)
    assert check_texts(mmsat.Game.parse("bulls-and-cows"), document)


def check_texts(game, document):
    """Compare each text with the code beside it, and return the number of texts."""
    if isinstance(document, list):
        return sum(check_texts(game, item) for item in document)
    if not isinstance(document, dict):
        return 0
    texts = [key for key in document if key.endswith("_text")]
    for key in texts:
        codes = document[key.removesuffix("_text")]
        is_list = isinstance(document[key], list)
        printed = [
            game.format_code([color - 1 for color in code])
            for code in (codes if is_list else [codes])
        ]
        assert printed == (document[key] if is_list else [document[key]])
    for key in ("guess", "witness", "best", "listed"):
        assert (key in document) <= (f"{key}_text" in texts), document
    return len(texts) + sum(check_texts(game, item) for item in document.values())
