#!/usr/bin/env bash
# A damaged journal: every command reads what is whole and says what is not; check names the place,
# and repair, resume and the jobs of a chain mend it.
. "$(dirname "$0")/lib.sh"

check 'a study' "$WICK" run --quiet --no-report --function branin --trials 12 --algorithm random \
    --seed 3 --dir whole -n 1
list() {
    "$WICK" list "$1" --json 2>/dev/null |
        sed -n 's/^{\("trial":[0-9]*,"state":"[a-z]*","score":[^,]*\),.*\("params":{[^}]*}\).*/\1 \2/p'
}

# damage DIR COMMAND...: a copy of the study whose journal has gone through a filter.
damage() {
    rm -rf "$1"
    cp -r whole "$1"
    "${@:2}" <whole/journal >"$1/journal"
}
# Of line N, the byte that is N bytes before its end becomes an X.
hurt_line() { awk -v n="$1" 'NR == n { $0 = substr($0, 1, length($0) - 50) "X" substr($0, length($0) - 48) } 1'; }
without_line() { sed "$1d"; }
with_empty_line() { cat && echo; }
with_returns() { sed 's/$/\r/'; }
zeros_at() { # OFFSET LENGTH
    cat >zeros.part
    dd if=/dev/zero of=zeros.part bs=1 seek="$1" count="$2" conv=notrunc 2>/dev/null
    cat zeros.part
}

# ---- check ----

check 'check: a journal that is whole' "$WICK" check whole
equals 'it says so' "$OUT" "whole/journal: $(wc -l <whole/journal) records, all whole"
line=$(grep -n '^{"end":5,' whole/journal | cut -d: -f1)
damage end hurt_line "$line"
refuse 1 'check: the end of a trial is damaged' 'end/journal: 1 damaged place, and 1 record is missing' \
    "$WICK" check end
contains 'with its place, and what it was' "$OUT" "line $line, byte "
contains 'and its number' "$OUT" "(it starts as {\"end\":5), record $line is missing"
contains 'the trial runs again' "$OUT" 'This trial runs again: 5'
contains 'with advice' "$OUT" '`wick repair end` mends it, and so does `wick resume end` before it continues'
damage removed without_line "$line"
refuse 1 'check: a record was removed' "line $line, byte " "$WICK" check removed
contains 'it says so' "$OUT" "something is missing before this place, record $line is missing"
damage zeros zeros_at 1000 700
refuse 1 'check: zeros in the middle' ', records ' "$WICK" check zeros
damage cut zeros_at 1000 99999
head -c "$(stat -c %s whole/journal)" cut/journal >cut.part && cp cut.part cut/journal
refuse 1 'check: zeros to the end' ' at the end of the file: whatever was recorded there is lost' "$WICK" check cut
check 'it can be mended' "$WICK" repair cut
check 'and is whole' "$WICK" check cut
contains 'but nobody knows what was lost' "$OUT" 'nobody knows how many records were lost before that'
check 'it goes on' "$WICK" resume cut --quiet --no-report
equals 'to the same results' "$(list cut)" "$(list whole)"
damage double sed 7p
refuse 1 'check: a record is there twice' 'line 8, byte ' "$WICK" check double
damage apart sed '7{p;s/.*//}'
refuse 1 'check: an empty line' 'line 8, byte ' "$WICK" check apart
for filter in with_empty_line with_returns 'sed 7p' 'hurt_line 1'; do
    # shellcheck disable=SC2086
    damage harmless $filter
    check "repair after '$filter'" "$WICK" repair harmless
    check 'the journal is whole' "$WICK" check harmless
    contains 'and nothing was lost' "$OUT" 'It has been mended; nothing was lost'
done
head -c -30 whole/journal >torn.part
mkdir torn && cp torn.part torn/journal
check 'check: a torn end is no damage' "$WICK" check torn
contains 'but it is named' "$OUT" 'bytes are the start of a record that a killed run left: it does not count'

cp -r whole twice && cat whole/journal whole/journal >twice/journal
refuse 1 'check: all of it is there twice' "$(wc -l <whole/journal) damaged places" "$WICK" check twice
check 'a parameter named sum' "$WICK" run --quiet --no-report --function branin --set x1=0..1.0 --set x2=0..1.0 \
    --set sum=mean,max,other --trials 9 --algorithm random --seed 3 --dir sum -n 1
