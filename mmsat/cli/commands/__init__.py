"""One module a command, each with its `command`. They are listed in mmsat.cli.group."""
