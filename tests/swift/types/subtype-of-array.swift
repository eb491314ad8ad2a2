// A subtype of an array has elements like its base type.
// expect: trace: 10,2
type grid int[string][];
grid g;
g["a"][0] = 10;
g["b"][7] = 20;
trace(g["a"][0], size(g));
