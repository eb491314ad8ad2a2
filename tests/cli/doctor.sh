#!/usr/bin/env bash
# wick doctor: what it finds, what it advises, and that it leaves nothing behind. Programs on a PATH
# of this test simulate what a machine may lack or have broken.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C
unset COLUMNS NO_COLOR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES ZE_AFFINITY_MASK WICK_MPI WICK_MPIEXEC WICK_SITE TMPDIR \
    "${!SLURM@}" "${!PMI@}" "${!OMPI_COMM@}"
mkdir -p bin here

# program NAME LINE...: makes a program on the doctor's PATH, as a shell script.
program() {
    printf '%s\n' '#!/bin/sh' "${@:2}" >"bin/$1"
    chmod 755 "bin/$1"
}

# doctor ARGUMENT...: runs it in the folder `here`, with only the programs in `bin`.
doctor() { env -C "$T/here" PATH="$T/bin" "$WICK" doctor "$@"; }

# line SUBJECT: prints its line of the last report, without the white space that aligns it; advice:
# the next line.
line() { sed -n "s/^  \([a-zA-Z-]*\)  *$1  */\1 /p" <<<"$OUT"; }
advice() { grep -A 1 "^  [a-zA-Z-]*  *$1  " <<<"$OUT" | sed -n 's/^ *-> //p'; }

# ---- a machine that lacks everything ----

check 'a machine without anything is not bad' doctor
equals 'no scheduler' "$(line scheduler)" '- none: no sbatch, qsub, bsub or flux on PATH'
equals 'no mpiexec' "$(line mpiexec)" '- no mpiexec on PATH'
equals 'no python' "$(line python)" '- no python3 on PATH'
equals 'no R' "$(line Rscript)" '- no Rscript on PATH'
equals 'no runtime' "$(line bubblewrap)" '- not installed'
contains 'the host is named' "$(line host)" "ok $(uname -n): "
contains 'the files of Wick are there' "$(line files)" 'ok the libraries for C, Python and R are in'
contains 'locks work' "$(line locks)" 'ok a second process is kept out'
contains 'the last line is the verdict' "$(tail -n 1 <<<"$OUT")" 'nothing bad, '
equals 'nothing is left behind' "$(ls -A here)" ''
refuse 2 'a study that is not there' 'nothing.yaml' doctor nothing.yaml
refuse 2 'an unknown option' "did you mean '--image'" doctor --imgae x

# ---- as JSON ----

check 'as JSON' doctor --json
equals 'a finding has all keys' "$(grep -o '"subject":"mpiexec".*' <<<"$OUT")" \
    '"subject":"mpiexec","verdict":"none","needed":false,"text":"no mpiexec on PATH","advice":null},'
if command -v python3 >/dev/null; then
    printf '%s' "$OUT" >report.json
    check 'it is JSON' python3 -c 'import json; assert len(json.load(open("report.json"))) > 10'
else
    skip_part 'python3 is not installed: the JSON is not read'
fi

# ---- on a terminal ----

if command -v script >/dev/null; then
    shown=$(env -C here PATH="$T/bin:$PATH" TERM=xterm COLUMNS=60 script -qec \
        "env PATH=$T/bin $WICK doctor" /dev/null </dev/null | tr -d '\r')
    contains 'verdicts have colours' "$shown" $'\033[32mok   \033[0m'
    equals 'lines fit into the terminal' \
        "$(sed 's/\x1b\[[0-9;]*m//g' <<<"$shown" | grep -v / | grep -c '.\{61\}')" 0
else
    skip_part 'script is not installed: nothing is shown on a terminal'
fi

# ---- scheduler ----

