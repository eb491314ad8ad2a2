#!/usr/bin/env bash
# Trials in images: real runtimes where they are installed, and how the others are called.
. "$(dirname "$0")/lib.sh"
need python3

mkdir home fake
export HOME=$T/home
unset WICK_RUNTIME TMPDIR
HERE=$(dirname "$SOURCE/tests/cli/lib.sh")

# study NAME "MODEL" "CONTAINER" ["SEARCH"]: writes NAME.yaml.
study() {
    printf 'model: {%s}\nspace: {x: {float: [0, 1]}}\nsearch: {algorithm: random, %s}\ncontainer: {%s}\n' \
        "$2" "${4:-trials: 2}" "$3" >"$1.yaml"
}

# go NAME: runs it in a new folder.
go() {
    rm -rf "$1"
    timeout 600 "$WICK" run "$1.yaml" --dir "$1" -n 2 --keep all
}

# ---- mistakes are reported before anything starts ----

mkdir -p plain/usr/bin
echo 'no image' >text
printf 'def run(x): return x\nprint("score: 1")\n' >model.py
study bad 'command: python3 model.py' 'image: nothing.sif'
refuse 2 'an image that is not there' "there is no image 'nothing.sif'" go bad
study bad 'command: python3 model.py' 'image: text'
refuse 2 'a file that is no image' 'is not an image' go bad
mkdir -p empty
study bad 'command: python3 model.py' 'image: empty'
refuse 2 'a folder that is no image' 'is not an image' go bad
check 'and no study was made' test ! -e bad

cat >fake/bwrap <<'END'
#!/bin/sh
echo "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it" >&2
exit 1
END
chmod +x fake/bwrap
study bad 'command: python3 model.py' 'image: plain, runtime: bubblewrap'
with_fake() { PATH=$T/fake:$PATH "$@"; }
refuse 2 'a runtime that does not work says why' 'bubblewrap does not work: bwrap: No permissions' \
    with_fake go bad
only_fake() { PATH=$T/fake:/nowhere "$@"; }
ln -s "$(command -v timeout)" "$(command -v rm)" "$(command -v sh)" fake/
study bad 'command: python3 model.py' 'image: plain'
refuse 2 'auto tells of each runtime' 'charliecloud is not installed; bubblewrap does not work' \
    only_fake go bad
study bad 'command: python3 model.py' 'image: plain, runtime: podman'
refuse 2 'a runtime that is not there' 'podman is not installed' only_fake go bad
lacks 'nothing that fails is advised' "$ERR" 'bubblewrap'
printf '#!/bin/sh\nexit 0\n' >fake/bwrap
refuse 2 'a runtime that works in its place' 'bubblewrap works here: write `runtime: auto`' \
    only_fake go bad
cp fake/bwrap fake/ch-run
study bad 'command: python3 model.py' 'image: plain, runtime: charliecloud, network: none'
refuse 2 'a runtime that cannot do what is asked' \
    'charliecloud cannot disable the network; bubblewrap works here' only_fake go bad
home=$(mktemp -d /var/tmp/wick:XXXXXX) # not in /tmp, which is bound as a whole
from_home() { HOME=$home only_fake go bad; }
study bad 'command: python3 model.py' 'image: plain, runtime: charliecloud'
refuse 2 'a path that it cannot bind' \
    "charliecloud cannot bind $home: no path may contain any of ':'; bubblewrap works here" from_home
study bad 'command: python3 model.py' 'image: plain'
rm fake/bwrap
refuse 2 'auto knows that, too' \
    "charliecloud cannot bind $home: no path may contain any of ':'; bubblewrap is not installed" \
    from_home
