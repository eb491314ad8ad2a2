#!/usr/bin/env bash
# Runs the files and commands of the tutorial in order, as a reader would type them.
. "$(dirname "$0")/lib.sh"
need python3

unpack_page tutorial.md

equals 'it has commands to try' "$(($(ls [0-9]*.sh | wc -l) >= 7))" 1
for block in [0-9]*.sh; do
    while IFS= read -r line; do
        check "$line" bash -c "$line"
    done <"$block"
done

count() { wick sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
equals 'the first search has its trials' "$(count train.wick 1=1)" 20
equals 'the study went on to 40' "$(count wave.wick "state = 'done'")" 40
equals 'the default point came first' "$(count wave.wick 'trial = 1 and learning_rate = 0.05 and units = 4')" 1
equals 'nothing forbidden was tried' "$(count wave.wick "optimizer = 'momentum' and units <= 2")" 0
equals 'momentum only where it belongs' "$(count wave.wick "(optimizer = 'sgd') <> (momentum is null)")" 0
equals 'some wild trials failed' "$(($(count wild.wick "state in ('failed', 'nan', 'no score')") > 0))" 1
equals 'the CSV has a row a trial' "$(wc -l <wave.csv)" 41
finish
