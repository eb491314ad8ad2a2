# sections.sh - what tools/test and tools/verify share: sections, builds, runs of ctest, and the
# summary at the end. Read with `. tools/sections.sh` in the root of the clone.
#
#   section NAME COMMAND...         runs it under a heading; a failure ends the script with code 1
#   optional PROGRAM NAME COMMAND...  the same, or prints a line if PROGRAM is not installed
#   build PRESET                    prints only what goes wrong
#   run_tests PRESET [OPTION...]    runs ctest with the options; counts passed and skipped tests
#   finish CODE                     prints skipped tests, the slowest tests, minutes and counts
#   first_mpi                       prints the MPI to use where one is enough
#
# With NO_SKIP=1 in the environment, a skipped test is a failure.
jobs=$(nproc)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
: >"$work/skipped" >"$work/times"

finish() {
    local code=$1
    if [ -s "$work/skipped" ]; then
        printf '\nSkipped:\n'
        cat "$work/skipped"
        if [ -n "${NO_SKIP-}" ]; then
            echo '*** failed: NO_SKIP is set, and tests were skipped'
            code=1
        fi
    fi
    if [ -s "$work/times" ]; then
        printf '\nThe slowest tests, in seconds:\n'
        sort -rn "$work/times" | head -n 10
    fi
    printf '\n%d min %d s\n' $((SECONDS / 60)) $((SECONDS % 60))
    echo "$passed passed, $failed failed"
    exit "$code"
}

section() {
    local start=$SECONDS
    printf '\n=== %s\n' "$1"
    if ! "${@:2}"; then
        printf '\n*** failed: %s\n' "$1"
        [ "$failed" -gt 0 ] || failed=1
        finish 1
    fi
    echo "--- $1: $((SECONDS - start)) s"
}

optional() {
    if command -v "$1" >/dev/null; then
        section "${@:2}"
    else
        echo "  $2: $1 is not installed" >>"$work/skipped"
    fi
}

build() {
    cmake --preset "$1" >"$work/configure" 2>&1 || { cat "$work/configure"; return 1; }
    cmake --build --preset "$1" -j "$jobs" >"$work/build" 2>&1 ||
        { grep -v '^\[[0-9/]*\] \(Building\|Linking\)' "$work/build"; return 1; }
}

first_mpi() { [ -e build/lib/wick/wick-openmpi.so ] && echo openmpi || echo mpich; }

# note_skips NAME FILE: collects the lines "# skipped: REASON", each under the last heading of ctest
# or bench/run, or else under NAME.
note_skips() {
    awk -v name="$1" '/^[0-9]+\/[0-9]+ Testing: / { name = $3 }
        /^== / { name = $2 }
        sub(/^(1\.\.0 )?# skipped: /, "") { print "  " name ": " $0 }' "$2" >>"$work/skipped"
}

# The memory maps of the sanitizers collide with the random addresses that newer kernels choose.
no_random_addresses=
setarch -R true 2>/dev/null && no_random_addresses="setarch -R"

run_tests() {
    local code=0 bad all skips folder log
    $no_random_addresses ctest --preset "$1" -j "$jobs" --no-tests=error "${@:2}" 2>&1 |
        tee "$work/ctest" || code=1
    # "98% tests passed, 1 tests failed out of 50"
    read -r bad all < <(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$work/ctest")
    skips=$(grep -c '\*\*\*Skipped' "$work/ctest")
    failed=$((failed + ${bad:-1}))
    passed=$((passed + ${all:-0} - ${bad:-0} - skips))
    # "12/99 Test  #3: unit/base/json ......   Passed    0.02 sec"
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*/\2  \1 ('"$1"')/p' \
        "$work/ctest" >>"$work/times"
    folder=build
    [ "$1" = release ] || folder=build-$1
    log=$folder/Testing/Temporary/LastTest.log # what each test printed
    note_skips "$1" "$log"
    [ "$skips" -le "$(grep -c '^1\.\.0 # skipped: ' "$log")" ] ||
        echo "  $1: a test was skipped and did not say why" >>"$work/skipped"
    return $code
}
