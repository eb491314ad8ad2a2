// The functions behind range literals.
// expect: trace: 3,1,3
// expect: trace: 3,1,9
// expect: trace: 3,0.5,2.5
// expect: trace: 3,0.0,1.0
trace(size(range(1, 3)), range(1, 3)[0], range(1, 3)[2]);
trace(size(range_step(1, 10, 4)), range_step(1, 10, 4)[0], range_step(1, 10, 4)[2]);
trace(size(range_float(0.5, 2.5)), range_float(0.5, 2.5)[0], range_float(0.5, 2.5)[2]);
trace(size(range_float_step(0.0, 1.0, 0.5)), range_float_step(0.0, 1.0, 0.5)[0], range_float_step(0.0, 1.0, 0.5)[2]);
