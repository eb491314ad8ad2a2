// Nothing is defined beforehand, as with cpp -undef: names such as linux and unix are ordinary.
// expect: trace: 1,2
int linux = 1;
int unix = 2;
#ifdef __linux__
trace("predefined");
#endif
trace(linux, unix);
