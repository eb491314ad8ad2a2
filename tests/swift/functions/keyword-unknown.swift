// Unknown names are a mistake, with a suggestion.
// exit: 2
// error: HERE:8: f(string s, int width) has no input widht: did you mean 'width'?
f(string s, int width=1) { trace(s, width); }
f("a", widht=3); // here
