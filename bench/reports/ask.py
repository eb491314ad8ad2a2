# Reports a step that the stopper does not like, and measures how long it takes to be told.
import json
import os
import socket
import time

line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["WICK_LINE"])
answers = line.makefile("rb")


def say(**message):
    line.sendall(json.dumps(message).encode() + b"\n")


say(hello=int(os.environ["WICK_TRIAL"]), secret=int(os.environ["WICK_SECRET"]), **{"try": int(os.environ["WICK_TRY"])})
say(stop=0)
answers.readline()
say(step=1, metrics={"loss": 1})
time.sleep(0.05)
sent = time.time()
say(step=2, metrics={"loss": 2})
while True:
    say(stop=0)
    if json.loads(answers.readline())["stop"]:
        break
    time.sleep(0.0002)
print("latency: %.6f" % (time.time() - sent), flush=True)
