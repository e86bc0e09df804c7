"""Scores as whole numbers (answers), of one guess against many codes, and partitions by them.

The compiled kernel computes the common scorings; others are computed with arrays and a table.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from mmsat._core import Form, Kind, Scored
from mmsat._util.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score

MAX_TABLE_CODES = 1 << 15
"""Maximum game size, in codes, for a table of all answers, with one or two bytes per pair."""
ROW_ALIGNMENT = 64
"""Rows of a table are padded to a multiple of this length."""
SCORE_ARRAY_SIZE = 1 << 20
"""Packed scores below this limit are numbered by an array, larger ones by a dictionary."""
KERNEL_SCORINGS = {
    "black-white": Kind.BLACK_WHITE,
    "black": Kind.BLACK,
    "color": Kind.COLOR,
    "pairs": Kind.PAIRS,
}
"""The scorings that the kernel supports."""
MAX_HISTOGRAM_CELLS = 1 << 22
"""Maximum number of cells in a table of histograms."""


def kernel_form(game: Game) -> Form | None:
    """Return the form in which the kernel scores the game; None if it needs a table of answers."""
    name = game.scoring.name
    if (
        name not in KERNEL_SCORINGS
        or game.colors > 256
        or game.pegs > (5 if name == "pairs" else 255)
    ):
        return None
    shapes = game.scoring.factors(game.colors)[1] if name == "pairs" else 1
    return Form(KERNEL_SCORINGS[name], game.pegs, game.colors, shapes)


def decode_answer(game: Game, answer: int) -> Score:
    """Return the score that an answer of the kernel encodes."""
    side = game.pegs + 1
    if game.scoring.name == "black-white":
        black, shared = divmod(answer, side)
        return black, shared - black
    if game.scoring.name == "pairs":
        black, remainder = divmod(answer, side * side)
        blue, shared = divmod(remainder, side)
        return black, shared - black, blue
    return (answer,)


def pad_length(many: int) -> int:
    """Return the padded length of a table row with this many answers: the next multiple of 64."""
    return -(-many // ROW_ALIGNMENT) * ROW_ALIGNMENT


def pack_scores(game: Game, codes: Array, guess: Sequence[int]) -> tuple[Array, Array]:
    """Return the scores of a guess against many codes: an array [code, part], and packed integers.

    Fast if `codes` is in column-major order (np.asfortranarray).
    """
    base = len(game.scoring.marks) or 256
    is_wide = base ** len(game.parts) >= 1 << 63  # then Python integers, which are slow
    weights = base ** np.arange(len(game.parts), dtype=object if is_wide else np.int64)
    parts = game.scoring.score_all(codes, guess)
    return parts, parts @ weights


def compute_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """Return the scores of guesses against codes, each packed in a number; shape (guesses, codes).

    Computes one score per pair: compiled if the kernel supports the scoring, else with arrays.
    """
    form = kernel_form(game)
    if form is None:
        columns = np.asfortranarray(codes)
        return np.array([pack_scores(game, columns, guess)[1] for guess in guesses])
    scored = Scored(form, codes)
    answers = np.zeros((len(guesses), len(codes)), dtype=np.uint16)
    for guess, out in zip(np.array(guesses, dtype=np.uint8), answers, strict=True):
        scored.score(guess, out)
    return answers.astype(np.intp)


def tabulate_answers(
    game: Game, codes: Array, left: Array | None = None
) -> tuple[Array, dict[Score, int]]:
    """Return the number of the answer of each guess (column) to each code (row), and their scores.

    The second result has the number of each score. If `left` is given, only the rows with these
    indices are filled. Computes one score per pair, with the `score_all` of the scoring. Raises
    SizeError beyond 32,768 codes.
    """
    num_codes = len(codes)
    if num_codes > MAX_TABLE_CODES:
        smaller = f"a {game.scoring.name} game of up to {MAX_TABLE_CODES:,} codes"
        raise SizeError.of("the strategy", smaller, f"{game} with {num_codes:,} codes")
    scores: dict[Score, int] = {}
    rows = np.arange(num_codes) if left is None else left
    by_guess = np.zeros((num_codes, len(rows)), dtype=np.uint16)
    columns = np.asfortranarray(codes[rows])
    numbers: dict[int, int] = {}  # number of each packed score
    largest = max(len(game.scoring.marks), 256) ** len(game.parts)
    # the same as an array, for small packed scores
    table = np.full(min(largest, SCORE_ARRAY_SIZE), -1)
    for number, guess in enumerate(codes.tolist()):
        parts, packed = pack_scores(game, columns, guess)
        is_small = packed.max() < len(table)
        answer_numbers = (
            table[packed]
            if is_small
            else np.array([numbers.get(score_value, -1) for score_value in packed])
        )
        if (answer_numbers < 0).any():
            new_values, first = np.unique(packed[answer_numbers < 0], return_index=True)
            for value, index in zip(new_values.tolist(), first.tolist(), strict=True):
                numbers[value] = scores[tuple(parts[answer_numbers < 0][index].tolist())] = len(
                    scores
                )
                if value < len(table):
                    table[value] = numbers[value]
            answer_numbers = np.array([numbers[score_value] for score_value in packed.tolist()])
        by_guess[number] = answer_numbers
    dtype = np.uint8 if len(scores) <= 256 else np.uint16
    answers = np.zeros((num_codes, pad_length(num_codes)), dtype=dtype)
    answers[rows, :num_codes] = by_guess.T
    return answers, scores


def partition_sizes(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[list[int]]:
    """Yield for each guess how many codes get each score that occurs, in descending order."""
    for table in count_scores(game, codes, guesses):
        for row in table:
            yield sorted(row[row > 0].tolist(), reverse=True)


def count_scores(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[Array]:
    """Yield histograms of scores for some guesses at a time; shape (guesses, scores).

    Computes one score per pair: compiled if the kernel supports the scoring, else with arrays.
    """
    form = kernel_form(game)
    if form is None:
        columns = np.asfortranarray(codes)
        for guess in guesses:
            _, packed = pack_scores(game, columns, guess)
            _, counts = np.unique(packed, return_counts=True)
            yield counts[np.newaxis]
        return
    width = len(form.answers)
    step = max(1, MAX_HISTOGRAM_CELLS // width)
    for start in range(0, len(guesses), step):
        chunk = np.array(guesses[start : start + step], dtype=np.uint8)
        table = np.zeros((len(chunk), width), dtype=np.uint32)
        Scored(form, chunk).count(codes, table)
        yield table


def split_codes(game: Game, codes: Array, guess: Code) -> dict[Score, Array]:
    """Return the codes grouped by the score that each gets from a guess, each group in order."""
    if len(codes) == 1:  # the most frequent case in a tree
        return {game.score(tuple(codes[0].tolist()), guess): codes}
    scores = game.scoring.score_all(codes, guess)
    order = np.lexsort(scores.T[::-1])
    sorted_scores = scores[order]
    starts = np.flatnonzero((sorted_scores[1:] != sorted_scores[:-1]).any(axis=1)) + 1
    parts = np.split(codes[order], starts)
    group_scores = sorted_scores[np.concatenate(([0], starts))].tolist()
    return {tuple(score): part for score, part in zip(group_scores, parts, strict=True)}


def uncertainty(sizes: Iterable[int]) -> int:
    """Return the product of n**n over parts of n codes, to compare the remaining entropy.

    Its logarithm is the number of codes times the entropy, so that comparing products compares
    entropies exactly, in whole numbers.
    """
    powers = [size**size for size in sizes]
    while len(powers) > 1:  # multiply numbers of similar length, which is faster
        powers = [prod(powers[index : index + 2]) for index in range(0, len(powers), 2)]
    return prod(powers)
