// Paths that end in a slash or a point, or are empty.
// expect: trace: b,a,.,a
// expect: trace: ,/,,.
import files;
trace(basename_string("a/b/"), dirname_string("a/b/"), extension_string("a."), rootname_string("a."));
trace(basename_string("/"), dirname_string("/"), basename_string(""), dirname_string(""));
