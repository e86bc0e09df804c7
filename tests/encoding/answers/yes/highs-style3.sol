Problem:    yes
Rows:       9
Columns:    8 (8 integer, 8 binary)
Non-zeros:  22
Status:     INTEGER OPTIMAL
Objective:  0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 peg1                        1             1             = 
     2 peg2                        1             1             = 
     3 color1_low                  0             0               
     4 color1_high                -1                           0 
     5 color2_low                  0             0               
     6 color2_high                -1                           0 
     7 row1_1                      0             0             = 
     8 row1_2                      2             2             = 
     9 nothing                     0                             

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 peg1color1   *              0             0             1 
     2 peg1color2   *              1             0             1 
     3 peg1color3   *              0             0             1 
     4 peg2color1   *              1             0             1 
     5 peg2color2   *              0             0             1 
     6 peg2color3   *              0             0             1 
     7 color1least1 *              1             0             1 
     8 color2least1 *              1             0             1 

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
