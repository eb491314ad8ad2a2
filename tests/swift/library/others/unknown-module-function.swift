// A function of a module that is not imported is not known.
// exit: 2
// error: HERE:7: function sum is not defined: write `import stats;` to use it
trace(sum([1])); // here
