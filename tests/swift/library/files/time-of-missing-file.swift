// Of a missing file, it fails.
// exit: 1
// error: 'b.txt'
import files;
trace(file_mtime("b.txt"));
