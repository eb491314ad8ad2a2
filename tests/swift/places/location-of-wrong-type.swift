// A place is a location.
// exit: 2
// error: HERE:12: annotation @location needs type location, but this has type int
@location= 1 say(); // here
app say() { "echo" "here" }
