# What another user of the machine can do to a study: the rows of the table in docs/security.md, each
# tried. Once the study is an ordinary user's, and once root's.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || skip 'only root can act as two other users'
need python3 setpriv unshare mount ip rev

STRANGER=daemon
chmod 711 "$T"
mkdir -m 755 bin
cp "$WICK" bin/wick
WICK=$T/bin/wick
mkdir -m 1777 public
mkdir -m 755 stranger
chown $STRANGER stranger
python=$(command -v /usr/bin/python3 || command -v python3)

as() {
    local user=$1
    shift
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --inh-caps=-all \
        --bounding-set=-all env HOME="$T/$user" TMPDIR=/tmp "$@"
}
stranger() { as $STRANGER "$@"; }

# ---- what the stranger does ----

cat >bin/attack.py <<'END_OF_PROGRAM'
import errno, os, resource, socket, sys, time

def ask(address, port, request):
    """What the store says, or the name of the error."""
    connection = socket.socket()
    try:
        connection.connect((address, int(port)))
        connection.sendall(request)
        print(connection.recv(100).decode() or "nothing")
    except OSError as error:
        print("cut" if error.errno in (errno.ECONNRESET, errno.EPIPE) else error)

def read(address, port):
    ask(address, port, b"GET /global/0 HTTP/1.1\r\n\r\n")

def write(address, port):
    ask(address, port, b"PUT /global/0 HTTP/1.1\r\nContent-Length: 4\r\n\r\nevil")

def hurry(address, port):
    """Closes before Wick can ask whose connection it is."""
    for _ in range(300):
        connection = socket.socket()
        try:
            connection.connect((address, int(port)))
            connection.sendall(b"PUT /global/hurry HTTP/1.1\r\nContent-Length: 4\r\n\r\nevil")
        except OSError:
            pass
        connection.close()
    print("done")

def idle(address, port, count):
    """Opens connections and says nothing: all at once, and none is closed from this side."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    calls = [socket.socket() for _ in range(min(int(count), most - 50))]
    for connection in calls:
        connection.setblocking(False)
        connection.connect_ex((address, int(port)))
    cut = 0
    for connection in calls:
        connection.settimeout(60)
        try:
            cut += connection.recv(1) == b""
        except ConnectionResetError:
            cut += 1
    print("all" if cut == len(calls) else "%d of %d" % (cut, len(calls)))

def talk(path):
    """A trial socket."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
        print("connected")
    except OSError as error:
        print(errno.errorcode[error.errno])

def launch(name):
    """The socket between mpiexec and rank 0: says that the study has failed."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect("\0" + name)
        connection.send(b"\x63\0\0\0")
        print("closed" if connection.recv(1) == b"" else "open")
    except OSError:
        print("closed")

def squat():
    """All names with which Wick reserves a port but the last few; kept until the end."""
    low = int(open("/proc/sys/net/ipv4/ip_local_port_range").read().split()[0])
    low = (low if low >= 11024 else 32768) - 10000
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    kept = []
    for port in range(low, low + min(9900, most - 50)):
        kept.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        try:
            kept[-1].bind("\0wick-port-%d" % port)
        except OSError:
            pass
    open("squats", "w").close()
    time.sleep(600)

def spy(pid):
    """What /proc tells about a process of the study."""
    seen = []
    for name in "environ", "mem", "maps", "fd/0", "cwd/.", "root/.", "io", "stack":
        try:
            path = "/proc/%s/%s" % (pid, name)
            os.listdir(path) if name.endswith(".") else open(path, "rb").read(1)
            seen.append(name)
        except OSError:
            pass
    print(" ".join(seen) or "nothing")

def words(secret):
    """Where a text can be seen; it comes with its letters turned around."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in "cmdline", "environ":
            try:
                with open("/proc/%s/%s" % (pid, name)) as file:
                    if secret[::-1] in file.read():
                        print(name, "of", pid)
            except OSError:
                pass

def trace(pid):
    import ctypes
    attach, libc = 16, ctypes.CDLL(None, use_errno=True)
    print("traces" if libc.ptrace(attach, int(pid), 0, 0) == 0 else errno.errorcode[ctypes.get_errno()])

