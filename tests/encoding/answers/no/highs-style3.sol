Problem:    no
Rows:       11
Columns:    8 (8 integer, 8 binary)
Non-zeros:  26
Status:     INTEGER EMPTY
Objective:  0 (MINimum)

