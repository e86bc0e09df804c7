"""Dependencies: the lock satisfies pyproject.toml, and all licenses are permissive."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
APART = {"bench", "supply"}
"""Extras that no command of mmsat loads: programs beside it, so that they are not locked."""
OPTIONAL = ("approx", "arrow", "dask", "study", "web")
PERMISSIVE = r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Zlib|CC0|Unlicense|MPL|LGPL"
RESTRICTED = r"(?<!L)(?<!Lesser )(GPL|General Public License)"


def locked() -> dict[str, str]:
    """Version by name."""
    lines = (ROOT / "requirements.lock").read_text()
    return dict(re.findall(r"^([\w.-]+)==(\S+) \\$", lines, re.MULTILINE))


def asked() -> list[Requirement]:
    """Return all requirements of pyproject.toml."""
    optional = PROJECT["project"]["optional-dependencies"]
    extras = [entry for name, group in optional.items() if name not in APART for entry in group]
    build = PROJECT["build-system"]["requires"]
    return [Requirement(entry) for entry in (*build, *PROJECT["project"]["dependencies"], *extras)]


def test_the_lock_has_a_version_of_every_requirement():
    versions = locked()
    wanted = [item for item in asked() if item.name != "mmsat"]
    assert len(wanted) > 30
    for entry in wanted:
        version = versions.get(canonicalize_name(entry.name))
        assert version is not None, entry
        assert entry.specifier.contains(version, prereleases=True), (str(entry), version)


def test_each_version_is_held_to_hashes():
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip())
    assert len(entries) == len(locked())
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in "".join(entries)


@cache
def run_with(name: str, extras: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the packages needed to run a package with extras."""
    names = {name}
    for line in distribution(name).requires or ():
        needed = Requirement(line)
        settings = [{"extra": extra} for extra in (*extras, "")]
        if needed.marker is None or any(map(needed.marker.evaluate, settings)):
            names |= run_with(canonicalize_name(needed.name), tuple(sorted(needed.extras)))
    return frozenset(names)


def licence(name: str) -> str:
    """Return the license of a package, one line each: expression, classifiers, or text."""
    about = distribution(name).metadata
    kinds = [entry for entry in about.get_all("Classifier") or () if entry.startswith("License ::")]
    texts = [about.get("License-Expression"), *kinds, (about.get("License") or "")[:200]]
    return "\n".join(text for text in texts if text)


def test_all_that_runs_is_under_a_permissive_licence():
    names = run_with("mmsat", OPTIONAL)
    assert {"numpy", "ortools", "distributed", "uvicorn", "pyarrow"} <= names
    for name in sorted(names):
        assert re.search(PERMISSIVE, licence(name)), (name, licence(name))
        assert not re.search(RESTRICTED, licence(name)), (name, licence(name))


def test_restricted_licenses_are_reported():
    for license_name in ("GPL-3.0-only", "AGPL-3.0", "GNU General Public License v3"):
        assert re.search(RESTRICTED, license_name)
    for license_name in ("LGPL-3.0", "GNU Lesser General Public License"):
        assert not re.search(RESTRICTED, license_name)
