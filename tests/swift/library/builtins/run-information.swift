// How many workers and servers there are.
// ranks: 4
// expect: trace: 3,1,0,1
trace(turbine_workers(), adlb_servers(), turbine_engines(), mallinfo(propagate()) >= -1);
