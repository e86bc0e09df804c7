"""An example of a plug-in for mmsat: a strategy, a scoring and a game."""
