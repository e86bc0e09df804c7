"""The writers of solvers' languages; mmsat.encoding.languages has them by name."""
