"""What a server allows strangers: bytes, time, memory and places in the queue."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The bounds of a server. Times are in seconds, memory is in bytes."""

    workers: int = os.cpu_count() or 1
    """How many questions are worked on at once in each lane."""
    patience: float = 0.3
    """How long a question has in the quick lane before it goes to the slow one."""
    seconds: float = 60.0
    """How long a question may take in all; the library is told, so that it says what it knows."""
    grace: float = 2.0
    """How much later a worker that did not end by itself is ended."""
    memory: int = 1 << 31
    """What each process of a worker may take."""
    body: int = 1 << 18
    """The bytes of a request, of its body and of its address alike."""
    reading: float = 5.0
    """How long a client may take to send a body."""
    waiting: int = 64
    """How many questions of one client may wait or run at once."""
    crowd: int = 4096
    """How many questions of all clients may."""
