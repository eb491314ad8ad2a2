// Folders of -I are searched before the folder of the command.
// opts: -I modules
// expect: trace: from -I
// file: which.swift
//| say() { trace("from here"); }
// file: modules/which.swift
//| say() { trace("from -I"); }
import which;
say();
