// A loop may have neither variables nor updates.
// exit: 1
// error: stop
import assert;
for (; true; ) { assert(false, "stop"); }
