#!/usr/bin/env bash
# Runs the files and commands of docs/asktell.md in order, as a reader would type them.
. "$(dirname "$0")/lib.sh"
need python3

unpack_page asktell.md

equals 'it has commands to try' "$(($(ls [0-9]*.sh | wc -l) >= 2))" 1
for block in [0-9]*.sh; do
    while IFS= read -r line; do
        check "$line" timeout 600 bash -c "$line"
        case $line in
        printf*)
            contains 'the first answer has the trials' "$OUT" '{"trials":[{"id":1,"params":{"learning_rate":'
            contains 'the last has the best' "$OUT" '{"best":{"id":1,'
            ;;
        *loop.py) contains 'the loop in Python ends with the best' "$OUT" "'layers': 3" ;;
        *loop.sh) contains 'the loop in a shell as well' "$OUT" '"layers":4' ;;
        esac
    done <"$block"
done
equals 'the loop in Python had its trials' \
    "$(wick sql loop.wick --format csv "select count(*) from trials where state = 'done'" | tail -n 1 | tr -d '\r')" 60
check 'it goes on when it is started again' timeout 600 python3 loop.py
equals 'with as many more' \
    "$(wick sql loop.wick --format csv "select count(*) from trials where state = 'done'" | tail -n 1 | tr -d '\r')" 120
finish
