Problem:    yes
Rows:       9
Columns:    8 (8 integer, 8 binary)
Non-zeros:  22
Status:     UNDEFINED
Objective:  0 (MINimum)

