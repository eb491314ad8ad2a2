#!/usr/bin/env bash
# What one trial can do to a study: for each resource a hostile trial among good ones, and the study may lose that
# trial and nothing else. Then trials that kill Wick itself: the study goes on with a resume, beside nothing that is
# left of them.
. "$(dirname "$0")/lib.sh"

need python3

# hostile.py NAME MARK: trial 3 does the worst; all others are good, and their score is their number.
cat >hostile.py <<'END'
import ctypes, json, os, resource, signal, socket, subprocess, sys, time
trial, attempt, secret = (int(os.environ["WICK_" + name]) for name in ("TRIAL", "TRY", "SECRET"))
name, mark = sys.argv[1:3]
MIB = 1 << 20

class Line:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["WICK_LINE"])
        self.file = self.socket.makefile("rb")
        self.say(b'{"hello": %d, "try": %d, "secret": %d}\n' % (trial, attempt, secret))
    def say(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # it was refused: the answer says why
    def answer(self):
        return json.loads(self.file.readline() or b"{}")

# A process of its own: another session, perhaps no parent, perhaps no environment, and a word to find it by.
def start(code, daemon=False, environment=True):
    command = [sys.executable, "-c", code, mark]
    if daemon and os.fork():
        return os.wait()
    subprocess.Popen(command, start_new_session=True, env=None if environment else {})
    if daemon:
        os._exit(0)

def refused(line, text):
    error = line.answer().get("error", "")
    print(error)
    if text in error:
        sys.exit(4)

EAT = "b = bytearray(200 << 20); b[::4096] = b'x' * len(b[::4096]); import time; time.sleep(1000)"
SLEEP = "import time; time.sleep(1000)"

def memory():
    exec(EAT)
def memory_in_another_session():
    start(EAT)
    time.sleep(1000)
def memory_of_a_daemon():
    start(EAT, daemon=True, environment=False)
    time.sleep(1000)
def memory_of_a_lost_child(environment={}):
    ctypes.CDLL(None).prctl(36, 0)  # PR_SET_CHILD_SUBREAPER
    ours, theirs = os.pipe()
    if os.fork() == 0:
        subprocess.Popen([sys.executable, "-c", EAT, mark], start_new_session=True, env=environment, pass_fds=[theirs])
        os._exit(0)
    os.close(theirs)
    os.wait()
    os.read(ours, 1)  # until it is killed
    sys.exit(4)
def memory_of_a_marked_child():
    memory_of_a_lost_child(dict(os.environ))
def descriptors():
    files = []
    while True:
        files.append(open("/dev/null"))
def disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("file", "wb") as file:
        while True:
            file.write(bytes(MIB))
def output():
    for _ in range(64):
        sys.stdout.write("score: x " * (MIB // 9) + "\n")
    sys.exit(4)
def connections():
    lines = []
    while True:
        lines.append(Line())
        lines[-1].say(b'{"stop": 0}\n')
        refused(lines[-1], "too many connections")
def values_not_complete():
    lines = [Line() for _ in range(6)]
    for line in lines:
        line.say(b'{"put": "k", "bytes": %d}\n' % (40 * MIB))
        if line is not lines[0]:
            line.say(bytes(40 * MIB))
            refused(line, "there is no room for this value")
        line.say(bytes(40 * MIB - 1))
def messages_not_complete():
    lines = [Line() for _ in range(200)]
    for line in lines:
        line.say(b" " * 900000)
    refused(lines[-1], "there is no room for this message")
def answers_not_read():
    lines = [Line() for _ in range(200)]
    lines[0].say(b'{"put": "k", "bytes": %d}\n' % (30 * MIB) + bytes(30 * MIB))
    print(lines[0].answer())
    for line in lines:
        line.say(b'{"get": "k"}\n')
    refused(lines[-1], "there is no room for this value")
def long_keys():
    lines = [Line() for _ in range(200)]
    for line in lines:
        line.say(b'{"get": "' + b"k" * 1000000 + b'"}\n')
    refused(lines[-1], "a key has at most 4096 bytes")
def long_lists():
    lines = [Line() for _ in range(80)]
    for start in range(0, 20000, 100):
        for i in range(start, start + 100):
            lines[0].say(b'{"put": "%05d%s", "bytes": 0}\n' % (i, b"k" * 500))
        for i in range(100):
            lines[0].answer()
    for line in lines:
        line.say(b'{"list": ""}\n')
    refused(lines[-1], "there is no room for these keys")
def steps():
    line = Line()
    signal.alarm(1)
    while True:
        line.say(b"".join(b'{"step": %d}\n' % i for i in range(10000)))
def processes():
    for i in range(50):
        start(SLEEP, daemon=i % 2, environment=i % 3)
    sys.exit(4)
def past_its_time():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    start(SLEEP, daemon=True, environment=False)
    while True:
        time.sleep(1)

def state(pid):
    return open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[0]
def stops_the_helper():
    while state(os.getppid()) != "T":  # it goes on when a good trial asks it for something
        os.kill(os.getppid(), signal.SIGSTOP)
    sys.exit(4)
def stops_the_helper_and_stays():
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(1000)

def wick():
    return int(open("/proc/%d/stat" % os.getppid()).read().rpartition(")")[2].split()[1])
def kill(*victims):
    if attempt > 1:
        return
    start(SLEEP)
    start(SLEEP, daemon=True)
    if len(victims) < 2:
        start(SLEEP, daemon=True, environment=False)
    open("killed", "w").close()
    for victim in victims:
        os.kill(victim, signal.SIGSTOP)
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    time.sleep(1000)
def kills_the_helper():
    kill(os.getppid())
def kills_wick():
    kill(wick())
def kills_both():
    kill(wick(), os.getppid())

if trial == 3:
    globals()[name.replace("warm_", "").replace("few_", "")]()
print("score:", trial)
END

# study NAME KEYS: a study of six trials, two at a time.
study() {
    rm -rf "$1.wick"
    cat >"$1.yaml" <<END
name: $1
model: {command: [python3, hostile.py, $1, $MARK], pass: none, grace: 0.1${2:+, $2}}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 6, workers: 2, halt: off}
END
}
sql() { "$WICK" sql "$1.wick" --format csv "$2" | tail -n +2 | tr -d '\r"'; }
good_trials() { sql "$1" "select group_concat(score, ' ') from (select score from trials where trial <> 3 and state = 'done' order by trial)"; }
nothing_left() { ! pgrep -f "$MARK" >/dev/null; }
# Runs the study, few_... with few descriptors; $code and $peak say how it ended and how many KiB of memory Wick has used.
run() {
    local pid status
    (
        case $1 in few_*) ulimit -n 200 ;; esac
        exec "$WICK" run "$1.yaml" --dir "$1.wick" --quiet --no-report >out 2>err
    ) &
    pid=$!
    peak=0
    while status=$(grep VmHWM "/proc/$pid/status" 2>/dev/null); do
        peak=${status//[!0-9]/}
        sleep 0.02
    done
    wait $pid
    code=$?
}
MOST=300000 # KiB; it takes 5,000 without a hostile trial, and one may put up to 64 MiB on each way
[ -z "$SANITIZE" ] || MOST=1500000

# ---- a hostile trial for each resource ----

# resource          | keys of the model          | state         | reason
table='
memory                    | memory: 64 MiB       | out of memory | over its memory limit of 64 MiB
memory_in_another_session | memory: 64 MiB       | out of memory | over its memory limit of 64 MiB
memory_of_a_daemon        | memory: 64 MiB       | out of memory | over its memory limit of 64 MiB
memory_of_a_lost_child    | memory: 64 MiB       | failed        | exit code 4
memory_of_a_marked_child  | memory: 64 MiB       | failed        | exit code 4
long_keys                 | memory: 64 MiB       | failed        | exit code 4
long_lists                | memory: 64 MiB       | failed        | exit code 4
descriptors               |                      | failed        | exit code 1
disk                      |                      | failed        | signal 25
output                    |                      | failed        | exit code 4
connections               |                      | failed        | exit code 4
few_connections           |                      | failed        | exit code 4
values_not_complete       | memory: 64 MiB       | failed        | exit code 4
messages_not_complete     | memory: 64 MiB       | failed        | exit code 4
answers_not_read          | memory: 64 MiB       | failed        | exit code 4
steps                     |                      | failed        | signal 14
processes                 |                      | failed        | exit code 4
past_its_time             | timeout: 3           | timeout       | over its time limit
stops_the_helper          |                      | failed        | exit code 4
stops_the_helper_and_stays | timeout: 3          | timeout       | over its time limit
warm_memory_of_a_daemon   | memory: 64 MiB, warm: true | out of memory | over its memory limit of 64 MiB
warm_processes            | warm: true           | failed        | exit code 4
'
words() { read -r "$1" <<<"$2"; }
while IFS='|' read -r name keys state reason; do
    words name "$name" && [ -n "$name" ] || continue
    words keys "$keys"
    words state "$state"
    words reason "$reason"
    study "$name" "$keys"
    run "$name"
    equals "$name: the study comes to its end" "$code" 0
    equals "$name: good trials are done" "$(good_trials "$name")" '1.0 2.0 4.0 5.0 6.0'
    contains "$name: the hostile one is not" "$(sql "$name" 'select state, reason from trials where trial = 3')" \
        "$state,$reason"
    check "$name: nothing is left of it" wait_until nothing_left
    equals "$name: Wick has used $peak KiB" "$((peak > 0 && peak < MOST))" 1
done <<<"$table"
equals 'steps: no more are recorded than Wick can bear' "$(($(grep -c '^{"step"' steps.wick/journal) < 50000))" 1

# ---- trials that attack the socket of another trial ----

cat >siblings.py <<'END'
import json, os, socket, time
ours, number = os.environ["WICK_LINE"], int(os.environ["WICK_TRIAL"])
def connect(path, **hello):
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    if hello:
        line.sendall(json.dumps(hello).encode() + b'\n{"result": {"score": -1}}\n')
    return line
def until(name):
    while not os.path.exists(name):
        time.sleep(0.02)
    return open(name).read()
def leave(name, text=""):
    open(name + ".new", "w").write(text)
    os.rename(name + ".new", name)
if number == 1:
    path = until("path")
    own = {"secret": int(os.environ["WICK_SECRET"])}
    for secret in own, {}:
        print("hears", connect(path, hello=2, **{"try": 1}, **secret).recv(1000))
    silent = [connect(path) for _ in range(300)]
    leave("blocked")
    until("heard")
else:
    leave("path", ours)
    until("blocked")
    line = connect(ours, hello=2, secret=int(os.environ["WICK_SECRET"]), **{"try": 1})
    line.sendall(b'{"stop": 0}\n')
    print("hears", line.recv(1000))
    line.sendall(b'{"result": {"score": 2}}\n')
    leave("heard")
print("score: 1")
END
check 'a trial attacks the socket of another one' "$WICK" run --quiet --no-report --keep all --dir siblings --set x=1..9 \
    --pass none --trials 2 -n 2 -- python3 siblings.py
contains 'with the secret of its own it is not heard' "$("$WICK" show siblings 1 --log)" "hears b''"
contains 'nor without any' "$("$WICK" show siblings 1 --log)" 'the value of WICK_SECRET'
contains 'its silent connections keep the other from nothing' "$("$WICK" show siblings 2 --log)" 'hears b'"'"'{"stop":false}'
equals 'and each has its own score' "$("$WICK" sql siblings --format csv 'select score from trials order by trial' | tail -n +2 | tr -d '\r' | paste -sd' ')" '1 2'

# ---- a trial that leaves its user no room to start another one ----

# room.py takes all descriptors that its user may have on their way between processes, so that Wick cannot hand any to
# its helper; the limit is the same for all processes of the user, and no other test has this one.
cat >room.py <<'END'
import array, errno, os, socket, time
def take():
    pairs, null = [], os.open("/dev/null", os.O_RDONLY)
    while True:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        pairs.append((ours, theirs))
        try:
            while True:
                ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [null] * 100))])
        except OSError as error:
            if error.errno == errno.ETOOMANYREFS:
                return pairs
            if error.errno != errno.EAGAIN:
                raise
