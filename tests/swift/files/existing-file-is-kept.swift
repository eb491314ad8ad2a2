// An existing file is never removed, also if no variable has it any more.
// expect: trace: 5
// after: [ "$(cat given.txt)" = abcd ]
// file: given.txt
//| abcd
import files;
main { trace(length(read(input_file("given.txt")))); }