sed -i '/^{"end":3,/s/time/tine/' sum/journal
refuse 1 'check: it is not taken for a checksum' 'sum/journal: 1 damaged place, and 1 record is missing' "$WICK" check sum
check 'another run of the same study' "$WICK" run --quiet --no-report --function branin --trials 12 --algorithm random \
    --seed 4 --dir other -n 1
damage foreign hurt_line "$line"
cp other/study.yaml foreign/
refuse 1 'check: the copy of the study is that of another run' \
    'foreign/journal: 1 damaged place, and 1 record is missing' "$WICK" check foreign
damage version sed '1s/"wick":2/"wick":3/'
refuse 1 'check: the version in the head is damaged' 'the head is damaged, but study.yaml has what it said' \
    "$WICK" check version
equals 'no trial is lost' "$(list version)" "$(list whole)"
rm -rf short && mkdir short
head -n 4 whole/journal | sed '3,4s/time/tine/' >short/journal
refuse 1 'check: a head with nothing but damage behind it is whole' 'short/journal: 1 damaged place' "$WICK" check short

check 'a longer study' "$WICK" run --quiet --no-report --function branin --trials 120 --algorithm random \
    --seed 3 --dir long -n 1
sed -i '4~2s/"time"/"tine"/' long/journal
places=$(grep -c '"tine"' long/journal)
refuse 1 'check: many places' "... and $((places - 20)) more" "$WICK" check long
contains 'with how to see all' "$OUT" '`wick check long --all` shows all of them'
equals 'and the first trials' "$(grep -o ' and [0-9]* more$' <<<"$OUT" | wc -l)" 2
refuse 1 'check --all' "long/journal: $places damaged places" "$WICK" check long --all
equals 'shows all of them' "$(grep -c '^line ' <<<"$OUT")" "$places"
lacks 'and all trials' "$OUT" ' more'
check 'so does repair --all' "$WICK" repair long --all
equals 'before it mends them' "$(grep -c '^line ' <<<"$OUT")" "$places"

# ---- every reader ----

note='note: end/journal has 1 damaged place, and 1 record is missing; what is whole was read: `wick check end` says more'
for command in status 'status --json' best list 'list --json' 'show 3' importance report \
    'export --format json' 'export --format csv' 'export --format sqlite -o end.sqlite' watch \
    'enqueue x1=1 x2=2' 'stop'; do
    words=($command)
    # shellcheck disable=SC2086
    "$WICK" "${words[0]}" end "${words[@]:1}" >out 2>err
    code=$?
    equals "$command reads it, and says so once" "$(grep -cF "$note" err)" 1
    [ "$command" = stop ] || equals "$command succeeds" $code 0
done
rm -f end/queue
contains 'sql reads it' "$("$WICK" sql end 'select count(*) from trials where state = '"'done'"'' 2>/dev/null)" 11
contains 'the study is not done any more' "$("$WICK" status end 2>/dev/null)" 'interrupted: `wick resume end` continues it'
contains 'the trial has not ended' "$(list end | sed -n 5p)" '"state":"running"'
equals 'all others are as they were' "$(list end | sed 5d)" "$(list whole | sed 5d)"
for kind in start end; do
    damage lost sed "/^{\"$kind\":5,/s/time/tine/"
    contains "nor is one that lost the $kind of a trial" "$("$WICK" status lost 2>/dev/null)" \
        'interrupted: `wick resume lost` continues it'
done
damage lost sed '/^{"start":5,/s/time/tine/'
capture "$WICK" show lost 5
contains 'show says that the start is lost' "$OUT" 'unknown: its start is missing in the damaged journal, and it runs again'
lacks 'and shows no call' "$OUT" 'branin('
for fact in started ended duration started_at ended_at worker tries processor; do
    contains "list --json has no $fact of it" "$("$WICK" list lost --json 2>/dev/null | sed -n 5p)" "\"$fact\":null"
    contains "nor has sql" "$("$WICK" sql lost "select '$fact is ' || ifnull($fact, 'unknown') from trials where trial = 5" 2>/dev/null)" \
        "$fact is unknown"
