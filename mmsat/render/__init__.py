"""Output for people: boards and tables as lines of styled spans, for terminals and pipes."""
