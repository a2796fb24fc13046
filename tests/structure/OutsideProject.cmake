# What the scripts beside this one share.

# run(<command>...): runs it; a failure shows everything it said. The output is left in `run_output`.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message("${output}")
    message(FATAL_ERROR "expected success, found exit code ${result} from: ${command}")
  endif()
  set(run_output "${output}" PARENT_SCOPE)
endfunction()

# The sanitizers and counters of the tree we test are needed by those who links to it.
set(flags)
if(SANITIZE)
  list(APPEND flags "-fsanitize=${SANITIZE}")
endif()
if(COVERAGE)
  list(APPEND flags "--coverage")
endif()
string(JOIN " " flags ${flags})

set(configure_arguments -G "${GENERATOR}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if(COMPILER_LAUNCHER)
  list(APPEND configure_arguments "-DCMAKE_C_COMPILER_LAUNCHER=${COMPILER_LAUNCHER}"
                                  "-DCMAKE_CXX_COMPILER_LAUNCHER=${COMPILER_LAUNCHER}")
endif()
file(REMOVE_RECURSE "${WORK_FOLDER}")
file(MAKE_DIRECTORY "${WORK_FOLDER}")
