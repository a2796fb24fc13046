# openmi_add_component(<name> SOURCES <file>... [LIBRARIES <target>...] [OMI <file>...])
#
# A plug-in: a shared module lib<name>.so that exports the versioned entry point and nothing else, so that it can really be
# unloaded (a symbol of kind STB_GNU_UNIQUE would pin it; the build fails if one remains).
set(OPENMI_COMPONENT_DIR "${CMAKE_CURRENT_LIST_DIR}")
function(openmi_add_component name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;OMI" ${ARGN})
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "openmi_add_component(${name}): expected SOURCES with at least one file")
  endif()
  add_library(${name} MODULE ${ARG_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  target_link_libraries(${name} PRIVATE openmi::timespace ${ARG_LIBRARIES})
  target_link_options(${name} PRIVATE "-Wl,--version-script=${OPENMI_COMPONENT_DIR}/openmi-component.map"
                                      "-Wl,--exclude-libs,ALL")
  set_target_properties(${name} PROPERTIES LINK_DEPENDS "${OPENMI_COMPONENT_DIR}/openmi-component.map")
  if(TARGET openmi_flags)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:openmi_flags>)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/openmi2")
  endif()
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${name}> -DNM=${CMAKE_NM} -P "${OPENMI_COMPONENT_DIR}/OpenmiCheckUnique.cmake"
    VERBATIM)
endfunction()