rmdir "$home"
cp fake/ch-run fake/bwrap
study bad 'command: python3 model.py' 'image: plain, runtime: podman'
ln -s "$(command -v python3)" fake/
check 'to wick check that is no mistake' only_fake "$WICK" check bad.yaml
contains 'but a note' "$ERR" 'on this machine: cannot use the image'
contains 'of what is missing' "$ERR" 'podman is not installed; charliecloud works here'
study bad 'command: python3 model.py' 'image: plain'
check 'a runtime that is there' only_fake "$WICK" check bad.yaml
lacks 'needs no note' "$ERR" 'on this machine'
rm fake/*

# ---- how runtimes that are rarely installed are called ----

cat >fake/recorder <<'END'
#!/bin/sh
case " $* " in *" train "*) ;; *) exit 0 ;; esac
{ printf '%s\n' "$0" "$@"; echo --; env | grep -E '^(APPTAINER|WICK_TRIAL|PATH=|LD_)' | sort; } >"${0%/*}/../record"
echo 'score: 1'
END
chmod +x fake/recorder
for program in apptainer singularity podman udocker; do
    ln -s recorder "fake/$program"
done
mkdir -p data
words_of() { # words_of RUNTIME IMAGE: what a trial's command became, in one line
    study golden 'command: train --flag, pass: none, env: {A: "$(id) ; x, y"}' \
        "image: $2, runtime: $1, binds: ['data:/in side:ro'], network: none, gpu: true, workdir: /opt, options: [--extra], inherit: false" 'trials: 1'
    LD_LIBRARY_PATH=/host PATH=$T/fake:/usr/bin:/bin capture go golden ||
        printf '%s\n%s\n' "$OUT" "$ERR"
    sed "s|$T|T|g; s|$SOURCE[^:]*|S|g; s|$BUILD[^:]*|S|g" record | tr '\n' '|'
    rm -f record
}
mkdir -p plain/opt plain/usr/bin
: >plain/usr/bin/train
told=$(words_of apptainer plain)
contains 'apptainer' "$told" 'T/fake/apptainer|exec|--bind|T:T|'
contains 'apptainer: binds, the GPU, no network, where it begins, the image, the command' "$told" \
    '--bind|T/data:/in side:ro|--nv|--net|--network|none|--pwd|/opt|--extra|T/plain|train|--flag|--|'
contains 'its variables are not handed to a shell' "$told" 'APPTAINER_NO_EVAL=1|'
contains 'the image keeps its PATH' "$told" 'APPTAINERENV_APPEND_PATH=S|'
lacks 'the libraries of the host stay outside' "$told" 'LD_LIBRARY_PATH'
contains 'singularity is told the same' "$(words_of singularity plain)" \
    'T/fake/singularity|exec|--bind|T:T|'
told=$(words_of podman docker://python:3.12)
contains 'podman' "$told" 'T/fake/podman|run|--rm|--pid=host|--read-only|'
contains 'podman: no network' "$told" '|--network=none|'
contains 'podman: binds' "$told" '|--volume=T/data:/in side:ro|'
contains 'podman: variables by name' "$told" '|--env=A|'
contains 'podman: the rest' "$told" \
    '|--device=nvidia.com/gpu=all|--workdir=/opt|--extra|docker://python:3.12|train|--flag|--|'
study golden 'command: train --flag, pass: none, env: {A: "$(id) ; x, y"}' \
    'image: "docker://python:3.12", runtime: udocker, workdir: /opt' 'trials: 1'
PATH=$T/fake:/usr/bin:/bin capture go golden
told=$(tr '\n' '|' <record)
contains 'udocker' "$told" '|--quiet|run|--nobanner|--hostauth|--user='
contains 'udocker: variables with their values' "$told" '|--env=A=$(id) ; x, y|'
contains 'udocker: a container with a name' "$told" '|--entrypoint=|wick-python-3-12|train|--flag|--|'
study bad 'python: model.py:run' 'image: "docker://python:3.12", runtime: podman'
refuse 2 'no language host in podman' 'a language host' with_fake go bad
study bad 'command: train' 'image: "docker://python:3.12", runtime: udocker, network: none'
refuse 2 'udocker cannot disable the network' 'cannot disable the network' with_fake go bad
study bad 'command: train' 'image: "docker://python:3.12", runtime: udocker, gpu: true'
refuse 2 'nor use GPUs' 'udocker cannot use GPUs' with_fake go bad
cat >fake/ch-run <<'END'
#!/bin/sh
case " $* " in *" train "*) echo 'score: 1'; exit ;; esac
[ ! -e "$0.tried" ] || exit 0
: >"$0.tried"
echo "ch-run: error: can't bind: No such file or directory" >&2
exit 1
END
chmod +x fake/ch-run
study late 'command: train, pass: none' 'image: plain, runtime: charliecloud'
check 'a mount point that is seen late is tried again' with_fake go late
rm fake/*

# ---- an image of this machine's files, in every real runtime ----

[ -z "$SANITIZE" ] || finish # the rest is about other programs
image=$T/image
if ! "$HERE/make-image" "$image" >make.out 2>&1; then
    skip_part "no image can be made of this machine's files: $(tail -n 1 make.out)"
    finish
fi
echo first >"$image/etc/image-first"
export USER=${USER:-$(id -un)} # Charliecloud wants it

. "$HERE/runtimes.sh"
runtimes=
for program in ch-run:charliecloud bwrap:bubblewrap proot:proot; do
    runtime=${program#*:}
    if ! command -v "${program%:*}" >/dev/null; then
        skip_part "$runtime is not installed"
    elif ! runtime_works "$runtime" >works.out 2>&1; then
        skip_part "$runtime does not work here: $(tail -n 1 works.out)"
    else
        runtimes="$runtimes $runtime"
    fi
done
[ -n "$runtimes" ] || finish

cat >look.py <<'END'
import json, os, sys
import wick
seen = {name: os.environ.get(name) for name in ("LD_LIBRARY_PATH", "ADDED", "WICK_TRIAL", "OUTSIDE")}
seen.update(image=open("/etc/image-name").read().strip(), folder=os.getcwd(), user=os.getuid(),
            data=open("/data/file").read(), line=os.path.exists(os.environ["WICK_LINE"]))
open("seen", "w").write(json.dumps(seen, sort_keys=True))
wick.report(score=float(sys.argv[2]), step=1)
END
cat >warm.py <<'END'
import json, os
def run(x):
    open("warm-seen", "w").write(open("/etc/image-name").read() + os.getcwd())
    return x
END
cat >hang.py <<'END'
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
open("hangs", "w").write("yes")
time.sleep(3600)
END
cat >soft.py <<'END'
import signal, sys, time
def end(*ignored):
    time.sleep(0.2)
    open("ended", "w").write("by itself")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
open("hangs", "w").write("yes")
time.sleep(3600)
END
echo 'import os; os.kill(os.getpid(), 11)' >crash.py
# Folders, files, what lies below and what is mounted below: no way to write, also not for root.
cat >guarded.py <<'END'
import ctypes
for path in ("/data", "/data/sub", "/one"):
    ctypes.CDLL(None).mount(None, path.encode(), None, 4096 | 32, None)  # as writable again
with open("/data/sub/out/tried", "w") as out:
    for path in ("/data/file", "/data/new", "/data/sub/file", "/data/sub/new", "/data/mounted/new", "/one"):
        try:
            open(path, "a").write("x")
            print(path, "is written", file=out)
        except OSError as error:
            print(path, error.strerror, file=out)
print("score: 1")
END
mkdir -p 'some data/sub/out' 'some data/mounted' out
printf '%s Read-only file system\n' /data/file /data/new /data/sub/file /data/sub/new /data/mounted/new /one >expected
for file in 'some data/file' 'some data/sub/file' one; do
    echo mine >"$file"
done
in_namespace=
if unshare -Urm mount -t tmpfs none "$T/some data/mounted" 2>/dev/null; then
    in_namespace='unshare -Urm sh mount.sh'
    printf 'mount -t tmpfs none "%s/some data/mounted"\nexec "$@"\n' "$T" >mount.sh
fi
echo inside >data/file
left_behind() { grep -lszE "^(RUN_ID=$T)" /proc/[0-9]*/environ 2>/dev/null | wc -l; }
none_left() { [ "$(left_behind)" = 0 ]; }
# go_hanging NAME: runs the study of NAME.py, which writes the file `hangs` when it has begun; its
# time limit is raised until the machine is fast enough for that.
go_hanging() {
    local limit
    for limit in 1 10 100; do
        rm -f hangs
        sed -i "s/timeout: [0-9]*/timeout: $limit/" "$1.yaml"
        capture go "$1"
        [ ! -e hangs ] || return 0
    done
}

