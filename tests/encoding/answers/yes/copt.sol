# Objective value 0
peg1color1    0
peg1color2    1
peg1color3    0
peg2color1    1
peg2color2    0
peg2color3    0
color1least1  1
color2least1  1