def signal(pid):
    seen = set()
    for number in 1, 2, 9, 10, 15, 19:
        try:
            os.kill(int(pid), number)
            seen.add("sent")
        except OSError as error:
            seen.add(errno.errorcode[error.errno])
    print(" ".join(sorted(seen)))

def hold(path):
    """Locks what it can only read, until the end."""
    import fcntl, struct
    file = open(path, "rb")
    fcntl.fcntl(file, 37, struct.pack("hhlli4x", fcntl.F_RDLCK, 0, 0, 0, 0)) # F_OFD_SETLK
    open("held", "w").close()
    time.sleep(600)

globals()[sys.argv[1]](*sys.argv[2:])
END_OF_PROGRAM
attack() { (cd stranger && exec setpriv --reuid=$STRANGER --regid="$(id -g $STRANGER)" --clear-groups \
    --inh-caps=-all --bounding-set=-all "$python" "$T/bin/attack.py" "$@"); }

# ---- the study: two ranks, which meet through the store when they may ----

cat >bin/rank.py <<'END_OF_PROGRAM'
import http.client, os, time
rank = os.environ["RANK"]
store = os.environ["HOROVOD_GLOO_RENDEZVOUS_ADDR"], int(os.environ["HOROVOD_GLOO_RENDEZVOUS_PORT"])

def ask(method, key, body=None):
    connection = http.client.HTTPConnection(*store)
    connection.request(method, "/global/" + key, body)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()

assert ask("PUT", rank, "rank " + rank)[0] == 200
if rank == "0":
    with open("line", "w") as file:
        file.write(os.environ["WICK_LINE"])
    with open("store.new", "w") as file:
        file.write("%s %d" % store)
    os.rename("store.new", "store")
while not os.path.exists("go"):
    time.sleep(0.02)
for other in "01":
    while ask("GET", other) != (200, "rank " + other):
        time.sleep(0.05)
assert ask("GET", "hurry")[0] == 404
print("score: 1")
END_OF_PROGRAM

descriptors() { ls "/proc/$1/fd" | wc -l; }
ended() { grep -qs '^{"end":1,' "$1/journal"; }

