#!/usr/bin/env bash
# Runs the files and commands of docs/steer.md in order, as a reader would type them.
. "$(dirname "$0")/lib.sh"
need python3

unpack_page steer.md

has() { # whether a line of the page can run here
    case $1 in
    *line-r*) command -v Rscript >/dev/null && Rscript -e 'library(jsonlite)' >/dev/null 2>&1 ;;
    *climb-r*) command -v Rscript >/dev/null ;;
    esac
}

equals 'it has commands to try' "$(($(ls [0-9]*.sh | wc -l) >= 2))" 1
for block in [0-9]*.sh; do
    while IFS= read -r line; do
        has "$line" || { skip_part "R or its jsonlite is not installed: $line" && continue; }
        check "$line" timeout 600 bash -c "$line"
        case $line in
        'cat climb.wick'*) contains 'the best of the climb' "$OUT" '"best": [' ;;
        'cat climb-r.wick'*) contains 'the best of the climb in R' "$OUT" 'best score 0.0' ;;
        'cat line.wick'*) contains 'the best of the lines' "$OUT" '"params": {"x": ' ;;
        *'run climb.yaml'*) contains 'five generations of eight' "$OUT" '40 trials' ;;
        *'run shell.yaml'*) contains 'twenty trials by a shell' "$OUT" '20 trials' ;;
        *'run line-r.yaml'*) contains 'thirty trials by R' "$OUT" '30 trials' ;;
        *resume*) contains 'ten more' "$OUT" '50 trials, 10 of them in this run' ;;
        esac
    done <"$block"
done
finish
