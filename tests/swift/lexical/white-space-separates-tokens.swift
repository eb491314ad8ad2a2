// Blanks, tabs, form feeds, carriage returns and newlines only separate tokens.
// before: printf 'int\ta =\f1\r\n;\r\ntrace\n(\na\t)\f;\r\n' > spaces.swift
// script: none
// args:
// opts: spaces.swift
// expect: trace: 1
trace("the script that runs is made by the line above");