def until(happened):
    while not happened():
        time.sleep(0.02)
trial = os.environ.get("WICK_TRIAL", "none")
if trial in ("1", "none"):
    kept = take()
    open("taken", "w").close()
    until(lambda: os.path.exists("given back") or trial == "1" and "many references" in open("room.wick/journal").read())
elif trial == "2":
    until(lambda: os.path.exists("taken"))
print("score:", trial)
END
if [ "$(id -u)" = 0 ] && command -v setpriv prlimit >/dev/null; then
    chmod 711 "$T"
    mkdir -m 755 bin
    cp "$WICK" bin/wick
    mkdir -m 777 crowded
    cd crowded || exit 1
    user=$((60000 + $$ % 5000))
    as_other() {
        setpriv --reuid=$user --regid=$user --clear-groups --inh-caps=-all --bounding-set=-all \
            prlimit --nofile=256:256 env HOME="$PWD" "$@"
    }
    scores() { sql "$1" "select group_concat(score, ' ') from (select score from trials where state = 'done' order by trial)"; }
    mv "$T/room.py" .
    check 'a trial that leaves no room for others does not end the study' \
        as_other "$T/bin/wick" run --quiet --no-report --dir room.wick --set x=1..9 --pass none --trials 6 -n 2 -- python3 room.py
    equals 'they run when it has ended' "$(scores room)" '1.0 2.0 3.0 4.0 5.0 6.0'
    contains 'and what could not be started is no failure' "$(cat room.wick/journal)" '"again":true'
    rm -f taken
    as_other python3 room.py >/dev/null &
    await test -e taken
    refuse 1 'when nothing runs that could make room, the study ends after a while' 'many references' \
        as_other "$T/bin/wick" run --quiet --no-report --dir late.wick --set x=1..9 --pass none --trials 2 -n 2 -- echo 'score: 1'
    contains 'in good order' "$ERR" 'the study was stopped; continue with `wick resume late.wick`'
    touch 'given back'
    wait $!
    check 'and a resume goes on' as_other "$T/bin/wick" resume late.wick --quiet --no-report
    equals 'to its end' "$(scores late)" '1.0 1.0'
    cd "$T" || exit 1
