"""Dependencies: the lock satisfies pyproject.toml, and all licenses are accepted ones.

These are permissive licenses, and those with a weak copyleft, such as MPL and LGPL.
"""

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
"""Extras that are not in the lock, because no command of mmsat loads them: they are separate
programs."""
OPTIONAL = ("approx", "arrow", "dask", "study", "web")
ACCEPTED = r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Zlib|CC0|Unlicense|MPL|LGPL"
RESTRICTED = r"(?<!L)(?<!Lesser )(GPL|General Public License)"


def locked() -> dict[str, str]:
    """Return the version of each package in the lock, by name."""
    lines = (ROOT / "requirements.lock").read_text()
    return dict(re.findall(r"^([\w.-]+)==(\S+) \\$", lines, re.MULTILINE))


def requirements() -> list[Requirement]:
    """Return all requirements of pyproject.toml, except for the extras in APART."""
    optional = PROJECT["project"]["optional-dependencies"]
    extras = [entry for name, group in optional.items() if name not in APART for entry in group]
    build = PROJECT["build-system"]["requires"]
    return [Requirement(entry) for entry in (*build, *PROJECT["project"]["dependencies"], *extras)]


def test_the_lock_has_a_version_of_every_requirement():
    versions = locked()
    # Some extras consist of other extras of mmsat itself, which is not in the lock.
    locked_requirements = [entry for entry in requirements() if entry.name != "mmsat"]
    assert len(locked_requirements) > 30
    for entry in locked_requirements:
        version = versions.get(canonicalize_name(entry.name))
        assert version is not None, entry
        assert entry.specifier.contains(version, prereleases=True), (str(entry), version)


def test_each_version_is_held_to_hashes():
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip())
    assert len(entries) == len(locked())
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in "".join(entries)


@cache
def required_packages(name: str, extras: tuple[str, ...]) -> frozenset[str]:
    """Return the names of a package and of all packages that it needs at run time with extras."""
    names = {name}
    for line in distribution(name).requires or ():
        needed = Requirement(line)
        settings = [{"extra": extra} for extra in (*extras, "")]
        if needed.marker is None or any(map(needed.marker.evaluate, settings)):
            names |= required_packages(canonicalize_name(needed.name), tuple(sorted(needed.extras)))
    return frozenset(names)


def license_text(name: str) -> str:
    """Return what a package states about its license, in lines.

    They are the license expression, the classifiers, and the start of the license text, if present.
    """
    about = distribution(name).metadata
    kinds = [entry for entry in about.get_all("Classifier") or () if entry.startswith("License ::")]
    texts = [about.get("License-Expression"), *kinds, (about.get("License") or "")[:200]]
    return "\n".join(text for text in texts if text)


def test_all_packages_at_run_time_have_an_accepted_license():
    names = required_packages("mmsat", OPTIONAL)
    assert {"numpy", "ortools", "distributed", "uvicorn", "pyarrow"} <= names
    for name in sorted(names):
        assert re.search(ACCEPTED, license_text(name)), (name, license_text(name))
        assert not re.search(RESTRICTED, license_text(name)), (name, license_text(name))


def test_restricted_licenses_are_reported():
    for license_name in ("GPL-3.0-only", "AGPL-3.0", "GNU General Public License v3"):
        assert re.search(RESTRICTED, license_name)
    for license_name in ("LGPL-3.0", "GNU Lesser General Public License"):
        assert not re.search(RESTRICTED, license_name)