for runtime in $runtimes; do
    about="image: image, runtime: $runtime, binds: [data:/data]"
    study look 'command: python3 look.py' "$about, env: {ADDED: \"a, b\"}"
    before=$failed
    LD_LIBRARY_PATH=/nowhere OUTSIDE=1 check "$runtime: trials run" go look
    # What is bound must exist on both sides.
    [ "$failed" = "$before" ] || ls -ld "$SOURCE"/languages/* "$image$SOURCE"/languages/* 2>&1 | sed 's/^/#   /'
    contains "$runtime: it says so" "$OUT$ERR" "with $runtime"
    equals "$runtime: what a trial sees" "$(cat seen)" \
        "{\"ADDED\": \"a, b\", \"LD_LIBRARY_PATH\": null, \"OUTSIDE\": \"1\", \"WICK_TRIAL\": \"$(sed 's/.*WICK_TRIAL": "\([0-9]*\).*/\1/' seen)\", \"data\": \"inside\\n\", \"folder\": \"$T\", \"image\": \"wick-image\", \"line\": true, \"user\": $(id -u)}"
    study warm 'python: warm.py:run' "$about" 'trials: 5'
    check "$runtime: trials fork in a host" go warm
    equals "$runtime: which is in the image" "$(cat warm-seen)" "wick-image