program sbatch
program sinfo '[ "$1" != --version ] || { echo slurm 99.1; exit; }' 'echo main; echo short'
check 'a Slurm that answers' doctor
equals 'its version and partitions' "$(line Slurm)" 'ok slurm 99.1 answers: 2 partitions (main, short)'
program sinfo '[ "$1" != --version ] || { echo slurm 99.1; exit; }' 'echo "sinfo: error: no luck" >&2' 'exit 1'
check 'a Slurm that refuses' doctor
equals 'it is told why' "$(line Slurm)" 'warn slurm 99.1 does not respond: sinfo: error: no luck (code 1)'
contains 'what to do' "$(advice Slurm)" 'try a login node'
program sinfo '[ "$1" != --version ] || { echo slurm 99.1; exit; }' '/bin/sleep 1000 & echo $! >'"$T/sleeper" 'wait'
check 'a Slurm that hangs' doctor
equals 'it is given up' "$(line Slurm)" 'warn slurm 99.1 does not respond: sinfo did not answer within 5 seconds'
contains 'what to do then' "$(advice Slurm)" 'busy or down'
gone() { ! kill -0 "$(cat sleeper)" 2>/dev/null; }
check 'and all of it is ended' wait_until gone

# ---- what a study needs ----

cat >job.yaml <<'END'
model: {command: [/bin/true], score: loss}
space: {x: {float: [0, 1]}}
job: {nodes: 2, queue: gpu, time: 10m}
END
program sinfo '[ "$1" != --version ] || { echo slurm 99.1; exit; }' 'echo main; echo gpus'
refuse 1 'a queue that does not exist' 'BAD  queue            there is no partition gpu' \
    doctor ../job.yaml
contains 'the queues that do' "$(advice queue)" 'main, gpus'
contains 'MPI is needed for two nodes' "$(line mpiexec)" 'BAD no mpiexec on PATH'
contains 'the program is there' "$(line program)" 'ok /'
contains 'the count of what is bad' "$(tail -n 1 <<<"$OUT")" '2 bad, '
rm bin/sbatch bin/sinfo
refuse 1 'a job without a scheduler' 'BAD  scheduler' doctor ../job.yaml
contains 'where to submit it' "$(advice scheduler)" 'login node'

cat >code.yaml <<'END'
model: {python: 'model.py:run', interpreter: python3, score: loss, gpus: 1}
space: {x: {float: [0, 1]}}
END
echo 'def run(params): return 1' >model.py
program python3 'exit 0'
check 'the study reads' env "PATH=$T/bin:$PATH" "$WICK" check code.yaml
rm bin/python3
refuse 1 'a study that needs Python and a GPU' 'BAD  python' doctor ../code.yaml
contains 'and where it says so' "$(line missing)" "BAD ../code.yaml, line 1: the program 'python3' is not on PATH"
contains 'no GPU' "$(line 'for trials')" 'BAD none'
contains 'what to do about GPUs' "$(advice 'for trials')" 'gpus_per_node'
refuse 0 'a GPU by the variable' 'ok   for trials       2 NVIDIA GPUs (CUDA_VISIBLE_DEVICES=0,1)' \
    env CUDA_VISIBLE_DEVICES=0,1 PATH="$T/bin" "$WICK" doctor
refuse 0 'of AMD' 'ok   for trials       1 AMD GPU (ROCR_VISIBLE_DEVICES=3)' \
    env ROCR_VISIBLE_DEVICES=3 PATH="$T/bin" "$WICK" doctor

check 'a study of its own' "$WICK" run --quiet --trials 1 --function noop --set x=0..1 --dir ended.wick
check 'the folder of a study' doctor "$T/ended.wick"
contains 'is what is looked at' "$(line type)" "$T/ended.wick"

# A login node has no GPUs, but the job asks for them.
program sbatch
program sinfo '[ "$1" != --version ] || { echo slurm 99.1; exit; }' 'echo main'
cat >gpus.yaml <<'END'
model: {command: [/bin/true], score: loss, gpus: 1}
space: {x: {float: [0, 1]}}
job: {gpus_per_node: 2, time: 10m}
END
check 'a study with GPUs on a login node' doctor ../gpus.yaml
contains 'gets them from its job' "$(line 'for trials')" '- none here, but the job asks for 2 GPUs per node'
refuse 1 'in the job they must be there' 'BAD  for trials       none' \
    env SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=1 PATH="$T/bin" "$WICK" doctor gpus.yaml
