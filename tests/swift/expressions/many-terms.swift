// A long expression is no problem.
// before: { printf 'trace(0'; printf ' + %d' $(seq 400); echo ');'; } > long.swift
// script: none
// opts: long.swift
// expect: trace: 80200
trace("the script that runs is made by the line above");
