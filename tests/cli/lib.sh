# lib.sh - helpers for tests of what a user types and sees. A test is a script tests/cli/NAME.sh:
#
#     . "$(dirname "$0")/lib.sh"
#
#     check 'a study runs' "$WICK" run --trials 3 --function sphere --set x=0..1 --dir "$T/a"
#     contains 'it says what is best' "$OUT" 'best'
#     refuse 2 'a wrong option' "did you mean '--trials'" "$WICK" run --trails 3
#     equals 'three trials are listed' "$("$WICK" list "$T/a" | wc -l)" 3
#     finish
#
# Each check prints one line, "ok" or "not ok"; finish prints the count and sets the exit code.
#
#   check NAME COMMAND...              COMMAND must exit with 0
#   refuse CODE NAME TEXT COMMAND...   it must exit with CODE, and its output must contain TEXT
#   equals NAME GOT EXPECTED           both texts are the same
#   contains NAME TEXT PART            TEXT contains PART (no patterns)
#   lacks NAME TEXT PART               TEXT does not contain PART
#   skip REASON                        ends the test; ctest shows it as skipped
#   skip_part REASON                   says that the following checks are left out
#   need PROGRAM...                    skips the test if one of them is not installed
#   mpis_here                          prints the MPIs to try: openmpi, mpich
#   mpis_installed                     prints all that are installed, whatever MPIS says
#   mpirun_of MPI RANKS OPTION...      prints the command that starts RANKS ranks; has a time limit
#   recovers MPI                       true if its mpirun can keep a job alive after a rank died
#   side_by_side COMMAND...            runs commands of one word or more at the same time and counts
#                                      their checks; each has its own $T and $MARK
#   wait_until COMMAND...              waits until COMMAND succeeds; for use with check
#   await COMMAND...                   the same; if it never succeeds, the test ends as failed
#   records DIR                        prints the records of a study's journal without their checksums
#   unseal JOURNAL...                  turns journals into version 1, whose records have no checksums,
#                                      so that they can be edited
#   finish                             the last line of every test
#
# check and refuse leave what COMMAND wrote in $OUT and $ERR. $T is a new folder in which the test
# starts; it is removed at the end. CMake sets WICK (the program), BUILD (the build folder), SOURCE
# (the clone) and SANITIZE (the sanitizers of this build, or nothing).
#
# A test never depends on the speed of the machine: it waits for the event itself, and the limit of
# three minutes only ends a test that hangs. $MARK is a word that no other process has: put it into
# the command line of what must be found with pgrep -f.
#
# KILLS is the number of kills in a test of sudden deaths; MPIS names the MPIs to try ("openmpi
# mpich" if it is not set). `make verify` kills more often and tries both.
set -u
SOURCE=${SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
BUILD=${BUILD:-$SOURCE/build}
WICK=$(realpath "${WICK:-$BUILD/wick}")
SANITIZE=${SANITIZE:-}
KILLS=${KILLS:-20}
MPIS=${MPIS:-openmpi mpich}
OUT= ERR=
passed=0 failed=0

T=$(mktemp -d) || exit 1
# A test that ends early leaves no study behind that would wait for it forever.
clean_up() {
    local job
    for job in $(jobs -p); do # a function in the background is a shell, and the study its child
        pkill -TERM -P "$job"
        kill "$job" 2>/dev/null
    done
    cd / && rm -rf "$T"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
MARK=mark-${T##*/}
cd "$T" || exit 1

# verdict HOLDS(0: yes) NAME [DETAIL]: counts a check and prints its line.
verdict() {
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok $((passed + failed)) - $2"
    else
        failed=$((failed + 1))
        echo "not ok $((passed + failed)) - $2"
        [ -z "${3-}" ] || printf '%s\n' "$3" | head -n 40 | sed 's/^/#   /'
    fi
}

# Runs a command with empty standard input; fills OUT and ERR and returns its exit code.
capture() {
    local code=0
    "$@" >"$T/.out" 2>"$T/.err" </dev/null || code=$?
    { OUT=$(<"$T/.out") ERR=$(<"$T/.err"); } 2>/dev/null # bash leaves zeros out, and says so
    return "$code"
}

check() {
    local name=$1 code=0
    shift
    capture "$@" || code=$?
    verdict "$code" "$name" "$* ended with code $code
$OUT
$ERR"
}

refuse() {
    local expected=$1 name=$2 text=$3 code=0 holds=1
    shift 3
    capture "$@" || code=$?
    [ "$code" = "$expected" ] && [[ "$OUT$ERR" == *"$text"* ]] && holds=0
    verdict $holds "$name" "$* ended with code $code; expected was $expected and: $text
$OUT
$ERR"
}

equals() {
    local holds=1
    [ "$2" = "$3" ] && holds=0
    verdict $holds "$1" "got:      $2
expected: $3"
}

contains() {
    local holds=1
    [[ "$2" == *"$3"* ]] && holds=0
    verdict $holds "$1" "expected: $3
in:       $2"
}

lacks() {
    local holds=1
    [[ "$2" == *"$3"* ]] || holds=0
    verdict $holds "$1" "not expected: $3
in:           $2"
}

wait_until() {
    local end=$((SECONDS + 180))
    until "$@"; do
        if [ $SECONDS -ge $end ]; then
            echo "gave up after three minutes waiting for: $*" >&2
            return 1
        fi
        sleep 0.05
    done
}

await() {
    wait_until "$@" && return
    verdict 1 "waiting for: $*"
    finish
}

# ---- pages of the docs ----

# Goes to a folder that has what a reader of the page has: wick on the PATH, each block that begins
# with "# file: NAME" or "// file: NAME" as that file, and each ```sh block as N.sh. A ```text block
# behind that is what N.sh prints: N.text, or N.unordered if the lines may come in any order.
unpack_page() {
    mkdir bin work
    ln -s "$WICK" bin/wick
    PATH=$T/bin:$PATH
    cd work || exit 1
    awk '
        /^```$/ && inside { inside = 0; close(out); next }
        /^```sh$/ { inside = 1; out = sprintf("%02d.sh", ++n); next }
        /^```text( unordered)?$/ { inside = 1; out = sprintf("%02d.%s", n, $2 ? $2 : "text"); next }
        /^```(python|yaml|bash|r|c|swift)$/ { inside = 1; out = ""; next }
        inside && out == "" { out = $3; next }
        inside { print >out }
    ' "$SOURCE/docs/$1"
}

# ---- MPI ----

# Open MPI refuses to run as root without the first two. All ranks are on this machine, so they need
# none of its other networks, which may change during a test.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
# MPI itself keeps memory until the process ends; the sanitizers check Wick's memory.
if [ -n "$SANITIZE" ]; then
    export LSAN_OPTIONS="suppressions=$SOURCE/tests/mpi/leaks.supp:print_suppressions=0"
    export ASAN_OPTIONS="fast_unwind_on_malloc=0" TSAN_OPTIONS="ignore_noninstrumented_modules=1"
    export UCX_MEM_EVENTS=n # it rewrites malloc, which sanitizers do as well
fi

mpis_here() {
    local mpi
    for mpi in $MPIS; do
        [ -e "$BUILD/lib/wick/wick-$mpi.so" ] && command -v "mpirun.$mpi" >/dev/null && echo $mpi
    done
}

mpis_installed() { MPIS='openmpi mpich' mpis_here; }

recovers() { [ "$1" = openmpi ] && mpirun.openmpi --version | grep -q '^[^ ]* (OpenRTE) 4'; }

# If its ranks are quick, MPICH's mpirun passes the end of its input on to a process that has
# already ended, and dies of SIGPIPE: here its input stays open and empty.
mpirun_of() {
    local mpi=$1 ranks=$2 launcher="mpirun.$1 --oversubscribe"
    shift 2
    if [ "$mpi" = mpich ]; then
        launcher="sh $T/.mpirun.mpich"
        [ -p "$T/.silence" ] || mkfifo "$T/.silence"
        echo 'exec mpirun.mpich "$@" <>'"'$T/.silence'" >"$T/.mpirun.mpich"
    fi
    echo timeout -k 5 300 $launcher "$@" -n "$ranks"
}

side_by_side() {
    local command line number=0 processes=()
    for command; do
        number=$((number + 1))
        (
            T=$T/$number MARK=$MARK-$number
            mkdir "$T" && cd "$T" || exit
            export TMPDIR=$T # Open MPI makes folders there; jobs that share them can meet
            passed=0 failed=0
            trap 'kill $(jobs -p) 2>/dev/null' EXIT
            $command
            exit 0
        ) >"$T/.side$number" 2>&1 &
        processes+=($!)
    done
    number=0
    for command; do
        number=$((number + 1))
        wait "${processes[number - 1]}" || echo "not ok - $command comes to its end" >>"$T/.side$number"
        while IFS= read -r line; do
            case $line in
            'ok '*) verdict 0 "${line#* - }" ;;
            'not ok '*) verdict 1 "${line#* - }" ;;
            1..*) ;;
            *) echo "$line" ;;
            esac
        done <"$T/.side$number"
        rm -rf "${T:?}/$number"
    done
}

skip() {
    echo "1..0 # skipped: $1"
    exit 77
}

# A test that is partly skipped passes; tools/test shows this line, too.
skip_part() { echo "# skipped: $1"; }

need() {
    local program
    for program; do
        command -v "$program" >/dev/null || skip "$program is not installed"
    done
}

records() { sed 's/,"seq":[0-9]*,"sum":"[0-9a-f]*"}$/}/' "$1/journal"; }
unseal() {
    sed -i 's/,"seq":[0-9]*,"sum":"[0-9a-f]*"}$/}/; 1s/{"wick":2,/{"wick":1,/; 1s/"key":"[0-9a-f]*",//' "$@"
}

finish() {
    echo "1..$((passed + failed))"
    [ "$failed" = 0 ] || echo "# $failed of $((passed + failed)) failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
    exit
}
