// Literals have keys from 0; nested and empty ones are fine.
// expect: trace: 3,a,c
// expect: trace: 2,0,1
// expect: trace: 0,6
string a[] = ["a", "b", "c"];
int b[][] = [[], [1]];
trace(size(a), a[0], a[2]);
trace(size(b), size(b[0]), b[1][0]);
int c[] = [], d = [1, 2, 3][2] * 2;
trace(size(c), d);
