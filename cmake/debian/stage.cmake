# Run by CPack before it makes the packages: what Debian asks of each beyond what is installed. Libraries lie where the
# system looks for them, so that no path to them is needed; papers are compressed; each package has copyright and changelog.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" name)
  set(package "${CPACK_DEBIAN_${name}_PACKAGE_NAME}")
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr")
  file(GLOB_RECURSE files LIST_DIRECTORIES false "${root}/bin/*" "${root}/lib/*.so" "${root}/lib/*.so.*")
  foreach(file IN LISTS files)
    if(NOT IS_SYMLINK "${file}")
      file(RPATH_REMOVE FILE "${file}")
    endif()
  endforeach()
  file(GLOB pages "${root}/share/man/man*/*.[0-9]")
  foreach(page IN LISTS pages)
    execute_process(COMMAND gzip -9n "${page}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # The manual's fonts and scripts bring their own licences; Debian's packages of them are not used, so that the site is
  # complete wherever it is copied to.
  set(folder "${root}/share/doc/${package}")
  file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/copyright" "${root}/copyright.new")
  file(MAKE_DIRECTORY "${folder}")
  file(RENAME "${root}/copyright.new" "${folder}/copyright")
  file(WRITE "${folder}/changelog"
    "openmi2 (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * Release ${CPACK_PACKAGE_VERSION}; the changes are in CHANGELOG.md of the project.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  execute_process(COMMAND gzip -9nf "${folder}/changelog" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
