# A component in C11, built by clang against an installed tree and tested there, serves a program that is built by another
# compiler against the next version of openmi2. A plug-in in C++ does not, and is refused.
find_program(CLANG NAMES clang clang-14)
if(CLANG)
  set(EXTRA_ARGUMENTS "-DCMAKE_C_COMPILER=${CLANG}")
else()
  message("no clang here: the component is built by the usual compiler")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/InstalledTree.cmake")

# A composition with it becomes an FMU, which contains the library and runs.
run("${prefix}/bin/openmi" fmu export "${WORK_FOLDER}/build/composition.xml" -o "${WORK_FOLDER}/hello.fmu")
file(RENAME "${WORK_FOLDER}/build/libc_reservoir.so" "${WORK_FOLDER}/libc_reservoir.so")  # the FMU has its own
run("${prefix}/bin/openmi" fmu run "${WORK_FOLDER}/hello.fmu" -o "${WORK_FOLDER}/fmu.csv")
file(RENAME "${WORK_FOLDER}/libc_reservoir.so" "${WORK_FOLDER}/build/libc_reservoir.so")
file(STRINGS "${WORK_FOLDER}/fmu.csv" last REGEX "1[.]986524106")
if(NOT last)
  message(FATAL_ERROR "expected the outflow after ten days from the FMU, found none in fmu.csv")
endif()

# The next version: the same sources under another number, with nothing but the two lowest layers.
set(next "${WORK_FOLDER}/next")
foreach(folder IN ITEMS cmake openmi schemas timespace)
  file(COPY "${OPENMI_SOURCE_DIR}/${folder}" DESTINATION "${next}")
endforeach()
set(found)
foreach(name IN ITEMS CMakeLists.txt openmi/omi/SdkVersion.hpp)
  file(READ "${OPENMI_SOURCE_DIR}/${name}" text)
  string(REGEX REPLACE "(openmi2 VERSION |kSdkVersion\\[\\] = \")0[.]([0-9]+)[.]" "\\10.9\\2." changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "expected the version 0.x.y in ${name}, found none; teach this test where it stands")
  endif()
  file(WRITE "${next}/${name}" "${changed}")
endforeach()
set(parts)
foreach(part IN ITEMS ADAPTORS COMPOSITION FMI DCP OSMP BROKER BMI)
  list(APPEND parts "-DOPENMI_WITH_${part}=OFF")
endforeach()
run(${CMAKE_COMMAND} -S "${OPENMI_SOURCE_DIR}/tests/structure/next-version" -B "${WORK_FOLDER}/next-build" ${configure_arguments}
  "-DOPENMI_FOLDER=${next}" ${parts} "-DOPENMI_SANITIZE=${SANITIZE}" "-DHOST_FLAGS=${flags}" -DOPENMI_UNITY=ON
  -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_CXX_FLAGS_RELEASE=-O0 --no-warn-unused-cli)
run(${CMAKE_COMMAND} --build "${WORK_FOLDER}/next-build" --target host)

run("${WORK_FOLDER}/next-build/host" "${WORK_FOLDER}/build/libc_reservoir.so" LinearReservoir)
if(NOT run_output MATCHES "openmi2 0[.]9.*outflow 0[.]0206")
  message(FATAL_ERROR "expected the outflow after an hour in the next version, found: ${run_output}")
endif()
execute_process(COMMAND "${WORK_FOLDER}/next-build/host" "${prefix}/lib/openmi2/libopenmi-components.so" openmi.Constant
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(result EQUAL 0 OR NOT output MATCHES "sdk=0[.]9.*found.*sdk=0[.][0-8].*rebuild the library")
  message(FATAL_ERROR "expected the plug-in in C++ to be refused by the next version, found exit code ${result}: ${output}")
endif()
message("${run_output}${output}")
