"""The points of a study, the ensembles of random boards, and the record of measurements.

A point is a kind of boards of one size, and a question about them. Each board has its own seed. The
record is a file in JSON Lines, to which chunks of measurements are appended.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from mmsat._util.files import add_path_to_errors, atomic_write, decode
from mmsat.errors import Description, Fault, InputError
from mmsat.game.board import Status
from mmsat.reductions.families import FAMILIES, Generated
from mmsat.reductions.samples import Answer

MAX_BOARDS = 10_000
"""Maximum number of boards of a point, so that boards of different points have different seeds."""


class Point(NamedTuple):
    """A kind of boards, and the question about them."""

    part: str
    """"transition" or "growth"."""
    family: str
    answer: str
    """The intended verdict, an `Answer`: "any", "consistent" (planted boards) or another one."""
    question: str
    """Is there a code ("any"), or a code other than the planted one ("other")?"""
    size: int
    rows: int | None = None
    """The number of random rows; None for the default of the family."""

    def make(self, number: int) -> Generated:
        """Make the board with this number, from 0. Every board has a different seed."""
        question_index = [*Answer].index(Answer(self.answer)) * 2 + (self.question == "other")
        seed = ((self.rows or 0) * 2 * len(Answer) + question_index) * MAX_BOARDS + number
        generated = FAMILIES[self.family].make(self.size, seed, Answer(self.answer), self.rows)
        if self.question == "any" or generated.witness is None:
            return generated
        board = replace(generated.board, known=(generated.witness,))
        return replace(generated, board=board, status=Status.UNKNOWN, witness=None)


class Ensemble(NamedTuple):
    """A family of random boards, with the numbers of rows to measure at each size."""

    family: str
    colors: int
    sizes: tuple[int, ...]
    """Sizes, in pegs, with the full range of rows."""
    narrow_sizes: tuple[int, ...]
    """Further sizes, with rows near the threshold only."""
    planted_sizes: tuple[int, ...]
    """Sizes of the planted boards."""
    max_pegs: dict[str, int]
    """Maximum number of pegs for each solver."""
    min_large_size: int
    """Minimum size with more than 10^10 codes, which is beyond exhaustive search."""

    def points(self) -> Iterator[Point]:
        """Yield all points, the smallest sizes first."""
        for size in sorted({*self.sizes, *self.narrow_sizes}):
            ratios = ROW_RATIOS if size in self.sizes else NARROW_ROW_RATIOS
            yield from self._points(size, ratios, "any", "any")
            if size in self.planted_sizes:
                yield from self._points(size, ratios, "consistent", "other")
                yield from self._points(size, NARROW_ROW_RATIOS, "consistent", "any")

    def _points(
        self, size: int, ratios: tuple[float, ...], answer: str, question: str
    ) -> Iterator[Point]:
        expected = expected_rows(self.colors, size).typical
        for rows in sorted({round(ratio * expected) for ratio in ratios}):
            yield Point("transition", self.family, answer, question, size, rows)


ROW_RATIOS = (0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3)
"""Numbers of rows as multiples of the expected threshold. They are dense near 1, where the curve is
steep."""
NARROW_ROW_RATIOS = (0.95, 1.0, 1.05)
"""Numbers of rows near the expected threshold, as multiples of it."""
ENSEMBLES = {
    ensemble.family: ensemble
    for ensemble in (
        Ensemble(
            "random-two-color",
            2,
            (16, 24, 32, 40, 48, 56, 64),
            (72, 80, 88, 96),
            (24, 40, 56),
            {"cp": 64, "cadical": 28, "lattice": 96},
            40,
        ),
        Ensemble(
            "six-colors",
            6,
            (8, 10, 12, 14, 16, 18, 20),
            (22, 24),
            (8, 12, 16),
            {"cp": 18, "cadical": 16, "lattice": 24},
            14,
        ),
    )
}
"""The ensembles of the study, by family."""


class ExpectedRows(NamedTuple):
    """Numbers of rows at which one rearrangement of the hidden code is expected to remain."""

    typical: float
    """ln M / H: on a typical board, each row leaves the fraction exp(-H) of M rearrangements,
    where H is the entropy of its black score."""
    average: float
    """ln M / H2, from the mean number of codes over all boards, where H2 is the collision entropy.
    It is at least `typical`, because few boards with many codes dominate the mean."""
    width: float
    """The standard deviation of the threshold over boards, in rows: that of the information in the
    typical number of scores, divided by H."""


@lru_cache
def expected_rows(colors: int, pegs: int) -> ExpectedRows:
    """Return the expected thresholds of a random ensemble with balanced codes.

    With two colors, the black score is hypergeometric for a given number of pegs of the guess with
    the second color. With more colors, it is assumed to be binomial, as it is over all guesses.
    The white score adds no information about rearrangements of one code.
    """
    counts = [len(range(color, pegs, colors)) for color in range(colors)]
    log_codes = math.lgamma(pegs + 1) - sum(math.lgamma(count + 1) for count in counts)
    if colors == 2:
        outcomes = [
            (math.comb(pegs, ones) / 2**pegs, _hit_chance(pegs, counts[1], ones, hits))
            for ones in range(pegs + 1)
            for hits in range(ones + 1)
        ]
    else:
        outcomes = [
            (1.0, math.comb(pegs, black) * (colors - 1) ** (pegs - black) / colors**pegs)
            for black in range(pegs + 1)
        ]
    information_of = [(weight * chance, -math.log(chance)) for weight, chance in outcomes if chance]
    entropy = sum(chance * information for chance, information in information_of)
    variance = sum(chance * information**2 for chance, information in information_of) - entropy**2
    collision_entropy = -math.log(sum(weight * chance**2 for weight, chance in outcomes))
    rows = log_codes / entropy
    return ExpectedRows(rows, log_codes / collision_entropy, math.sqrt(rows * variance) / entropy)


def _hit_chance(pegs: int, ones: int, size: int, hits: int) -> float:
    """Return the hypergeometric probability that `size` random pegs include `hits` of the ones."""
    if not 0 <= hits <= min(ones, size) or size - hits > pegs - ones:
        return 0.0
    return math.comb(ones, hits) * math.comb(pegs - ones, size - hits) / math.comb(pegs, size)


RECORD_NAME = "boards.jsonl"
FIRST_LINE = {"mmsat-hardness": 1}
HEADER_KEYS = {*Point._fields, "first", "boards", "on", "limit"}
"""Keys that describe a chunk. All other keys have measurements of its boards."""


class Record:
    """Chunks of measurements by point and first board, and the environments of the measurements."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists. An incomplete last line is removed.

        Raises InputError if the file is not a record of this study.
        """
        self.path = path
        self.chunks: dict[tuple[Point, int], dict[str, Any]] = {}
        self.environments: list[dict[str, str]] = []
        text = decode(path.read_bytes(), str(path)) if path.exists() else ""
        complete = text[: text.rfind("\n") + 1]
        first_line, *lines = complete.splitlines() or [_line(FIRST_LINE).strip()]
        if first_line != _line(FIRST_LINE).strip():
            found = Description("a file of another kind")
            raise InputError.of(str(path), "a record of this study", found, "use another folder")
        for number, line in enumerate(lines, 2):
            try:
                self._keep(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                fault = Fault("", line, "a line written by the study", number)
                raise InputError([fault], str(path)) from None
        if complete != text:
            atomic_write(path, [complete])

    def _keep(self, entry: dict[str, Any]) -> None:
        if "environment" in entry:
            self.environments.append(entry["environment"])
        else:
            point = Point(*(entry[field] for field in Point._fields))
            self.chunks[point, entry["first"]] = entry

    def add(self, chunk: dict[str, Any]) -> None:
        """Append a chunk to the file."""
        has_lines = self.path.exists() and self.path.stat().st_size
        lines: list[dict[str, Any]] = [] if has_lines else [FIRST_LINE]
        if chunk["on"] not in self.environments:
            lines.append({"environment": chunk["on"]})
            self.environments.append(chunk["on"])
        chunk = chunk | {"on": self.environments.index(chunk["on"])}
        with add_path_to_errors(self.path), self.path.open("a", encoding="utf-8") as file:
            file.writelines(map(_line, [*lines, chunk]))
        self._keep(chunk)

    def points(self) -> Iterator[tuple[Point, list[dict[str, Any]]]]:
        """Yield all points with the measurements of their boards."""
        by_point: dict[Point, list[dict[str, Any]]] = {}
        for (point, _), chunk in sorted(self.chunks.items(), key=itemgetter(0)):
            by_point.setdefault(point, []).extend(list_boards(chunk))
        yield from by_point.items()


def list_boards(chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the measurements of each board of a chunk."""
    measurements = {name: value for name, value in chunk.items() if name not in HEADER_KEYS}
    for number in range(chunk["boards"]):
        yield {
            name: value[number] if isinstance(value, (list, str)) else value
            for name, value in measurements.items()
        }


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":")) + "\n"
