// clock_format() writes a time in the local time zone.
// expect: trace: 1970-01-02T00:00:00,1970-01-02 00:00:00
// expect: trace: 2001-09-09 01:46:40,09/01/70
import sys;
trace(clock_format(CLOCK_FMT_ISO8601, 86400), clock_format(CLOCK_FMT_RFC3339, 86400.2));
trace(clock_format("%Y-%m-%d %H:%M:%S", 1000000000), clock_format("%d/%m/%y", 700000));
