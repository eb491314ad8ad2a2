// A reserved word cannot be the name of a variable.
// exit: 2
// error: HERE:4: ';' is missing
// error: HERE:9: '(' is missing after 'wait'
int wait = 3; // here
