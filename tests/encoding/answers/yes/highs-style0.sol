Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns 8
peg1color1 0
peg1color2 1
peg1color3 0
peg2color1 1
peg2color2 0
peg2color3 0
color1least1 1
color2least1 1
# Rows 8
peg1 1
peg2 1
color1_low 0
color1_high -1
color2_low 0
color2_high -1
row1_1 0
row1_2 2

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
