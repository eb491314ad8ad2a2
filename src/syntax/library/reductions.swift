@pure (float o) array_max_float(float A[]) "wick" "1" "array_max_float";
@pure (float o) array_min_float(float A[]) "wick" "1" "array_min_float";
@pure (int o[]) reduce_sum_integer(int A[][]) "wick" "1" "reduce_sum_integer";
@pure (string o[]) reduce_splice_string(string S[][]) "wick" "1" "reduce_splice_string";
