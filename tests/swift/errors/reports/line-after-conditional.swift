// Lines count as in the file, whatever the preprocessor leaves out.
// exit: 2
// error: HERE:7: variable x is not declared
#if 0
several
lines
#endif
#define LONG \
  1
trace(x); // here
