# The check of openmi_add_component refuses a library that could not be unloaded, and lets pass the same source built as a
# component is.
include("${CMAKE_CURRENT_LIST_DIR}/OutsideProject.cmake")

file(WRITE "${WORK_FOLDER}/Pinned.cpp" "template <class T> struct Counter { static inline int count = 0; };\n"
                                       "extern \"C\" int Next() { return ++Counter<int>::count; }\n")
set(check "${OPENMI_SOURCE_DIR}/cmake/OpenmiCheckUnique.cmake")

run(${CXX_COMPILER} -std=c++20 -shared -fPIC "${WORK_FOLDER}/Pinned.cpp" -o "${WORK_FOLDER}/libpinned.so")
execute_process(COMMAND ${CMAKE_COMMAND} -DLIBRARY=${WORK_FOLDER}/libpinned.so -DNM=${NM} -P "${check}"
  RESULT_VARIABLE result ERROR_VARIABLE message)
if(result EQUAL 0 OR NOT message MATCHES "expected no unique symbol, found[^\n]*\n? *[^\n]*Counter")
  message(FATAL_ERROR "expected a refusal that names the symbol, found exit code ${result}: ${message}")
endif()

file(WRITE "${WORK_FOLDER}/only-next.map" "{ global: Next; local: *; };\n")
run(${CXX_COMPILER} -std=c++20 -shared -fPIC -fno-gnu-unique "-Wl,--version-script=${WORK_FOLDER}/only-next.map"
  "${WORK_FOLDER}/Pinned.cpp" -o "${WORK_FOLDER}/libfree.so")
run(${CMAKE_COMMAND} -DLIBRARY=${WORK_FOLDER}/libfree.so -DNM=${NM} -P "${check}")
