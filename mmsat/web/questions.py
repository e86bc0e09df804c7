"""The questions that the server answers, as functions that return a JSON document.

The parameters of a question are read from a URL or a JSON body. The document of an answer contains
the result and its sentences: `{"answer": {...}, "sentences": ["..."]}`. If there is a command of
the same name as the question, it prints the same result with `--json`. Partial results are passed
to the callback `note`. The first line of the docstring of a question is part of the documentation
of the server.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import mmsat
from mmsat._util.registry import UnknownName, require_name
from mmsat._util.text import capitalize, whole_range
from mmsat.counting import CountJson
from mmsat.counting.codes import ListJson
from mmsat.counting.listing import OddsJson
from mmsat.diagnosis import Verdict
from mmsat.diagnosis.sentences import (
    MAX_LISTED_REASONS,
    explanation_sentences,
    verdict_sentences,
)
from mmsat.diagnosis.suspect import check_suspects
from mmsat.errors import ColorNamesWarning, Fault, GameWarning, InputError, WordListWarning
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import GAME_PREFIX, find_game, is_file_name, published_names
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import (
    GamesJson,
    add_texts,
    has_texts,
    published_game_document,
    published_games_by_year,
    score_document,
)
from mmsat.game.tolerance import MEASURES, Tolerance
from mmsat.play.review import Comparison, compare_guesses, iterate_reviews
from mmsat.play.review_result import review_sentences
from mmsat.proof import ProofJson
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy.strategies import AUTO, STRATEGIES
from mmsat.strategy.suggest import suggestion_sentences
from mmsat.web import view_model
from mmsat.web.view_model import answer_guess

CUSTOM_KEYS = {"symbols", "words"}
"""The keys that only the definition of a custom game has."""
REQUEST = "the question"
"""The source of faults of parameters: missing or wrong values, and several faults at once."""


class Parameter(NamedTuple):
    """A parameter of a question."""

    expected: str
    """The accepted values, for the documentation and for faults."""
    read: Callable[[Any], Any]
    """Convert a string or a JSON value; raise InputError, TypeError or ValueError."""
    default: Any = None
    """The value if the parameter is missing."""
    is_required: bool = False
    """Whether the parameter is required."""
    meaning: str = ""
    """The meaning of the value, if the name of the parameter is not enough."""

    @property
    def rule(self) -> str:
        """The meaning and the accepted values, for the documentation."""
        return ": ".join(filter(None, (self.meaning, self.expected)))


def read_parameters(
    parameters: Mapping[str, Parameter], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Read the arguments of a question; missing optional arguments get their defaults.

    Raises InputError with the faults of all arguments. If only one argument is wrong, the error is
    that of its parameter, which may name another source.
    """
    errors = [
        InputError([UnknownName.of("parameter", name, parameters)], "")
        for name in arguments
        if name not in parameters
    ]
    values: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if arguments.get(name) is None:
            if parameter.is_required:
                errors.append(_refuse(name, None, parameter))
            values[name] = parameter.default
            continue
        try:
            values[name] = parameter.read(arguments[name])
        except InputError as error:
            errors.append(error)
        except (TypeError, ValueError):
            errors.append(_refuse(name, arguments[name], parameter))
    if len(errors) == 1:
        raise errors[0]
    InputError.refuse([fault for error in errors for fault in error.faults], REQUEST)
    return values


def _refuse(name: str, value: object, parameter: Parameter) -> InputError:
    """Return the error for a parameter whose value is missing or wrong."""
    return InputError([Fault(parameter.meaning, value, parameter.expected, part=name)], REQUEST)


def _read_board(value: Any) -> Board:
    text = value if isinstance(value, str) else json.dumps(value)
    if not text.strip():
        raise InputError.of("the board", "a board line such as 4x6/1122=1.1")
    named_text = _name_custom_game(text)
    try:
        board = Board.parse(named_text or text, files=False)
    except InputError as error:
        if named_text is None:
            raise
        # Omit lines and columns: they refer to the changed text, which the client does not have.
        faults = [replace(fault, line=None, column=None) for fault in error.faults]
        raise InputError(faults, error.source) from None
    return board.without_known("the analysis board")  # refuses boards with known codes


