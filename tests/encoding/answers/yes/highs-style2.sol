c Problem:    yes
c Rows:       9
c Columns:    8
c Non-zeros:  22
c Status:     INTEGER OPTIMAL
c Objective:  0 (MINimum)
c
s mip 9 8 o 0
i 1 1
i 2 1
i 3 0
i 4 -1
i 5 0
i 6 -1
i 7 0
i 8 2
i 9 0
j 1 0
j 2 1
j 3 0
j 4 1
j 5 0
j 6 0
j 7 1
j 8 1
e o f
