// A mistake in a module is reported with the module's name and line.
// exit: 2
// error: broken.swift:2:9: cannot assign to x
// file: broken.swift
//| int ok = 1;
//| int x = "a";
import broken;
trace(ok);
