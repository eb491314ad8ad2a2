// Dots in the name of a module are folders.
// expect: trace: deep
// file: outer/inner/leaf.swift
//| say() { trace("deep"); }
import outer.inner.leaf;
say();
