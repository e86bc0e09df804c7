"""The summary of an audit: numbers of games, numbers of slips by kind, and skill over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypedDict

from mmsat._util.results import Displayable, NonNegative, Positive, Share
from mmsat._util.text import quantity

UNNAMED, NO_SLIP = "other error", "no error"
"""Names of recorded errors: a wrong score that is not a usual mistake, and no wrong score."""
RIGHT, MISSED, NO_ERROR_FOUND = "identified", "missed", "no error found"
"""Results of the audit. RIGHT: the correction is the recorded one. MISSED: a slip is recorded, but
the board is consistent. NO_ERROR_FOUND: no slip is recorded, and the board is consistent."""
OUTCOMES = {
    RIGHT: RIGHT,
    "right row, other score": "other score",
    "another row": "another row",
    "no row named": "no row",
    MISSED: MISSED,
}
"""The results of the audit for games with a recorded slip, in the order of the columns of a table,
with their headings."""
INITIAL_RECORDS_PER_POINT, MAX_POINTS = 1000, 1000
"""The skill over time has one point for each INITIAL_RECORDS_PER_POINT consecutive records.

The number of records per point doubles whenever there would be more than MAX_POINTS points.
"""
MILLIONTHS = 1_000_000
"""Skills are added up as whole millionths, so that the sum does not depend on the order."""


class ConfusionJson(TypedDict):
    """Games with the same recorded error and the same result of the audit."""

    done: str
    """The recorded error."""
    said: str
    """The result of the audit."""
    games: NonNegative
    """Number of games."""


class SkillJson(TypedDict):
    """The mean skill of successive games."""

    record: NonNegative
    """The index of the first record, from 0."""
    games: NonNegative
    """Number of games."""
    skill: Share


class UnlistedGamesJson(TypedDict, total=False):
    """Games whose secret may be missing from a word list."""

    unlisted_games: Positive
    """Number of inconsistent games whose secret may be a word that is not in the list of the game.
    They are not counted in `slips`. Without such games, the key is missing."""


class AuditJson(UnlistedGamesJson):
    """The summary of an audit."""

    games: NonNegative
    """Number of games that were read."""
    rejected: NonNegative
    """Number of records that could not be read."""
    consistent: NonNegative
    inconsistent: NonNegative
    with_impossible: NonNegative
    """Number of games with a guess that could not be the code."""
    slips: dict[str, NonNegative]
    """Number of games for each kind of slip in words; the key is "" for a slip without a name."""
    confusion: list[ConfusionJson]
    """Numbers of games by recorded error and result; empty if the logs record no errors."""
    skill: list[SkillJson]
    """Mean skill over time, for groups of a thousand games or more."""


@dataclass(repr=False)
class Summary(Displayable):
    """Numbers of games, numbers of slips by kind, and skill over time."""

    games: int = 0
    """Number of judged games."""
    rejected: int = 0
    """Number of records that could not be read."""
    verdicts: Counter[str] = field(default_factory=Counter)
    """Number of games by verdict."""
    slips: Counter[str] = field(default_factory=Counter)
    """Number of games for each kind of error; "" for other errors. Unlisted games are excluded."""
    with_impossible: int = 0
    """Number of games with a guess that could not be the code."""
    unlisted: int = 0
    """Number of inconsistent games whose secret may be missing from the word list."""
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of games for each recorded error and result of the audit; see `judge_slip`."""
    has_recorded_slips: bool = False
    """Whether the log records any slip."""
    records_per_point: int = INITIAL_RECORDS_PER_POINT
    """Number of records per point of the skill over time."""
    skill_sums: Counter[int] = field(default_factory=Counter)
    """Sum of the skill in millionths, by the index of the point."""
    rated_games: Counter[int] = field(default_factory=Counter)
    """Number of games with a skill, by the index of the point."""

    @property
    def skills(self) -> list[tuple[int, float, int]]:
        """The skill over time: first record, mean skill and number of games of each point."""
        return [
            (point * self.records_per_point, self.skill_sums[point] / games / MILLIONTHS, games)
            for point, games in sorted(self.rated_games.items())
        ]

    def add(self, records: Iterable[dict[str, Any]]) -> None:
        """Add records of an audit.

        Parameters
        ----------
        records : iterable of dict
            The records.
        """
        for record in records:
            if "fault" in record:
                self.rejected += 1
                continue
            self.games += 1
            self.verdicts[record["verdict"]] += 1
            self.with_impossible += bool(record.get("impossible"))
            if "unlisted" in record:
                self.unlisted += 1
            elif "slip" in record:
                self.slips[record["slip"]] += 1
            if "true_row" in record:
                self.has_recorded_slips = True
            self.confusion[judge_slip(record)] += 1
            if record.get("skill") is not None:
                point = record["record"] // self.records_per_point
                self.skill_sums[point] += round(MILLIONTHS * record["skill"])
                self.rated_games[point] += 1
        self._join_points(self.records_per_point)

    def add_plain(self, games: int, with_impossible: int) -> None:
        """Add consistent games without a recorded slip.

        Parameters
        ----------
        games : int
            Number of games.
        with_impossible : int
            Number of these games with a guess that could not be the code.
        """
        self.games += games
        self.verdicts["consistent"] += games
        self.with_impossible += with_impossible
        if games:
            self.confusion[NO_SLIP, NO_ERROR_FOUND] += games

    def merge(self, other: Summary) -> None:
        """Add another summary. Both get the same number of records per point of the skill.

        Parameters
        ----------
        other : Summary
            The summary of other records of the same audit.
        """
        self.games += other.games
        self.rejected += other.rejected
        self.with_impossible += other.with_impossible
        self.unlisted += other.unlisted
        self.has_recorded_slips |= other.has_recorded_slips
        self.verdicts.update(other.verdicts)
        self.slips.update(other.slips)
        self.confusion.update(other.confusion)
        self._join_points(other.records_per_point)
        other._join_points(self.records_per_point)
        self.skill_sums.update(other.skill_sums)
        self.rated_games.update(other.rated_games)
        self._join_points(self.records_per_point)

    def _join_points(self, min_records: int) -> None:
        """Join pairs of points until each has `min_records` records and there are few enough."""
        while self.records_per_point < min_records or len(self.rated_games) > MAX_POINTS:
            self.records_per_point *= 2
            for name in ("skill_sums", "rated_games"):
                joined: Counter[int] = Counter()
                for point, value in getattr(self, name).items():
                    joined[point // 2] += value
                setattr(self, name, joined)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per kind of slip, the most frequent first, for pandas or polars.

        The records of the games themselves are in the file that the audit wrote.
        """
        return [
            {"slip": words or UNNAMED, "games": games} for words, games in self.slips.most_common()
        ]

    def to_dict(self) -> AuditJson:
        """Return the stable JSON keys; see schemas/audit.json."""
        unlisted: UnlistedGamesJson = {"unlisted_games": self.unlisted} if self.unlisted else {}
        return {
            "games": self.games,
            "rejected": self.rejected,
            "consistent": self.verdicts["consistent"],
            "inconsistent": self.verdicts["inconsistent"],
            "with_impossible": self.with_impossible,
            **unlisted,
            "slips": dict(self.slips.most_common()),
            "confusion": [
                {"done": actual, "said": outcome, "games": games}
                for (actual, outcome), games in sorted(self.confusion.items())
                if self.has_recorded_slips
            ],
            "skill": [
                {"record": first, "games": games, "skill": round(mean, 6)}
                for first, mean, games in self.skills
            ],
        }


def judge_slip(record: dict[str, Any]) -> tuple[str, str]:
    """Return the error that the log records, and the result of the audit for it."""
    recorded = NO_SLIP
    if "true_row" in record:
        recorded = record["true_slip"] or UNNAMED
    if record["verdict"] == "consistent":
        return recorded, NO_ERROR_FOUND if recorded == NO_SLIP else MISSED
    if "row" not in record:
        return recorded, "no row named"
    if "true_row" not in record or record["row"] != record["true_row"] or record["changed"] != 1:
        return recorded, "another row"
    return recorded, RIGHT if record["to"] == record["true"] else "right row, other score"


def summary_sentences(summary: Summary) -> list[str]:
    """Return the sentences of a summary."""
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
    for words, number in summary.slips.most_common():
        sentences.append(f"{quantity(number, 'time')}: {words or UNNAMED}.")
    right = sum(number for (_, outcome), number in summary.confusion.items() if outcome == RIGHT)
    recorded = sum(number for (actual, _), number in summary.confusion.items() if actual != NO_SLIP)
    if recorded:
        verb = "was" if right == 1 else "were"
        missed = sum(
            number for (_, outcome), number in summary.confusion.items() if outcome == MISSED
        )
        sentences.append(f"{right:,} of {recorded:,} recorded errors {verb} identified.")
        if missed:
            verb = "was" if missed == 1 else "were"
            reason = "because the wrong scores fit another code"
            sentences.append(f"{missed:,} {verb} missed, {reason}.")
        if num_without_error := summary.confusion[NO_SLIP, NO_ERROR_FOUND]:
            has = "has" if num_without_error == 1 else "have"
            sentences.append(
                f"{quantity(num_without_error, 'game')} {has} no error, recorded or found."
            )
    games = sum(number for _, _, number in summary.skills)
    if games:
        mean = sum(mean * number for _, mean, number in summary.skills) / games
        sentences.append(f"Skill {mean:.1%} on average over {games:,} games.")
    return sentences
