// Programs know the rank of their worker.
// ranks: 2
// env: GIVEN=yes
// expect: yes
// expect: 0 0
app f() { "sh" "-c" "echo $GIVEN; echo $ADLB_RANK_SELF $ADLB_RANK_OFFSET" }
f();
