// Their number is given at the end.
// exit: 2
// error: HERE
// error: THERE
// error: 2 mistakes in number-of-mistakes.swift
// stderr: any
int a = "a"; // here
int b = "b"; // there
