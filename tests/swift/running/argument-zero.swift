// argp(0) is the name of the program.
// expect: trace: argument-zero.swift
import sys;
trace(argp(0));
