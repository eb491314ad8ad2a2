// A float that no int can hold fails.
// exit: 1
// error: HERE: float2int: 1e+20 is not an integer of 64 bits
trace(float2int(1e20)); // here
