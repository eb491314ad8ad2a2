# The Debian packages: `make deb`, or `cmake --build build --target deb`, leaves them in build/packages.
#
#   wick           the program, manual pages, completion, what Python, R and C models need
#   wick-openmpi   the plug-in for Open MPI: only this package depends on that MPI's libraries
#   wick-mpich     the same for MPICH
#   libwick0       the C library
#   libwick-dev    its headers, and the examples
#
# A plug-in's package is built if its MPI was found. Everything is installed below /usr, regardless
# of where `make install` would put it. cmake/package-files.cmake does what CPack does not.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wick)
set(CPACK_PACKAGE_VENDOR "Wick")
set(WICK_PACKAGER "Wick <root@localhost>" CACHE STRING "who answers for the Debian packages: name and address")
set(CPACK_PACKAGE_CONTACT ${WICK_PACKAGER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/package-files.cmake)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE) # whatever the umask

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(package_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# package(COMPONENT NAME SECTION SUMMARY TEXT [FIELD VALUE]...): FIELD as in CPACK_DEBIAN_..._FIELD.
macro(package component name section summary text)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  set(fields ${ARGN})
  while(fields)
    list(POP_FRONT fields field value)
    set(CPACK_DEBIAN_${upper}_${field} "${value}")
  endwhile()
endmacro()

set(CPACK_COMPONENTS_ALL "")
package(wick wick science "hyperparameter search, from a laptop to many nodes"
"Wick takes a model (any program that accepts hyperparameters and gives a
score), a search space and a budget, and runs the search on all cores of a
machine or on all nodes of a job, with one process a trial. It needs no MPI
on one machine."
  PACKAGE_RECOMMENDS "wick-openmpi | wick-mpich, liblapack3"
  PACKAGE_SUGGESTS "libwick-dev, python3, r-base-core, bubblewrap | charliecloud-runtime | podman | proot")
set(openmpi_title "Open MPI")
set(mpich_title "MPICH")
set(openmpi_launcher openmpi-bin)
set(mpich_launcher mpich)
foreach(mpi IN LISTS mpis)
  package(${mpi} wick-${mpi} science "Wick over many nodes with ${${mpi}_title}"
"The plug-in that wick and programs of libwick load when the launcher of
${${mpi}_title} starts them."
    PACKAGE_DEPENDS "wick (= ${package_version})" PACKAGE_RECOMMENDS ${${mpi}_launcher})
endforeach()
set(triggers ${CMAKE_BINARY_DIR}/generated/triggers)
file(WRITE ${triggers} "activate-noawait ldconfig\n")
package(library libwick${PROJECT_VERSION_MAJOR} libs "master-worker programs over MPI: the library"
"Tasks with priorities and targets, a data store and groups of ranks for
programs in C, over Open MPI or MPICH."
  PACKAGE_CONTROL_EXTRA ${triggers}
  PACKAGE_RECOMMENDS "wick-openmpi (= ${package_version}) | wick-mpich (= ${package_version})")
package(development libwick-dev libdevel "master-worker programs over MPI: to build them"
"The headers, the static library and the examples of libwick, and
wick_trial.h for models in C."
  PACKAGE_DEPENDS "libwick${PROJECT_VERSION_MAJOR} (= ${package_version})"
  PACKAGE_SUGGESTS "libopenmpi-dev | libmpich-dev")
include(CPack)

add_custom_target(deb DEPENDS program VERBATIM
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${CMAKE_BINARY_DIR}/CPackConfig.cmake)
