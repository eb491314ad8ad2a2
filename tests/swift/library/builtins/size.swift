// size() counts the members of arrays with keys of any type.
// expect: trace: 0,2,1,2
int none[];
trace(size(none), size([5, 6]), size({ "a": 1 }), size({ 1.5: "x", 2.5: "y" }));
