// #error stops the compile with its text.
// exit: 2
// error: HERE:1: #error this needs SIZE
#ifndef SIZE
#error this needs SIZE // here
#endif
