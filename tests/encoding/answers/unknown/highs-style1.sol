Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1                            Integer     peg1color1
        1                   0            1                            Integer     peg1color2
        2                   0            1                            Integer     peg1color3
        3                   0            1                            Integer     peg2color1
        4                   0            1                            Integer     peg2color2
        5                   0            1                            Integer     peg2color3
        6                   0            1                            Integer     color1least1
        7                   0            1                            Integer     color2least1
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   1            1                            peg1
        1                   1            1                            peg2
        2                   0          inf                            color1_low
        3                -inf            0                            color1_high
        4                   0          inf                            color2_low
        5                -inf            0                            color2_high
        6                   0            0                            row1_1
        7                   2            2                            row1_2

Model status: Time limit reached

Objective value: inf
