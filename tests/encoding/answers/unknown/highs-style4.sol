Model status
Time limit reached

# Primal solution values
None

# Dual solution values
None
