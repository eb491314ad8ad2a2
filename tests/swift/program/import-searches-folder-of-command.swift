// Modules are found in the folder of the command, not in that of the script.
// before: printf 'import beside;\nsay();\n' > scripts/main.swift
// script: none
// opts: scripts/main.swift
// expect: trace: folder of the command
// file: beside.swift
//| say() { trace("folder of the command"); }
// file: scripts/beside.swift
//| say() { trace("folder of the script"); }
trace("the script that runs is made by the line above");
