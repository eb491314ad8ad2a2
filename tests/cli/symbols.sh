#!/usr/bin/env bash
# Every room is a separate library, and the linker takes the first definition of a name that it
# finds: a function of the same name in two rooms would silently replace the other. There are few
# variables that outlive a call and can change; they are listed here by name.
. "$(dirname "$0")/lib.sh"
need nm objdump

# libwick.a consists of rooms.
libraries() { find "$BUILD" -maxdepth 1 -name 'lib*.a' ! -name libwick.a -print0; }
names() {
    libraries | xargs -0 nm --defined-only --extern-only 2>/dev/null |
        awk 'NF == 3 && $2 ~ /^[TDBR]$/ {print $3}'
}
equals 'names are found' "$(names | grep -cx err_set)" 1
equals 'no two rooms have the same name' "$(names | sort | uniq -d)" ''

# Those of the program, the MPI plug-ins and the C library, without those of the C compiler and libc.
variables() {
    objdump -t "$BUILD/wick" "$BUILD"/lib/wick/wick-{openmpi,mpich}.so "$BUILD/libwick.a" 2>/dev/null |
        awk '/ O / && $(NF - 2) ~ /^\.t?(bss|data)(\.|$)/ && $(NF - 2) !~ /\.ro/ {print $NF}' |
        sed '/^completed\.0$/d; /^__/d; /@/d; s/\.[0-9]*$//' | sort -u
}
if [ -z "$SANITIZE" ]; then
    # lapack: the library, loaded once; last_code: for a signal handler; the_wick: MPI starts once;
    # unfinished: a temporary file to remove if memory runs out;
    # wick_state_: state of the trial library in C, which `wick trial` uses as any program does.
    equals 'variables that can change' "$(variables | tr '\n' ' ')" 'lapack last_code the_wick unfinished wick_state_ '
fi
finish
