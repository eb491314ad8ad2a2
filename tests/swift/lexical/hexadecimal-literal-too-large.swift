// So must a hexadecimal one.
// exit: 2
// error: HERE:7: invalid hexadecimal literal 0x8000000000000000
trace(0x8000000000000000); // here
