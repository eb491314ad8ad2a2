# one-trial.sh - read by the tests of the trial libraries, behind lib.sh: wick is on the PATH.
unset PYTHONPATH WICK_LIBRARY
mkdir bin
ln -s "$WICK" bin/wick
PATH=$T/bin:$PATH

# study NAME OPTION... -- COMMAND...: runs one trial, quietly; its output is in OUT.
study() {
    local name=$1
    shift
    check "$name runs" timeout 600 wick run --quiet --no-report --trials 1 -n 1 --keep all --dir "$name.wick" \
        --set x=0.25,0.5 "$@"
    OUT=$(wick show "$name.wick" 1 --log)
}
# steps NAME: prints the number of steps that its trial has reported.
steps() { wick show "$1.wick" 1 --json | grep -o '"step_count":[0-9]*' | cut -d : -f 2; }
