// Neither is python_parallel_persist().
// exit: 1
// error: HERE: python_parallel_persist() is not available
import python;
string x = @par=2 python_parallel_persist("", "'a'"); // here
trace(x);
