// -D defines macros: with a value, and as 1 without.
// opts: -D SIZE=7 -DFLAG -D 'NAME="text"'
// expect: trace: 7,1,text
trace(SIZE, FLAG, NAME);
