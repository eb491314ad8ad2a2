// Any other escape is a mistake.
// exit: 2
// error: HERE:9: unknown escape code \q
trace("a\qb"); // here
