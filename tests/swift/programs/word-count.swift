// Words are grouped in a dictionary of bags.
// ranks: 2 4
// expect: trace: 2,a
// expect: trace: 2,dog
// expect: trace: 1,cat
// expect: trace: 1,saw
import string;
bag<int> hits[string];
foreach w, i in split("a cat saw a dog dog") { hits[w] += i; }
foreach b, w in hits { trace(bag_size(b), w); }
