# openmi_add_bench(<name> SOURCES <file>... [LIBRARIES <target>...] [DEPENDS <target>...])
#
# A program build/<preset>/bench/<name> for scripts/bench. It prints a line a case,
#   name/case: ours 1.2 ns, limit or peer 1.1 ns, ratio 1.091, bound
# with EXCEEDED at the end of a line whose bound does not hold, at last how many there are of those, and ends non-zero
# where there are any (bench/support/Report.hpp). Run from the build folder; alone, or by scripts/bench.
add_custom_target(openmi_benchmarks)

function(openmi_add_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;DEPENDS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "openmi_add_bench(${name}): expected SOURCES, LIBRARIES, DEPENDS, found '${ARGN}'")
  endif()
  set(target bench_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} openmi_bench_support openmi_flags)
  target_compile_definitions(${target} PRIVATE OPENMI_SOURCE_DIR="${PROJECT_SOURCE_DIR}" OPENMI_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  if(ARG_DEPENDS)
    add_dependencies(${target} ${ARG_DEPENDS})
  endif()
  add_dependencies(openmi_benchmarks ${target} openmi_runtime)
endfunction()
