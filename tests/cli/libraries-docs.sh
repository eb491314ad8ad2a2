#!/usr/bin/env bash
# Runs the files and commands of docs/trial-library.md in order, as a reader would type them; each
# study has the steps that its model reported.
. "$(dirname "$0")/lib.sh"

unpack_page trial-library.md

# The page in the order of its blocks; scripts in a language that is not installed are left out.
equals 'it has commands to try' "$(ls [0-9]*.sh | wc -l)" 4
/usr/bin/python3 -c 'import torch' 2>/dev/null || { rm 01.sh && skip_part 'PyTorch is not installed'; }
command -v Rscript >/dev/null || { rm 02.sh && skip_part 'Rscript is not installed'; }
command -v cc >/dev/null || { rm $(grep -l '^cc ' [0-9]*.sh) && skip_part 'cc is not installed'; }
unset PYTHONPATH WICK_LIBRARY
for block in [0-9]*.sh; do
    while IFS= read -r line; do
        check "$line" timeout 600 bash -c "$line"
        case $line in
        'wick run'*)
            study=$(sed 's/.*--dir \([^ ]*\).*/\1/' <<<"$line")
            trials=$(sed 's/.*--trials \([^ ]*\).*/\1/' <<<"$line")
            equals "$study: every trial has a score" "$(wick sql "$study" --format csv \
                "select count(score) from trials where state in ('done', 'stopped')" |
                tail -n 1 | tr -d '\r')" "$trials"
            contains "$study: the steps are there" "$(wick show "$study" 1 --json)" '"step":20'
            ;;
        'wick show'*) contains 'the steps are shown' "$OUT" loss ;;
        cc*) ;;
        *)
            contains 'by itself it prints its steps' "$OUT" 'step 20  loss'
            contains 'and its result' "$OUT" $'\nloss: '
            ;;
        esac
    done <"$block"
done
finish
