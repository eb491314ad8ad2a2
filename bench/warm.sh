#!/usr/bin/env bash
# warm - how soon a PyTorch trial begins, with bench/warm.c.
set -u
. "$(dirname "$0")/measure.sh"
/usr/bin/python3 -c 'import torch' 2>/dev/null || skip "/usr/bin/python3 has no torch"
exec build/bench-warm
