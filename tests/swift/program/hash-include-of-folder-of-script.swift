// #include "..." looks beside the file that includes.
// before: mkdir -p sub && printf '#define WHAT "beside"\n' > sub/part.h && printf '#include "part.h"\ntrace(WHAT);\n' > sub/main.swift
// script: none
// opts: sub/main.swift
// expect: trace: beside
trace("the script that runs is made by the line above");
