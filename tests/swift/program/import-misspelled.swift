// A module of the library with a similar name is suggested.
// exit: 2
// error: HERE:8: could not find module strng in the search path [the library, .]: did you mean 'string'?
import strng; // here
