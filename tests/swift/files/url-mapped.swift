// A url can be mapped; its path is known at once.
// warning: HERE:5: nothing is written
// expect: trace: http://x/y
url w<"http://x/y">; // here
trace(urlname(w));
