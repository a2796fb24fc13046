# Configures a project that adds this one with add_subdirectory, and builds its one component, with as little compiling as
# will do: what is built is only looked at.
include("${CMAKE_CURRENT_LIST_DIR}/OutsideProject.cmake")

run(${CMAKE_COMMAND} -S "${PROJECT_FOLDER}" -B "${WORK_FOLDER}/build" ${configure_arguments}
  "-DOPENMI_FOLDER=${OPENMI_SOURCE_DIR}" "-DOPENMI_SANITIZE=${SANITIZE}" "-DOPENMI_COVERAGE=${COVERAGE}"
  "-DHOST_FLAGS=${flags}" -DOPENMI_UNITY=ON -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_CXX_FLAGS_RELEASE=-O0 --no-warn-unused-cli)

# A host keeps its own flags, gets no tests of ours, and installs nothing of ours by accident.
file(READ "${WORK_FOLDER}/build/compile_commands.json" commands)
string(REGEX MATCH "\"command\": \"[^\n]*HostComponent\\.cpp[^\n]*\"" command "${commands}")
if(NOT command)
  message(FATAL_ERROR "expected HostComponent.cpp among the compile commands, found none")
endif()
if(command MATCHES "-Wconversion")
  message(FATAL_ERROR "expected the host's own warnings, found ours: ${command}")
endif()
if(commands MATCHES "gtest")
  message(FATAL_ERROR "expected no tests in a host's build, found GoogleTest among the compile commands")
endif()

run(${CMAKE_COMMAND} --build "${WORK_FOLDER}/build" --target host_component)
