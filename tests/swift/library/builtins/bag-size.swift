// bag_size() counts the members of a bag.
// expect: trace: 0,2
bag<int> none, b;
b += 1;
b += 1;
trace(bag_size(none), bagSize(b));
