// The left side of % must be a string.
// exit: 2
// error: HERE:9: operator % is not defined for int and int: the remainder of ints is %%
int a = 7;
trace(a % 3); // here
