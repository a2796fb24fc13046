# Compiles each piece of MustNotCompile.cpp: it must fail, and with these words.
#
# cmake -DCOMPILER=... -DSOURCE_DIR=... -P MustNotCompile.cmake

cmake_minimum_required(VERSION 3.25)

set(file "${SOURCE_DIR}/tests/conformance/standard/MustNotCompile.cpp")
set(compile "${COMPILER}" -std=c++20 -fsyntax-only -w "-I${SOURCE_DIR}" "${file}")

execute_process(COMMAND ${compile} -DCASE=0 RESULT_VARIABLE result ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "expected the control to compile, found\n${errors}")
endif()

set(words_1 "'Angle' is not a member of")
set(words_2 "cannot convert .*DimensionBase")
set(words_3 "'Grid' is not a member of")
set(words_4 "'Running' is not a member of")
set(words_5 "assignment of read-only location")
set(words_6 "has no member named 'push_back'")
set(words_7 "discards qualifiers")
set(words_8 "assignment of read-only location")
set(words_9 "cannot convert .*IBaseAdaptedOutput.* to .*IBaseInput")
set(words_10 "cannot convert .*IBaseInput.* to .*IBaseOutput")
set(words_11 "invalid initialization of reference of type .*ITimeSpaceComponent")
set(words_12 "abstract")
set(words_13 "invalid initialization of reference of type .*ITimeSpaceValueSet")
set(words_14 "use of deleted function")
foreach(case RANGE 1 14)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compile} -DCASE=${case}
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(result EQUAL 0)
    message(FATAL_ERROR "expected case ${case} not to compile, found that it does")
  endif()
  if(NOT errors MATCHES "error: [^\n]*${words_${case}}")
    message(FATAL_ERROR "expected the compiler to say \"${words_${case}}\" about case ${case}, found\n${errors}")
  endif()
endforeach()
