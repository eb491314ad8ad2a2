// A module that is not there is reported with the folders in which it was looked for.
// exit: 2
// error: HERE:8: could not find module nowhere
import nowhere; // here