else
    skip_part 'only root can act as another user'
fi

# ---- daemons do not wait for the end of the study ----

cat >daemons.py <<'END'
import os, subprocess, sys, time
if os.environ["WICK_TRIAL"] == "1":
    while not os.path.exists("swept"):
        time.sleep(0.02)
else:
    if os.fork() == 0:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", sys.argv[1] + "-daemon"],
                         start_new_session=True, env={})
        os._exit(0)
    os.wait()
print("score: 1")
END
"$WICK" run --quiet --no-report --dir daemons --set x=1..1000 --pass none --trials 5 -n 2 -- python3 daemons.py "$MARK" &
pid=$!
await grep -qs '^{"end":5' daemons/journal
no_daemon() { ! pgrep -f "$MARK-daemon" >/dev/null; }
check 'daemons without an environment end while other trials run' wait_until no_daemon
equals 'which still do' "$(grep -c '^{"end":1,' daemons/journal)" 0
touch swept
check 'and the study goes on' wait $pid

# ---- trials that kill Wick ----

# resumed NAME: goes on, and all is done.
resumed() {
    check "$1: a resume" "$WICK" resume "$1.wick" --quiet --no-report
    equals "$1: all trials are done" "$(sql "$1" "select count(*) from trials where state = 'done'")" 6
    equals "$1: the score of the one that killed" "$(sql "$1" 'select score from trials where trial = 3')" 3
    check "$1: nothing is left" nothing_left
}
study kills_the_helper
run kills_the_helper
equals 'kills_the_helper: the exit code' $code 1
contains 'kills_the_helper: the message' "$(cat err)" 'the helper process that starts trials has died'
contains 'kills_the_helper: what to do' "$(cat err)" 'continue with `wick resume'
check 'kills_the_helper: nothing is left when Wick has ended' nothing_left
resumed kills_the_helper

