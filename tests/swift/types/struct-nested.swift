// Structs contain structs and arrays of structs.
// expect: trace: 1.0,4.0,b
type vec { float x; float y; }
type body { vec at; vec parts[]; string names[string]; }
body b;
b.at.x = 1.0;
b.at.y = 2.0;
b.parts[0] = vec(3.0, 4.0);
b.names["k"] = "b";
trace(b.at.x, b.parts[0].y, b.names["k"]);
