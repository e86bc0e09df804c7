"""Logging to standard error."""

LEVELS = ("debug", "info", "warning", "error")
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_to_stderr(level: str | None = None) -> None:
    """Write the log of mmsat to standard error, from `level` upwards; by default, from warning."""
    import logging

    logging.basicConfig(format=FORMAT)
    if level is not None:
        logging.getLogger("mmsat").setLevel(level.upper())