done
contains 'nor has a table' "$("$WICK" export lost --format csv 2>/dev/null | sed -n 6p)" '5,interrupted,,,,,,,'
damage lost sed '/^{"\(start\|end\)":12,/d'
contains 'nor one that lost its last trial' "$("$WICK" status lost 2>/dev/null)" \
    'interrupted: `wick resume lost` continues it'
check 'it is mended and continued' "$WICK" resume lost --quiet --no-report
contains 'and done' "$("$WICK" status lost)" done
"$WICK" run --no-report --function branin --trials 2 --learn end --dir learner >err 2>&1
contains 'a study that learns from it says so' "$(cat err)" '/end; its journal has 1 damaged place, and 1 record is missing'

# ---- repair ----

cp -r end full
refuse 1 'a repair without room' 'cannot write full/journal: File too large' \
    bash -c 'trap "" XFSZ; ulimit -f 1; exec "$1" repair full' sh "$WICK"
equals 'leaves everything as it was' "$(ls full)" "$(ls end)"
check 'the damaged file too' cmp full/journal end/journal
ln full/journal full/journal.damaged # a repair that was killed
check 'the next repair' "$WICK" repair full
contains 'keeps it once' "$(ls full | tr '\n' ' ')" 'journal journal.damaged lock'
check 'repair' "$WICK" repair end
contains 'it says where the damaged file is' "$ERR" 'end/journal is mended; the damaged file is kept as end/journal.damaged'
check 'the journal is whole then' "$WICK" check end
contains 'and knows what it has lost' "$OUT" 'It has been mended; lost before that: at least 1 record'
damage expected hurt_line "$line"
check 'the damaged file is as it was' cmp end/journal.damaged expected/journal
check 'repair of a whole journal' "$WICK" repair end
contains 'does nothing' "$OUT" 'There is nothing to mend'
check 'it goes on' "$WICK" resume end --quiet --no-report
equals 'to the same results' "$(list end)" "$(list whole)"
hurt_line 8 <end/journal >hurt && cp hurt end/journal
check 'it can be damaged and mended again' "$WICK" repair end
check 'both damaged files are kept' test -f end/journal.damaged.2

# ---- resume ----

for place in "$(grep -n '^{"start":4,' whole/journal | cut -d: -f1)" "$line" 1 2; do
    damage resumed hurt_line "$place"
    check "resume mends line $place" "$WICK" resume resumed --no-report
    contains 'and says so' "$ERR" 'resumed/journal is mended; the damaged file is kept as resumed/journal.damaged'
    check 'the journal is whole' "$WICK" check resumed
    equals 'and has the same results' "$(list resumed)" "$(list whole)"
done
damage headless hurt_line 1
refuse 1 'check: a damaged head' 'the head is damaged, but study.yaml has what it said' "$WICK" check headless
contains 'and nothing else' "$OUT" 'headless/journal: 1 damaged place'
check 'repair of the head' "$WICK" repair headless
check 'the head is as it was' cmp <(head -n 1 headless/journal) <(head -n 1 whole/journal)
damage headless hurt_line 1
grep -v '^#' whole/study.yaml >headless/study.yaml
refuse 1 'a study file without a head' 'its name, date and folder are guessed' "$WICK" check headless
check 'will do' "$WICK" resume headless --quiet --no-report
contains 'with a note' "$ERR" "the name 'headless', the date, and the folder $T of the trials are guessed"
equals 'and the same results' "$(list headless)" "$(list whole)"
check 'the head counts as lost' "$WICK" check headless
contains 'and check says so' "$OUT" 'lost before that: at least 1 record'
damage edited hurt_line 1
sed -i 's/"seed": 3/"seed": 4/' edited/study.yaml
refuse 1 'check: an edited study.yaml' 'the head is damaged; study.yaml had what it said, but was edited since' \
    "$WICK" check edited
check 'best' "$WICK" best edited
contains 'says so, too' "$ERR" 'edited/study.yaml was edited since it was written: the study is what the file says now'
check 'and resume' "$WICK" resume edited --quiet --no-report
contains 'as well' "$ERR" 'edited/study.yaml was edited since it was written'
damage foreign hurt_line 1
cp other/study.yaml foreign/
cp foreign/journal foreign.part
for command in check repair resume best; do
    refuse 2 "$command: study.yaml is that of another run" \
        'foreign/study.yaml belongs to another run of the study: replace it by the right one, or by the study file' \
        "$WICK" "$command" foreign