study kills_wick
run kills_wick 2>/dev/null
equals 'kills_wick: the exit code' $code 137
check 'kills_wick: the helper ends what is left' wait_until nothing_left
resumed kills_wick

# Those of others stay, whatever their environment says.
bystanders=()
# bystander COMMAND...: starts python3 by it, such as `env NAME=VALUE`, as the next of ${bystanders[@]}.
bystander() {
    "$@" python3 -c 'import os, socket, time
if "LISTENS" in os.environ:
    os.mkdir(os.environ["WICK_RUN"])
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ["WICK_RUN"] + "/1")
    listener.listen()
    open("listens", "w").close()
time.sleep(1000)' &
    bystanders+=($!)
}
gone=/tmp/wick-line-gone alive=/tmp/wick-line-$MARK folder=$(realpath "$T")/kills_both.wick
bystander env WICK_FOLDER="$folder.other" WICK_RUN=$gone
bystander env WICK_FOLDER="$folder"
bystander env WICK_FOLDER="$folder" WICK_RUN="$T"
bystander env WICK_FOLDER="$folder" WICK_RUN="$alive" LISTENS=yes
[ "$(id -u)" != 0 ] || bystander setpriv --reuid=65534 --regid=65534 --clear-groups \
    env WICK_FOLDER="$folder" WICK_RUN=$gone
await test -e listens
study kills_both
run kills_both 2>/dev/null
equals 'kills_both: the exit code' $code 137
left() { [ "$(pgrep -f "$MARK" | wc -l)" = 2 ]; }
check 'kills_both: what left the session of the trial is still there' wait_until left
(cd kills_both.wick && "$WICK" resume . --quiet --no-report) >/dev/null # by another path
check 'kills_both: a resume ends it' nothing_left
resumed kills_both
names=('of another study' 'that names no run' 'whose run is no run' 'of a run that is alive' 'of another user')
for i in "${!bystanders[@]}"; do
    check "a process ${names[i]} is not ended" kill -0 "${bystanders[i]}"
done
kill "${bystanders[@]}"
rm -rf "$alive"
finish
