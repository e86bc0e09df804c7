"""The description of a suite in LaTeX, from the template suite_files/description.tex."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mmsat._util.text import join_words
from mmsat.reductions.families import FAMILIES
from mmsat.solving.encode import Competition

# Texts of the description, which are in LaTeX.
ONE_MODEL = "Every auxiliary variable is a function of the code, so each code is one solution."
ENCODINGS = {
    "sat": "Both sums are encoded by totalizers, whose outputs are defined in both directions. "
    f"{ONE_MODEL}",
    "pb": f"The counts are defined by linear constraints in both directions. {ONE_MODEL}",
    "maxsat": "Both sums are encoded by totalizers. The clauses of a row are hard, and hold if its "
    "selector is true. Each selector is a soft clause of weight 1, so the optimum is the smallest "
    "number of scores that are wrong.",
    "counting": f"Both sums are encoded by totalizers. {ONE_MODEL}",
    "projected": "Both sums are encoded by totalizers. A row holds if its selector is true, and at "
    "most one selector is false. The selector of a row that holds may be false, too, so a code "
    "can have several models. The variables $x$ are the projection set: the projected count is the "
    "number of codes for which at most one score is wrong.",
    "minizinc": "The model states the rules directly: black counts equal pegs, and the pegs in "
    "common are the sum over the colors of the smaller of two counts.",
}
"""The sentences about the encoding of each competition."""
KINDS = {
    "consistent": "``Consistent'' instances have a planted code, which was scored again.",
    "inconsistent": "``Inconsistent'' instances have no code by construction.",
    "slipped": "In ``slipped'' instances, one score of a planted board is changed as little as "
    "possible, so that no count of colors reveals the change; such a board can still have a code.",
    "any": "In ``any'' instances, every row is scored against its own rearrangement of one code.",
}
"""The sentences about the instances with each requested answer."""
SPECIAL = re.compile(r"[&%$#_{}~^\\<>]")
"""A character that is special in LaTeX."""


def escape(text: object) -> str:
    """Return text with all characters escaped that are special in LaTeX."""
    names = {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": "$<$",
        ">": "$>$",
    }
    return SPECIAL.sub(lambda match: names.get(match[0], f"\\{match[0]}"), str(text))


def describe(
    template: str,
    competition: Competition,
    seed: int,
    instances: Sequence[Mapping[str, Any]],
    times: Mapping[str, Mapping[str, str]],
) -> str:
    """Return the description.

    `times` has the text of the time of each instance, by solver and by name of the instance.
    """
    families = dict.fromkeys(instance["command"].split()[2] for instance in instances)
    columns = {
        "name": "instance",
        "variables": "variables",
        "constraints": "constraints",
        "verdict": "verdict",
        "count": "codes",
        "optimum": "optimum",
    }
    # Columns without any value are omitted.
    shown = [name for name in columns if any(instance[name] is not None for instance in instances)]
    rows = [
        [_cell(name, instance[name]) for name in shown]
        + [escape(by_name.get(instance["name"], "--")) for by_name in times.values()]
        for instance in instances
    ]
    values = {
        "TITLE": competition.title,
        "FAMILIES": "\n\n".join(
            f"\\textbf{{{escape(name)}}}: {escape(FAMILIES[name].summary)}." for name in families
        ),
        "ENCODING": ENCODINGS[competition.name],
        "SIZES": _describe_sizes(instances),
        "KINDS": " ".join(
            text
            for answer, text in KINDS.items()
            if any(f"--answer {answer} " in instance["command"] for instance in instances)
        ),
        "PROOFS": _describe_verdicts(instances),
        "TIMES": _describe_times(times),
        "SEED": str(seed),
        "COLUMNS": "l" + "r" * (len(shown) + len(times) - 1),
        "HEAD": " & ".join([*(columns[name] for name in shown), *map(escape, times)]),
        "ROWS": "\n".join(f"{' & '.join(row)} \\\\" for row in rows),
    }
    return re.sub(r"@([A-Z]+)@", lambda match: values[match[1]], template)


def _describe_sizes(instances: Sequence[Mapping[str, Any]]) -> str:
    """Return the sentence about the sizes of the formulas; empty if they were not counted."""
    ranges = []
    for name in ("variables", "constraints"):
        sizes = [instance[name] for instance in instances if instance[name] is not None]
        if sizes:
            low, high = f"{min(sizes):,}", f"{max(sizes):,}"
            ranges.append(f"{low} {name}" if low == high else f"from {low} to {high} {name}")
    return f"The instances have {' and '.join(ranges)}." if ranges else ""


def _describe_verdicts(instances: Sequence[Mapping[str, Any]]) -> str:
    """Return the sentences about the verdicts and the proofs."""
    verdicts = Counter(instance["verdict"] for instance in instances)
    counts = join_words(f"{number} {verdict}" for verdict, number in sorted(verdicts.items()))
    sentence = f"The verdicts are {counts}."
    proven = sum(instance["proof"] is not None for instance in instances)
    if proven:
        sentence += (
            f" For {proven} of the inconsistent ones, the folder proofs has a proof, which "
            "``mmsat verify'' checks without a solver."
        )
    return sentence


def _describe_times(times: Mapping[str, Mapping[str, str]]) -> str:
    """Return the sentences about the times of the table."""
    if not times:
        return "The times of solvers have not been measured."
    sentences = ["The times are processor seconds; runs with $>$ ended without an answer."]
    for solver, by_name in times.items():
        answered = sum(not text.startswith(">") for text in by_name.values())
        sentences.append(f"{escape(solver)} solved {answered} of {len(by_name)} instances.")
    return " ".join(sentences)


def _cell(name: str, value: object) -> str:
    """Return the text of a cell of the table."""
    if value is None:
        return "--"
    if name == "name":
        return f"\\texttt{{{escape(value)}}}"
    return escape(value) if name == "verdict" else f"{int(str(value)):,}"
