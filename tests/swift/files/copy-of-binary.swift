// Copies have the same bytes.
// before: head -c 100000 /dev/urandom > noise
// after: cmp noise copy
import files;
file b<"copy"> = input("noise");
wait (b) { }
