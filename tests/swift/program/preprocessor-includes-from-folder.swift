// #include <...> looks into the folders of -I.
// opts: -I parts
// expect: trace: found
// file: parts/inside.swift
//| (string o) inside() { o = "found"; }
#include <inside.swift>
trace(inside());
