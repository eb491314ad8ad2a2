// Two empty literals of different types in one block do not disturb each other.
// expect: trace: 0,0,0
int a[] = [];
string b[] = [];
float c[string] = {};
trace(size(a), size(b), size(c));
