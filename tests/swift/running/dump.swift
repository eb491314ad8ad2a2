// --dump prints the intermediate form, and runs nothing.
// opts: --dump
// contains: script#0: 0 outputs, 0 inputs;
// absent: trace: never
trace("never");