# of_user USER: all rows, with a study of this user. Its programs run as in a rootless container, with
# users of their own, where that is allowed.
of_user() {
    local user=$1 home=$T/$1 run address port before line socket inside=
    if as "$user" unshare --user --map-root-user true 2>/dev/null; then
        inside='unshare --user --map-root-user'
    elif [ "$user" != root ]; then # who without capabilities may not make any
        skip_part "$user: no user namespaces here"
    fi
    mkdir -p -m 755 "$home"
    chown "$user" "$home"
    cd "$home" || return
    cat >study.yaml <<END_OF_STUDY
model: {command: $inside $python $T/bin/rank.py, ranks: 2, pass: none, env: {SECRET: hush-$MARK}}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END_OF_STUDY
    as "$user" "$WICK" run study.yaml -n 2 --dir study.wick --no-report >out 2>err &
    await [ -s store ]
    read -r address port <store
    run=$(pgrep -u "$user" -f "^$WICK run study.yaml" | head -n 1)

    equals "$user: the store is on loopback" "$address" 127.0.0.1
    equals "$user: the store is not read" "$(cd .. && attack read "$address" "$port")" cut
    equals "$user: nor written" "$(cd .. && attack write "$address" "$port")" cut
    equals "$user: nor by one who is gone at once" "$(cd .. && attack hurry "$address" "$port")" done
    before=$(descriptors "$run")
    equals "$user: 3,000 connections to the store are cut" \
        "$(cd .. && attack idle "$address" "$port" 3000)" all
    # A rank may have closed its own meanwhile.
    equals "$user: none of them takes a descriptor" "$(($(descriptors "$run") <= before))" 1

    line=$(cat line)
    socket=$(dirname "$line")
    equals "$user: the folder of the trial sockets" "$(stat -c '%a %U' "$socket")" "700 $user"
    equals "$user: no trial socket can be reached" "$(cd .. && attack talk "$line")" EACCES
    refuse 2 "$user: nor be seen" 'Permission denied' stranger ls "$socket"
    stranger rmdir "$socket" 2>/dev/null
    stranger mv "$socket" /tmp/mine 2>/dev/null
    check "$user: nor be moved away" test -S "$line"

    for process in $(pgrep -u "$user" -f "$WICK run study.yaml|$T/bin/rank.py"); do
        equals "$user: process $(cat "/proc/$process/comm") shows nothing of itself" \
            "$(cd .. && attack spy "$process")" nothing
        equals "$user: and takes no signal" "$(cd .. && attack signal "$process")" EPERM
        equals "$user: and is not traced" "$(cd .. && attack trace "$process")" EPERM
    done
    equals "$user: the value of a variable is nowhere to be seen" \
        "$(cd .. && attack words "$(rev <<<"hush-$MARK")")" ''

    # the folder: what the modes say
    for name in journal lock study.yaml queue stop look jobs job.sh report.html tmp/1.log new; do
        stranger sh -c "echo evil >>'$home/study.wick/$name'" 2>/dev/null
    done
    equals "$user: nothing is written into the study folder" "$(grep -rl evil study.wick)" ''
    stranger rm -rf study.wick 2>/dev/null
    stranger mv study.wick mine 2>/dev/null
    check "$user: nor removed from it" test -s study.wick/journal
    for command in 'stop --now' 'enqueue x=0.5' 'resume' 'submit --scheduler local'; do
        set -- $command
        first=$1
        shift
        capture stranger sh -c 'cd "$0" && exec "$@"' "$T/stranger" "$WICK" "$first" "$home/study.wick" "$@"
        equals "$user: a stranger may not $first the study" $? 1
    done

    as "$user" touch go
    check "$user: the study goes on" wait_until ended study.wick
    contains "$user: and its trial is done" "$(grep '^{"end":1,' study.wick/journal)" '"state":"done"'
    wait

    # private by umask
    (umask 077 && as "$user" "$WICK" run --function noop --set x=0..1.0 --trials 1 --dir private --quiet)
    equals "$user: a umask makes a study private" "$(find private -perm /077 | wc -l)" 0
    refuse 1 "$user: which nobody reads" 'Permission denied' stranger "$WICK" status "$home/private"

    # a folder in which everybody may write
    cd "$T/public" || return
    mkdir -m 755 "$home/precious"
    echo precious >"$home/precious/file"
    chown -R "$user" "$home/precious"
    stranger ln -s "$home/precious" "link-$user.wick"
    stranger ln -s "$home/precious/file" "page-$user"
    stranger mkdir -m 777 "folder-$user.wick"
    for name in link folder; do
        refuse 2 "$user: no study is made in a $name of a stranger" 'belongs to another user' \
            as "$user" "$WICK" run --function noop --set x=0..1.0 --trials 1 --dir "$name-$user.wick"
        refuse 2 "$user: nor prepared for a job" 'belongs to another user' \
            as "$user" "$WICK" submit --function noop --set x=0..1.0 --trials 1 --dir "$name-$user.wick" \
            --scheduler local --workers-per-node 1
    done
    as "$user" "$WICK" report "$home/study.wick" -o "page-$user" >/dev/null 2>&1
    as "$user" "$WICK" export "$home/study.wick" -o "page-$user" >/dev/null 2>&1
    as "$user" "$WICK" export "$home/study.wick" -o "page-$user" --format sqlite >/dev/null 2>&1
    equals "$user: nothing is written where a link of a stranger leads" \
        "$(cd "$home/precious" && echo * && cat file)" "file
precious"
    rm -rf "link-$user.wick" "folder-$user.wick"

    # the stranger's study, in a folder that is not theirs alone
    stranger "$WICK" run --function noop --set x=0..1.0 --trials 1 --dir "theirs.wick" --quiet --no-report
    refuse 2 "$user: a study of a stranger is not taken by itself" 'no study of yours here' \
        as "$user" "$WICK" resume --trials 2
    refuse 2 "$user: not even in its own folder" "no study of yours here: name the folder of another user's, such as ." \
        as "$user" env -C theirs.wick "$WICK" status
    check "$user: but when it is named" as "$user" env -C theirs.wick "$WICK" status .
    stranger "$WICK" run --function noop --set x=0..1.0 --trials 1 --dir "$T/stranger/s" --quiet --no-report
    stranger cp "$T/stranger/s/journal" .
    as "$user" mkdir "own-$user.wick" && as "$user" cp "$home/study.wick/journal" "own-$user.wick"
    check "$user: a journal that a stranger left beside it" as "$user" "$WICK" status
    equals "$user: does not hide a study of one's own" "$ERR" "wick: using own-$user.wick"
    rm -rf "own-$user.wick"
    refuse 2 "$user: and is not taken by itself" 'no study of yours here' as "$user" "$WICK" resume --trials 2
    rm -rf journal "$T/stranger/s"
    stranger rm -rf theirs.wick
    cd "$T" || return
    rm -rf "$home"
}
of_user games
of_user root

