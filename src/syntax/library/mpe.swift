// Log records of a profiler, which Wick does not have.
metadata(string text) "wick" "1" "propagate";
