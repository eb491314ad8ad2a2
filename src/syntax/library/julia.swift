@dispatch=WORKER (string o) julia(string code) "wick" "1" "julia";
