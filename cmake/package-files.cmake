# What a Debian package has beside what is installed. CPack runs this once, before it packs:
# it compresses the manual pages and gives each package its copyright and changelog files.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(CONCAT copyright
  "Copyright 2026 the authors of Wick\n\n"
  "Licensed under the Apache License, Version 2.0. On Debian systems its text is in\n"
  "/usr/share/common-licenses/Apache-2.0.\n")
string(CONCAT changelog
  "wick (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * Built from the sources of Wick ${CPACK_PACKAGE_VERSION}.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(documents ${share}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${documents}/copyright "${copyright}")
  file(WRITE ${documents}/changelog.Debian "${changelog}")
  file(GLOB compressed ${share}/man/man1/*.1 ${documents}/changelog.Debian)
  execute_process(COMMAND gzip -9nf ${compressed} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
