"""The commands: each module defines `command`. mmsat.cli.group lists the modules."""
