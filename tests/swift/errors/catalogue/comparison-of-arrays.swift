// A comparison of arrays.
// exit: 2
// error: HERE:9: operator == is not defined for int[] and int[]
int A[] = [1];
trace(A == A); // here
