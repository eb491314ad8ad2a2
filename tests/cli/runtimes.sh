# runtimes.sh - read by the test and by the bench of containers.
#
#   runtime_works RUNTIME   true if it can run a program on this machine, where namespaces or traces
#                           may be forbidden; prints why not
runtime_works() {
    case $1 in
    charliecloud) unshare -Urm true ;;
    bubblewrap) bwrap --ro-bind / / true ;;
    proot) proot true ;;
    esac
}
