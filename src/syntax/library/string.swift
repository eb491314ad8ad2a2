// Positions and lengths count characters.

@pure (int o) strlen(string s) "wick" "1" "strlen";
@pure (string o) substring(string s, int start, int length) "wick" "1" "substring";
@pure (string o[]) split(string s, string delim=" ") "wick" "1" "split";
@pure (string o) sprintf(string format, int|float|string|boolean... v) "wick" "1" "format";
@pure (int o) find(string s, string part, int start, int end) "wick" "1" "find";
@pure (int o) string_count(string s, string part, int start, int end) "wick" "1" "string_count";
@pure (boolean o) isint(string s) "wick" "1" "isint";
@pure (string o) replace(string s, string part, string by, int start) "wick" "1" "replace";
@pure (string o) replaceAll(string s, string part, string by) "wick" "1" "replaceAll";
@pure (string o) replaceAll(string s, string part, string by, int start, int end)
    "wick" "1" "replaceAll";
@pure (string o) replace_all(string s, string part, string by, int start) "wick" "1" "replaceAll";
@pure (string o) trim(string s) "wick" "1" "trim";
@pure (int o) hash(string s) "wick" "1" "hash";
@pure (string o) join(string A[], string sep=" ") "wick" "1" "join";
@pure (string o) string_join(string A[], string sep=" ") "wick" "1" "join";
@pure (string o) join_args(string separator, string|int|float... v) "wick" "1" "join_args";
@pure (string o) string_from_floats(float F[]) "wick" "1" "string_from_floats";
@pure (string o) toUpper(string s) "wick" "1" "toUpper";
@pure (string o) toLower(string s) "wick" "1" "toLower";
@pure (string o[]) pick_regexp(string pattern, string L[]) "wick" "1" "pick_regexp";