rm bin/sbatch bin/sinfo
refuse 1 'and without a scheduler, too' 'BAD  for trials       none' doctor ../gpus.yaml

# ---- MPI ----

program mpiexec 'echo "libfoo.so: cannot open" >&2; exit 127'
check 'an mpiexec that is broken' doctor
contains 'it says why' "$(line mpiexec)" "warn $T/bin/mpiexec does not work: mpiexec: libfoo.so: cannot open (code 127)"
refuse 1 'it is bad where it is needed' 'BAD  mpiexec' doctor ../job.yaml
[ -n "$(mpis_here)" ] || skip_part 'no MPI: real ranks are not tested'
# ranks_start MPI: the doctor has started them; on a busy machine, they may take longer than it waits.
ranks_start() {
    code=0
    WICK_MPIEXEC=mpirun.$1 capture env -C here "$WICK" doctor || code=$?
    [[ "$(line 'two ranks')" != *'gave no answer'* ]]
}
for mpi in $(mpis_here); do
    program mpiexec 'echo "mpiexec (OpenRTE) 99.1"'
    [ "$mpi" = openmpi ] || program mpiexec 'echo "HYDRA build details:"; echo "    Version: 99.1"'
    check "an mpiexec that starts nothing: $mpi" doctor
    contains "it is seen: $mpi" "$(line 'two ranks')" 'warn failed to start: '
    [ "$mpi" = mpich ] || contains 'versions that differ are seen' "$(line mpiexec)" \
        'but the plug-in loads version '
    wait_until ranks_start "$mpi"
    equals "ranks of $mpi" "$code" 0
    contains "two of them hear each other: $mpi" "$(line 'two ranks')" 'ok started and connected in'
done
if [ "$(id -u)" = 0 ] && mpis_here | grep -q openmpi; then
    check 'root without leave' env -u OMPI_ALLOW_RUN_AS_ROOT WICK_MPIEXEC=mpirun.openmpi "$WICK" doctor here
    contains 'Open MPI refuses' "$(line 'two ranks')" 'Open MPI refuses to start ranks as root'
    contains 'how to let it' "$(advice 'two ranks')" 'OMPI_ALLOW_RUN_AS_ROOT=1'
fi
program mpiexec 'echo "mpiexec (OpenRTE) 4.1"'
program srun 'printf "MPI plugin types are...\n\tnone\n\tpmi2\n"'
program ompi_info 'echo mca:plm:rsh'
check 'srun without PMIx' doctor
if mpis_here | grep -q openmpi; then
    contains 'Open MPI needs it' "$(line srun)" 'warn supports pmi2, but the MPI of Wick needs pmix'
fi
contains 'an Open MPI without Slurm' "$(line 'Open MPI')" 'warn built without Slurm support'
lacks 'an srun that cannot help is not advised' "$(advice 'Open MPI')" '--mpi=pmix'
lacks 'nor a launcher that Open MPI refuses' "$(advice srun)" 'launcher: mpiexec'
program srun 'printf "MPI plugin types are...\n\tnone\n\tpmix\n"'
check 'srun with PMIx' doctor
contains 'one that can is' "$(advice 'Open MPI')" 'srun --mpi=pmix'
rm bin/mpiexec bin/srun bin/ompi_info

# ---- several ranks ----

refuse 1 'copies by srun' 'BAD  this process     one of 2 copies that srun started without MPI' \
    env SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=0 PATH="$T/bin" "$WICK" doctor here
check 'another rank says nothing where all is well' \
    env PMIX_RANK=1 SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=0 PATH="$T/bin" "$WICK" doctor here
