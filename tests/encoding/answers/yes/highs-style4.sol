Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns -4
peg1color2 1 1
peg2color1 1 3
color1least1 1 6
color2least1 1 7
