"""What an audit comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mmsat.shown import Shown

UNNAMED, NO_SLIP = "a slip without a name", "no slip"
RIGHT = "the row and the score are right"
EVERY = 1000
"""Games that one point of the skill over time stands for, at first."""


@dataclass(repr=False)
class Summary(Shown):
    """Numbers of games, of slips by kind, and skill over time."""

    games: int = 0
    rejected: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    slips: Counter[str] = field(default_factory=Counter)
    """By what went wrong in words; empty where it has no name."""
    with_impossible: int = 0
    """Games with a guess that could not be the code."""
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Where the log knows of slips: what was done, and what is said of it."""
    knows_slips: bool = False
    """Whether the log knows of any slip."""
    skills: list[tuple[int, float, int]] = field(default_factory=list)
    """For some games after the other: the first record, the mean skill, and how many there are."""

    def add(self, told: Iterable[dict[str, Any]]) -> None:
        """Add up some records."""
        for each in told:
            if "fault" in each:
                self.rejected += 1
                continue
            self.games += 1
            self.verdicts[each["verdict"]] += 1
            self.with_impossible += bool(each.get("impossible"))
            if "slip" in each:
                self.slips[each["slip"]] += 1
            if "true_row" in each:
                self.knows_slips = True
            self.confusion[judge_slip(each)] += 1
            if each.get("skill") is not None:
                self._add_skill(each["record"], each["skill"])

    def _add_skill(self, record: int, skill: float) -> None:
        if not self.skills or self.skills[-1][2] == EVERY:
            self.skills.append((record, 0.0, 0))
        first, mean, many = self.skills[-1]
        self.skills[-1] = first, mean + (skill - mean) / (many + 1), many + 1

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/audit.json."""
        return {
            "games": self.games,
            "rejected": self.rejected,
            "consistent": self.verdicts["consistent"],
            "inconsistent": self.verdicts["inconsistent"],
            "with_impossible": self.with_impossible,
            "slips": dict(self.slips.most_common()),
            "confusion": [
                {"done": done, "said": said, "games": many}
                for (done, said), many in sorted(self.confusion.items())
                if self.knows_slips
            ],
            "skill": [
                {"record": first, "games": many, "skill": round(mean, 6)}
                for first, mean, many in self.skills
            ],
        }


def judge_slip(told: dict[str, Any]) -> tuple[str, str]:
    """What a log knows to have been done, and what the audit says of it."""
    done = NO_SLIP
    if "true_row" in told:
        done = told["true_slip"] or UNNAMED
    if told["verdict"] == "consistent":
        return done, "none is said"
    if "row" not in told:
        return done, "some slip is said"
    if "true_row" not in told or told["row"] != told["true_row"] or told["changed"] != 1:
        return done, "another row is said"
    return done, RIGHT if told["to"] == told["true"] else "the row is right"


def summary_sentences(summary: Summary) -> list[str]:
    """A summary in words."""
    good, bad = summary.verdicts["consistent"], summary.verdicts["inconsistent"]
    sentences = [f"{summary.games:,} games: {good:,} consistent, {bad:,} inconsistent."]
    if summary.rejected:
        sentences.append(f"{summary.rejected:,} records could not be read.")
    if summary.with_impossible:
        sentences.append(
            f"{summary.with_impossible:,} games have a guess that could not be the code."
        )
    for words, many in summary.slips.most_common():
        sentences.append(f"{many:,} times: {words or UNNAMED}.")
    right = sum(many for (_, said), many in summary.confusion.items() if said == RIGHT)
    made = sum(many for (done, _), many in summary.confusion.items() if done != NO_SLIP)
    if made:
        sentences.append(f"Of {made:,} slips that the logs know, {right:,} are said as they were.")
    games = sum(many for _, _, many in summary.skills)
    if games:
        mean = sum(mean * many for _, mean, many in summary.skills) / games
        sentences.append(f"Skill {mean:.1%} on average over {games:,} games.")
    return sentences
