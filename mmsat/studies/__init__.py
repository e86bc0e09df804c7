"""Studies of how hard boards are: measured, written down row by row, resumed, summed up."""
