// All ranks but one are workers.
// ranks: 9
// expect: trace: 8,1,0
trace(turbine_workers(), adlb_servers(), turbine_engines());
