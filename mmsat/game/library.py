"""The library of boards: the instances of the catalogue `instances/`, each a board with its facts.

Each family of instances has a folder with an `index.toml` and one board file per instance. The
indexes are read once. A board is read each time it is used.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mmsat._util.files import catalogue_folder
from mmsat._util.registry import UnknownName
from mmsat.errors import InputError
from mmsat.game.board import Board


@dataclass(frozen=True, slots=True)
class Slip:
    """A score that was recorded incorrectly."""

    row: int
    """The row, numbered from 0 (from 1 in `index.toml`)."""
    recorded: tuple[int, ...]
    """The wrong score, which is the one in the board."""
    correct: tuple[int, ...]
    """The right score."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A board of the library, and facts about it."""

    family: str
    """The family, which is also the name of its folder."""
    short_name: str
    """The name within the family."""
    file: str
    """The name of the board file in the folder of the family."""
    title: str
    """A description in one line."""
    source: str
    """The origin of the board, such as a publication."""
    verdict: str
    """`consistent` or `inconsistent`; `unknown` for an open problem."""
    sha256: str
    """The SHA-256 hash of the board line, in hexadecimal."""
    count: int | None = None
    """The number of consistent codes; None if it is not known."""
    generator: str = "by hand"
    """The command that generates the board, or `by hand`."""
    seed: int | None = None
    """The seed of the command; None for a command without a seed."""
    note: str = ""
    """A remark; may be empty."""
    slips: tuple[Slip, ...] = ()
    """The wrong scores; empty if no score is known to be wrong."""
    secret: str | None = None
    """The secret code in the notation of its source; None if the board is not from a game."""

    @property
    def name(self) -> str:
        """The full name, FAMILY/NAME, as used by `find`."""
        return f"{self.family}/{self.short_name}"

    @property
    def text(self) -> str:
        """The text of the board file, including comments."""
        return (catalogue_folder("instances") / self.family / self.file).read_text("utf-8")

    @property
    def board(self) -> Board:
        """The board, read from its file."""
        return Board.parse(self.text)


@lru_cache(maxsize=1)
def _load_instances() -> dict[str, Instance]:
    """Return all instances by full name, in alphabetical order."""
    import tomllib  # only names of instances need it

    indexes = [
        (family.name, tomllib.loads((family / "index.toml").read_text("utf-8")))
        for family in catalogue_folder("instances").iterdir()
        if (family / "index.toml").is_file()
    ]
    instances = [
        _to_instance(family, entry) for family, index in indexes for entry in index["instance"]
    ]
    by_name = {instance.name: instance for instance in instances}
    return dict(sorted(by_name.items()))


def _to_instance(family: str, entry: dict[str, Any]) -> Instance:
    """Convert an entry of an index into an instance. Some keys of `entry` are removed."""
    count = entry.pop("count", None)
    slips = [
        Slip(slip["row"] - 1, tuple(slip["from"]), tuple(slip["to"]))
        for slip in entry.pop("slip", [])
    ]
    return Instance(
        family=family,
        short_name=entry.pop("name"),
        count=None if count is None else int(count),  # a string if it exceeds 64 bits
        slips=tuple(slips),
        **entry,
    )


def instances(family: str | None = None) -> list[Instance]:
    """Return the instances of the library, or of one family, sorted by name.

    The list is empty for an unknown family.
    """
    return [
        instance for instance in _load_instances().values() if family in (None, instance.family)
    ]


def families() -> list[str]:
    """Return the names of the families, in alphabetical order."""
    return sorted({instance.family for instance in _load_instances().values()})


def find(name: str) -> Instance:
    """Return the instance with a full name, such as `classic/knuth-1122-0.2`.

    For an unknown name, raises InputError with similar names.
    """
    library = _load_instances()
    if name in library:
        return library[name]
    # Suggest the instances with this short name, or of the family with this name.
    matches = [
        instance.name
        for instance in library.values()
        if name in (instance.short_name, instance.family)
    ]
    expected = f"FAMILY/NAME, where FAMILY is one of {', '.join(families())}"
    raise InputError([UnknownName.of("instance", name, library, expected, matches[:3])], "")
