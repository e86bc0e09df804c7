"""The study of how hard boards are: its measurements, and the file that has them.

A *point* is a family of boards at one size and number of rows, and a question about them. Each
board of a point has its own seed. The *record* is a file in JSON Lines. A *chunk* is a line of it,
with the measurements of some consecutive boards of a point.

Terms in all modules of the study:

- *Random* boards (answer "any") are consistent only by chance. *Planted* boards (answer
  "consistent") are scored against one code; the question about them is whether there is another
  code. See `mmsat.reductions.families`.
- An *ensemble* has the random and the planted boards of a family, at several sizes and numbers of
  rows. With more rows, fewer boards have a code. The *half point* is the number of rows at which
  half of the boards of a size have one.
- N is the estimated number of codes of a board (`mmsat.estimate`), for planted boards without the
  planted code. The predicted probability of a code is 1 - exp(-N).
- The *effort* of a solver is its number of steps on a board; see measure.py.
- A *degenerate* board has two rows that already contradict each other (`is_degenerate`).
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from mmsat._util.files import add_path_to_errors, atomic_write, decode
from mmsat._util.text import join_words
from mmsat.errors import Description, Fault, InputError
from mmsat.game.board import Status
from mmsat.reductions.families import FAMILIES, Generated, rows_for_probability
from mmsat.reductions.samples import Answer

BoardRecord = dict[str, Any]
"""The measurements of one board."""
MIN_BOARDS = 20
"""Minimum number of boards of a point. The findings ignore points with fewer boards."""
MAX_BOARDS = 10_000
"""Maximum number of boards of a point, so that boards of different points have different seeds."""


class Point(NamedTuple):
    """A kind of boards, and the question about them."""

    part: str
    """"transition", "growth" or "cross-check"."""
    family: str
    answer: str
    """The verdict that the boards are made for, an `Answer`: "any" (random boards), "consistent"
    (planted boards), or another one."""
    question: str
    """Is there a code ("any"), or a code other than the planted one ("other")?"""
    size: int
    rows: int | None = None
    """The number of random rows; None for the default of the family."""

    def make(self, number: int) -> Generated:
        """Make the board with this number, from 0. Every board has a different seed.

        If the question is "other", the planted code becomes a known code of the board.
        """
        question_index = [*Answer].index(Answer(self.answer)) * 2 + (self.question == "other")
        seed = ((self.rows or 0) * 2 * len(Answer) + question_index) * MAX_BOARDS + number
        generated = FAMILIES[self.family].make(self.size, seed, Answer(self.answer), self.rows)
        if self.question == "any" or generated.witness is None:
            return generated
        board = replace(generated.board, known=(generated.witness,))
        return replace(generated, board=board, status=Status.UNKNOWN, witness=None)


class PlannedPoint(NamedTuple):
    """A point, and the numbers of its boards, as fractions of the requested number of boards."""

    point: Point
    divisor: int
    """The point has the requested number of boards, divided by `divisor`."""
    other_solvers_divisor: int
    """The first solver of the ensemble runs on all boards of the point. The other solvers run only
    on the first 1/`other_solvers_divisor` of them."""


class Ensemble(NamedTuple):
    """A family of random boards, with the numbers of rows to measure at each size."""

    family: str
    colors: int
    sizes: tuple[int, ...]
    """Sizes, in pegs."""
    wide_sizes: tuple[int, ...]
    """Sizes at which further numbers of rows are measured, to find the effort far from the half
    point."""
    planted_sizes: tuple[int, ...]
    """Sizes of the planted boards."""
    max_pegs: dict[str, int]
    """Maximum number of pegs for each solver. The first solver of the dict runs on all boards, the
    others on the first boards of each point (`PlannedPoint.other_solvers_divisor`)."""

    def planned_points(self, size: int) -> Iterator[PlannedPoint]:
        """Yield the points of a size, with numbers of rows around the predicted half point.

        Random boards near the half point decide the findings, so the requested number of them is
        measured. A quarter of this number suffices for the other points.
        """
        half = rows_for_probability(self.family, size, None, None, 0.5)

        def points(answer: str, question: str, rows: Iterable[int]) -> Iterator[Point]:
            """Return the points with these numbers of rows, which are positive."""
            return (
                Point("transition", self.family, answer, question, size, number)
                for number in sorted({*rows})
                if number > 0
            )

        near = {half + offset for offset in NEAR_OFFSETS}
        for point in points("any", "any", near):
            yield PlannedPoint(point, divisor=1, other_solvers_divisor=4)
        further: list[Point] = []
        if size in self.wide_sizes:
            wide = {round(ratio * half) for ratio in WIDE_RATIOS} - near
            further += points("any", "any", wide)
        if size in self.planted_sizes:
            planted_rows = {half + offset for offset in PLANTED_OFFSETS}
            further += points("consistent", "other", planted_rows)
            further += points("consistent", "any", [half])
        for point in further:
            yield PlannedPoint(point, divisor=4, other_solvers_divisor=1)


NEAR_OFFSETS = (-2, -1, 0, 1, 2)
"""Numbers of rows of random boards, relative to the predicted half point."""
PLANTED_OFFSETS = (0, 1, 2, 3, 4)
"""The same for planted boards, whose half point is at more rows."""
WIDE_RATIOS = (0.6, 0.75, 0.85, 1.2, 1.35)
"""Further numbers of rows, as multiples of the predicted half point."""
ENSEMBLES = {
    ensemble.family: ensemble
    for ensemble in (
        Ensemble(
            "random-two-color",
            2,
            (16, 24, 32, 40, 48, 56, 64, 72, 80),
            (64,),
            (24, 40, 56),
            {"lattice": 80, "cp": 64, "cadical": 24},
        ),
        Ensemble(
            "six-colors",
            6,
            (8, 10, 12, 14, 16, 18, 20),
            (18,),
            (8, 12, 16),
            {"lattice": 20, "cp": 18, "cadical": 16},
        ),
    )
}
"""The ensembles of the study, by family."""


@lru_cache
def entropy_rows(colors: int, pegs: int) -> float:
    """Return r* = ln M / H, the number of rows after which one code remains on average.

    M is the number of codes with given counts of colors, which are as equal as possible. H is the
    mean entropy of the black score of a random guess. This treats the rows as independent, so r* is
    only a unit for numbers of rows; `mmsat.estimate` uses the correlations of rows. With two
    colors, the black score is hypergeometric for a given number of pegs of the guess with the
    second color. With more colors, it is assumed to be binomial, as it is over all guesses.
    """
    # The pegs of each color: peg numbers `color`, `color` + `colors`, and so on
    counts = [len(range(color, pegs, colors)) for color in range(colors)]
    log_codes = math.lgamma(pegs + 1) - sum(math.lgamma(count + 1) for count in counts)
    if colors == 2:
        # Pairs of the probability of a guess with `ones` pegs of the second color, and the
        # probability of a score for such guesses
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
    entropy = -sum(weight * chance * math.log(chance) for weight, chance in outcomes if chance)
    return float(log_codes / entropy)


def _hit_chance(pegs: int, ones: int, size: int, hits: int) -> float:
    """Return the probability that `size` random pegs include exactly `hits` of the `ones`.

    The distribution is hypergeometric.
    """
    if not 0 <= hits <= min(ones, size) or size - hits > pegs - ones:
        return 0.0
    return math.comb(ones, hits) * math.comb(pegs - ones, size - hits) / math.comb(pegs, size)


RECORD_NAME = "boards.jsonl"
"""The name of the file of the record."""
FIRST_LINE = {"mmsat-hardness": 1}
"""The first line of a record, with the version of its format."""
HEADER_KEYS = {*Point._fields, "first", "boards", "on", "limit"}
"""Keys that describe a chunk: its point, the number of its first board, its number of boards, the
index of the environment, and the time limit. All other keys have measurements of its boards."""


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
            description = Description("a file of another kind")
            raise InputError.of(
                str(path), "a record of this study", description, "use another folder"
            )
        for number, line in enumerate(lines, 2):
            try:
                self._keep(json.loads(line))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                fault = Fault("", line, "a line written by the study", number)
                raise InputError([fault], str(path)) from None
        if complete != text:
            atomic_write(path, [complete])

    def _keep(self, entry: dict[str, Any]) -> None:
        """Store a line of the file: an environment or a chunk."""
        if "environment" in entry:
            self.environments.append(entry["environment"])
        else:
            point = Point(*(entry[field] for field in Point._fields))
            _version(self.environments[entry["on"]])  # raises LookupError if there is none
            self.chunks[point, entry["first"]] = entry

    def versions(self, part: str) -> list[tuple[str, ...]]:
        """Return the different versions of the code that measured a part of the study."""
        numbers = {chunk["on"] for (point, _), chunk in self.chunks.items() if point.part == part}
        return sorted({_version(self.environments[number]) for number in numbers})

    def require_version(self, part: str, environment: dict[str, str]) -> None:
        """Raise InputError if a part was measured by another version of the code.

        Steps of different versions are not comparable.
        """
        other = [text for text in self.versions(part) if text != _version(environment)]
        if other:
            rule = f"--restart measures the part {part} again; -o chooses another folder"
            description = Description(f"measurements by {join_words(map(' '.join, other))}")
            expected = f"measurements by {' '.join(_version(environment))}"
            raise InputError.of(str(self.path), expected, description, rule)

    def discard(self, parts: Iterable[str]) -> None:
        """Remove the measurements of some parts from the record and its file."""
        removed = {*parts}
        self.chunks = {key: c for key, c in self.chunks.items() if key[0].part not in removed}
        used = sorted({chunk["on"] for chunk in self.chunks.values()})
        self.environments = [self.environments[number] for number in used]
        lines: list[dict[str, Any]] = [FIRST_LINE]
        lines += [{"environment": environment} for environment in self.environments]
        for chunk in self.chunks.values():
            chunk["on"] = used.index(chunk["on"])
        lines += self.chunks.values()
        atomic_write(self.path, map(_line, lines))

    def add(self, chunk: dict[str, Any]) -> None:
        """Append a chunk to the file. Raises InputError if another version measured its part.

        `chunk["on"]` is its environment, which the file stores once, as a line of its own.
        """
        self.require_version(chunk["part"], chunk["on"])
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


VERSION_KEYS = ("mmsat", "commit", "python-sat", "ortools")
"""Keys of an environment on which verdicts and numbers of steps depend."""


def _version(environment: dict[str, str]) -> tuple[str, ...]:
    """Return the version of the code of an environment, as words."""
    return tuple(f"{key} {environment[key]}" for key in VERSION_KEYS if environment.get(key))


def list_boards(chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the measurements and the number of each board of a chunk.

    A list or a string has one item per board; any other value is that of all boards.
    """
    measurements = {name: value for name, value in chunk.items() if name not in HEADER_KEYS}
    for number in range(chunk["boards"]):
        yield {"number": chunk["first"] + number} | {
            name: value[number] if isinstance(value, (list, str)) else value
            for name, value in measurements.items()
        }


def _line(entry: dict[str, Any]) -> str:
    """Return the line of the file for an environment or a chunk."""
    return json.dumps(entry, separators=(",", ":")) + "\n"