equals 'not a line' "$OUT" ''
refuse 1 'and in a line what is bad' "$(uname -n): folder, writing: cannot create a file in /proc" \
    env PMIX_RANK=1 SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=0 PATH="$T/bin" "$WICK" doctor /proc
check 'the second rank of a node says nothing' \
    env PMIX_RANK=1 SLURM_STEP_NUM_TASKS=2 SLURM_LOCALID=1 PATH="$T/bin" "$WICK" doctor /proc

# ---- Python and R ----

program python3 'echo "broken environment" >&2; exit 1'
check 'a Python that is broken' doctor
contains 'its last words' "$(line python)" "does not work: python3: broken environment (code 1)"
refuse 1 'is bad where it is needed' 'BAD  python' env CUDA_VISIBLE_DEVICES=0 PATH="$T/bin" "$WICK" doctor code.yaml
program python3 'case $2 in *torch.cuda*) echo 0.25 0 None;; *) echo python 3.9.1 /opt/python3
echo package torch 9.9; echo package numpy 1.2; echo "nowick ImportError: other";; esac'
check 'a Python that is a script' doctor
contains 'a shim costs time' "$(line python)" "warn 3.9.1, /opt/python3, through the script $T/bin/python3"
contains 'the import of torch is measured' "$(line torch)" 'ok 9.9, importing takes 0.25 s'
contains 'packages' "$(line packages)" 'ok numpy 1.2'
contains 'another module called wick' "$(line wick)" 'import wick fails: ImportError: other'
program python3 'case $2 in *torch.cuda*) exit 1;; *) echo python 2.7.1 /opt/python
echo package torch 9.9;; esac'
check 'an old Python' doctor
contains 'is too old' "$(line python)" 'warn 2.7.1'
contains 'a torch that is broken' "$(line torch)" 'warn 9.9: python3 exited with code 1 and no output'
rm bin/python3
if [ -x /usr/bin/python3 ]; then
    ln -s /usr/bin/python3 bin/python3
    check 'the real Python' doctor
    contains 'finds the library of Wick' "$(line wick)" 'ok import wick: '
    rm bin/python3
else
    skip_part 'python3 is not installed: the real one is not looked at'
fi
program Rscript 'echo version 4.2; echo failed no such library'
check 'an R that cannot load' doctor
contains 'its version' "$(line Rscript)" 'ok 4.2, '
contains 'no jsonlite' "$(line jsonlite)" '- not installed'
contains 'the library of Wick' "$(line 'wick-r.so')" 'warn R cannot load it: no such library'
program Rscript 'exit 3'
check 'an R that is broken' doctor
contains 'its code' "$(line Rscript)" 'does not work: Rscript exited with code 3 and no output'
rm bin/Rscript

# ---- two nodes, in a folder where others have put names that they guessed ----

mkdir -m 1777 shared
echo precious >precious
ln -s "$T/precious" "shared/.wick-doctor-on-$(uname -n)"
ln -s "$T/precious" "shared/.wick-doctor-on-$(uname -n).0123456789abcdef.tmp"
mkdir shared/.wick-doctor-first
echo notes >shared/.wick-doctor-on-monday
: >"shared/.wick-doctor-on-n2.0123456789abcdef.tmp"
chown 65534 "shared/.wick-doctor-on-n2.0123456789abcdef.tmp" 2>/dev/null || rm shared/.wick-doctor-on-n2.*
before=$(ls -A shared)
on_node() { # NUMBER: the doctor of this node
    env -C "$T" PATH="$T/bin" SLURM_PROCID="$1" SLURM_STEP_NUM_TASKS=2 SLURM_STEP_NUM_NODES=2 "$WICK" doctor shared
}
on_node 1 >other 2>&1 &
await eval '[ "$(ls -A shared)" != "$before" ]'
capture on_node 0 # which says that srun started copies, too
wait $!
lacks 'the other node sees the folder of the first' "$(cat other)" 'another folder'
contains 'they see the same folder' "$(line nodes)" 'ok 2 nodes see this folder'
equals 'what others had put there stays' "$(ls -A shared)" "$before"
equals 'and nothing is written there' "$(cat precious)" precious

