#!/usr/bin/env bash
# The trial socket: steps, stops, results and values, from a script that speaks the protocol itself.
. "$(dirname "$0")/lib.sh"

need python3

# docs/trial-socket.md contains all that a program needs to know.
cat >talk.py <<'END'
import json, os, signal, socket, sys, time
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["WICK_LINE"])
file = line.makefile("rwb")
def say(**message):
    file.write(json.dumps(message).encode() + b"\n")
    file.flush()
def ask(**message):
    say(**message)
    return json.loads(file.readline())
trial, tries = int(os.environ["WICK_TRIAL"]), int(os.environ["WICK_TRY"])
say(hello=trial, secret=int(os.environ["WICK_SECRET"]), **{"try": tries})
params = json.loads(os.environ["WICK_PARAMS"])
score = os.environ["WICK_SCORE"]
END

# study NAME SCRIPT-FILE SEARCH MODEL-KEYS: the study runs python3 SCRIPT-FILE.
study() {
    cat >"$1.yaml" <<END
model: {command: python3 $2, pass: none, score: loss, $4}
space: {x: {float: [0, 1]}}
search: {algorithm: random, workers: 2, $3}
keep: all
END
}
run() { check "$1" timeout 180 "$WICK" run "$2.yaml" --dir "$2" --no-report --quiet; }
sql() { "$WICK" sql "$1" --format csv "$2" | tail -n +2 | tr -d '\r'; }

# ---- steps and results ----

cat >steps.py <<'END'
from talk import *
assert os.environ["WICK_CHECKPOINT"].endswith("/checkpoints/%d" % trial), os.environ["WICK_CHECKPOINT"]
assert os.path.isabs(os.environ["WICK_CHECKPOINT"])
assert os.stat(os.path.dirname(os.environ["WICK_LINE"])).st_mode & 0o777 == 0o700
say(step=1, metrics={"loss": 1.5, "lr": 0.1})
say(step=2, metrics={"lr": 0.2})
say(step=3, metrics={"loss": "nan"})
say(step=4, metrics={"loss": 1.25})
print("loss: 3")
if trial <= 2:
    json.dump({"loss": 2, "file": 1}, open(os.environ["WICK_RESULT"], "w"))
if trial == 1:
    say(result={"loss": 7, "early": 1})
    say(result={"loss": 1})
    sys.exit(0)
END
study steps steps.py 'trials: 3' ''
run 'a program reports steps' steps
equals 'a result over the trial socket counts most, then one in a file, then what is printed' \
    "$(sql steps 'select score from trials order by trial' | tr '\n' ' ')" '1 2 3 '
equals 'a later result replaces what it names' "$(sql steps "select name || '=' || value from metrics where trial = 1 order by name" | tr '\n' ' ')" \
    'early=1.0 file=1.0 loss=1.0 '
equals 'all steps are in the journal' "$(grep -c '^{"step":' steps/journal)" 12
contains 'with their metrics' "$(records steps | grep -m 1 '^{"step":1,')" '"n":1,"value":1.5,"metrics":{"loss":1.5,"lr":0.1}}'
contains 'one without the score has no value' "$(grep '^{"step":1,' steps/journal | sed -n 2p)" '"n":2,"metrics"'
contains 'one whose score is no number has null' "$(grep '^{"step":1,' steps/journal | sed -n 3p)" '"n":3,"value":null,'
check 'show has them' "$WICK" show steps 1
contains 'the last' "$OUT" '4  '
contains 'one without the score has a dash' "$OUT" '  2       -  '
contains 'one whose score is no number says so' "$OUT" $'  3       nan\n'
contains 'the score stands there once' "$OUT" $'  1       1.5  lr 0.1\n'
# Newer kernels show this about an ended process only to root.
if python3 - 2>/dev/null <<'END'; then
import os
child = os.fork()
if child == 0:
    os._exit(0)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
open("/proc/%d/io" % child).read()
END
    contains 'and what it read and wrote' "$OUT" ' written'
    equals 'tables have the bytes' "$(sql steps 'select count(*) from trials where bytes_read > 1000')" 3
else
    skip_part 'the kernel does not tell this user how much a process has read and written'
fi

