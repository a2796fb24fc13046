# openmi_add_library(<floor>): a shared library openmi_<floor>, alias openmi::<floor>, whose public headers are a file set
# with the repository root as include root.
function(openmi_add_library floor)
  set(target openmi_${floor})
  add_library(${target} SHARED)
  add_library(openmi::${floor} ALIAS ${target})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${floor}
    SOVERSION ${PROJECT_VERSION_MAJOR} VERSION ${PROJECT_VERSION}
    POSITION_INDEPENDENT_CODE ON
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
    INSTALL_RPATH "$ORIGIN")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:openmi_flags>)
  # A library's own functions are called directly: nobody is meant to replace them from outside.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic-functions)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}")
  set_property(GLOBAL APPEND PROPERTY OPENMI_LIBRARIES ${target})
  openmi_unity(${target} 6)
endfunction()

# What scripts/run needs: the command and the plug-ins, without tests and benchmarks.
add_custom_target(openmi_runtime)

# openmi_register_component(<name> <omi files>): called by openmi_add_component for components of this project. Those of
# the floors are installed; those of examples and tests are not.
function(openmi_register_component name omi_files)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${openmi2_SOURCE_DIR}" OUTPUT_VARIABLE folder)
  if(folder MATCHES "^(tests|bench)")
    return()
  endif()
  add_dependencies(openmi_runtime ${name})
  if(folder MATCHES "^(examples|\\.\\.)")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY OPENMI_COMPONENTS ${name})
  foreach(omi IN LISTS omi_files)
    cmake_path(ABSOLUTE_PATH omi BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set_property(GLOBAL APPEND PROPERTY OPENMI_COMPONENT_OMI_FILES "${omi}")
  endforeach()
endfunction()
