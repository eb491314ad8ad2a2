// If a module has a function of that name, it is named.
// exit: 2
// error: HERE:1: function printf is not defined: write `import io;` to use it
printf("x"); // here
