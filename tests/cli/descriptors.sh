#!/usr/bin/env bash
# Too few descriptors: a command says so and ends with 1, or does its work; nothing is lost.
. "$(dirname "$0")/lib.sh"

cat >train.sh <<'END'
echo "score: $2"
END
points='{"ask": 1}
{"tell": {"id": 1, "score": 0.5}}'
"$WICK" run --set x=0..1.0 --trials 1 -n 1 --dir done --quiet --no-report -- sh train.sh

# try LIMIT COMMAND...: what goes wrong in a way that it should not. 127: the loader of programs fails.
try() {
    local limit=$1 code=0
    shift
    (
        exec >out 2>err <<<"$points"
        ulimit -n "$limit"
        exec "$WICK" "$@"
    ) || code=$?
    case $code in
    0) ;;
    1) grep -q '^wick: .' err || echo "$limit descriptors: no message" ;;
    127) grep -q 'loading shared libraries' err || echo "$limit descriptors: code $code" ;;
    *) echo "$limit descriptors: code $code: $(tail -n 1 err)" ;;
    esac
    [ $code != 0 ] || worked=$((worked + 1))
}

# sweep NAME PREPARE COMMAND...
sweep() {
    local name=$1 prepare=$2 limit worked=0
    shift 2
    for limit in {3..40}; do
        rm -rf s.wick
        $prepare
        try "$limit" "$@"
    done >problems 2>&1
    equals "$name: a message and the right code" "$(cat problems)" ''
    equals "$name: enough descriptors are enough" "$((worked > 0))" 1
}
copy() { cp -r done s.wick; }
half() { copy && head -n 3 done/journal >s.wick/journal; }

sweep run true run --set x=0..1.0 --trials 1 -n 1 --dir s.wick --quiet --no-report -- sh train.sh
sweep resume half resume s.wick --quiet --no-report
equals 'the resumed study is complete' "$("$WICK" list s.wick --state done | grep -c '^ *1 ')" 1
sweep asktell true asktell --set x=0..1.0 --trials 1 --dir s.wick
sweep status copy status s.wick
sweep report copy report s.wick -o page.html
finish
