// file_mtime() gives the time of the last change.
// before: touch -d @1000000000 a.txt
// expect: trace: 1000000000
import files;
trace(file_mtime("a.txt"));
