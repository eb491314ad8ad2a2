// min takes the smaller value, and scale multiplies.
// ranks: 2 4
// expect: trace: -3.5,48.0
updateable_float low = 10.5;
updateable_float product = 2;
foreach i in [1:4] {
  low <min> := 0.5 - int2float(i);
  product <scale> := int2float(i);
}
wait (low, product) { trace(low, product); }
