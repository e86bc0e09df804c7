"""The writers of solver languages; mmsat.encoding.languages lists them by name."""