# ---- GPUs ----

program nvidia-smi 'echo A100, 40960 MiB, 550.1; echo A100, 40960 MiB, 550.1'
check 'two GPUs' doctor
contains 'nvidia-smi lists them' "$(line NVIDIA)" 'ok 2 x A100, 40960 MiB, 550.1'
program nvidia-smi 'echo "No devices were found"; exit 6'
check 'a driver without devices' doctor
contains 'it is not bad' "$(line NVIDIA)" '- nvidia-smi: No devices were found (code 6)'
rm bin/nvidia-smi

# ---- containers ----

program bwrap '[ "$1" != --version ] || { echo bubblewrap 9.9; exit; }' 'echo "bwrap: no permissions" >&2; exit 1'
check 'a runtime that does not work' doctor
contains 'it is tried' "$(line bubblewrap)" "warn 9.9, $T/bin/bwrap: "
contains 'and its words are told' "$(line bubblewrap)" "bwrap: no permissions (code 1)"
program bwrap '[ "$1" != --version ] || echo bubblewrap 9.9'
check 'one that works' doctor
contains 'it is measured' "$(line bubblewrap)" "ok 9.9, $T/bin/bwrap; \`true\` took "
rm bin/bwrap
refuse 1 'an image that is not there' 'BAD  image' doctor --image "$T/none.sif"
if unshare -Ur true 2>/dev/null && unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces' 2>/dev/null; then
    check 'no user namespaces' unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces
        PATH=$0/bin exec "$1" doctor' "$T" "$WICK"
    contains 'they cannot be made' "$(line namespaces)" 'warn cannot be created: '
    contains 'which setting it is' "$(advice namespaces)" 'sysctl user.max_user_namespaces=15000'
else
    skip_part 'user namespaces cannot be created or cannot be turned off here: their absence is not tested'
fi

# ---- the machine and its folders ----

check 'few open files' bash -c 'ulimit -n 512; PATH=$0/bin exec "$1" doctor' "$T" "$WICK"
contains 'they are too few' "$(line 'open files')" 'warn 512, at most 512'
core=$(taskset -pc $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')
if [ "$(nproc)" = 1 ] || [ -z "$core" ]; then
    skip_part 'one core, or no taskset: a process that is bound to one is not tested'
else
    check 'bound to one core' taskset -c "$core" env PATH="$T/bin" "$WICK" doctor
    contains 'it is told' "$(line cores)" "warn 1 of "
fi
if [ "$(stat -fc %T /dev/shm 2>/dev/null)" = tmpfs ] && memory=$(mktemp -d -p /dev/shm 2>/dev/null); then
    check 'a folder in memory' doctor "$memory"
    contains 'it is lost with the machine' "$(line type)" 'warn tmpfs, in memory: '
    rmdir "$memory"
else
    skip_part 'there is no /dev/shm: a folder in memory is not tested'
fi
refuse 1 'a folder that takes no files' 'cannot create a file in /proc' doctor /proc
program wick 'exit 0'
check 'another wick on PATH' doctor
contains 'is pointed out' "$(line version)" "\`wick\` on PATH is a different one, $T/bin/wick"
chmod 755 "$T"
ordinary=(setpriv --reuid=65534 --regid=65534 --clear-groups) folder=$T/here
[ "$(id -u)" = 0 ] || ordinary=() folder=/
if ! "${ordinary[@]}" test -x "$WICK" 2>/dev/null; then
    skip_part 'an ordinary user cannot run this wick: a folder of others is not tested'
else
    refuse 1 'an ordinary user in a folder of others' 'Permission denied' \
        "${ordinary[@]}" env PATH="$T/bin" "$WICK" doctor "$folder"
    contains 'what to do about that' "$(advice writing)" 'a folder that you can write to'
fi
finish
