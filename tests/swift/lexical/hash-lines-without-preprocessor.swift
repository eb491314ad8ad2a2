// With -p, a line whose first character is # is skipped.
// opts: -p
// expect: trace: after
#include <nothing.swift>
# anything at all "
trace("after");
#
