# Installs the build tree into an empty prefix, moves that prefix, and builds and tests a project there that knows nothing
# but find_package(openmi2 CONFIG).
include("${CMAKE_CURRENT_LIST_DIR}/OutsideProject.cmake")

run(${CMAKE_COMMAND} --install "${OPENMI_BINARY_DIR}" --prefix "${WORK_FOLDER}/first-prefix")
set(prefix "${WORK_FOLDER}/prefix")
file(RENAME "${WORK_FOLDER}/first-prefix" "${prefix}")

foreach(file IN ITEMS bin/openmi share/man/man1/openmi.1 share/bash-completion/completions/openmi include/openmi2/openmi/standard.hpp include/openmi2/openmi/sdk/Error.hpp
                      lib/cmake/openmi2/openmi2-config.cmake lib/cmake/openmi2/openmi-component.map)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "expected ${file} in the installed tree, found none")
  endif()
endforeach()
file(GLOB schemas "${prefix}/share/openmi2/schemas/*.xsd")
if(NOT schemas)
  message(FATAL_ERROR "expected schemas in share/openmi2/schemas, found none")
endif()
# Nothing installed may name the folders it was built from.
file(GLOB_RECURSE texts "${prefix}/*.cmake" "${prefix}/*.hpp" "${prefix}/*.omi")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  foreach(folder IN ITEMS "${OPENMI_SOURCE_DIR}/" "${OPENMI_BINARY_DIR}/")
    string(FIND "${text}" "${folder}" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "expected no path of the build machine, found ${folder} in ${file}")
    endif()
  endforeach()
endforeach()

# What a bridge adds to the command is there, and its absence or another version has a message with the package.
if(EXISTS "${prefix}/lib/openmi2/command/openmi-command-osmp.so")
  run("${prefix}/bin/openmi" osmp --help)
  file(RENAME "${prefix}/lib/openmi2/command/openmi-command-osmp.so" "${WORK_FOLDER}/part.so")
  function(expect_refusal pattern)
    execute_process(COMMAND "${prefix}/bin/openmi" osmp info none.fmu RESULT_VARIABLE code ERROR_VARIABLE message)
    if(NOT code EQUAL 2 OR NOT message MATCHES "${pattern}")
      message(FATAL_ERROR "expected exit code 2 and '${pattern}', found ${code} and '${message}'")
    endif()
    execute_process(COMMAND "${prefix}/bin/openmi" --help RESULT_VARIABLE code OUTPUT_VARIABLE help)
    if(NOT code EQUAL 0 OR help MATCHES "\n  osmp ")
      message(FATAL_ERROR "expected a help without osmp, found ${code} and '${help}'")
    endif()
  endfunction()
  expect_refusal("found none; install the package openmi2-osmp")
  file(WRITE "${prefix}/lib/openmi2/command/openmi-command-osmp.so" "no library")
  expect_refusal("cannot be loaded .*; install version [0-9.]+ of the package openmi2-osmp")
  file(COPY_FILE "${prefix}/lib/openmi2/libopenmi-components.so" "${prefix}/lib/openmi2/command/openmi-command-osmp.so")
  expect_refusal("found version unknown in .*; install version [0-9.]+ of the package openmi2-osmp")
  file(RENAME "${WORK_FOLDER}/part.so" "${prefix}/lib/openmi2/command/openmi-command-osmp.so")
endif()

