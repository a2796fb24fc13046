# openmi_add_library(<layer>): a shared library openmi_<layer>, alias openmi::<layer>, whose public headers are a file set
# with the repository root as include root.
# Where sources are compiled in batches, what nearly all of them include is parsed once for all libraries. A source that
# forgets one of these headers shows in a build without batches.
function(openmi_add_library_headers)
  if(TARGET openmi_library_headers)
    return()
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/openmi_library_headers.cpp" CONTENT "// Holds the precompiled headers.\n")
  add_library(openmi_library_headers OBJECT "${PROJECT_BINARY_DIR}/openmi_library_headers.cpp")
  set_target_properties(openmi_library_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(openmi_library_headers PRIVATE openmi_flags fmt::fmt)
  target_compile_options(openmi_library_headers PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition -Wno-subobject-linkage>)
  target_precompile_headers(openmi_library_headers PRIVATE
    <algorithm> <cmath> <filesystem> <fmt/format.h> <functional> <map> <memory> <optional> <span> <string> <utility> <vector>)
  openmi_cache_precompiled(openmi_library_headers)
endfunction()

function(openmi_add_library layer)
  set(target openmi_${layer})
  add_library(${target} SHARED)
  add_library(openmi::${layer} ALIAS ${target})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${layer}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} VERSION ${PROJECT_VERSION}
    POSITION_INDEPENDENT_CODE ON
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
    INSTALL_RPATH "$ORIGIN")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:openmi_flags>)
  # A library calls its own functions directly: they are not to be replaced from outside.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  set(map "${PROJECT_SOURCE_DIR}/cmake/openmi-library.map")
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions "-Wl,--version-script=${map}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${map}")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}")
  set_property(GLOBAL APPEND PROPERTY OPENMI_LIBRARIES ${target})
  openmi_unity(${target} 6)
  if(OPENMI_UNITY AND NOT OPENMI_SANITIZE)  # g++ 12 crashes over functions for several processors, sanitized and with such
    openmi_add_library_headers()
    target_precompile_headers(${target} REUSE_FROM openmi_library_headers)
    openmi_cache_precompiled(${target})
    # g++ 12 takes what it has parsed before for our own source, and warns of std::string's insides (gcc bug 105329).
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-array-bounds>")
  endif()
endfunction()

# What scripts/run needs: the command and the plug-ins, without tests and benchmarks.
add_custom_target(openmi_runtime)

# openmi_register_component(<name> <omi files>): called by openmi_add_component for components of this project. Those of
# the layers are installed; those of examples and tests are not.
function(openmi_register_component name omi_files)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${openmi2_SOURCE_DIR}" OUTPUT_VARIABLE folder)
  if(folder MATCHES "^(tests|bench)")
    return()
  endif()
  add_dependencies(openmi_runtime ${name})
  if(folder MATCHES "^(examples|\\.\\.)")
    return()
  endif()
  # The part of the installation: a bridge, or what comes with the command.
  set(part command)
  if(folder MATCHES "^(bmi|python)-bridge|^fmi-bridge/(fmi|dcp|osmp|broker)/")
    set(part "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
  endif()
  set_target_properties(${name} PROPERTIES OPENMI_PART ${part})
  set_property(GLOBAL APPEND PROPERTY OPENMI_COMPONENTS ${name})
  foreach(omi IN LISTS omi_files)
    cmake_path(ABSOLUTE_PATH omi BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set_property(TARGET ${name} APPEND PROPERTY OPENMI_OMI_FILES "${omi}")
  endforeach()
endfunction()
