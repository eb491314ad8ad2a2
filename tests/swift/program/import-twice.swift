// A module is loaded once, however often it is imported.
// expect: loaded
// expect: trace: 2
// file: once.swift
//| import io;
//| printf("loaded");
//| (int o) two() { o = 2; }
import once;
import once;
import "once";
trace(two());
