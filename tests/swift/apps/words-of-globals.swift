// Variables and constants of the top level are seen in commands.
// expect: 3 name
global const int N = 3;
string name = "name";
show();
app show() { "echo" N name }
