"""Scores of guesses against many codes, as whole numbers (answers), and partitions by score.

A guess divides a set of codes into *classes*, one for each score that occurs. The numbers of which
a score consists, such as black and white, are its *parts*. A *packed* score has all parts in one
number. The compiled kernel computes answers for the common kinds of scoring, and numpy for the
others.

The codes of a game are listed in lexicographic order: as an iterator, as bytes, or as an array.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import prod

from mmsat._core import Form, Kind, Scored
from mmsat._util import Array, np
from mmsat.errors import SizeError
from mmsat.game import Code, Score
from mmsat.game.game import Game

MAX_LISTED_CODES = 20_000_000
"""Maximum number of codes of a game whose codes are listed. It limits the memory and the time."""


def is_listed(game: Game) -> bool:
    """Return whether a game is small enough to list its codes."""
    return game.size <= MAX_LISTED_CODES


def iterate_codes(game: Game) -> Iterator[Code]:
    """Iterate over the codes of the game in lexicographic order.

    Raises SizeError beyond 20 million codes.
    """
    if not is_listed(game):
        raise SizeError.of(
            "a list of all codes",
            f"a game of up to {MAX_LISTED_CODES:,} codes",
            f"{game} with {game.size:,} codes",
            "use a strategy that needs no list, such as genetic",
        )
    return game.codes()


def pack_codes(game: Game) -> memoryview:
    """Return all codes as bytes, one per peg, for up to 256 colors; shape (codes, pegs).

    This does not load numpy, and is fast enough for games of up to some ten thousand codes.
    """
    colors = b"".join(map(bytes, iterate_codes(game)))
    return memoryview(colors).cast("B", (game.size, game.pegs))


def as_array(game: Game, codes: Sequence[Code]) -> Array:
    """Return codes as an array of shape (codes, pegs): uint8, or uint16 beyond 256 colors."""
    return np.array(codes, dtype=_dtype(game)).reshape(-1, game.pegs)


def _dtype(game: Game) -> str:
    """Return the data type for colors."""
    return "uint8" if game.colors <= 256 else "uint16"


@lru_cache(maxsize=4)
def all_codes(game: Game) -> Array:
    """Return all codes of the game as a read-only array of shape (codes, pegs).

    The data type is uint8, or uint16 beyond 256 colors. Raises SizeError beyond 20 million codes.
    """
    dtype = _dtype(game)
    codes_in_order = iterate_codes(game)  # raises SizeError if there are too many
    if game.colors == 1:
        codes = np.zeros((game.size, game.pegs), dtype=dtype)
    elif game.space.name == "repeats":
        grid = np.indices((game.colors,) * game.pegs, dtype=dtype)
        codes = np.ascontiguousarray(grid.reshape(game.pegs, -1).T)
    elif game.space.name == "distinct":
        codes = _list_distinct(game, dtype)
    else:
        codes = as_array(game, list(codes_in_order))
    codes.flags.writeable = False
    return codes


def _list_distinct(game: Game, dtype: str) -> Array:
    """Return the codes without repeated colors, built peg by peg in lexicographic order."""
    codes = np.zeros((1, 0), dtype=dtype)
    for _ in range(game.pegs):
        is_unused = np.ones((len(codes), game.colors), dtype=bool)
        np.put_along_axis(is_unused, codes.astype(np.intp), values=False, axis=1)
        prefix, color = np.nonzero(is_unused)
        codes = np.column_stack((codes[prefix], color.astype(dtype)))
    return codes


def exchange(size: int, first: int, second: int) -> list[int]:
    """Return the numbers below `size` in ascending order, but with two of them exchanged.

    The result is used as a permutation of pegs or of colors.
    """
    order = list(range(size))
    order[first], order[second] = second, first
    return order


def find_codes(codes: Array, colors: int, wanted: Array) -> Array | None:
    """Return the indices of the `wanted` codes in a sorted array; None if a code is missing."""
    weights = colors ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    values = codes.astype(np.int64) @ weights
    indices = np.minimum(np.searchsorted(values, wanted.astype(np.int64) @ weights), len(codes) - 1)
    return None if (codes[indices] != wanted).any() else indices


MAX_TABLE_CODES = 1 << 15
"""Maximum game size, in codes, for a table of all answers, with one or two bytes per pair
of a guess and a code."""
ROW_ALIGNMENT = 64
"""Rows of a table are padded to a multiple of this length."""
SCORE_ARRAY_SIZE = 1 << 20
"""Packed scores below this limit are numbered by an array, which is fast, and larger ones by a
dictionary."""
KERNEL_SCORINGS = {
    "black-white": Kind.BLACK_WHITE,
    "black": Kind.BLACK,
    "color": Kind.COLOR,
    "pairs": Kind.PAIRS,
}
"""The scorings that the kernel supports, by name."""
MAX_SCORE_CELLS = 1 << 20
"""Maximum number of parts of scores that are computed at once. It limits the memory."""
MAX_HISTOGRAM_CELLS = 1 << 22
"""Maximum number of cells in a table that is counted at once. It limits the memory."""


def kernel_form(game: Game) -> Form | None:
    """Return the numbers by which the kernel describes the scoring of a game.

    Return None if the kernel cannot compute the scores, and needs a table of answers.
    """
    name = game.scoring.name
    # In the kernel, colors are bytes, and so are the answers of pairs: (5 + 1)**3 <= 256.
    if (
        name not in KERNEL_SCORINGS
        or game.colors > 256
        or game.pegs > (5 if name == "pairs" else 255)
    ):
        return None
    # In a game of pairs, each color of the game combines a color and a shape.
    shapes = game.scoring.factors(game.colors)[1] if name == "pairs" else 1
    return Form(KERNEL_SCORINGS[name], game.pegs, game.colors, shapes)


def decode_answer(game: Game, answer: int) -> Score:
    """Return the score that an answer of the kernel encodes.

    The parts are digits in base `pegs` + 1; the last one is the sum of black and white pegs.
    """
    base = game.pegs + 1
    if game.scoring.name == "black-white":
        black, shared = divmod(answer, base)
        return black, shared - black
    if game.scoring.name == "pairs":
        black, remainder = divmod(answer, base * base)
        blue, shared = divmod(remainder, base)
        return black, shared - black, blue
    return (answer,)


def pad_length(num_answers: int) -> int:
    """Return the padded length of a table row with this many answers: the next multiple of 64."""
    return -(-num_answers // ROW_ALIGNMENT) * ROW_ALIGNMENT


def score_base(game: Game) -> int:
    """Return a base that is larger than all parts of a score, for `pack_scores`.

    A part is the index of a mark, if the scoring has marks. Otherwise it counts pegs, or in a
    custom scoring, it is at most the sum of the differences of all colors.
    """
    return len(game.scoring.marks) or max(256, game.pegs * game.colors + 1)


def pack_scores(game: Game, codes: Array, guesses: Array) -> Iterator[tuple[Array, Array]]:
    """Yield the scores of some guesses at a time, and the same scores packed into integers.

    The scores have the shape (guesses, codes, parts). This is fast if `codes` is in column-major
    order (np.asfortranarray).
    """
    base = score_base(game)
    is_wide = base ** len(game.parts) >= 1 << 63  # too wide for int64: slow Python integers
    weights = base ** np.arange(len(game.parts), dtype=object if is_wide else np.int64)
    step = max(1, MAX_SCORE_CELLS // max(1, codes.size))
    for start in range(0, len(guesses), step):
        scores = game.scoring.score_matrix(codes, guesses[start : start + step])
        parts = np.moveaxis(scores, 2, 0)
        products = (part.astype(weights.dtype) * w for part, w in zip(parts, weights, strict=True))
        yield scores, sum(products)


def compute_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """Return one number per score of a guess against a code; shape (guesses, codes).

    Computes every score, in the kernel if it supports the scoring, otherwise with numpy.
    """
    form = kernel_form(game)
    if form is None:
        columns = np.asfortranarray(codes)
        chunks = pack_scores(game, columns, as_array(game, guesses))
        return np.concatenate([packed for _, packed in chunks])
    scored = Scored(form, codes)
    answers = np.zeros((len(guesses), len(codes)), dtype=np.uint16)
    for guess, row in zip(np.array(guesses, dtype=np.uint8), answers, strict=True):
        scored.score(guess, row)
    return answers.astype(np.intp)


def tabulate_answers(
    game: Game, codes: Array, row_indices: Array | None = None
) -> tuple[Array, dict[Score, int]]:
    """Return a table of answers, and the answer that represents each score.

    The table has a row per code and a column per guess. If `row_indices` is given, only these rows
    are filled. Computes every score with `score_matrix` of the scoring. Raises SizeError beyond
    32,768 codes.
    """
    num_codes = len(codes)
    if num_codes > MAX_TABLE_CODES:
        expected = f"a {game.scoring.name} game of up to {MAX_TABLE_CODES:,} codes"
        raise SizeError.of("the strategy", expected, f"{game} with {num_codes:,} codes")
    answer_of_score: dict[Score, int] = {}
    rows = np.arange(num_codes) if row_indices is None else row_indices
    by_guess = np.zeros((num_codes, len(rows)), dtype=np.uint16)
    columns = np.asfortranarray(codes[rows])
    answer_of_packed: dict[int, int] = {}
    max_packed = score_base(game) ** len(game.parts)
    # The same as `answer_of_packed`, for small packed scores; -1 represents a new score.
    answer_array = np.full(min(max_packed, SCORE_ARRAY_SIZE), -1)
    end = 0
    for scores, packed in pack_scores(game, columns, codes):
        is_small = packed.max() < len(answer_array)
        chunk = (
            answer_array[packed]
            if is_small
            else np.array([answer_of_packed.get(value, -1) for value in packed.flat])
        ).reshape(packed.shape)
        is_new = chunk < 0
        if is_new.any():
            new_values, first_indices = np.unique(packed[is_new], return_index=True)
            guess_indices = is_new.nonzero()[0][first_indices]
            # Number the new scores by the first guess that gets them, then by packed score.
            order = np.lexsort((new_values, guess_indices))
            new_scores = scores[is_new][first_indices[order]]
            for value, score in zip(new_values[order].tolist(), new_scores.tolist(), strict=True):
                answer_of_packed[value] = answer_of_score[tuple(score)] = len(answer_of_score)
                if value < len(answer_array):
                    answer_array[value] = answer_of_packed[value]
            chunk[is_new] = [answer_of_packed[value] for value in packed[is_new].tolist()]
        start, end = end, end + len(chunk)
        by_guess[start:end] = chunk
    dtype = np.uint8 if len(answer_of_score) <= 256 else np.uint16
    answers = np.zeros((num_codes, pad_length(num_codes)), dtype=dtype)
    answers[rows, :num_codes] = by_guess.T
    return answers, answer_of_score


def partition_sizes(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[list[int]]:
    """Yield for each guess the sizes of the classes into which it divides the codes, descending."""
    for table in count_scores(game, codes, guesses):
        for row in table:
            yield sorted(row[row > 0].tolist(), reverse=True)


def count_scores(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[Array]:
    """Yield the number of codes per score, for some guesses at a time; shape (guesses, scores).

    Computes every score, in the kernel if it supports the scoring, otherwise with numpy. Only numpy
    omits the scores that do not occur.
    """
    form = kernel_form(game)
    if form is None:
        columns = np.asfortranarray(codes)
        for _, packed in pack_scores(game, columns, as_array(game, guesses)):
            for row in packed:
                _, counts = np.unique(row, return_counts=True)
                yield counts[np.newaxis]
        return
    width = len(form.answers)
    step = max(1, MAX_HISTOGRAM_CELLS // width)
    for start in range(0, len(guesses), step):
        chunk = np.array(guesses[start : start + step], dtype=np.uint8)
        table = np.zeros((len(chunk), width), dtype=np.uint32)
        Scored(form, chunk).count(codes, table)  # a row of the table for each guess of the chunk
        yield table


def split_codes(game: Game, codes: Array, guess: Code) -> dict[Score, Array]:
    """Return the codes grouped by their scores for a guess, each group in the order of `codes`."""
    if len(codes) == 1:  # the most frequent case in a tree
        return {game.score(tuple(codes[0].tolist()), guess): codes}
    scores = game.scoring.score_all(codes, guess)
    order = np.lexsort(scores.T[::-1])
    sorted_scores = scores[order]
    starts = np.flatnonzero((sorted_scores[1:] != sorted_scores[:-1]).any(axis=1)) + 1
    groups = np.split(codes[order], starts)
    group_scores = sorted_scores[np.concatenate(([0], starts))].tolist()
    return {tuple(score): group for score, group in zip(group_scores, groups, strict=True)}


def class_sizes(game: Game, codes: Array, guess: Code) -> list[tuple[Score, int]]:
    """Return each score that occurs with the number of codes that give it, largest number first."""
    sizes = [(score, len(group)) for score, group in split_codes(game, codes, guess).items()]
    return sorted(sizes, key=lambda item: (-item[1], item[0]))


def uncertainty(sizes: Iterable[int]) -> int:
    """Return the product of n**n over the classes, where n is the size of the class.

    The logarithm of the product is the number of codes times the entropy that remains on average.
    Comparing products therefore compares entropies exactly, in whole numbers.
    """
    powers = [size**size for size in sizes]
    while len(powers) > 1:  # multiply numbers of similar length, which is faster
        powers = [prod(powers[index : index + 2]) for index in range(0, len(powers), 2)]
    return prod(powers)


def sum_table_costs(answers: Array, cost_by_size: Array) -> Array:
    """Return the cost of each guess, from a table with a row per code and a column per guess.

    The cost is the sum of `cost_by_size[n]` over the classes, where n is the size of the class.
    Sorts each column, so that the answers of a class are adjacent.
    """
    num_codes, num_guesses = answers.shape
    step = max(1, MAX_HISTOGRAM_CELLS // num_codes)
    costs = np.empty(num_guesses, dtype=np.int64)
    for start in range(0, num_guesses, step):
        sorted_answers = np.sort(answers[:, start : start + step].T, axis=1)
        is_first = np.ones(sorted_answers.shape, dtype=bool)
        is_first[:, 1:] = sorted_answers[:, 1:] != sorted_answers[:, :-1]
        run_starts = np.flatnonzero(is_first)
        sizes = np.diff(run_starts, append=sorted_answers.size)
        first_runs = np.searchsorted(run_starts, num_codes * np.arange(len(sorted_answers)))
        costs[start : start + step] = np.add.reduceat(cost_by_size[sizes], first_runs)
    return costs


@lru_cache(maxsize=1)
def answer_table(game: Game) -> Array:
    """Return the table of answers, with a row per code and a column per guess."""
    return tabulate_answers(game, all_codes(game))[0][:, : game.size]


@lru_cache(maxsize=1)
def list_codes(game: Game) -> list[Code]:
    """Return all codes of the game in lexicographic order."""
    return [*map(tuple, all_codes(game).tolist())]