cat >last.py <<'END'
from talk import *
say(step=1, metrics={"loss": 5, "acc": 0.1})
say(step=2, metrics={"loss": 4, "acc": 0.2})
say(step=3, metrics={"acc": 0.3})
END
study last last.py 'trials: 2' ''
run 'a program that only reports' last
equals 'has the score of its last step' "$(sql last 'select distinct score from trials')" 4
equals 'and its metrics' "$(sql last "select distinct value from metrics where name = 'acc'")" 0.3

# ---- names ----

cat >names.py <<'END'
from talk import *
say(step=1, metrics={'"quoted", \\': 3})
if trial == 1:
    json.dump({"pr\u00e9": 4, 'a,"b': 5}, open(os.environ["WICK_RESULT"], "w"))
else:
    say(result={"pr\u00e9": 6, 'a,"b': 7})
END
study names names.py 'trials: 2' ''
sed -i 's/score: loss/score: pré/' names.yaml
run 'names of metrics have escapes in JSON' names
equals 'the score is known by its name' "$(sql names 'select score from trials order by trial' | tr '\n' ' ')" '4 6 '
contains 'show has the names of metrics' "$("$WICK" show names 2)" 'a,"b'
contains 'and of steps' "$("$WICK" show names 2)" '"quoted", \ 3'
equals 'export has them' "$("$WICK" export names --format json | python3 -c '
import json, sys
print(*sorted({key for trial in json.load(sys.stdin)["trials"] for key in trial["metrics"]}), sep="|")')" \
    '"quoted", \|a,"b|pré'

cat >crowd.py <<'END'
from talk import *
crowd = {"m%d" % i: i for i in range(2000)}
say(step=1, metrics={**crowd, "loss": 4})
say(result={**crowd, "loss": 5, "wanted": 6, "wanted_too": 7})
END
study crowd crowd.py 'trials: 1' 'metrics: [wanted, wanted_too]'
run 'a message may have any number of metrics' crowd
equals 'the score is kept, wherever it is' "$(sql crowd 'select score from trials')" 5
equals 'and what the study names' "$(sql crowd "select value from metrics where name like 'wanted%' order by value" | tr '\n' ' ')" '6 7 '
equals 'of 64 in all' "$(sql crowd 'select count(*) from metrics')" 64
contains 'also of a step' "$(records crowd | grep '^{"step":1,')" '"n":1,"value":4,'
contains 'and the log names others' "$("$WICK" show crowd 1)" 'a trial has at most 64 metrics: '

# ---- malformed messages ----

cat >bad.py <<'END'
from talk import *
print(ask(step=1, metric={"loss": 1})["error"])
assert file.readline() == b""
print("loss: 1")
END
study bad bad.py 'trials: 1' ''
run 'a malformed message' bad
check 'its trial' "$WICK" show bad 1
contains 'the user reads why' "$OUT" 'did you mean "metrics"?'
contains 'and from where' "$OUT" 'malformed message on WICK_LINE'

# ---- stops ----

cat >learn.py <<'END'
from talk import *
ask(stop=0)  # one that has never asked may be ended before its first question is heard
for step in range(1, 28):
    say(step=step, metrics={score: params["x"] + 1 / step})
    if ask(stop=step)["stop"]:
        sys.exit(3)
    time.sleep(0.005)
END
study asha learn.py 'trials: 24, stop: asha' 'grace: 60'
run 'a stopper of a program' asha
equals 'nothing failed' "$(sql asha "select count(*) from trials where state not in ('done', 'stopped')")" 0
equals 'many were stopped' "$(($(sql asha "select count(*) from trials where state = 'stopped'") >= 8))" 1
equals 'these were told, and ended by themselves' \
    "$(sql asha "select count(*) from trials where state = 'stopped' and coalesce(exit_code, -1) <> 3")" 0

# The second step is worse than the first, so the trial is stopped there.
cat >told.py <<'END'
from talk import *
signal.signal(signal.SIGTERM, lambda *_: (print("SIGTERM", flush=True), os._exit(9)))
how = sys.argv[1]
if how != "never":
    ask(stop=1)
say(step=1, metrics={"loss": 1})
say(step=2, metrics={"loss": 2})
if how in ("never", "silent"):
    time.sleep(1000)
