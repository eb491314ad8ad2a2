// A blob whose size is no multiple of 8 is no array of floats.
// exit: 1
// error: blob2floats: the blob has 3 bytes
import blob;
trace(size(blob2floats(string2blob("ab"))));
