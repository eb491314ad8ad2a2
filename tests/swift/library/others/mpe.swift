// metadata() has no effect.
// expect: trace: 1
import mpe;
metadata("record");
trace(1);
