Optimal - objective value 0.00000000
      0 peg1color1                 0                       0
      1 peg1color2                 1                       0
      2 peg1color3                 0                       0
      3 peg2color1                 1                       0
      4 peg2color2                 0                       0
      5 peg2color3                 0                       0
      6 color1least1               1                       0
      7 color2least1               1                       0
