#!/usr/bin/env bash
# Installs Wick into a temporary prefix and builds the examples there as a user does, with cc and
# the compilers of both MPIs, with the shared and the static library, and in C++.
#   BUILD=build SOURCE=. tests/mpi/library-install.sh openmpi mpich
set -u
here=$(cd "$(dirname "$0")" && pwd)
for program in cc pkg-config nm; do
    command -v $program >/dev/null || {
        echo "1..0 # skipped: $program is not installed"
        exit 77
    }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME COMMAND...
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        sed 's/^/# /' "$work/log"
        failed=1
    fi
}

prints() { # prints MPI PROGRAM RANKS NAME
    bash "$here/library-example" "$@"
}

check 'it installs' cmake --install "$BUILD" --prefix "$work/prefix"
mv "$work/prefix" "$work/moved" # where it was installed does not matter
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name wick.pc)")
export PKG_CONFIG_PATH
check 'pkg-config knows it' pkg-config --exists wick
read -ra flags <<<"$(pkg-config --cflags --libs wick)"
library=$(pkg-config --variable=libdir wick)
mkdir "$work/elsewhere"
cd "$work/elsewhere" || exit 1

check 'cc builds a program without MPI' cc "$SOURCE/examples/integrate.c" -o integrate "${flags[@]}"
check 'alone it says what to do' sh -c './integrate 2>&1 | grep "start the program with mpiexec"'
for mpi in "$@"; do
    check "it runs under $mpi" prints "$mpi" ./integrate 3 integrate
    compiler=$(command -v "mpicc.$mpi" || command -v mpicc)
    check "mpicc of $mpi builds a program with MPI" \
        "$compiler" "$SOURCE/examples/descent.c" -o "descent-$mpi" "${flags[@]}"
    check 'it runs' prints "$mpi" "./descent-$mpi" 4 descent
    check 'a static one' "$compiler" "$SOURCE/examples/descent.c" -o "static-$mpi" \
        "-I$work/moved/include" "$library/libwick.a" -lm -lpthread -ldl
    check 'it runs with the plug-in that is named' \
        env "WICK_MPI=$library/wick/wick-$mpi.so" bash "$here/library-example" "$mpi" \
        "./static-$mpi" 4 descent
done
# Each has its own folder for Open MPI: otherwise they would disturb each other when making it.
echo 'TMPDIR=$PWD/own.$PMI_RANK; export TMPDIR; mkdir -p "$TMPDIR"; exec "$@"' >own
[ $# = 2 ] || echo '# skipped: there is only one MPI: a program under the mpiexec of another'
[ $# -lt 2 ] || check 'under the mpiexec of another MPI it says so' \
    sh -c "bash '$here/run' mpich sh 2 own ./descent-openmpi 2>&1 | grep 'sees only this process'"

printf '#include <wick.h>\nint main() { struct wick *w; return wick_init(&w, nullptr) == 0; }\n' >plus.cc
command -v c++ >/dev/null || echo '# skipped: there is no c++: a program in C++'
! command -v c++ >/dev/null || check 'a C++ program can use it' \
    c++ -Wall -Wextra -Werror -pedantic plus.cc -o plus "${flags[@]}"
printf '#include <wick.h>\nint main(void) { return 0; }\n' >ninety.c
check 'so can one of C99' cc -std=c99 -Wall -Wextra -Werror -pedantic ninety.c -o ninety "${flags[@]}"
others() { ! nm "$@" | grep ' [TDBRVWC] ' | grep -v ' wick_'; }
check 'the shared library shows nothing else' others -D --defined-only "$library/libwick.so"
check 'nor does the static one' others --defined-only "$library/libwick.a"
exit $failed
