"""The queues of EQ/Py, for algorithms that were written for EMEWS.

An algorithm calls OUT_put(text) to send something and IN_get() to wait for the answer, from any of its
threads. docs/steer.md describes what it may send and what comes back. Wick starts the algorithm through
wick_steer.py, which opens the connection.
"""
import os
import threading

HEADER = 12  # decimal digits of a message's length

EQPY_ABORT = "EQPY_ABORT"
DONE = "DONE"

_reader = None
_writer = None
_said = False
_done = False
_reading = threading.Lock()
_writing = threading.Lock()


class _Answer(str):
    """Scores separated by semicolons.

    Some workflows of EMEWS had commas there, and their modules split at commas: that does what they mean.
    """

    def split(self, sep=None, maxsplit=-1):
        if sep == "," and ";" in self and set(self) <= set("0123456789+-.eNa;"):
            sep = ";"
        return str.split(self, sep, maxsplit)


class _Queue:
    """The queues that modules know as eqpy.input_q and eqpy.output_q."""

    def put(self, text, *_, **__):
        OUT_put(text)

    def get(self, *_, **__):
        return IN_get()

    put_nowait = put


input_q = _Queue()
output_q = _Queue()


def _open(reader, writer):
    global _reader, _writer
    _reader, _writer = reader, writer


def _need_channel():
    if _writer is None:
        raise RuntimeError("eqpy has no queues here: start the algorithm by `wick run` of a study with "
                           "search: {python: FILE}")


def OUT_put(text):
    """Sends something; returns at once."""
    global _done, _said
    _need_channel()
    if _done:  # the last words may be anything
        text = str(text)
    if not isinstance(text, str):
        raise TypeError("OUT_put() takes a text, not %s" % type(text).__name__)
    payload = text.encode("utf-8", "surrogateescape")
    with _writing:
        _writer.write(b"%0*d" % (HEADER, len(payload)) + payload)
        _writer.flush()
        _said = True
        _done = _done or text in ("DONE", "FINAL")


def _read(count):
    payload = _reader.read(count)
    if len(payload) < count:  # Wick has ended or hung up: nobody waits for us
        os._exit(0)
    return payload


def IN_get():
    """Waits for the answer to what was put last."""
    _need_channel()
    if _done:  # nothing more will come
        raise SystemExit(0)
    if not _said and threading.current_thread() is threading.main_thread():
        OUT_put("Params")  # it expects its settings without asking for them
    with _reading:
        return _Answer(_read(int(_read(HEADER))).decode("utf-8", "surrogateescape"))
