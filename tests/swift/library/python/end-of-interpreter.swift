// Code that ends its interpreter ends the run with a message.
// needs: python
// exit: 1
// error: HERE
// error: exit code 3
import python;
trace(python("import os; os._exit(3)", "'x'")); // here
