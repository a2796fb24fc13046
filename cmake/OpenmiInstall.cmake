# Installation: what find_package(openmi2 CONFIG) needs, and where the command finds its plug-ins and schemas.
#
#   bin/openmi                 the command
#   bin/openmi-component-host  holds isolated components for a run
#   bin/openmi-study-host      runs members of studies
#   bin/openmi-fmu-host        runs behind exported FMUs
#   bin/openmi-rank-host       is one of the processes that compute a component together
#   bin/openmi-osi-table       reads releases of OSI with protobuf
#   lib/                       the layers, as shared libraries
#   lib/openmi2/               our plug-ins with their OMI files, and an FMU to try
#   lib/openmi2/command/       what the bridges add to the command
#   lib/openmi2/import/        what reads files of other standards as compositions
#   lib/openmi2/fmu/           the library of exported FMUs
#   lib/openmi2/dotnet/        the bridge to components of .NET, with its assemblies
#   lib/openmi2/bmi/           the library of exported BMI models
#   lib/cmake/openmi2/         the package
#   lib/python3/dist-packages/ the Python package
#   include/openmi2/           the headers, with the include root of the repository
#   share/openmi2/schemas/     the schemas
include(CMakePackageConfigHelpers)

set(OPENMI_INSTALL_INCLUDE "${CMAKE_INSTALL_INCLUDEDIR}/openmi2")
set(OPENMI_INSTALL_PLUGINS "${CMAKE_INSTALL_LIBDIR}/openmi2")
set(OPENMI_INSTALL_SCHEMAS "${CMAKE_INSTALL_DATADIR}/openmi2/schemas")
set(OPENMI_INSTALL_PACKAGE "${CMAKE_INSTALL_LIBDIR}/cmake/openmi2")

# Parts of the installation, by the packages that they become (OpenmiPackages.cmake): libraries, development, command, each
# bridge, documentation.
get_property(layers GLOBAL PROPERTY OPENMI_LIBRARIES)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS openmi_standard openmi_c ${layers}
  EXPORT openmi2
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libraries NAMELINK_COMPONENT development
  FILE_SET HEADERS DESTINATION "${OPENMI_INSTALL_INCLUDE}"
  FILE_SET generated DESTINATION "${OPENMI_INSTALL_INCLUDE}")

if(TARGET openmi)
  set_target_properties(openmi PROPERTIES EXPORT_NAME command INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS openmi EXPORT openmi2 RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT command)
  foreach(program IN ITEMS "openmi-component-host command" "openmi-rank-host mpi" "openmi-study-host command" "openmi-fmu-host fmi" "openmi-osi-table osmp")
    separate_arguments(program UNIX_COMMAND "${program}")
    list(POP_FRONT program name)
    if(TARGET ${name})
      set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
      install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${program})
    endif()
  endforeach()
  if(TARGET openmi-import-fmi)
    install(TARGETS openmi-import-fmi LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}/import" COMPONENT fmi)
  endif()
  set(parts)
  foreach(part IN ITEMS fmi dcp broker osmp bmi study studio)
    set(component ${part})
    if(part MATCHES "^stud(y|io)$")
      set(component command)  # it needs no package that the command does without
    endif()
    if(TARGET openmi-command-${part})
      list(APPEND parts openmi-command-${part})
      set_target_properties(openmi-command-${part} PROPERTIES INSTALL_RPATH "$ORIGIN/../..")
      install(TARGETS openmi-command-${part} LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}/command"
        COMPONENT ${component})
    endif()
  endforeach()
  if(TARGET openmi-bmi)
    set_target_properties(openmi-bmi PROPERTIES INSTALL_RPATH "$ORIGIN/../..")
    install(TARGETS openmi-bmi LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}/bmi" COMPONENT bmi)
  endif()
  if(TARGET openmi-dotnet)
    set(folder "${PROJECT_BINARY_DIR}/lib/openmi2/dotnet")
    install(TARGETS openmi-dotnet LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}/dotnet" COMPONENT dotnet)
    install(FILES "${folder}/OpenMI.Standard2.dll" "${folder}/openmi-dotnet.dll" DESTINATION "${OPENMI_INSTALL_PLUGINS}/dotnet" COMPONENT dotnet)
  endif()
  if(TARGET openmi_fmu)
    install(TARGETS openmi_fmu LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}/fmu" COMPONENT fmi)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/openmi2/fmu/placeholders" DESTINATION "${OPENMI_INSTALL_PLUGINS}/fmu"
      COMPONENT fmi)
  endif()

  # The manual page and the completions are printed by the program itself.
  set(papers "${PROJECT_BINARY_DIR}/share")
  set(made)
  foreach(paper IN ITEMS "man|man/man1/openmi.1" "completions bash|bash-completion/completions/openmi"
                         "completions zsh|zsh/site-functions/_openmi" "completions fish|fish/vendor_completions.d/openmi.fish")
    string(REGEX MATCH "^(.*)\\|((.*)/[^/]*)$" matched "${paper}")
    separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
    set(file "${papers}/${CMAKE_MATCH_2}")
    set(folder "${CMAKE_MATCH_3}")
    add_custom_command(OUTPUT "${file}"
      COMMAND ${CMAKE_COMMAND} -E make_directory "${papers}/${folder}"
      COMMAND openmi ${arguments} > "${file}"
      DEPENDS openmi ${parts} VERBATIM)
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}" COMPONENT command)
    list(APPEND made "${file}")
  endforeach()
  add_custom_target(openmi_papers ALL DEPENDS ${made})
