"""Studies of the hardness of boards: measurements, a record that can be resumed, and findings."""
