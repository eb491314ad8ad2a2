// Each call has an interpreter of its own; python_persist() keeps that of its worker.

@dispatch=WORKER
(string o) python(string code, string expr="\"\"", boolean exceptions_are_errors=true)
    "wick" "1" "python";
@dispatch=WORKER
(string o) python_persist(string code, string expr="\"\"", boolean exceptions_are_errors=true)
    "wick" "1" "python_persist";
@par @dispatch=WORKER
(string o) python_parallel_persist(string code, string expr)
    "wick" "1" "python_parallel_persist";