done
check 'nothing has changed' cmp foreign/journal foreign.part
lacks 'and nothing is kept' "$(ls foreign)" journal.damaged
cp whole/study.yaml foreign/
check 'with the right one it is mended' "$WICK" repair foreign
equals 'and has the same results' "$(list foreign)" "$(list whole)"
damage headless hurt_line 1
rm headless/study.yaml
refuse 2 'without a study file' 'to recover it, copy the study file to headless/study.yaml' "$WICK" repair headless
mkdir empty && : >empty/journal && cp whole/study.yaml empty/
check 'an empty journal starts again' "$WICK" resume empty --quiet --no-report
equals 'with the same results' "$(list empty)" "$(list whole)"
rm -rf empty && mkdir empty && : >empty/journal
check 'without a study file, the folder can be used for a run' "$WICK" run --quiet --no-report \
    --function branin --trials 3 --dir empty

# ---- points of the queue ----

check 'a study with a queue' "$WICK" run --quiet --no-report --function branin --set x1=0..1.0 --set x2=0..1.0 \
    --trials 1 --algorithm random --seed 3 --dir queued -n 1
for x in 0.111 0.222 0.333; do
    check "$x waits" "$WICK" enqueue queued x1=$x x2=0.5
done
check 'they are tried' "$WICK" resume queued --trials 8 --quiet --no-report
points() { "$WICK" sql "$1" 'select x1 from trials order by x1' 2>/dev/null; }
cp -r queued lost-point
sed -i '/"queued":2/s/time/tine/' lost-point/journal
check 'the start of one of them is lost' "$WICK" resume lost-point --quiet --no-report
equals 'it is tried again' "$(points lost-point)" "$(points queued)"
equals 'from its line' "$(grep -c '"queued":2' lost-point/journal)" 1
equals 'which counts as used' "$("$WICK" status lost-point --json | grep -o '"queued":[0-9]*')" '"queued":0'

# ---- the caller's loop ----

printf 'space: {x: {int: [1, 9]}}\nsearch: {algorithm: random, trials: 4, seed: 1}\n' >ask.yaml
asking='{"ask": 2}'
"$WICK" asktell ask.yaml --dir asked >first 2>err <<<"$asking"
sed -i '/^{"start":1,/s/"time"/"tome"/' asked/journal
check 'asktell mends it' "$WICK" asktell asked <<<"$asking"
check 'the journal is whole' "$WICK" check asked
contains 'a trial whose start was lost is suggested again' "$OUT" 'records, all whole'
for x in 7 8 9; do
    check "$x waits" "$WICK" enqueue asked x=$x
done
contains 'they are asked for' "$("$WICK" asktell asked <<<'{"ask": 5}')" '"params":{"x":8}'
sed -i '/"queued":2/s/time/tine/' asked/journal
contains 'the start of one of them is lost: it is suggested again' \
    "$("$WICK" asktell asked 2>/dev/null <<<'{"ask": 5}')" '"params":{"x":8}'
equals 'from its line' "$(grep -c '"queued":2' asked/journal)" 1

# ---- something else in its place ----

for kind in 'ln -s ../whole/lock' mkfifo mkdir; do
    rm -rf odd && cp -r whole odd && rm -f odd/lock
    $kind odd/lock
    refuse 1 "a lock made by $kind" 'cannot open odd/lock: it is not a regular file; move it away' \
        timeout 60 "$WICK" resume odd --trials 13
done
for kind in mkfifo mkdir; do
    rm -rf odd && cp -r whole odd && rm odd/journal
    $kind odd/journal
    for command in status check best; do
        refuse 2 "$command: a journal made by $kind" 'odd/journal is not a regular file' timeout 60 "$WICK" $command odd
    done
done

# ---- while a run writes it ----

