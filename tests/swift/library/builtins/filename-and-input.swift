// filename() gives the path of a file, input() and input_file() an existing file.
// expect: trace: given.txt,given.txt
// file: given.txt
//| x
trace(filename(input("given.txt")), filename(input_file("given.txt")));
