// So are options without their value.
// script: none
// opts: -E
// exit: 2
// error: '--code' needs a value
