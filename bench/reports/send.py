# Reports `rate` steps a second for so many seconds, each with the time at which it was sent.
import json
import os
import socket
import sys
import time

rate, seconds = float(sys.argv[1]), float(sys.argv[2])
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["WICK_LINE"])
hello = {name: int(os.environ["WICK_" + variable])
         for name, variable in (("hello", "TRIAL"), ("try", "TRY"), ("secret", "SECRET"))}
line.sendall(json.dumps(hello).encode() + b"\n")
began = time.time()
steps = int(rate * seconds)
for step in range(1, steps + 1):
    wait = began + step / rate - time.time()
    if wait > 0:
        time.sleep(wait)
    report = {"step": step, "metrics": {"loss": 1 / step, "sent": time.time(), "lr": 0.001}}
    line.sendall(json.dumps(report).encode() + b"\n")
line.sendall(b'{"result": {"loss": 0.5}}\n')
