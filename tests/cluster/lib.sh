# lib.sh - helpers for tests on a real Slurm cluster, on top of those of tests/cli/lib.sh (check,
# equals, contains, ..., finish). A test is a script tests/cluster/NAME.sh:
#
#     . "$(dirname "$0")/lib.sh"
#
#     start_cluster --nodes 3
#     check 'a command runs on each node' on_head srun -N3 hostname
#     power_off n2
#     finish
#
#   start_cluster OPTION...      starts it (options: see slurm-up), or skips the test
#   stop_cluster                 ends it; the end of the test does so, too
#   on_head COMMAND...           runs it as a user of the cluster: srun, sbatch, wick
#   on_node NODE COMMAND...      runs it on that node, for example pgrep, kill, slurmd
#   stop_slurmd NODE             kills its slurmd; what runs on the node continues
#   start_slurmd NODE            starts it again
#   unplug NODE, plug NODE       unplugs the cable to that node, plugs it in (mode netns)
#   power_off NODE               ends everything on that node at once, for good
#   submit OPTION... SCRIPT      runs sbatch; prints the number of the job
#   job_state JOB                PENDING, RUNNING, COMPLETED, FAILED, CANCELLED, ...
#   wait_for_job JOB             waits until it has ended, then prints its state
#   run_job OPTION... SCRIPT     submits and waits; fails unless it is COMPLETED
#   need_openmpi_4               skips the test if there is no Open MPI 4
#
# Nodes are called n1, n2, ... All of them and the test see the same files, but each has its own
# processes, host name and /dev/shm. $T is open to all. A command on_head or on_node that takes
# longer than two minutes is ended with code 124.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
[ -z "$SANITIZE" ] || skip 'sanitizers see the same in ranks of MPI on one node: cli/mpi'
STATE=$T/slurm
chmod 755 "$T"

# The test itself may run in a job: nothing of that job may reach the jobs of the test.
unset "${!SLURM@}" "${!SBATCH@}" "${!SRUN@}" "${!PMI@}" "${!OMPI@}"
export SLURM_CONF=$STATE/slurm.conf
# OpenMPI assumes that each node has its own processors, but all nodes share those of this machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
# Its folders are named by host and process: n1 of another cluster would have the same.
export TMPDIR=$T

trap 'cd /; stop_cluster; rm -rf "$T"' EXIT

start_cluster() {
    local code=0 said
    said=$("$SOURCE/tests/cluster/slurm-up" "$@" "$STATE" 2>&1) || code=$?
    [ $code != 77 ] || skip "$said"
    verdict $code 'the cluster starts' "$said"
    [ $code = 0 ] || finish
}

# If a check failed, the last messages of the daemons may tell why.
stop_cluster() {
    [ "$failed" = 0 ] || tail -n 15 "$STATE"/log/slurm* 2>/dev/null | sed 's/^/#   /'
    "$SOURCE/tests/cluster/slurm-down" "$STATE" && rm -rf "$STATE"
}

process_of() { cat "$STATE/run/$1.pid"; }
on_head() { timeout 120 nsenter --target "$(process_of head)" --net "$@"; }
on_node() {
    timeout 120 nsenter --target "$(process_of "$1")" --mount --uts --ipc --pid --net \
        --wd="$PWD" "${@:2}"
}
stop_slurmd() { on_node "$1" pkill -KILL -x slurmd; }
start_slurmd() { on_node "$1" slurmd -N "$1"; }
unplug() { on_head ip link set "$1" down; }
plug() { on_head ip link set "$1" up; }
power_off() { kill -KILL "$(process_of "$1")"; }

submit() { on_head sbatch --parsable "$@"; }

job_state() { on_head scontrol --oneliner show job "$1" | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p'; }

job_has_ended() { [[ $(job_state "$1") =~ ^(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|)$ ]]; }

wait_for_job() {
    wait_until job_has_ended "$1"
    job_state "$1"
}

# `sbatch --wait` would look only every ten seconds.
run_job() {
    local job state
    job=$(submit "$@") || return
    state=$(wait_for_job "$job")
    echo "job $job: $state"
    [ "$state" = COMPLETED ]
}

# These tests expect what that version does at starts over several nodes and when nodes are lost.
need_openmpi_4() {
    mpis_installed | grep -qx openmpi || skip 'there is no Open MPI (see tools/packages)'
    recovers openmpi || skip 'needs Open MPI 4, but another version is installed'
}
