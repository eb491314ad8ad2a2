#!/usr/bin/env bash
# A program that asha has paused continues from its checkpoint if it is among the best after all.
. "$(dirname "$0")/lib.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || skip 'python3 is not installed'

# The third best of five at the first rung: as one of two continues, the second trial is due then.
cat >train.py <<'END'
import os, time
import wick

path = os.path.join(os.environ["WICK_CHECKPOINT"], "epoch")
keeps = os.environ.get("KEEPS") != "no"
first = 1
if os.path.exists(path):
    with open(path) as f:
        first = int(f.read()) + 1
print("begins with epoch", first)
level = [5, 7, 6, 9, 8][int(os.environ["WICK_TRIAL"]) - 1]
for epoch in range(first, 9):
    if keeps:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as f:
            f.write(str(epoch))
        os.rename(path + ".new", path)
    wick.report(epoch, score=level - 0.1 * epoch)
    end = time.monotonic() + 100
    while epoch == 1 and level > 6 and time.monotonic() < end: # it is told to stop here
        if wick.should_stop():
            break
        time.sleep(0.01)
    if wick.should_stop():
        break
wick.result(score=level - 0.1 * epoch)
END
cat >study.yaml <<END
model: {command: $python -S train.py}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 5, stop: {asha: {reduction: 2, to: 8}}}
keep: all
END
check 'programs that are paused' "$WICK" run study.yaml --dir a -n 1 --quiet --no-report
contains 'the third best of five has gone on' "$("$WICK" show a 2 --json)" '"tries":2'
contains 'from its checkpoint' "$("$WICK" show a 2)" 'begins with epoch 2'
equals 'each of its steps is there once' "$("$WICK" show a 2 --json | grep -o '"step":[0-9]*' |
    sort | uniq -d | wc -l)" 0
contains 'the fourth best waits' "$("$WICK" show a 5)" 'paused'
equals 'its checkpoint is kept' "$(cat a/checkpoints/5/epoch)" 1
equals 'nobody counts twice' "$("$WICK" list a --json | grep -o '"trial":' | wc -l)" 5
check 'without checkpoints' env KEEPS=no "$WICK" run study.yaml --dir b -n 1 --quiet --no-report
lacks 'nobody goes on' "$(cat b/journal)" '"try":2'
lacks 'nor is paused' "$(cat b/journal)" 'paused'
finish
