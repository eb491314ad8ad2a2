// So does assigning an existing file.
// after: [ "$(cat given.txt copy.txt)" = $'abc\nabc' ]
// file: given.txt
//| abc
import files;
file b<"copy.txt"> = input("given.txt");
wait (b) { }
