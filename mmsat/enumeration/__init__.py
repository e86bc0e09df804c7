"""The set of consistent codes: how many there are, which, and the one of a given rank."""
