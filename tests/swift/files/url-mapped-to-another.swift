// A url cannot be copied into a mapped one.
// exit: 2
// error: HERE
url u = input_url("a");
url v<"b"> = u; // here
trace(urlname(v));