# ---- a lock on what can only be read ----

games=$T/games
mkdir -m 755 games && chown games games
as games "$WICK" run --function noop --set x=0..1.0 --trials 1 --dir games/queued --quiet --no-report
check 'a point is queued' as games "$WICK" enqueue games/queued x=0.25
(attack hold "$games/queued/queue") &
await [ -e "$T/stranger/held" ]
check 'a lock that a reader holds keeps the next one waiting for a moment only' \
    as games timeout 60 "$WICK" enqueue games/queued x=0.5
equals 'and it is queued' "$(wc -l <games/queued/queue)" 2
pkill -u $STRANGER -f "$T/bin/attack.py hold"
wait

{
    declare -p T WICK STRANGER python
    declare -f as attack
} >bin/functions.sh

# ---- a /tmp in which others can rename ----

cat >bin/tmp.sh <<'END_OF_PROGRAM'
. "$1"
mount --bind "$T" /mnt
mount -t tmpfs -o mode=0777 none /tmp
cd /mnt/games
as games /mnt/bin/wick run --set x=0..1.0 --trials 1 --no-report --dir tmp -- bash -c 'echo "score: 1"'
END_OF_PROGRAM
refuse 2 'no sockets in a folder in which others can rename' 'run chmod +t /tmp, or set TMPDIR' \
    unshare --mount bash bin/tmp.sh "$T/bin/functions.sh"

# ---- ports: in a network of its own, where no other test looks for any ----

cat >bin/ports.sh <<'END_OF_PROGRAM'
. "$1" # the functions above
ip link set lo up
(cd "$T" && attack squat) &
until [ -e "$T/stranger/squats" ]; do sleep 0.05; done
cd games
as games timeout 120 "$WICK" run --set x=0..1.0 --ranks 2 -n 2 --trials 1 --no-report --dir ports -- \
    bash -c 'echo "score: $((MASTER_PORT > 1024))"'
END_OF_PROGRAM
check 'names of ports that a stranger takes' \
    unshare --net --pid --fork --kill-child --mount-proc bash bin/ports.sh "$T/bin/functions.sh"
contains 'leave a port for a trial' "$(grep '^{"end":1,' games/ports/journal)" '"score":1'

# ---- mpiexec and rank 0 ----

if command -v mpirun.openmpi >/dev/null && [ -e "$BUILD/lib/wick/wick-openmpi.so" ]; then
    mkdir -p -m 755 lib && cp -r "$BUILD/lib/wick" lib/
    cat >games/wait.yaml <<END_OF_STUDY
model: {command: [bash, -c, 'touch runs; until [ -e go ]; do sleep 0.02; done; echo "score: 1"'], pass: none}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END_OF_STUDY
    cd games || exit 1
    as games WICK_MPIEXEC=mpirun.openmpi OMPI_MCA_rmaps_base_oversubscribe=1 timeout 120 "$WICK" run wait.yaml --mpi 2 --dir mpi --no-report >out 2>err &
    await [ -e runs ]
    name=$(tr '\0' '\n' <"/proc/$(pgrep -u games -f "^$WICK run wait.yaml" | tail -n 1)/environ" |
        sed -n 's/^WICK_[A-Z_]*=\([0-9a-f]\{16\}\)$/\1/p')
    equals 'the socket between mpiexec and rank 0 has a random name' "${#name}" 16
    equals 'and takes no stranger' "$(cd .. && attack launch "wick-$name")" closed
    as games touch go
    check 'and the study goes on' wait_until ended mpi
    wait
    contains 'to its end' "$(grep '^{"end":1,' mpi/journal)" '"state":"done"'
else
    skip_part 'no Open MPI: the socket between mpiexec and rank 0'
fi
finish
