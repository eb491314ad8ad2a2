// The name of a module may be a string.
// expect: trace: named
// file: named.swift
//| say() { trace("named"); }
import "named";
say();
