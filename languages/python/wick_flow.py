"""Python code in a program of the dataflow language: python() and python_persist().

The evaluating process (wick_host.py evaluate) imports this module and calls one of its functions for
each piece of code: statements, and an expression whose value must be a string. The answer is a text
whose first character says what the rest is:

    V    the value
    E    an exception: its class and text, a zero character, and the traceback
    F    why there is no value although nothing was raised
"""
import atexit
import ctypes
import linecache
import mmap
import os
import random
import signal
import struct
import sys
import threading
import traceback

LIMIT = 16 << 20  # bytes of an answer, as EVALUATOR_LIMIT in src/trial/trial.h
TRACEBACK = 50000  # characters kept of its beginning, and of its end
PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None)


def compiled(text, name, mode):
    """Compiles a text so that a traceback can show its lines."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    return compile(text, name, mode, dont_inherit=True)


def value_answer(value):
    if not isinstance(value, str):
        shown = repr(value)
        return ("Fexpression did not return a string! it is of type %s: %s%s (convert it, as in str(x))" %
                (type(value).__name__, shown[:100], "..." if len(shown) > 100 else ""))
    if len(value) * 4 >= LIMIT and len(value.encode("utf-8", "replace")) >= LIMIT:
        return ("Fthe string is longer than %d MiB: write it to a file, and return the file's name" %
                (LIMIT >> 20))
    return "V" + value


def exception_answer():
    kind, value, trace = sys.exc_info()
    while trace and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(kind, value, trace))
    if len(text) > 2 * TRACEBACK:
        text = text[:TRACEBACK] + "\n[...]\n" + text[-TRACEBACK:]
    try:
        what = str(value)[:TRACEBACK]
    except Exception:
        what = ""
    return "E%s%s%s\0%s" % (kind.__name__, ": " if what else "", what.replace("\0", " "), text)


def persistent(code, expression):
    """Evaluates in this process, whose state stays."""
    main = sys.modules["__main__"].__dict__
    try:
        if code.strip():
            exec(compiled(code, "<code>", "exec"), main)
        return value_answer(eval(compiled(expression.strip(), "<expression>", "eval"), main))
    except BaseException:
        return exception_answer()


# ---- a fresh state for each call: this process never runs code itself, but forks ----

area = mmap.mmap(-1, LIMIT + 8)  # shared with the fork: the length of the answer, and the answer


def run_in_fork(code, expression):
    """Behaves like an interpreter that was started for this code; never returns."""
    try:
        os.setpgid(0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        random.seed()  # otherwise all forks would draw the same random numbers
        answer = persistent(code, expression).encode("utf-8", "replace")[:LIMIT]
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
        area[8:8 + len(answer)] = answer
        area[:8] = struct.pack("=Q", len(answer))
    finally:
        os._exit(0)


def end_group(child):
    """Ends what the fork has left behind; until it was waited for, its number is that of the group."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        pass
    status = os.waitpid(child, 0)[1]
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except OSError:
        pass
    return status


def fresh(code, expression):
    """Evaluates in a fork of this process."""
    area[:8] = bytes(8)
    try:
        child = os.fork()
    except OSError as error:
        return "Fcannot start a process for Python code: %s" % error
    if child == 0:
        run_in_fork(code, expression)
    status = end_group(child)
    length = struct.unpack("=Q", area[:8])[0]
    if length:
        return area[8:8 + length].decode("utf-8", "replace")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        names = [" (%s)" % known.name for known in signal.Signals if known == number]
        return "Fthe Python process was ended by signal %d%s" % (number, "".join(names))
    return ("Fthe Python process ended with exit code %d before it had a value" %
            os.WEXITSTATUS(status))
