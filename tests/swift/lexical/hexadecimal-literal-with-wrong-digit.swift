// G is no hexadecimal digit.
// exit: 2
// error: HERE:7: invalid hexadecimal literal 0x123G
trace(0x123G); // here
