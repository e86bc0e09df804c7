"""Codes and scores as plain tuples."""

from __future__ import annotations

Code = tuple[int, ...]
Score = tuple[int | None, ...]
