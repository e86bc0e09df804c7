"""Reductions: hard problems turned into boards, and answers carried back."""
