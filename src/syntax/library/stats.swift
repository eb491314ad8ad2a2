// What is known of a part of a sample: how many numbers, their mean, and the sum of their squared
// distances from it.
type PartialStats {
    int n;
    float mean;
    float M2;
}

@pure (int o) sum(int A[]) "wick" "1" "sum_int";
@pure (float o) sum(float A[]) "wick" "1" "sum_float";
@pure (int o) sum_integer(int A[]) "wick" "1" "sum_int";
@pure (float o) sum_float(float A[]) "wick" "1" "sum_float";
@pure (float o) avg(int A[]) "wick" "1" "avg";
@pure (float o) avg(float A[]) "wick" "1" "avg";
@pure (float o) std(int A[]) "wick" "1" "std";
@pure (float o) std(float A[]) "wick" "1" "std";
@pure (float mean, float deviation) stats(int A[]) "wick" "1" "stats";
@pure (float mean, float deviation) stats(float A[]) "wick" "1" "stats";
@pure (int n, float mean, float M2) statagg(int A[]) "wick" "1" "statagg";
@pure (int n, float mean, float M2) statagg(float A[]) "wick" "1" "statagg";
@pure (int n, float mean, float deviation) stat_combine(PartialStats A[])
    "wick" "1" "stat_combine";
