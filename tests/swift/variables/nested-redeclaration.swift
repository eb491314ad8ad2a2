// A nested block cannot declare a name of its function again.
// exit: 2
// error: HERE:5: variable x has already been declared
int x = 1;
{
int x = 2; // here
trace(x);
}
trace(x);
