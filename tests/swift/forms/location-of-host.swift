// A call is sent to a rank of a host, by the name that slides use.
// expect: here
import location;
string hosts[] = hostmapList();
location L = hostmap_lookup(hosts[0]);
@location=L say();
app say() { "echo" "here" }