if how == "crash":
    for _ in range(20):  # by then it is known on the other side that it is to stop
        ask(list="")
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGSEGV)
while not ask(stop=0)["stop"]:
    time.sleep(0.01)
say(step=3, metrics={"loss": 3})
if how == "stays":
    time.sleep(1000)
print("loss: 0")
END
# Some wait for the end of the grace, and others must not exceed it, however slow the machine is.
declare -A grace=([never]=60 [asks]=60 [stays]=3 [silent]=3 [crash]=60) runs
for how in never asks stays silent crash; do # at the same time
    study "told-$how" "told.py $how" 'trials: 1, stop: {patience: {steps: 1}}' "grace: ${grace[$how]}, retries: 2"
    timeout 180 "$WICK" run "told-$how.yaml" --dir "told-$how" --no-report --quiet >/dev/null 2>&1 &
    runs[$how]=$!
done
for how in never asks stays silent crash; do
    check "a program that is to stop: $how" wait ${runs[$how]}
    equals 'is stopped' "$(sql "told-$how" "select state || ', ' || reason || ', tries ' || tries from trials")" \
        '"stopped, stopped by patience at step 2, tries 1"'
    "$WICK" show "told-$how" 1 >"show-$how"
done
has() { grep -c "$2" "show-$1"; }
equals 'one that never asks gets SIGTERM' "$(has never '^ *SIGTERM')" 1
equals 'one that asks does not' "$(has asks '^ *SIGTERM')" 0
equals 'its last value counts' "$(sql told-asks 'select score from trials')" 3
equals 'one that was told and stays gets it' "$(has stays '^ *SIGTERM')" 1
equals 'so does one that does not ask any more' "$(has silent '^ *SIGTERM')" 1
equals 'one that crashes before it asks is stopped, too' "$(has crash 'signal .*11')" 1

# ---- values ----

cat >share.py <<'END'
from talk import *
def value():
    head = json.loads(file.readline())
    return head["version"], file.read(head.get("bytes", 0))
if trial == 1:
    say(wait="weights", known=0)
    version, bytes = value()
    assert bytes == b"\0\n" * 100000, len(bytes)
    assert ask(list="")["keys"] == ["other", "weights"]
    assert ask(delete="other")["version"] == 1
    assert ask(delete="other")["version"] == 0
    say(get="other")
    assert value() == (0, b"")
    assert "error" in ask(get="")
    print("loss: 1")
    json.dump({"loss": version}, open(os.environ["WICK_RESULT"], "w"))
elif trial == 2:
    time.sleep(0.2)
    say(put="other", bytes=0)
    assert json.loads(file.readline())["version"] == 1
    say(put="weights", bytes=200000)
    file.write(b"\0\n" * 100000)
    file.flush()
    print("loss: 2") # it does not wait for an answer
else:
    say(wait="weights", known=1000)
    print("loss: 3") # nor does this
END
study share share.py 'trials: 4' ''
run 'trials share values' share
equals 'all of them arrive' "$(sql share "select group_concat(score, ' ') from (select score from trials order by trial)")" '1.0 2.0 3.0 3.0'

# ---- nothing is left behind ----

cat >stay.py <<'END'
from talk import *
say(step=1, metrics={"loss": 1})
open("where", "w").write(os.environ["WICK_LINE"])
time.sleep(1000)
END
study killed stay.py 'trials: 1' ''
# start_stay: starts a run in the background and waits until its program is there; $pid is its process.
start_stay() {
    rm -f where
    "$WICK" run killed.yaml --dir "$1" --quiet --no-report &
    pid=$!
    await test -s where
}
gone() { [ ! -e "$(dirname "$1")" ]; }
start_stay killed
check 'a socket while it runs' test -S "$(cat where)"
kill -9 $pid
wait $pid
check 'its folder goes when Wick is killed' wait_until gone "$(cat where)"

# The end of a batch job kills the helper as well.
start_stay both
kill -STOP $pid # it must not see the end of its helper
kill -9 "$(pgrep -P $pid)" $pid
wait $pid
left=$(cat where)
check 'it stays when the helper is killed, too' test -S "$left"
touch -d '2 minutes ago' "$(dirname "$left")"
start_stay next
check 'and goes when Wick runs next' gone "$left"
check 'that of a run under way does not' test -S "$(cat where)"
kill $pid
wait $pid

finish
