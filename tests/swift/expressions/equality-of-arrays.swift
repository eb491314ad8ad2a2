// Arrays cannot be compared.
// exit: 2
// error: HERE:9: operator == is not defined for int[] and int[]
int a[] = [1];
trace(a == a); // here
