"""Scores as whole numbers (answers), of one guess and many codes at once, and what they part.

The kernel scores what its forms know; any other scoring goes by arrays and a table.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from mmsat._core import Form, Kind, Scored
from mmsat.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score

MOST_IN_TABLE = 1 << 15
"""Codes of a game whose answers are kept in a table, a byte or two for each pair."""
PADDING = 64
LOOKED_UP = 1 << 20
"""Packed scores whose numbers stand in an array."""
KINDS = {
    "black-white": Kind.BLACK_WHITE,
    "black": Kind.BLACK,
    "color": Kind.COLOR,
    "pairs": Kind.PAIRS,
}
"""The scorings that the kernel knows."""
CELLS = 1 << 22
"""Numbers in a table of histograms."""


def kernel_form(game: Game) -> Form | None:
    """How the kernel scores the game, None where it takes a table."""
    name = game.scoring.name
    if name not in KINDS or game.colors > 256 or game.pegs > (5 if name == "pairs" else 255):
        return None
    shapes = game.scoring.factors(game.colors)[1] if name == "pairs" else 1
    return Form(KINDS[name], game.pegs, game.colors, shapes)


def decode_answer(game: Game, answer: int) -> Score:
    """The score behind an answer of the kernel."""
    side = game.pegs + 1
    if game.scoring.name == "black-white":
        black, shared = divmod(answer, side)
        return black, shared - black
    if game.scoring.name == "pairs":
        black, rest = divmod(answer, side * side)
        blue, shared = divmod(rest, side)
        return black, shared - black, blue
    return (answer,)


def pad_length(many: int) -> int:
    """The length of a table's row of so many answers: the next multiple of 64."""
    return -(-many // PADDING) * PADDING


def pack_scores(game: Game, codes: Array, guess: Sequence[int]) -> tuple[Array, Array]:
    """What a guess scores against many codes: [code, part], and each score as one number.

    It is quick where codes are stored column by column, as by numpy's asfortranarray.
    """
    base = len(game.scoring.marks) or 256
    is_wide = base ** len(game.parts) >= 1 << 63  # then numbers of any length do, slowly
    weights = base ** np.arange(len(game.parts), dtype=object if is_wide else np.int64)
    parts = game.scoring.score_all(codes, guess)
    return parts, parts @ weights


def compute_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """What guesses score against codes: [guess, code], each score as one number from 0.

    Costs a score for each pair: compiled where the kernel knows the scoring, else by arrays.
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
    """The number of the answer of each guess (column) to each code (row), and the scores' numbers.

    With `left`, indices of codes, only their rows are filled. Costs a score for each pair, at the
    speed of the scoring's `score_all`. Raises SizeError beyond 32,768 codes.
    """
    many = len(codes)
    if many > MOST_IN_TABLE:
        smaller = f"a {game.scoring.name} game of up to {MOST_IN_TABLE:,} codes"
        raise SizeError.of("the strategy", smaller, f"{game} with {many:,}")
    scores: dict[Score, int] = {}
    rows = np.arange(many) if left is None else left
    by_guess = np.zeros((many, len(rows)), dtype=np.uint16)
    columns = np.asfortranarray(codes[rows])
    numbers: dict[int, int] = {}  # packed scores and theirs
    largest = max(len(game.scoring.marks), 256) ** len(game.parts)
    table = np.full(min(largest, LOOKED_UP), -1)  # the same for small ones
    for number, guess in enumerate(codes.tolist()):
        parts, packed = pack_scores(game, columns, guess)
        is_small = packed.max() < len(table)
        found = table[packed] if is_small else np.array([numbers.get(each, -1) for each in packed])
        if (found < 0).any():
            new, first = np.unique(packed[found < 0], return_index=True)
            for value, index in zip(new.tolist(), first.tolist(), strict=True):
                numbers[value] = scores[tuple(parts[found < 0][index].tolist())] = len(scores)
                if value < len(table):
                    table[value] = numbers[value]
            found = np.array([numbers[each] for each in packed.tolist()])
        by_guess[number] = found
    kind = np.uint8 if len(scores) <= 256 else np.uint16
    answers = np.zeros((many, pad_length(many)), dtype=kind)
    answers[rows, :many] = by_guess.T
    return answers, scores


def partition_sizes(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[list[int]]:
    """For each guess, how many of the codes give each score that some give, descending."""
    for table in count_scores(game, codes, guesses):
        for row in table:
            yield sorted(row[row > 0].tolist(), reverse=True)


def count_scores(game: Game, codes: Array, guesses: Sequence[Code]) -> Iterator[Array]:
    """Histograms of scores, some guesses at a time; shape (guesses, scores).

    Costs a score for each pair: compiled where the kernel knows the scoring, else by arrays.
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
    step = max(1, CELLS // width)
    for start in range(0, len(guesses), step):
        asked = np.array(guesses[start : start + step], dtype=np.uint8)
        table = np.zeros((len(asked), width), dtype=np.uint32)
        Scored(form, asked).count(codes, table)
        yield table


def split_codes(game: Game, codes: Array, guess: Code) -> dict[Score, Array]:
    """The codes by the score that each gets from a guess, each part in order."""
    if len(codes) == 1:  # most of a tree
        return {game.score(tuple(codes[0].tolist()), guess): codes}
    scores = game.scoring.score_all(codes, guess)
    order = np.lexsort(scores.T[::-1])
    ranked = scores[order]
    starts = np.flatnonzero((ranked[1:] != ranked[:-1]).any(axis=1)) + 1
    parts = np.split(codes[order], starts)
    first = ranked[np.concatenate(([0], starts))].tolist()
    return {tuple(score): part for score, part in zip(first, parts, strict=True)}


def uncertainty(sizes: Iterable[int]) -> int:
    """The entropy that is left, to compare: the product of n**n over parts of n codes.

    Its logarithm is the codes times the entropy, so that comparing products compares entropies
    exactly, in whole numbers.
    """
    powers = [size**size for size in sizes]
    while len(powers) > 1:  # numbers of like lengths, which are multiplied quickly
        powers = [prod(powers[index : index + 2]) for index in range(0, len(powers), 2)]
    return prod(powers)
