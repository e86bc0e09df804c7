"""What an audit comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mmsat.english import quantity
from mmsat.shown import Shown

UNNAMED, NO_SLIP = "other error", "no error"
RIGHT = "identified"
EVERY, POINTS = 1000, 1000
"""Records that one point of the skill over time stands for, at first; twice as many each time that
there would be more points than that."""
MILLIONTHS = 1_000_000


@dataclass(repr=False)
class Summary(Shown):
    """Numbers of games, of slips by kind, and skill over time."""

    games: int = 0
    rejected: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    slips: Counter[str] = field(default_factory=Counter)
    """Number of games for each kind of error, "" for other errors. Without unlisted games."""
    with_impossible: int = 0
    """Games with a guess that could not be the code."""
    unlisted: int = 0
    """Inconsistent games whose secret may be a word that the game's list lacks."""
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Games by actual error and by the result of the audit, if the log records errors."""
    knows_slips: bool = False
    """Whether the log knows of any slip."""
    every: int = EVERY
    """Records that one point of the skill over time stands for."""
    skill_sums: Counter[int] = field(default_factory=Counter)
    """By the number of a point: its skill in millionths, added up, ..."""
    skilled: Counter[int] = field(default_factory=Counter)
    """... and its games."""

    @property
    def skills(self) -> list[tuple[int, float, int]]:
        """Skill over time: of each point the first record, the mean skill, and how many games."""
        return [
            (point * self.every, self.skill_sums[point] / many / MILLIONTHS, many)
            for point, many in sorted(self.skilled.items())
        ]

    def add(self, told: Iterable[dict[str, Any]]) -> None:
        """Add up some records."""
        for each in told:
            if "fault" in each:
                self.rejected += 1
                continue
            self.games += 1
            self.verdicts[each["verdict"]] += 1
            self.with_impossible += bool(each.get("impossible"))
            if "unlisted" in each:
                self.unlisted += 1
            elif "slip" in each:
                self.slips[each["slip"]] += 1
            if "true_row" in each:
                self.knows_slips = True
            self.confusion[judge_slip(each)] += 1
            if each.get("skill") is not None:
                point = each["record"] // self.every
                self.skill_sums[point] += round(MILLIONTHS * each["skill"])
                self.skilled[point] += 1
        self._widen(self.every)

    def add_plain(self, games: int, with_impossible: int) -> None:
        """Add up consistent games of which the log knows no slip."""
        self.games += games
        self.verdicts["consistent"] += games
        self.with_impossible += with_impossible
        if games:
            self.confusion[NO_SLIP, judge_slip({"verdict": "consistent"})[1]] += games

    def merge(self, other: Summary) -> None:
        """Add what another one has; its points become as wide as these."""
        self.games += other.games
        self.rejected += other.rejected
        self.with_impossible += other.with_impossible
        self.unlisted += other.unlisted
        self.knows_slips |= other.knows_slips
        self.verdicts.update(other.verdicts)
        self.slips.update(other.slips)
        self.confusion.update(other.confusion)
        self._widen(other.every)
        other._widen(self.every)
        self.skill_sums.update(other.skill_sums)
        self.skilled.update(other.skilled)
        self._widen(self.every)

    def _widen(self, every: int) -> None:
        """Join points until each stands for so many records, and there are not too many."""
        while self.every < every or len(self.skilled) > POINTS:
            self.every *= 2
            for name in ("skill_sums", "skilled"):
                joined: Counter[int] = Counter()
                for point, value in getattr(self, name).items():
                    joined[point // 2] += value
                setattr(self, name, joined)

    def records(self) -> list[dict[str, Any]]:
        """A line for each kind of slip, the most frequent first, for pandas.DataFrame and polars.

        The records of the games themselves are in the file that the audit wrote.
        """
        return [
            {"slip": words or UNNAMED, "games": many} for words, many in self.slips.most_common()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/audit.json."""
        return {
            "games": self.games,
            "rejected": self.rejected,
            "consistent": self.verdicts["consistent"],
            "inconsistent": self.verdicts["inconsistent"],
            "with_impossible": self.with_impossible,
            **({"unlisted_games": self.unlisted} if self.unlisted else {}),
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
    """Return the error that the log records, and how well the audit identified it."""
    done = NO_SLIP
    if "true_row" in told:
        done = told["true_slip"] or UNNAMED
    if told["verdict"] == "consistent":
        return done, "missed"
    if "row" not in told:
        return done, "no row named"
    if "true_row" not in told or told["row"] != told["true_row"] or told["changed"] != 1:
        return done, "another row"
    return done, RIGHT if told["to"] == told["true"] else "right row, other score"


def summary_sentences(summary: Summary) -> list[str]:
    """A summary in words."""
    good, bad = summary.verdicts["consistent"], summary.verdicts["inconsistent"]
    sentences = [f"{quantity(summary.games, 'game')}: {good:,} consistent, {bad:,} inconsistent."]
    if summary.unlisted:
        sentences.append(
            f"{quantity(summary.unlisted, 'inconsistent game')} may have a secret word that is "
            "missing from the word list."
        )
    if summary.rejected:
        sentences.append(f"{quantity(summary.rejected, 'record')} could not be read.")
    if summary.with_impossible:
        has = "has" if summary.with_impossible == 1 else "have"
        sentences.append(
            f"{quantity(summary.with_impossible, 'game')} {has} a guess that could not be the code."
        )
    for words, many in summary.slips.most_common():
        sentences.append(f"{quantity(many, 'time')}: {words or UNNAMED}.")
    right = sum(many for (_, said), many in summary.confusion.items() if said == RIGHT)
    made = sum(many for (done, _), many in summary.confusion.items() if done != NO_SLIP)
    if made:
        verb = "was" if right == 1 else "were"
        sentences.append(f"{right:,} of {made:,} recorded errors {verb} identified.")
    games = sum(many for _, _, many in summary.skills)
    if games:
        mean = sum(mean * many for _, mean, many in summary.skills) / games
        sentences.append(f"Skill {mean:.1%} on average over {games:,} games.")
    return sentences
