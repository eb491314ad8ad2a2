// A mistake in a macro is reported where the macro is used.
// exit: 2
// error: HERE
#define TWICE(x) ((x) + (x))
int a = TWICE(true); // here
