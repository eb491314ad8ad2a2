#!/usr/bin/env bash
# Real PyTorch: two ranks of DistributedDataParallel learn the same as one with twice the batch
# size, in a study that sweeps over ranks; and a killed rank ends the whole team.
. "$(dirname "$0")/lib.sh"
PYTHON=/usr/bin/python3
$PYTHON -c 'import torch.distributed' 2>/dev/null || skip 'PyTorch is not installed'
export USE_LIBUV=0 # Debian 13's PyTorch asks for libuv, and is built without

cat >train.py <<'END'
"""A small network, by one process or by several: its losses do not depend on how many."""
import argparse
import os
import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--ranks", type=int)
parser.add_argument("--lr", type=float)
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--mark")
args = parser.parse_args()
rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
assert world == args.ranks
torch.set_num_threads(1)
torch.manual_seed(1)
inputs, labels = torch.randn(64, 8), torch.randn(64, 1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
if world > 1:
    dist.init_process_group("gloo")
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
open("pid.%s.%d" % (os.environ["WICK_TRIAL"], rank), "w").write("%d\n" % os.getpid())
for step in range(args.steps):
    first = step % 4 * 16
    mine = slice(first + rank, first + 16, world)  # of a batch of 16, each of two ranks has 8
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(inputs[mine]), labels[mine])
    loss.backward()
    optimizer.step()
    whole = loss.detach().clone()
    if world > 1:
        dist.all_reduce(whole)
    if rank == 0:
        print("loss: %.9f" % (whole.item() / world), flush=True)
END
cat >study.yaml <<END
model: {command: $PYTHON train.py, score: loss}
space:
  ranks: {choice: [1, 2]}
  lr: 0.1
search: {algorithm: grid}
keep: all
END
check 'one rank, and two' timeout 600 "$WICK" run study.yaml -n 2 --dir sweep --no-report
grep '^loss' sweep/logs/1.log >one
grep '^loss' sweep/logs/2.log >two
equals 'both learn' "$(wc -l <one) $(wc -l <two)" '30 30'
paste one two | awk '{d = $2 - $4; if (d < 0) d = -d; if (d > worst) worst = d}
    END {printf "# the losses differ by %.1e at most\n", worst; exit worst > 2e-6}'
equals 'their losses are the same, to rounding' $? 0

# A rank is killed in the middle of its work: the other one hangs or fails, and is gone in the end.
rm -f pid.*
cat >study.yaml <<END
model: {command: $PYTHON train.py --steps 100000000 --mark $MARK, ranks: 2, score: loss, grace: 2}
space:
  ranks: 2
  lr: 0.1
search: {trials: 1}
END
no_rank() { ! pgrep -f "train.py --steps 100000000 --mark $MARK" >/dev/null; }
timeout 600 "$WICK" run study.yaml -n 2 --dir killed --no-report >out 2>err &
run=$!
await eval '[ -s pid.1.0 ] && [ -s pid.1.1 ]'
check 'two ranks run' eval '! no_rank'
kill -KILL "$(cat pid.1.1)"
wait $run
equals 'a killed rank: the study ends' $? 1
contains 'and says which' "$(cat err)" "rank 1 on node $(hostname): signal 9 (Killed)"
check 'no rank is left' wait_until no_rank
finish
