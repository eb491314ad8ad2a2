// Programs run at the same time on several workers: these two wait for each other.
// needs: parallel
// ranks: 3
// expect: met
// expect: met
app meet(string own, string other) { "sh" "-c" "touch $0; i=0; while [ ! -e $1 ]; do i=$((i+1)); [ $i -lt 6000 ] || exit 1; sleep 0.01; done; echo met" own other }
meet("a", "b");
meet("b", "a");
