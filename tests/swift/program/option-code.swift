// -E gives the script itself; what follows are arguments.
// script: none
// opts: -i sys -E 'trace(argc(), argp(1), argv("k"));' one -k=two
// expect: trace: 1,one,two
