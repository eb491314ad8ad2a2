// A module of the library is imported, not included.
// exit: 2
// error: HERE:10: cannot find io.swift
#include <io.swift> // here
printf("included");
