// A script with nothing in it does nothing.
