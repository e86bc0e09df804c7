"""The library of boards that comes with mmsat: what is known of each, and the board itself.

The library lies in the catalogue `instances/`: one folder a family, with an `index.toml` and one
board file an entry. The index is read once; a board is read when it is asked for.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mmsat.board import Board
from mmsat.catalogue import folder
from mmsat.errors import InputError
from mmsat.registry import UnknownName


@dataclass(frozen=True, slots=True)
class Slip:
    """A score that was put down wrongly."""

    row: int
    """The row, from 0 (the index counts from 1)."""
    before: tuple[int, ...]
    """The score as the board has it."""
    after: tuple[int, ...]
    """The score as it should have been."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A board of the library, and what is known of it."""

    family: str
    """The folder it lies in."""
    short_name: str
    """Its name in the family."""
    file: str
    """The board file, beside the index."""
    title: str
    """What it is, in a line."""
    source: str
    """Where it comes from."""
    verdict: str
    """consistent or inconsistent; unknown where nobody could tell yet."""
    sha256: str
    """The hash of its board line, in hexadecimal."""
    count: int | None = None
    """The number of consistent codes, where known."""
    generator: str = "by hand"
    """The command that makes the board, if a command made it."""
    seed: int | None = None
    """The seed of that command."""
    note: str = ""
    """What else is worth knowing."""
    slips: tuple[Slip, ...] = ()
    """The scores that are wrong, where that is the point of the board."""
    secret: str | None = None
    """The code that was hidden in the game, where there was a game, as it is spelled there."""

    @property
    def name(self) -> str:
        """FAMILY/NAME, by which `find` knows it."""
        return f"{self.family}/{self.short_name}"

    @property
    def text(self) -> str:
        """The text of the board file, comments and all."""
        return (folder("instances") / self.family / self.file).read_text("utf-8")

    @property
    def board(self) -> Board:
        """The board, read from its file."""
        return Board.parse(self.text)


@lru_cache(maxsize=1)
def _all() -> dict[str, Instance]:
    """Every instance by its full name; families and entries in alphabetical order."""
    indexes = [
        (family.name, tomllib.loads((family / "index.toml").read_text("utf-8")))
        for family in folder("instances").iterdir()
        if (family / "index.toml").is_file()
    ]
    read = [_instance(family, entry) for family, index in indexes for entry in index["instance"]]
    by_name = {instance.name: instance for instance in read}
    return dict(sorted(by_name.items()))


def _instance(family: str, entry: dict[str, Any]) -> Instance:
    """An entry of an index."""
    count = entry.pop("count", None)
    slips = [
        Slip(slip["row"] - 1, tuple(slip["from"]), tuple(slip["to"]))
        for slip in entry.pop("slip", [])
    ]
    return Instance(
        family=family,
        short_name=entry.pop("name"),
        count=None if count is None else int(count),  # written as a string where TOML ends
        slips=tuple(slips),
        **entry,
    )


def instances(family: str | None = None) -> list[Instance]:
    """The instances of the library, or of one family, by name; an unknown family has none."""
    return [instance for instance in _all().values() if family in (None, instance.family)]


def families() -> list[str]:
    """The names of the families, in alphabetical order."""
    return sorted({instance.family for instance in _all().values()})


def find(name: str) -> Instance:
    """The instance of a name such as `classic/knuth-1122-0.2`.

    Raises InputError with the nearest names when there is none.
    """
    library = _all()
    if name in library:
        return library[name]
    near = [full for full in library if name in (full.partition("/")[2], full.partition("/")[0])]
    expected = f"FAMILY/NAME, where FAMILY is one of {', '.join(families())}"
    raise InputError([UnknownName.of("instance", name, library, expected, near[:3])], "")
