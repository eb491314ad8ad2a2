// A loop without condition variables is legal; here it fails in its body.
// exit: 1
// error: enough
import assert;
for (int i = 0; true; i = i + 1) { assert(i < 5, "enough"); }
