# openmi_add_test(<name> [WHOLE] SOURCES <file>... [LIBRARIES <target>...] [DEPENDS <target>...]): one GoogleTest program,
# whose tests become ctest entries named Suite.Test. WHOLE: the program is one entry, for tests that share what is dear.

# GoogleTest and the fattest standard headers are parsed once for all test programs (1.2 s a source). Only tests: the
# libraries and the header check compile what their files really include.
function(openmi_add_test_headers)
  if(TARGET openmi_test_headers)
    return()
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/tests/openmi_test_headers.cpp" CONTENT "// Holds the precompiled headers.\n")
  add_library(openmi_test_headers OBJECT "${PROJECT_BINARY_DIR}/tests/openmi_test_headers.cpp")
  target_link_libraries(openmi_test_headers PRIVATE openmi_flags GTest::gmock GTest::gtest)
  target_precompile_headers(openmi_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <filesystem> <fstream>)
  openmi_cache_precompiled(openmi_test_headers)
endfunction()

# A locale with a decimal comma, de_DE.UTF-8, made into the build folder: a fresh machine has none. ctest names the folder in
# LOCPATH, so std::setlocale(LC_ALL, "de_DE.UTF-8") works in every test.
function(openmi_add_test_locale)
  find_program(OPENMI_LOCALEDEF localedef REQUIRED)
  mark_as_advanced(OPENMI_LOCALEDEF)
  set(folder "${PROJECT_BINARY_DIR}/tests/locale")
  add_custom_command(OUTPUT "${folder}/de_DE.UTF-8/LC_NUMERIC"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
    COMMAND ${OPENMI_LOCALEDEF} -i de_DE -f UTF-8 "${folder}/de_DE.UTF-8"
    VERBATIM)
  add_custom_target(openmi_test_locale ALL DEPENDS "${folder}/de_DE.UTF-8/LC_NUMERIC")
endfunction()

function(openmi_add_test name)
  cmake_parse_arguments(ARG "WHOLE" "" "SOURCES;LIBRARIES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} openmi_flags GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE OPENMI_SOURCE_DIR="${PROJECT_SOURCE_DIR}" OPENMI_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  openmi_unity(${name} 8)
  openmi_add_test_headers()
  target_precompile_headers(${name} REUSE_FROM openmi_test_headers)
  openmi_cache_precompiled(${name})
  add_dependencies(${name} openmi_test_locale)
  # Those of layers 2 to 6, which the build by clang runs.
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE folder)
  set(labels)
  if(folder MATCHES "^(openmi|timespace|adaptors|components|composition|conformance)")
    set(labels LABELS lower)
    if(NOT TARGET openmi_lower_tests)
      add_custom_target(openmi_lower_tests)
    endif()
    add_dependencies(openmi_lower_tests ${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ${labels} ENVIRONMENT "LOCPATH=${PROJECT_BINARY_DIR}/tests/locale")
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 900 ${labels} ENVIRONMENT "LOCPATH=${PROJECT_BINARY_DIR}/tests/locale")
endfunction()
