// A module may import others, also in a circle.
// expect: trace: a,b
// file: left.swift
//| import right;
//| (string o) a() { o = "a"; }
//| (string o) both() { o = a() + "," + b(); }
// file: right.swift
//| import left;
//| (string o) b() { o = "b"; }
import left;
trace(both());
