#!/usr/bin/env bash
# Every room is a library of its own, and the linker takes the first definition of a name that it
# comes by: a function of the same name in two rooms would silently stand in for the other.
. "$(dirname "$0")/lib.sh"
need nm

# libwick.a is made of rooms.
names() {
    find "$BUILD" -maxdepth 1 -name 'lib*.a' ! -name libwick.a -print0 |
        xargs -0 nm --defined-only --extern-only 2>/dev/null | awk 'NF == 3 && $2 ~ /^[TDBR]$/ {print $3}'
}
equals 'names are found' "$(names | grep -cx err_set)" 1
equals 'no two rooms have the same name' "$(names | sort | uniq -d)" ''
finish