$T"
    study hang "command: python3 hang.py, timeout: 2, grace: 0.5, env: {RUN_ID: \"$T\"}" "$about" 'trials: 1'
    go_hanging hang
    contains "$runtime: a trial that hangs is ended" "$OUT$ERR" 'SIGTERM did not end it'
    check "$runtime: and had begun" test -e hangs
    check "$runtime: nothing is left behind" wait_until none_left
    study soft 'command: python3 soft.py, timeout: 2, grace: 150' "$about" 'trials: 1'
    go_hanging soft
    equals "$runtime: a trial can end itself" "$(cat ended)" 'by itself'
    rm -f ended
    study crash 'command: python3 crash.py' "$about" 'trials: 1'
    capture go crash
    contains "$runtime: a crash is told" "$OUT$ERR" 'signal 11'
    study guarded 'command: python3 guarded.py, pass: none' \
        "image: image, runtime: $runtime, binds: ['some data:/data:ro', 'one:/one:ro', 'out:/data/sub/out']" \
        'trials: 1'
    check "$runtime: a study with read-only binds" $in_namespace timeout 600 "$WICK" run guarded.yaml \
        --dir "guarded-$runtime" -n 1 --keep all
    equals "$runtime: nothing can be written there" "$(cat out/tried)" "$(cat expected)"
    equals "$runtime: and nothing was" "$(cat 'some data/file' 'some data/sub/file' one)" 'mine
mine
mine'
    rm out/tried
    study missing 'command: nosuch' "$about"
    refuse 2 "$runtime: no such program" "no program 'nosuch' in the image" go missing
done

# ---- where user namespaces are forbidden ----

printf 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"\n' >forbid.sh
if [[ $runtimes == *proot* ]] && unshare -Ur sh forbid.sh true 2>/dev/null; then
    study forbidden 'command: python3 guarded.py, pass: none' \
        "image: image, runtime: proot, binds: ['some data:/data:ro']"
    refuse 2 'read-only binds are refused, not ignored' \
        "cannot bind $T/some data read-only: this machine does not allow user namespaces" \
        unshare -Ur sh forbid.sh "$WICK" run forbidden.yaml --dir forbidden
    check 'and no study is made' test ! -e forbidden/journal
fi

# ---- the doctor looks into the image, not at this machine ----

cp -a "$image" doctored
rm doctored/usr/bin/python3*
study doctored 'command: python3 look.py' "image: image"
capture "$WICK" doctor doctored.yaml
contains 'the doctor sees the Python of the image' "$OUT" 'ok   in the image     3.'
lacks 'and not that of this machine' "$OUT" 'import wick'
study doctored 'command: python3 look.py' "image: doctored"
refuse 1 'and that there is none' 'BAD  in the image     python3 does not run: ' "$WICK" doctor doctored.yaml
study doctored 'command: sh look.sh' "image: doctored, runtime: podman, network: none"
capture "$WICK" doctor doctored.yaml
contains 'which matters only if trials need it' "$OUT" '-    in the image     python3 does not run: '
[[ $runtimes != *charliecloud* ]] ||
    contains 'a runtime that cannot do what the study asks is told' "$OUT" 'charliecloud cannot disable the network'
tar -cf whole.tar --files-from=/dev/null
study doctored 'command: python3 look.py' "image: whole.tar"
capture "$WICK" doctor doctored.yaml
lacks 'an image that only a study unpacks is not bad' "$OUT" 'no runtime works with this image'

# ---- unpacked images ----

runtime=${runtimes##* }
printf 'ls /etc; cat /etc/second; echo "in=$IN_IMAGE"; echo score: 1\n' >list.sh
for form in tar save oci oci-tar; do
    rm -rf handed
    "$HERE/pack-image" "$image" "$T/handed" "$form"
    study packed 'command: sh list.sh' "image: handed, runtime: $runtime" 'trials: 1'
    check "$form: a trial runs" go packed
    log=$("$WICK" show packed 1 --log 2>/dev/null || "$WICK" show packed 1)
    contains "$form: in the image" "$log" image-name
    [ "$form" = tar ] && continue
    lacks "$form: what a layer takes away is gone" "$log" image-first
    contains "$form: with the image's variables" "$log" in=yes
done
"$HERE/pack-image" "$image" "$T/packed.tar" tar
head -c 2000000 packed.tar >short.tar
study short 'command: sh list.sh' "image: short.tar, runtime: $runtime"
refuse 2 'a tarball that is cut off' 'cannot unpack the image: tar says' go short
check 'leaves nothing that looks whole' test ! -e short/image -a ! -e short/journal
study bad 'command: sh list.sh' "image: image, runtime: $runtime, workdir: /nowhere"
refuse 2 'a workdir that is not there' 'there is no folder /nowhere in the image' go bad
finish
