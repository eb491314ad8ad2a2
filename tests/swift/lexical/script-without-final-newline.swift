// The last line of a script needs no newline.
// before: printf 'trace("end");' > short.swift
// script: none
// opts: short.swift
// expect: trace: end
trace("the script that runs is made by the line above");
