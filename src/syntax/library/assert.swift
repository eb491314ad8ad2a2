@assertion (void o) assert(boolean condition, string message) "wick" "1" "assert";
@assertion (void o) assertEqual(int a, int b, string message) "wick" "1" "assertEqual";
@assertion (void o) assertEqual(float a, float b, string message) "wick" "1" "assertEqual";
@assertion (void o) assertEqual(string a, string b, string message) "wick" "1" "assertEqual";
@assertion (void o) assertEqual(boolean a, boolean b, string message) "wick" "1" "assertEqual";
@assertion (void o) assertLT(int a, int b, string message) "wick" "1" "assertLT";
@assertion (void o) assertLT(float a, float b, string message) "wick" "1" "assertLT";
@assertion (void o) assertLTE(int a, int b, string message) "wick" "1" "assertLTE";
@assertion (void o) assertLTE(float a, float b, string message) "wick" "1" "assertLTE";
