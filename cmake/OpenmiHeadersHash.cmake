# Makes openmi/omi/HeadersHash.hpp, a public header of openmi::core, of all other public headers that a component is
# compiled against. A library built against others is refused when it is loaded, instead of crashing later.
set(hash_folder "${PROJECT_BINARY_DIR}/generated")
set(hash_header "${hash_folder}/openmi/omi/HeadersHash.hpp")
set(hashed "${hash_folder}/hashed-headers.txt")
set(headers "")
set(hashed_targets openmi_standard openmi_core openmi_timespace)
if(OPENMI_WITH_ADAPTORS)
  list(APPEND hashed_targets openmi_timespace_files openmi_adaptors)
endif()
foreach(target IN LISTS hashed_targets)
  list(APPEND headers "$<TARGET_PROPERTY:${target},HEADER_SET>")
endforeach()
file(GENERATE OUTPUT "${hashed}" CONTENT "$<JOIN:${headers},\n>\n")
add_custom_command(OUTPUT "${hash_header}"
  COMMAND ${CMAKE_COMMAND} "-DLIST=${hashed}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${hash_header}"
          -P "${PROJECT_SOURCE_DIR}/cmake/OpenmiHashHeaders.cmake"
  DEPENDS ${headers} "${hashed}" "${PROJECT_SOURCE_DIR}/cmake/OpenmiHashHeaders.cmake"
  VERBATIM)
add_custom_target(openmi_headers_hash DEPENDS "${hash_header}")
add_dependencies(openmi_core openmi_headers_hash)
# A set of its own: the hash is of the set HEADERS.
target_sources(openmi_core
  PUBLIC FILE_SET generated TYPE HEADERS BASE_DIRS "${hash_folder}" FILES "${hash_header}")