endif()

if(TARGET openmi_python)
  # Where Debian's Python looks below /usr, and PYTHONPATH elsewhere. In a wheel, lib/ is in the package (python/backend.py).
  set(folder "${CMAKE_INSTALL_LIBDIR}/python3/dist-packages/openmi")
  get_target_property(files openmi_python OPENMI_FILES)
  set_target_properties(openmi_python PROPERTIES INSTALL_RPATH "$ORIGIN/../../..:$ORIGIN/lib")
  set_target_properties(openmi_python_component PROPERTIES INSTALL_RPATH "$ORIGIN/../../..:$ORIGIN/lib")
  install(TARGETS openmi_python openmi_python_component LIBRARY DESTINATION "${folder}" COMPONENT python)
  install(FILES ${files} DESTINATION "${folder}" COMPONENT python)
endif()

get_property(components GLOBAL PROPERTY OPENMI_COMPONENTS)
foreach(component IN LISTS components)
  get_target_property(part ${component} OPENMI_PART)
  get_target_property(omi_files ${component} OPENMI_OMI_FILES)
  install(TARGETS ${component} LIBRARY DESTINATION "${OPENMI_INSTALL_PLUGINS}" COMPONENT ${part})
  if(omi_files)
    install(FILES ${omi_files} DESTINATION "${OPENMI_INSTALL_PLUGINS}" COMPONENT ${part})
  endif()
endforeach()

get_property(fmus GLOBAL PROPERTY OPENMI_INSTALLED_FMUS)
install(FILES ${fmus} DESTINATION "${OPENMI_INSTALL_PLUGINS}" COMPONENT fmi)
install(DIRECTORY schemas/ DESTINATION "${OPENMI_INSTALL_SCHEMAS}" COMPONENT command FILES_MATCHING PATTERN "*.xsd")

install(EXPORT openmi2 NAMESPACE openmi:: FILE openmi2-targets.cmake DESTINATION "${OPENMI_INSTALL_PACKAGE}")
set(OPENMI_PARTS standard c ${layers})
list(TRANSFORM OPENMI_PARTS REPLACE "^openmi_" "")
list(JOIN OPENMI_PARTS ", " OPENMI_PARTS)
configure_package_config_file(cmake/openmi2-config.cmake.in "${PROJECT_BINARY_DIR}/openmi2-config.cmake"
  INSTALL_DESTINATION "${OPENMI_INSTALL_PACKAGE}"
  PATH_VARS OPENMI_INSTALL_PLUGINS OPENMI_INSTALL_SCHEMAS
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/openmi2-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/openmi2-config.cmake"
  "${PROJECT_BINARY_DIR}/openmi2-config-version.cmake"
  cmake/OpenmiComponent.cmake
  cmake/OpenmiCheckUnique.cmake
  cmake/openmi-component.map
  DESTINATION "${OPENMI_INSTALL_PACKAGE}")
install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT papers)
