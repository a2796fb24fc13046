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
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}")
endfunction()
