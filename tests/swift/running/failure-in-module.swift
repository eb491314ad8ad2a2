// In a module, it names the module.
// exit: 1
// error: tools.swift:3: Assertion failed!: inside
// file: tools.swift
//| import assert;
//| check() {
//|   assert(false, "inside");
//| }
import tools;
check();
