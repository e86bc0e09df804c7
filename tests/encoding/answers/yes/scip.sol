objective value:                                    0
peg1color2                                          1 	(obj:0)
peg2color1                                          1 	(obj:0)
color1least1                                        1 	(obj:0)
color2least1                                        1 	(obj:0)
