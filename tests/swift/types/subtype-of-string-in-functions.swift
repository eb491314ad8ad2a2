// Overloads can be told apart by a subtype and a different type.
// expect: trace: name: ann
// expect: trace: number: 3
type name string;
say(name n) { trace("name: " + n); }
say(int n) { trace("number: " + n); }
say(name("ann"));
say(3);
