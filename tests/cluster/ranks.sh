#!/usr/bin/env bash
# Trials of several ranks over the nodes of a real Slurm: the ranks of a trial meet across nodes, by
# themselves, through PyTorch where it is installed, and through mpiexec inside the job.
. "$(dirname "$0")/lib.sh"
need_openmpi_4
PYTHON=/usr/bin/python3
start_cluster --nodes 3 --cpus 2

# job NAME STUDY: runs the study on 6 ranks of 3 nodes; Debian's Open MPI fails at times in MPI_Init.
job() {
    printf '#!/bin/bash\nmpirun.openmpi --enable-recovery %s run %s --dir %s --no-report\n' \
        "$WICK" "$2" "$1" >"$1.job"
    for _ in 1 2 3 4; do
        run_job -N3 -n6 -o "$1.out" "$1.job" >/dev/null
        [ ! -e "$1/journal" ] || break
        echo "# $1: MPI did not start"
    done
    contains "$1: it came to its end" "$(tail -n 1 "$1/journal")" '"why":"done"'
    equals "$1: all trials are done" "$(grep -c '"state":"done"' "$1/journal")" "$3"
    [ "$failed" = 0 ] || sed 's/^/# /' "$1.out"
}

# Rank 0 listens at the address given to the others, as torch.distributed does; all receive the same
# word. Before that they meet through the store, as Horovod does.
cat >meet.py <<'END'
import http.client, os, socket, time
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
address = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
store = os.environ["HOROVOD_GLOO_RENDEZVOUS_ADDR"], int(os.environ["HOROVOD_GLOO_RENDEZVOUS_PORT"])

def ask(method, key, body=None):
    connection = http.client.HTTPConnection(*store)
    connection.request(method, "/global/%s" % key, body)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()

def wait_for(key):
    while True:
        status, value = ask("GET", key)
        if status == 200:
            return value
        time.sleep(0.05)

assert ask("PUT", rank, "rank %d" % rank)[0] == 200
for other in range(world):
    assert wait_for(other) == "rank %d" % other
if rank == 0: # the head node is in the same network, but has no rank
    with open("store", "w") as file:
        file.write("%s %d\n" % store)
    while not os.path.exists("stranger"):
        time.sleep(0.05)
if rank == 0:
    server = socket.create_server(("", address[1]))
    calls = [server.accept()[0] for _ in range(world - 1)]
    names = [socket.gethostname()] + [call.recv(100).decode() for call in calls]
    print("nodes", len(set(names)))
    print("score:", len(names))
else:
    for _ in range(2000):
        try:
            call = socket.create_connection(address)
            break
        except OSError:
            time.sleep(0.05)
    call.sendall(socket.gethostname().encode())
END
cat >meet.yaml <<END
model: {command: $PYTHON meet.py, ranks: 4, pass: none}
space: {x: {float: [0, 1]}}
search: {algorithm: random, trials: 3}
keep: all
END
cat >stranger.py <<'END'
import http.client, os, time
while not os.path.exists("store"):
    time.sleep(0.05)
with open("store") as file:
    address, port = file.read().split()
connection = http.client.HTTPConnection(address, int(port))
try:
    connection.request("GET", "/global/0")
    said = connection.getresponse().read().decode()
except OSError as error:
    said = type(error).__name__
with open("stranger.new", "w") as file:
    file.write(said + "\n")
os.rename("stranger.new", "stranger")
END
on_head $PYTHON stranger.py &
job meet meet.yaml 3
equals 'the store takes no call from a node without ranks' "$(cat stranger)" ConnectionResetError
contains 'the ranks are on several nodes' "$(cat meet/logs/1.log)" 'nodes '
lacks 'not on one' "$(cat meet/logs/1.log)" 'nodes 1'

if $PYTHON -c 'import torch.distributed' 2>/dev/null; then
    cat >ddp.py <<'END'
import torch
import torch.distributed as dist
torch.set_num_threads(1)
dist.init_process_group("gloo")
total = torch.ones(1)
dist.all_reduce(total)
if dist.get_rank() == 0:
    print("score:", total.item())
END
    cat >ddp.yaml <<END
model: {command: $PYTHON ddp.py, ranks: 4, pass: none}
space: {x: {float: [0, 1]}}
search: {trials: 1}
END
    job ddp ddp.yaml 1
    contains 'PyTorch adds over the nodes' "$(grep '^{"end":1,' ddp/journal)" '"score":4'
else
    skip_part 'there is no PyTorch: ranks that it joins'
fi

for mpi in $(mpis_installed); do
    cat >"by-$mpi.yaml" <<END
model:
  command: [bash, -c, 'echo "\$(hostname) \${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" >>$mpi.\$WICK_TRIAL; echo "score: 1"']
  ranks: 4
  launch: mpi
  launcher: mpiexec.$mpi
  pass: none
  env: {OMPI_ALLOW_RUN_AS_ROOT: 1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: 1}
space: {x: {float: [0, 1]}}
search: {trials: 1}
keep: all
END
    job "by-$mpi" "by-$mpi.yaml" 1
    equals "mpiexec of $mpi starts four ranks" "$(sort -u -k2 "$mpi.1" | wc -l)" 4
    members=$(sed -n 's/^{"group":1,.*"members":\[\(.*\)\]}/\1/p' "by-$mpi/journal")
    echo "# workers $members: $(sort "$mpi.1" | paste -sd ' ')"
done
finish
