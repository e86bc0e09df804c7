"""The commands: `NAME_command` in the module of the command, which mmsat.cli.group finds."""
