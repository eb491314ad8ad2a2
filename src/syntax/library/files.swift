@dispatch=WORKER (string o) read(file f) "wick" "1" "read";
@dispatch=WORKER (file o) write(string s) "wick" "1" "write";
@dispatch=WORKER (file o[]) glob(string pattern) "wick" "1" "glob";
@dispatch=WORKER (boolean o) file_exists(string path) "wick" "1" "file_exists";
@dispatch=WORKER (int o) file_size(string path) "wick" "1" "file_size";
@dispatch=WORKER (int o) file_size0(string path) "wick" "1" "file_size0";
@dispatch=WORKER (int o) file_mtime(string path) "wick" "1" "file_mtime";
@dispatch=WORKER (string o) file_type(file f) "wick" "1" "file_type";
@dispatch=WORKER (string o) file_type_string(string path) "wick" "1" "file_type_string";
@dispatch=WORKER (string o[]) file_lines(file f, string comment="#") "wick" "1" "file_lines";
@dispatch=WORKER (string o[]) file_chunks(file f, string delimiter="----", string comment="#")
    "wick" "1" "file_chunks";

@pure (string o) dirname(file f) "wick" "1" "dirname";
@pure (string o) dirname_string(string path) "wick" "1" "dirname_string";
@pure (string o) basename(file f) "wick" "1" "basename";
@pure (string o) basename_string(string path) "wick" "1" "basename_string";
@pure (string o) rootname(file f) "wick" "1" "rootname";
@pure (string o) rootname_string(string path) "wick" "1" "rootname_string";
@pure (string o) extension(file f) "wick" "1" "extension";
@pure (string o) extension_string(string path) "wick" "1" "extension_string";
@dispatch=WORKER (file o) realpath(file f) "wick" "1" "realpath";
@dispatch=WORKER (string o) realpath_string(string path) "wick" "1" "realpath_string";

@dispatch=WORKER (file o) write_array_string(string A[], int chunk) "wick" "1" "write_array_string";
@dispatch=WORKER (file o) write_array_string_ordered(string A[])
    "wick" "1" "write_array_string_ordered";
@dispatch=WORKER (file o) mktemp() "wick" "1" "mktemp";
@dispatch=WORKER (string o) mktemp_string() "wick" "1" "mktemp_string";
@dispatch=WORKER (file o) unsafe_uncached_input_file(string path)
    "wick" "1" "unsafe_uncached_input_file";
