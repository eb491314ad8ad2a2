// Int variables have no /.
// exit: 2
// error: HERE:9: operator / is not defined for int and int: use %/
int a = 4;
trace(a / 2); // here
