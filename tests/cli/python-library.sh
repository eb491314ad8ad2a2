#!/usr/bin/env bash
# The trial library for Python, with a stand-in for Wick: tests/python.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3 # the one that sees Debian's NumPy and PyTorch
[ -x $python ] || python=$(command -v python3) || skip 'python3 is not installed'
export PYTHONDONTWRITEBYTECODE=1

for test in "$SOURCE"/tests/python/test_*.py; do
    check "$(basename "$test")" timeout 800 "$python" "$test"
    contains 'its tests ran' "$ERR" $'\nRan '
    case $ERR in *skipped=*) skip_part "NumPy or PyTorch is not installed: $(tail -n 1 <<<"$ERR")" ;; esac
done
finish
