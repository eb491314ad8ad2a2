// The library is searched before the folder of the command.
// expect: from the library
// file: io.swift
//| printf(string s) { trace("from the folder"); }
import io;
printf("from the library");