def _name_custom_game(text: str) -> str | None:
    """Return a board document in which the name of a custom game is marked as not published.

    The mark is the prefix of names of games from files. Without it, the name could be taken for
    that of a published game. Returns None if nothing has to be changed.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    game = document.get("game")
    if not isinstance(game, dict) or not CUSTOM_KEYS & game.keys():
        return None
    name = game.get("name", "own")
    if not isinstance(name, str) or name in published_names() or is_file_name(name):
        return None
    return json.dumps(document | {"game": game | {"name": f"{GAME_PREFIX}{name}"}})


def _whole(low: int, high: int | None) -> Callable[[Any], int]:
    """Return a function that reads a whole number in this range."""

    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) else value
        if type(number) is not int or number < low or (high is not None and number > high):
            raise ValueError
        return number

    return read


def _one_of(names: Sequence[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in names:
            raise ValueError
        return str(value)

    return read


def _read_strategy(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    if value not in STRATEGIES:  # including the plug-ins that the server allows
        require_name("strategy", value, (AUTO, *STRATEGIES))
    return value


def _read_truth(value: Any) -> bool:
    text = str(value).lower()
    if text not in ("false", "true"):
        raise ValueError
    return text == "true"


def _read_rows(value: Any) -> tuple[int, ...]:
    """Return the indices of rows that are numbered from 1, as text or as a list of numbers."""
    numbers = value.split(",") if isinstance(value, str) else value
    read = _whole(1, 1_000_000)
    return tuple(read(number) - 1 for number in numbers)


def _read_game(value: Any) -> Game:
    if not isinstance(value, str):
        raise TypeError
    return find_game(value, files=False)


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 1000:
        raise ValueError
    return value


def whole(low: int, high: int | None, default: int | None, meaning: str) -> Parameter:
    """Return a parameter for a whole number from `low` to `high` (None for no maximum)."""
    return Parameter(whole_range(low, high), _whole(low, high), default, meaning=meaning)


BOARD = Parameter(
    "a board line, the text of a board file, or a board document", _read_board, is_required=True
)
GAME = Parameter("a size such as 4x6, or a name of a game", _read_game, is_required=True)
LIES = whole(0, 1000, 0, "the maximum number of wrong scores")
BY = Parameter(" or ".join(MEASURES), _one_of(MEASURES), "rows", meaning="the unit of wrong scores")
SEED = whole(0, 2**31 - 1, None, "a seed for repeatable results")
GUESS = Parameter("a guess as in a board line", _read_text, is_required=True)
OPTIONAL_GUESS = GUESS._replace(is_required=False)
CODE = Parameter("a code as in a board line", _read_text, is_required=True)
ROWS = Parameter("row numbers from 1, such as 3,5", _read_rows, is_required=True)
STRATEGY = Parameter(
    f"one of {', '.join((AUTO, *STRATEGIES))}", _read_strategy, AUTO, meaning="a strategy"
)
TRUTH = Parameter("true or false", _read_truth, default=False)


Document = dict[str, Any]
Note = Callable[[Document], None]
"""A callback for partial results."""
MAX_LISTED_CODES = 1000
"""Maximum number of codes in an answer to `codes`."""
MAX_DIAGRAM_BYTES = 1 << 29
"""Maximum memory of a decision diagram in bytes."""


class ProofTextJson(ProofJson):
    """A proof of a verdict, as text."""

    text: str
    """The file that mmsat verify checks."""


class Question(NamedTuple):
    """A question: its description, its parameters, and the function that answers it."""

    summary: str
    parameters: Mapping[str, Parameter]
    answer: Callable[..., Document]
    """Answer the question. The arguments are the parameters by name, the `timeout` in seconds, and
    the callback `note` for partial results."""
    schema: str
    """The name of the schema of the answer, in mmsat/schemas."""


QUESTIONS: dict[str, Question] = {}
"""The questions by name; the URL of `check` is `/api/check`."""
ALIASES = {"list": "codes"}
"""The names of commands that differ from those of their questions."""


def question(
    name: str = "", schema: str = "", /, **question_parameters: Parameter
) -> Callable[[Callable[..., Document]], Callable[..., Document]]:
    """Register a function as the answer to a question.

    - `name`: the name of the question; by default that of the function.
    - `schema`: the name of the schema of the answer; by default that of the question.
    - `question_parameters`: the parameters of the question, by name.
    """

    def register(answer: Callable[..., Document]) -> Callable[..., Document]:
        question_name = name or answer.__name__
        summary = (answer.__doc__ or "").partition("\n")[0]
        QUESTIONS[question_name] = Question(
            summary, question_parameters, answer, schema or question_name
        )
        return answer

    return register


_BOARD = {"board": BOARD}
_BOARD_AND_TOLERANCE = {**_BOARD, "lies": LIES, "by": BY}
"""The parameters of questions about a board in which some scores may be wrong."""


def envelope(answer: Mapping[str, Any], sentences: Iterable[str] = ()) -> Document:
    """Return the document of an answer with its sentences."""
    return {"answer": answer, "sentences": list(sentences)}


@question("board", "position", **_BOARD)
def read(*, board: Board, note: Note, timeout: float, warnings: Sequence[Warning] = ()) -> Document:
    """Read a board and return its appearance, with a sentence for each warning."""
    color_names = {
        name: color
        for warning in warnings
        if isinstance(warning, ColorNamesWarning)
        for name, color in warning.colors.items()
    }
    sentences = [f"{capitalize(str(warning))}." for warning in warnings]
    return envelope(view_model.position(board, color_names), sentences)


@question(**_BOARD_AND_TOLERANCE)
def check(*, board: Board, note: Note, **options: Any) -> Document:
    """Decide whether some code gets the scores."""

    def describe(verdict: Verdict) -> Document:
        document = envelope(verdict.to_dict(), verdict_sentences(verdict))
        return document | {"reason": view_model.conflict_reason(verdict)}

    verdict = mmsat.check(board, on_progress=lambda partial: note(describe(partial)), **options)
    return describe(verdict)


@question(
    **_BOARD_AND_TOLERANCE,
    limit=whole(1, 1000, 100, "the maximum number of conflicts and corrections"),
)
def explain(*, board: Board, note: Note, **options: Any) -> Document:
    """Find all conflicts and all cheapest corrections."""

    def describe(explanation: mmsat.Explanation) -> Document:
        sentences = explanation_sentences(explanation, MAX_LISTED_REASONS)
        return envelope(explanation.to_dict(), sentences)

    explanation = mmsat.explain(
        board, on_progress=lambda partial: note(describe(partial)), **options
    )
    return describe(explanation)


@question(**_BOARD_AND_TOLERANCE)
def count(*, board: Board, note: Note, lies: int, by: str, timeout: float) -> Document:
    """Count the remaining codes."""
    result = mmsat.count(
        board,
        lies=lies,
        by=by,
        memory=MAX_DIAGRAM_BYTES,
        timeout=timeout,
        on_progress=lambda bounds: note(envelope(bounds.to_dict())),
    )
    document: CountJson = {**result.to_dict(), **Tolerance(lies, by).optional_dict()}
    if not lies:
        with suppress(mmsat.SizeError):
            document["estimate"] = mmsat.estimate(board).to_dict()
    return envelope({"board": str(board), **document})


@question(
    "codes",
    "list",
    **_BOARD_AND_TOLERANCE,
    **{"from": whole(1, None, 1, "the number of the first code")},
    limit=whole(1, MAX_LISTED_CODES, 100, "the maximum number of codes"),
)
def codes(
    *, board: Board, lies: int, by: str, limit: int, note: Note, timeout: float, **options: Any
) -> Document:
    """List the remaining codes in order.

    The list starts with the code number `from`; codes are numbered from 1.
    """
    remaining_codes = mmsat.codes(board, lies=lies, by=by, memory=MAX_DIAGRAM_BYTES)
    start = options["from"] - 1
    # Iterate if the list starts with the first code, because slicing would build a ranking.
    codes = remaining_codes[start : start + limit] if start else islice(remaining_codes, limit)
    listed = [*codes]
    document: ListJson = {
        "board": str(board),
        "listed": [[color + 1 for color in code] for code in listed],
        **Tolerance(lies, by).optional_dict(),  # type: ignore[typeddict-item]
        "complete": not start and len(listed) < limit,
    }
    if has_texts(board.game):
        document["listed_text"] = [*map(board.game.format_code, listed)]
    return envelope(document)


@question(**_BOARD_AND_TOLERANCE)
def odds(*, board: Board, lies: int, by: str, note: Note, timeout: float) -> Document:
    """Return the probability of every color at every peg."""
    result = mmsat.codes(board, lies=lies, by=by, memory=MAX_DIAGRAM_BYTES).odds()
    document: OddsJson = {
        "board": str(board),
        **result.to_dict(),
        **Tolerance(lies, by).optional_dict(),
    }
    return envelope(document)


@question(
    **_BOARD_AND_TOLERANCE,
    guess=OPTIONAL_GUESS,
    strategy=STRATEGY,
    others=whole(0, 100, 5, "the number of other guesses"),
    consistent_only=TRUTH,
    hard=TRUTH,
    seed=SEED,
    compare=TRUTH,
)
def suggest(
    *,
    board: Board,
    guess: str | None,
    lies: int,
    by: str,
    compare: bool,
    note: Note,
    timeout: float,
    **options: Any,
) -> Document:
    """Suggest the next guess, and compare it with other guesses and with a given one."""
    own = [] if guess is None else [view_model.read_guess(board, guess)]  # the client's guess
    suggestion = mmsat.suggest(board, lies=lies, by=by, own=own, **options)
    response = envelope(suggestion.to_dict(), suggestion_sentences(suggestion))
    if suggestion.own:
        response["own"] = add_texts(board.game, suggestion.own[0].to_dict())

    if not compare:
        return response
    note(response)

    def with_comparison(comparison: Comparison) -> Document:
        return response | {"compared": comparison.to_dict()}

    return with_comparison(
        compare_guesses(
            suggestion,
            seed=options["seed"],
            hard=options["hard"],
            on_progress=lambda comparison: note(with_comparison(comparison)),
        )
    )


@question("evaluate", "evaluation", **_BOARD_AND_TOLERANCE, guess=GUESS, seed=SEED)
def evaluate(
    *,
    board: Board,
    guess: str,
    lies: int,
    by: str,
    seed: int | None,
    note: Note,
    timeout: float,
) -> Document:
    """Evaluate a guess, without a search for better ones."""
    code = view_model.read_guess(board, guess)
    document: Document = {}
    for evaluation in view_model.evaluate(board, code, Tolerance(lies, by), seed):
        document = envelope(evaluation)
        note(document)
    return document


@question(**_BOARD)
def steps(*, board: Board, note: Note, **options: Any) -> Document:
    """Explain the verdict step by step."""

    def describe(steps: mmsat.Steps) -> Document:
        document = steps.to_dict()
        frames = view_model.step_frames(steps)
        return envelope(document, document["sentences"]) | {"frames": frames}

    return describe(
        mmsat.steps(board, on_progress=lambda partial: note(describe(partial)), **options)
    )


@question(**_BOARD_AND_TOLERANCE, guess=GUESS, seed=SEED)
def split(
    *,
    board: Board,
    guess: str,
    lies: int,
    by: str,
    seed: int | None,
    note: Note,
    timeout: float,
) -> Document:
    """Return for each possible score of a guess how many codes it leaves."""
    code = view_model.read_guess(board, guess)
    return envelope(view_model.split(board, code, Tolerance(lies, by), seed))


@question(**_BOARD, code=CODE)
def scores(*, board: Board, code: str, note: Note, timeout: float) -> Document:
    """Score the guesses of a board against a code."""
    colors = speller(board.game).parse_code(code, "the code", board.conventions)
    return envelope(view_model.score_rows(board, colors))


@question(game=GAME, code=CODE, guess=GUESS)
def score(*, game: Game, code: str, guess: str, note: Note, timeout: float) -> Document:
    """Score a guess against a code."""
    return envelope(score_document(game, *game.require(code=code, guess=guess)))


@question(**_BOARD, hard=TRUTH)
def review(*, board: Board, hard: bool, note: Note, timeout: float) -> Document:
    """Review a played game guess by guess."""
    document: Document = {}
    for result in iterate_reviews(board, hard=hard):
        document = envelope(result.to_dict(), review_sentences(result))
        note(document)
    return document


@question("suspect", "suspicion", **_BOARD, rows=ROWS)
def suspect(*, board: Board, rows: Sequence[int], note: Note, timeout: float) -> Document:
    """List the possible true scores of some rows."""
    suspects = check_suspects(board, rows, first=1)  # messages number the rows from 1
    return envelope(mmsat.suspect(board, suspects, timeout=timeout).to_dict())


@question("proof", **_BOARD)
def prove(*, board: Board, note: Note, timeout: float) -> Document:
    """Prove the verdict.

    The proof is the text of a file.
    """
    proof = mmsat.prove(board, timeout=timeout)
    if proof is None:
        raise TimeUpError
    document: ProofTextJson = {"text": proof.text, **proof.to_dict()}
    return envelope(document)


@question(
    "play",
    "move",
    **_BOARD,
    guess=OPTIONAL_GUESS,
    seed=SEED,
    lies=LIES,
    evil=TRUTH,
    hard=TRUTH,
    reveal=TRUTH,
)
def play(*, board: Board, note: Note, timeout: float, **options: Any) -> Document:
    """Score a guess as the codemaker of a game.

    The seed determines the code. An evil codemaker has no code, and gives the score that leaves
    the most codes. In a hard game, a guess has to use the information of all earlier scores.
    """
    return envelope(answer_guess(board, **options))


@question(
    **_BOARD,
    grade=whole(1, 6, None, "the grade of difficulty"),
    rows=whole(1, 100, None, "the number of rows"),
    all_colors=TRUTH,
    seed=SEED,
)
def puzzle(*, board: Board, note: Note, timeout: float, **requirements: Any) -> Document:
    """Make a puzzle of a given grade that has exactly one code, with its solution in steps.

    The puzzle has the game of the board, whose rows are ignored.
    """
    result = mmsat.puzzle(
        board.game,
        on_progress=lambda boards_by_grade: note({"seen": dict(boards_by_grade)}),
        **requirements,
    )
    position = {"position": view_model.position(result.board)}
    return envelope(result.to_dict(), result.steps.to_dict()["sentences"]) | position


@question()
def games(*, note: Note, timeout: float) -> Document:
    """List the published games."""
    document: GamesJson = {"games": [*map(published_game_document, published_games_by_year())]}
    return envelope(document)


def answer(name: str, arguments: Mapping[str, Any], timeout: float, note: Note) -> Document:
    """Answer a question; raise InputError or another MmsatError.

    - `arguments`: the arguments as strings or JSON values.
    - `timeout`: the time limit in seconds.
    - `note`: a callback for partial results.

    Only the answer to the question `board` includes warnings about the text of the board.
    """
    question = QUESTIONS[name]
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        values = read_parameters(question.parameters, arguments)
    if question.answer is read:
        kinds = GameWarning | WordListWarning
        values["warnings"] = [item.message for item in caught if isinstance(item.message, kinds)]
    return question.answer(**values, timeout=timeout, note=note)
