// TURBINE_STDOUT names a file for the output.
// ranks: 2
// env: TURBINE_STDOUT=out.txt
// after: [ "$(cat out.txt)" = 'trace: 1' ]
trace(1);
