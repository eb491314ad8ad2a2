#!/usr/bin/env bash
# The entry point of the image: which MPI it takes, and what it says when the host's does not fit.
. "$(dirname "$0")/../cli/lib.sh"
mkdir -p image/bin image/lib/wick host/lib
printf '#!/bin/sh\necho "wick $*"\necho "path $LD_LIBRARY_PATH"\n' >image/bin/wick
chmod +x image/bin/wick
touch image/lib/wick/wick-openmpi.so
printf 'openmpi 4.1.4\npmix 4.2.2\n' >versions

# entry VARIABLE=VALUE...: the entry point in the environment of a launcher.
entry() {
    env -i PATH="$PATH" WICK_PROGRAM="$T/image/bin/wick" WICK_IMAGE="$T/versions" "$@" \
        sh "$SOURCE/packaging/entrypoint" run 'a b.yaml'
}
open_mpi=(OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 OMPI_MCA_orte_ess_num_procs=3 PMIX_RANK=0)
pmix=(PMIX_RANK=0 SLURM_STEP_NUM_TASKS=3 PMIX_VERSION=4.2.2)
mpich=(PMI_RANK=0 PMI_SIZE=3)

check 'alone it is wick' entry
contains 'with its words' "$OUT" 'wick run a b.yaml'
check 'the same Open MPI is fine' entry "${open_mpi[@]}"
equals 'and nothing is said' "$ERR" ''
check 'so is srun with PMIx' entry "${pmix[@]}"
equals 'nothing is said' "$ERR" ''
refuse 2 'a launcher of an MPI that the image has not' \
    'the launcher is that of MPICH, but this image has only Open MPI 4.1.4' entry "${mpich[@]}"
refuse 2 'other ranks are silent' '' entry "${mpich[@]}" PMI_RANK=1
equals 'so that it is said once' "$OUT$ERR" ''
check 'one rank is no job' entry PMI_RANK=0 PMI_SIZE=1
check 'WICK_MPI is a decision' entry "${mpich[@]}" WICK_MPI=openmpi
check 'another Open MPI is tried' entry "${open_mpi[@]}" OMPI_VERSION=5.0.3
contains 'with a warning' "$ERR" 'the launcher is Open MPI 5.0.3, the image has 4.1.4'
check 'so is an old PMIx' entry "${pmix[@]}" PMIX_VERSION=1.2.5
contains 'with a warning' "$ERR" 'version 1 is not understood'
refuse 2 'a folder of the launcher that is not bound' "$T/none is not seen inside the image" \
    entry "${open_mpi[@]}" PMIX_SERVER_TMPDIR="$T/none"

touch image/lib/wick/wick-mpich.so
check 'an image with both takes MPICH' entry "${mpich[@]}"
refuse 2 'a connection that was not kept' 'descriptor 77) is closed' entry "${mpich[@]}" PMI_FD=77

refuse 2 "a host's MPI without its library" 'has no lib/libmpi.so.40' \
    entry "${open_mpi[@]}" WICK_HOST_MPI="$T/host"
touch host/lib/libmpi.so.40
check "the host's MPI comes first" entry "${open_mpi[@]}" WICK_HOST_MPI="$T/host" LD_LIBRARY_PATH=/mine
contains 'before what was there' "$OUT" "path $T/host/lib:$T/host/lib64:/mine"
finish