# The project is copied, so that nothing beside it can help.
get_filename_component(name "${PROJECT_FOLDER}" NAME)
file(COPY "${PROJECT_FOLDER}" DESTINATION "${WORK_FOLDER}/source")
run(${CMAKE_COMMAND} -S "${WORK_FOLDER}/source/${name}" -B "${WORK_FOLDER}/build" ${configure_arguments} ${EXTRA_ARGUMENTS}
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_C_FLAGS=${flags}" "-DCMAKE_CXX_FLAGS=${flags}" --no-warn-unused-cli)
run(${CMAKE_COMMAND} --build "${WORK_FOLDER}/build")
file(STRINGS "${WORK_FOLDER}/build/CMakeCache.txt" found REGEX "^openmi2_DIR:")
if(NOT found MATCHES "${WORK_FOLDER}")
  message(FATAL_ERROR "expected the package of ${prefix}, found '${found}'")
endif()
run(${CMAKE_CTEST_COMMAND} --test-dir "${WORK_FOLDER}/build" --output-on-failure --no-tests=error)
message("${run_output}")

# What `openmi new` writes builds against the same tree, passes Annex A, and runs: all kinds as one project, so that one
# configuration serves them. The time from `openmi new` on is told.
if(NEW_COMPONENT)
  string(TIMESTAMP begin "%s")
  set(fresh "${WORK_FOLDER}/source/fresh")
  set(names)
  foreach(kind IN ITEMS component c-component c-solver fortran-solver bmi-library adaptor)
    set(name "fresh-${kind}")
    run("${prefix}/bin/openmi" new ${kind} ${name} -o "${fresh}/${name}")
    list(APPEND names ${name})
    string(APPEND subdirectories "add_subdirectory(${name})\n")
  endforeach()
  file(WRITE "${fresh}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.25)\nproject(fresh LANGUAGES C CXX Fortran)\nenable_testing()\n${subdirectories}")
  run(${CMAKE_COMMAND} -S "${fresh}" -B "${WORK_FOLDER}/fresh" ${configure_arguments}
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_FLAGS=${flags} -Wall -Wextra -Wconversion -Wshadow"
    "-DCMAKE_C_FLAGS=${flags} -Wall -Wextra" "-DCMAKE_Fortran_FLAGS=${flags} -Wall" --no-warn-unused-cli)
  run(${CMAKE_COMMAND} --build "${WORK_FOLDER}/fresh")
  if(run_output MATCHES "warning:")
    message(FATAL_ERROR "expected no warnings, found:\n${run_output}")
  endif()
  run(${CMAKE_CTEST_COMMAND} --test-dir "${WORK_FOLDER}/fresh" --output-on-failure --no-tests=error)
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  message("from openmi new to what was built, checked and run: ${seconds} s for ${names}")
  # expect_last(<name> <pattern>): the last row of its results.
  function(expect_last name pattern)
    file(STRINGS "${WORK_FOLDER}/fresh/${name}/results/${name}.csv" last REGEX "^${pattern}")
    if(NOT last)
      message(FATAL_ERROR "expected a row '${pattern}' at the end, found another in results/${name}.csv")
    endif()
  endfunction()
  # From 1 to 2 m3/s with a time of 2 days: 2 - exp(-5) after ten.
  expect_last(fresh-component "2020-01-11T00:00:00Z,1[.]99326205")
  expect_last(fresh-c-component "2020-01-11T00:00:00Z,1[.]99326205")
  # 2 m3/s through 1000 m2 that empty in a day: near 172.8 m, and alike in C and Fortran.
  expect_last(fresh-c-solver "2020-01-11T00:00:00Z,172[.]79")
  expect_last(fresh-fortran-solver "2020-01-11T00:00:00Z,172[.]79")
  expect_last(fresh-bmi-library "2020-01-11T00:00:00Z,172[.]79")
  # 2 tanh(3 / 2) at a quarter of the day.
  expect_last(fresh-adaptor "2020-01-02T06:00:00Z,(3|2[.]99999999[0-9]*),1[.]8102965")

  # The tutorials and how-to pages, word for word, with the compilers and flags of this tree.
  run(${CMAKE_COMMAND} -E env "CXX=${CXX_COMPILER}" "CFLAGS=${flags}" "CXXFLAGS=${flags}" "FFLAGS=${flags}"
    "CMAKE_GENERATOR=${GENERATOR}" "CMAKE_C_COMPILER_LAUNCHER=${COMPILER_LAUNCHER}"
    "CMAKE_CXX_COMPILER_LAUNCHER=${COMPILER_LAUNCHER}"
    "PYTHON=${PACKAGE_PYTHON}"
    ${PYTHON} "${OPENMI_SOURCE_DIR}/tests/structure/RunTutorials.py" "${OPENMI_SOURCE_DIR}/docs" "${prefix}" "${WORK_FOLDER}/tutorials")
  message("${run_output}")
endif()
