"""The questions that the server answers, as functions that return a JSON document.

An answer contains the document that the command of the same name prints with `--json`, and its
sentences: `{"answer": {...}, "sentences": ["..."]}`. Partial results are passed to `note` in the
same form. The first line of the docstring of a question is part of the documentation of the server.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import mmsat
from mmsat._util.text import capitalize
from mmsat.counting import CountJson
from mmsat.counting.codes import ListJson
from mmsat.counting.listing import OddsJson
from mmsat.diagnosis import ProofJson, Verdict
from mmsat.diagnosis.sentences import (
    MAX_LISTED_REASONS,
    conflict_reason,
    explanation_sentences,
    verdict_sentences,
)
from mmsat.diagnosis.suspect import check_suspects
from mmsat.errors import ColorNamesWarning, GameWarning, WordListWarning
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import GamesJson, as_dict, by_year
from mmsat.game.tolerance import Tolerance
from mmsat.play.review import Comparison, compare_guesses
from mmsat.play.review_result import review_sentences
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy.suggest import suggestion_sentences
from mmsat.web import parameters, view_model
from mmsat.web.parameters import Parameter
from mmsat.web.view_model import answer_guess

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


_BOARD = {"board": parameters.BOARD}
_BOARD_AND_TOLERANCE = {**_BOARD, "lies": parameters.LIES, "by": parameters.BY}
"""The parameters of questions about a board with a tolerance for wrong scores."""


def envelope(answer: Mapping[str, Any], sentences: Iterable[str] = ()) -> Document:
    """Return the document of an answer with its sentences."""
    return {"answer": answer, "sentences": list(sentences)}


@question("board", "position", **_BOARD)
def read(*, board: Board, note: Note, timeout: float, warnings: Sequence[Warning] = ()) -> Document:
    """Read a board and return what it looks like, with a sentence for each warning."""
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
        return document | {"reason": conflict_reason(verdict)}

    verdict = mmsat.check(board, on_progress=lambda partial: note(describe(partial)), **options)
    return describe(verdict)


@question(
    **_BOARD_AND_TOLERANCE,
    limit=parameters.whole(1, 1000, 100, "the maximum number of conflicts and corrections"),
)
def explain(*, board: Board, note: Note, **options: Any) -> Document:
    """Find all conflicts and all cheapest corrections."""

    def describe(explanation: mmsat.Explanation) -> Document:
        sentences = explanation_sentences(explanation, MAX_LISTED_REASONS)
        plausibility = view_model.plausibility(explanation)
        return envelope(explanation.to_dict(), sentences) | {"plausibility": plausibility}

    explanation = mmsat.explain(
        board, on_progress=lambda partial: note(describe(partial)), **options
    )
    return describe(explanation)


@question(**_BOARD_AND_TOLERANCE)
def count(*, board: Board, note: Note, lies: int, by: str, timeout: float) -> Document:
    """Count the remaining codes."""

    def report(bounds: Any) -> None:
        upper_bound = None if bounds.most is None else str(bounds.most)
        note(envelope({"least": str(bounds.least), "most": upper_bound, "doing": bounds.doing}))

    result = mmsat.count(
        board, lies=lies, by=by, memory=MAX_DIAGRAM_BYTES, timeout=timeout, on_progress=report
    )
    document: CountJson = {**result.to_dict(), **Tolerance(lies, by).optional_dict()}
    if not lies:
        with suppress(mmsat.SizeError):
            document["estimate"] = mmsat.estimate(board).to_dict()
    return envelope(document)


@question(
    "codes",
    "list",
    **_BOARD_AND_TOLERANCE,
    **{"from": parameters.whole(1, None, 1, "the number of the first code")},
    limit=parameters.whole(1, MAX_LISTED_CODES, 100, "the maximum number of codes"),
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
    listed = remaining_codes[start : start + limit] if start else islice(remaining_codes, limit)
    colors = [[color + 1 for color in code] for code in listed]
    document: ListJson = {
        "board": str(board),
        "listed": colors,
        **Tolerance(lies, by).optional_dict(),
        "complete": not start and len(colors) < limit,
    }
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
    guess=parameters.OPTIONAL_GUESS,
    strategy=parameters.STRATEGY,
    others=parameters.whole(0, 100, 5, "the number of other guesses"),
    consistent_only=parameters.TRUTH,
    hard=parameters.TRUTH,
    seed=parameters.SEED,
    compare=parameters.TRUTH,
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
    own = [] if guess is None else [speller(board.game).parse_code(guess, "the guess")]
    suggestion = mmsat.suggest(board, lies=lies, by=by, own=own, **options)
    response = envelope(suggestion.to_dict(), suggestion_sentences(suggestion))
    if suggestion.own:
        response["own"] = suggestion.own[0].to_dict()

    if not compare:
        return response
    note(response)

    def with_comparison(comparison: Comparison) -> Document:
        return response | {"compared": comparison.to_dict()}

    return with_comparison(
        compare_guesses(
            suggestion,
            seed=options["seed"],
            on_progress=lambda comparison: note(with_comparison(comparison)),
        )
    )


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


@question(**_BOARD_AND_TOLERANCE, guess=parameters.GUESS, seed=parameters.SEED)
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
    code = speller(board.game).parse_code(guess, "the guess")
    return envelope(view_model.split(board, code, Tolerance(lies, by), seed))


@question(**_BOARD, code=parameters.CODE)
def scores(*, board: Board, code: str, note: Note, timeout: float) -> Document:
    """Score the guesses of a board against a code."""
    return envelope(view_model.score_rows(board, speller(board.game).parse_code(code)))


@question(**_BOARD, hard=parameters.TRUTH)
def review(*, board: Board, hard: bool, note: Note, timeout: float) -> Document:
    """Review a played game guess by guess."""
    result = mmsat.review(board, hard=hard)
    return envelope(result.to_dict(), review_sentences(result))


@question("suspect", "suspicion", **_BOARD, rows=parameters.ROWS)
def suspect(*, board: Board, rows: Sequence[int], note: Note, timeout: float) -> Document:
    """List the possible true scores of some rows."""
    suspects = check_suspects(board, rows, first=1)
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
    guess=parameters.OPTIONAL_GUESS,
    seed=parameters.SEED,
    lies=parameters.LIES,
    evil=parameters.TRUTH,
    hard=parameters.TRUTH,
    reveal=parameters.TRUTH,
)
def play(*, board: Board, note: Note, timeout: float, **options: Any) -> Document:
    """Score a guess as the codemaker of a game.

    The seed determines the code. An evil codemaker has no code, and gives the score that leaves
    the most codes. In a hard game, a guess has to use the information of all earlier scores.
    """
    return envelope(answer_guess(board, **options))


@question(
    **_BOARD,
    grade=parameters.whole(1, 6, None, "the grade of difficulty"),
    rows=parameters.whole(1, 100, None, "the number of rows"),
    all_colors=parameters.TRUTH,
    seed=parameters.SEED,
)
def puzzle(*, board: Board, note: Note, timeout: float, **requirements: Any) -> Document:
    """Make a puzzle with one code, of a grade, with its solution in steps.

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
    document: GamesJson = {"games": [as_dict(variant) for variant in by_year()]}
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
        values = parameters.read_parameters(question.parameters, arguments)
    if question.answer is read:
        kinds = GameWarning | WordListWarning
        values["warnings"] = [item.message for item in caught if isinstance(item.message, kinds)]
    return question.answer(**values, timeout=timeout, note=note)
