% mmsat 2x2/12=0.2/11=?.0
peg(1..2).
color(1..2).
row(1). guess(1,1,1). guess(1,2,2). told(1,black,0). told(1,white,2).
row(2). guess(2,1,1). guess(2,2,1). told(2,white,0).
