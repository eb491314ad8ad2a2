// A url is an opaque path: nothing is checked or copied.
// expect: trace: gsiftp://host/path
url u = input_url("gsiftp://host/path");
url v = u;
trace(urlname(v));
