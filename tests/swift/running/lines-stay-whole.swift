// Lines of different workers do not mix.
// ranks: 5
// contains: trace: abcdefghijklmnopqrstuvwxyz,1,abcdefghijklmnopqrstuvwxyz
// contains: trace: abcdefghijklmnopqrstuvwxyz,500,abcdefghijklmnopqrstuvwxyz
// after: "$WICK" swift -n 5 lines-stay-whole.swift | awk '!/^trace: abcdefghijklmnopqrstuvwxyz,[0-9]+,abcdefghijklmnopqrstuvwxyz$/ { bad = 1 } END { exit bad || NR != 500 }'
string s = "abcdefghijklmnopqrstuvwxyz";
foreach i in [1:500] { trace(s, i, s); }
