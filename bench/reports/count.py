# Follows a journal: prints how many steps are there, and the median time until one could be read.
import json
import os
import sys
import time

path, pid = sys.argv[1], int(sys.argv[2])
while not os.path.exists(path):
    time.sleep(0.01)
delays, rest = [], b""
with open(path, "rb") as journal:
    while True:
        alive = os.path.exists("/proc/%d" % pid)
        bytes = journal.read()
        now = time.time()
        if bytes:
            lines = (rest + bytes).split(b"\n")
            rest = lines.pop()
            delays += [now - json.loads(l)["metrics"]["sent"] for l in lines if l[:8] == b'{"step":']
        elif not alive:
            break
        time.sleep(0.002)
delays.sort()
print(len(delays), 1000 * delays[len(delays) // 2], 1000 * delays[len(delays) * 99 // 100])
