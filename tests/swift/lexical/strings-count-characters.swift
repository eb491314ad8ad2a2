// String contents are UTF-8 and are counted in characters, not bytes.
// expect: trace: 3,5
// expect: trace: hé→
trace(length("hé→"), length("日本語!?"));
trace("hé→");
