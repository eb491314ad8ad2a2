"""
A stand-in for the worker's end of the line (docs/trial-socket.md), for tests: it remembers what it hears,
and can be told to stop trials, to answer by an error, or to go away.
"""

import json
import os
import socket
import tempfile
import threading


class FakeWick:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "line")
        self.messages = []      # all of them, in order of arrival
        self.hellos = []
        self.stop_from = None   # the first question that is answered by yes
        self.error = None       # the answer to every put
        self.refusal = None     # what every connection is told before it is closed
        self.values = {}
        self.changed = threading.Condition()
        self.connections = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.path)
        self.listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def environment(self, **more):
        return dict({"WICK_LINE": self.path, "WICK_TRIAL": "7", "WICK_TRY": "2", "WICK_SECRET": "9007199254740991",
                     "WICK_PARAMS": "{}"}, **more)

    def heard(self, kind, count=1, seconds=180):
        """The messages of a kind, as soon as there are so many."""
        with self.changed:
            self.changed.wait_for(
                lambda: sum(kind in message for message in self.messages) >= count, seconds)
            return [message for message in self.messages if kind in message]

    def close(self):
        """Goes away, as a Wick that was killed."""
        self.listener.close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        if os.path.exists(self.path):
            os.unlink(self.path)
            os.rmdir(self.folder)

    def _accept(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.refusal:
                connection.sendall(json.dumps({"error": self.refusal}).encode() + b"\n")
                connection.close()
                return
            self._talk(connection.makefile("rwb"))
        except OSError:
            pass  # the program is gone

    def _talk(self, file):
        for line in file:
            message = json.loads(line.decode())
            if "bytes" in message:
                message["value"] = file.read(message["bytes"])
            with self.changed:
                if "hello" in message:
                    self.hellos.append(message)
                else:
                    self.messages.append(message)
                answer = self._answer(message)
                self.changed.notify_all()
            if answer is not None:
                head, value = answer
                file.write(json.dumps(head, ensure_ascii=False).encode() + b"\n" + value)
                file.flush()

    def _answer(self, message):
        if "stop" in message:
            return {"stop": self.stop_from is not None and message["stop"] >= self.stop_from}, b""
        if "put" in message and self.error:
            return {"error": self.error}, b""
        if "put" in message:
            version = self.values.get(message["put"], (0,))[0] + 1
            self.values[message["put"]] = version, message["value"]
            return {"version": version}, b""
        if "get" in message:
            return self._value(message["get"])
        if "wait" in message:
            key, known = message["wait"], message["known"]
            self.changed.wait_for(lambda: self.values.get(key, (0,))[0] > known)
            return self._value(key)
        if "delete" in message:
            return {"version": self.values.pop(message["delete"], (0,))[0]}, b""
        if "list" in message:
            return {"keys": sorted(k for k in self.values if k.startswith(message["list"]))}, b""
        return None

    def _value(self, key):
        if key not in self.values:
            return {"version": 0}, b""
        version, value = self.values[key]
        return {"version": version, "bytes": len(value)}, value
