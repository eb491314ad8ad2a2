// A script that is not there is a mistake of the user.
// script: none
// opts: nothing.swift
// exit: 2
// error: nothing.swift
trace("never");
