@dispatch=WORKER
(string o) R(string code, string return_expression="\"\"", boolean exceptions_are_errors=true)
    "wick" "1" "R";
