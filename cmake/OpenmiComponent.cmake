# openmi_add_component(<name> SOURCES <file>... [LIBRARIES <target>...] [OMI <file>...] [FOLDER <folder>])
# openmi_add_c_component(<name> ...): the same for components in C, or behind openmi_component.h. It links nothing of ours
# but a header, so any compiler will do, and the library serves later releases too.
#
# A plug-in: a shared module lib<name>.so that exports the versioned entry point and nothing else, so that it can really be
# unloaded (a symbol of kind STB_GNU_UNIQUE would pin it; the build fails if one remains). The OMI files are copied beside
# it, where the library is found without any path. FOLDER puts the library there; it is then no part of the installation.
#
# A library that needs neighbours of its own finds them beside itself if it is linked with -Wl,-rpath,'$ORIGIN': it is loaded
# from a copy that lies in the same folder.
#
# The same file serves the project's own components, projects that add it as a subdirectory, and, installed, everybody who
# found openmi2 as a package.

function(openmi_add_component name)
  openmi_add_plugin(openmi_add_component ${name} ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE openmi::timespace)
endfunction()

function(openmi_add_c_component name)
  openmi_add_plugin(openmi_add_c_component ${name} ${ARGN})
  target_link_libraries(${name} PRIVATE openmi::c)
endfunction()

function(openmi_add_plugin function name)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;LIBRARIES;OMI" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(${name}): expected SOURCES, LIBRARIES, OMI or FOLDER, found '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${function}(${name}): expected SOURCES with at least one file")
  endif()

  add_library(${name} MODULE ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  target_link_options(${name} PRIVATE "-Wl,--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/openmi-component.map"
                                      "-Wl,--exclude-libs,ALL")
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    LINK_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/openmi-component.map"
    INSTALL_RPATH "$ORIGIN/..")

  # Ours: our warnings, and gathered in one folder, where the command of the build tree finds them.
  if(openmi2_IS_TOP_LEVEL OR PROJECT_NAME STREQUAL "openmi2")
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:openmi_flags>)
    if(NOT ARG_FOLDER)
      set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${openmi2_BINARY_DIR}/lib/openmi2")
      openmi_register_component(${name} "${ARG_OMI}")
    endif()
  endif()
  if(ARG_FOLDER)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${ARG_FOLDER}")
  endif()

  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${name}> -DNM=${CMAKE_NM} -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OpenmiCheckUnique.cmake"
    VERBATIM)
  set(copies)
  foreach(omi IN LISTS ARG_OMI)
    cmake_path(ABSOLUTE_PATH omi BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${omi}")
      message(FATAL_ERROR "${function}(${name}): expected an OMI file after OMI, found no '${omi}'; write it, or correct the name")
    endif()
    cmake_path(GET omi FILENAME file)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/${name}.${file}.stamp")
    add_custom_command(OUTPUT "${copy}"
      COMMAND ${CMAKE_COMMAND} -E make_directory $<TARGET_FILE_DIR:${name}>
      COMMAND ${CMAKE_COMMAND} -E copy_if_different "${omi}" $<TARGET_FILE_DIR:${name}>/${file}
      COMMAND ${CMAKE_COMMAND} -E touch "${copy}"
      DEPENDS "${omi}" VERBATIM)
    list(APPEND copies "${copy}")
  endforeach()
  if(copies)
    add_custom_target(${name}_omi ALL DEPENDS ${copies})
    add_dependencies(${name} ${name}_omi)
  endif()
endfunction()
