// Functions, types, variables and statements of a module are part of the program.
// expect: trace: hello from the module
// expect: trace: 6,7,seven
// file: shapes.swift
//| type shape { int sides; string name; }
//| global const int SIDES = 7;
//| int corners = SIDES - 1;
//| (shape o) make(string name) { o = shape(SIDES, name); }
//| trace("hello from the module");
import shapes;
shape s = make("seven");
trace(corners, s.sides, s.name);
