#!/usr/bin/env bash
# A full disk: a trial that fills it fails; a journal that cannot grow stops the study, and stays whole.
. "$(dirname "$0")/lib.sh"

if [ -z "${IN_NAMESPACE:-}" ]; then
    [ "$(id -u)" = 0 ] && flags=-m || flags=-rm
    need unshare mount
    unshare $flags true 2>/dev/null || skip 'no right to make mount namespaces'
    IN_NAMESPACE=1 exec unshare $flags bash "$SOURCE/tests/cli/disk.sh"
fi
mkdir small && mount -t tmpfs -o size=8m tmpfs small || skip 'no right to mount a tmpfs'
head -c 6000000 /dev/zero >small/filler # what somebody else keeps there

capture "$WICK" run --quiet --dir d --set x=1..9 --trials 3 -n 1 --pass none --folder small -- \
    bash -c 'head -c 10000000 /dev/zero >big || { rm -f big; exit 7; }; echo score: 1'
equals 'trials that fill the disk failed, and the study went on' \
    "$("$WICK" sql d --format csv 'select group_concat(state) from trials' | tail -n 1 | tr -d '"\r')" \
    'failed,failed,failed'
contains 'the log says why' "$("$WICK" show d 1)" 'No space left on device'

refuse 1 'the journal cannot grow' 'No space left on device' "$WICK" run --quiet --no-report --dir small/d \
    --function noop --algorithm random --trials 1000000
check 'what was written is whole' "$WICK" status small/d
contains 'the status says why it ended' "$OUT" \
    'broken: cannot write small/d/journal: No space left on device; `wick resume small/d` continues it'
N=$("$WICK" sql small/d --format csv "select count(*) from trials where state = 'done'" | tail -n 1 | tr -d '\r')
equals 'and there is some' "$((N > 100))" 1
rm small/filler
check 'with room again it goes on' "$WICK" resume small/d --quiet --trials $((N + 2000))
contains 'and the status forgets it' "$("$WICK" status small/d)" 'state     done'
equals 'to its end' "$("$WICK" sql small/d --format csv \
    "select count(*) from trials where state = 'done'" | tail -n 1 | tr -d '\r')" $((N + 2000))
umount small
finish
