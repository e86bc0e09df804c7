"""The examples on the pages of the catalogue of reductions."""

from __future__ import annotations

import re

from mmsat.reductions.reduce import example, folder, page, reduce


def options(name):
    """Return the options in the command of the example, as a list of words."""
    command = re.search(r"`mmsat reduce (\S+) example\.\w+([^`]*)`", page(name))
    assert command[1] == name
    return command[2].split()


def example_file(name):
    """Return the path of the source of the example."""
    (file,) = folder(name).glob("example.*")
    return file


def shown(name):
    """Return the reduction of the example, made without the command line."""
    words = options(name)
    numbers = zip(words[::2], words[1::2], strict=True)
    return reduce(name, example(name), **{key.strip("-"): int(value) for key, value in numbers})
