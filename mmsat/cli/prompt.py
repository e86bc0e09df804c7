"""Read lines from a person: with editing, history and completion on a terminal, plain in a pipe.

Prompts are printed on standard error.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


def is_terminal() -> bool:
    """Return whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


class Prompt:
    """Reads line by line; on a terminal, the Tab key completes `words`."""

    def __init__(self, words: Iterable[str]) -> None:
        """Create the prompt; the session for terminals is created when it is first used."""
        self.words = list(words)
        self.session: Any = None

    def read(self, asked: str) -> str | None:
        """Return the next line, stripped; None at the end of the input, as by Ctrl-D."""
        if not is_terminal():
            line = "" if sys.stdin is None else sys.stdin.readline()
            return line.strip() if line else None
        if os.environ.get("TERM") in ("dumb", "unknown", None):
            click.echo(f"{asked}> ", err=True, nl=False)
            line = sys.stdin.readline()
            return line.strip() if line else None
        try:
            return str(self._session().prompt(f"{asked}> ")).strip()
        except EOFError:
            return None

    def _session(self) -> Any:
        if self.session is None:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.completion import WordCompleter
            from prompt_toolkit.output import create_output

            stream: Any = getattr(sys.stderr, "stream", sys.stderr)
            completer = WordCompleter(self.words, sentence=True)
            output = create_output(stdout=stream)
            self.session = PromptSession(completer=completer, output=output)
        return self.session

    def is_agreed(self, question: str) -> bool:
        """Ask a yes-or-no question and return the answer; if there is no terminal, return True."""
        if not is_terminal():
            return True
        while True:
            answer = self.read(f"{question} (y/n)")
            if answer is None or answer.lower() in ("n", "no"):
                return False
            if answer.lower() in ("y", "yes"):
                return True
