global const string CLOCK_FMT_ISO8601 = "%Y-%m-%dT%H:%M:%S";
global const string CLOCK_FMT_RFC3339 = "%Y-%m-%d %H:%M:%S";

(int o) argc() "wick" "1" "argc";
(string o) args() "wick" "1" "args";
(string o) argv(string key, string... otherwise) "wick" "1" "argv";
(boolean o) argv_contains(string key) "wick" "1" "argv_contains";
argv_accept(string... keys) "wick" "1" "argv_accept";
(string o) argp(int i, string... otherwise) "wick" "1" "argp";
(string o) getenv(string name) "wick" "1" "getenv";
@dispatch=WORKER (void o) sleep(float seconds) "wick" "1" "sleep";
(int o) clock_seconds() "wick" "1" "clock_seconds";
(float o) clock() "wick" "1" "clock";
(string o) clock_format(string format, float|int time) "wick" "1" "clock_format";
@pure (int o) INT_MAX() "wick" "1" "INT_MAX";
@dispatch=WORKER (string o, int exit_code) system(string command[]) "wick" "1" "system";
@dispatch=WORKER (string o, int exit_code) system1(string command) "wick" "1" "system1";
