// A module of the library can be included as text.
// expect: included
#include <io.swift>
printf("included");
