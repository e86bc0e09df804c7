c Problem:    yes
c Rows:       9
c Columns:    8
c Non-zeros:  22
c Status:     UNDEFINED
c Objective:  0 (MINimum)
c
s mip 9 8 u 0
