(void o) printf(string format, int|float|string|boolean... v) "wick" "1" "printf";
