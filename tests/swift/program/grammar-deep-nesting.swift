// Deep nesting is possible up to a limit that is reported.
// before: { printf 'trace('; printf '(%.0s' $(seq 150); printf 1; printf ')%.0s' $(seq 150); echo ');'; } > deep.swift
// before: { printf 'trace('; printf '(%.0s' $(seq 1000); printf 1; printf ')%.0s' $(seq 1000); echo ');'; } > deeper.swift
// script: none
// opts: deep.swift
// expect: trace: 1
// after: ! "$WICK" swift deeper.swift
trace("the script that runs is made by the line above");
