// The name of a type, and main, can be names of local variables.
// expect: trace: 7,eight,9
f()
{
  int file = 7;
  string blob = "eight";
  int main = 9;
  trace(file, blob, main);
}
f();