cut_off() { truncate -s 0 "$1/journal"; }
replace_by_copy() { mv "$1/journal" "$1/old" && cp "$1/old" "$1/journal"; }
is_ended() { grep -q "^{\"end\":$2," "$1/journal" 2>/dev/null; }
tamper() { # DIR WHAT MESSAGE: it happens to the journal of a run after its second trial
    "$WICK" run --dir "$1" --no-report --set x=1..9 --trials 6 -n 1 --pass none -- \
        bash -c 'until [ "$WICK_TRIAL" -le 2 ] || [ -e "'"$1"'.done" ]; do sleep 0.05; done; echo "score: $WICK_TRIAL"' \
        >"$1.out" 2>"$1.err" &
    await is_ended "$1" 2
    "$2" "$1"
    touch "$1.done"
    wait $! && code=0 || code=$?
    equals "$2: the run fails" $code 1
    contains 'it says why' "$(<"$1.err")" "cannot write $1/journal: $3"
    lacks 'and announces nothing that is not recorded' "$(<"$1.out")$(<"$1.err")" 'trial 4'
}
tamper cut-off cut_off 'something else has cut it off'
tamper replaced replace_by_copy 'another file has replaced it'
contains 'what it announced is there' "$("$WICK" status replaced)" '2 done'

"$WICK" run --quiet --no-report --set x=1..9 --trials 1 -n 1 --dir unsaid -- \
    bash -c 'until [ -e unsaid.done ]; do sleep 0.05; done; echo score: 1' &
await grep -qs '^{"start":1,' unsaid/journal
sed '/^{"open"/s/"pid"/"pie"/' unsaid/journal >unsaid.part && cat unsaid.part >unsaid/journal
equals 'status leaves out who runs it if that is lost' "$("$WICK" status unsaid 2>/dev/null | sed -n 's/^state *//p')" running
lacks 'and what it costs' "$("$WICK" status unsaid 2>/dev/null)" nan
lacks 'so does top' "$("$WICK" top unsaid --once 2>/dev/null)" nan
contains 'and JSON' "$("$WICK" status unsaid --json 2>/dev/null)" '"owner":null,"workers":null'
check 'and the report' "$WICK" report unsaid -o unsaid.html
check 'which is written' grep -q '"stateText":"Running\.' unsaid.html
touch unsaid.done
wait $! || verdict 1 'the run goes on'

# ---- a job of a chain ----

damage chain hurt_line "$line"
check 'a job mends it without a person' "$WICK" job chain
check 'the journal is whole' "$WICK" check chain
equals 'and has the same results' "$(list chain)" "$(list whole)"

# ---- an older journal ----

cp -r whole old
unseal old/journal
check 'a journal without checksums is read' "$WICK" check old
sed -i "${line}s/}$//" old/journal
refuse 1 'what cannot be parsed there is damage' "line $line, byte " "$WICK" check old
check 'it is continued' "$WICK" resume old --quiet --no-report
equals 'with the same results' "$(list old)" "$(list whole)"
check 'its new records have checksums' grep -q '"sum"' old/journal
cp -r whole removed-start
unseal removed-start/journal
sed -i '/^{"start":5,/d' removed-start/journal
refuse 1 'a start that was removed there' 'removed-start/journal: 1 damaged place, and 1 record is missing' \
    "$WICK" check removed-start
contains 'is named' "$OUT" 'something is missing before this place (the start of trial 5)'
contains 'and its trial runs again' "$OUT" 'This trial runs again: 5'
equals 'it loses no other trial' "$(list removed-start | sed 5d)" "$(list whole | sed 5d)"
check 'it is continued' "$WICK" resume removed-start --quiet --no-report
equals 'with the same results' "$(list removed-start)" "$(list whole)"
cp -r whole removed-starts
unseal removed-starts/journal
sed -i '/^{"start":[3-6],/d; /^{"end":[3-6],/d' removed-starts/journal
refuse 1 'several of them' '(the starts of trials 3 to 6)' "$WICK" check removed-starts
check 'they run again' "$WICK" resume removed-starts --quiet --no-report
equals 'with the same results' "$(list removed-starts)" "$(list whole)"
cp -r whole huge
unseal huge/journal
printf '%s\n' '{"repair":1,"trials":1e14}' '{"end":4e8,"time":2,"took":1,"worker":1,"state":"done","score":1}' >>huge/journal
refuse 1 'a trial number that cannot be' 'a record that cannot be right (its trial has not started)' "$WICK" check huge
equals 'adds no trials' "$(list huge)" "$(list whole)"
sed 's/^{"end":3/{"ent":3/' whole/journal >kind.part
mkdir kind && cp kind.part kind/journal && unseal kind/journal
check 'a record of an unknown kind' "$WICK" list kind
contains 'is named' "$ERR" "1 of the records in kind/journal are of kinds that this wick does not know, such as 'ent'"
finish
