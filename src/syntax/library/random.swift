(float o) random() "wick" "1" "random";
(int o) randint(int low, int high) "wick" "1" "randint";
