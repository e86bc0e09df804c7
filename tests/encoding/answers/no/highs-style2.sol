c Problem:    no
c Rows:       11
c Columns:    8
c Non-zeros:  26
c Status:     INTEGER EMPTY
c Objective:  0 (MINimum)
c
s mip 11 8 n 0
