// Lines with # in a module are no directives.
// expect: trace: 1
// warning: plain.swift:1
// file: plain.swift
//| #define say whisper
//| say() { trace(1); }
import plain;
say();
