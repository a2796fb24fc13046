# openmi_add_bench(<name> SOURCES <file>... [LIBRARIES <target>...] [DEPENDS <target>...])
#
# A program build/<preset>/bench/<name> for scripts/bench. It prints a line a case,
#   name/case: ours, limit or peer, ratio, bound
# and ends non-zero where a bound is exceeded. Run from the build folder.
add_custom_target(openmi_benchmarks)

function(openmi_add_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;DEPENDS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "openmi_add_bench(${name}): expected SOURCES, LIBRARIES, DEPENDS, found '${ARGN}'")
  endif()
  set(target bench_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} openmi_flags)
  target_compile_definitions(${target} PRIVATE OPENMI_SOURCE_DIR="${PROJECT_SOURCE_DIR}" OPENMI_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  if(ARG_DEPENDS)
    add_dependencies(${target} ${ARG_DEPENDS})
  endif()
  add_dependencies(openmi_benchmarks ${target} openmi_runtime)
endfunction()
