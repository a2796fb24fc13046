# Debian packages by CPack: scripts/package builds what they hold, makes them and has lintian look at them.
#
#   libopenmi2-0.2   the libraries; the number is that of the binary interface, so that two can be installed
#   libopenmi2-dev   headers, the CMake package, links for the linker
#   openmi2          the command, the ready components, schemas, manual page, completions
#   openmi2-<part>   a bridge: its plug-in with OMI files, its part of the command, its programs
#   python3-openmi2  the Python package
#   openmi2-doc      the manual as a site, the examples
set(interface "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME openmi2)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/debian/stage.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")

# openmi_package(<component> <package> <section> "<first line>" "<what it holds>" [DEPENDS <text>] [RECOMMENDS <text>]
#                [SUGGESTS <text>]); lines of descriptions have at most 78 characters
set(about "Simulation models exchange values while they run, after the standard
OpenMI 2.0 of the Open Geospatial Consortium (OGC 11-014r3).")
function(openmi_package component package section summary text)
  cmake_parse_arguments(ARG "" "DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER "${component}" name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME "${package}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION "${section}" PARENT_SCOPE)
  foreach(relation IN ITEMS DEPENDS RECOMMENDS SUGGESTS)
    set(CPACK_DEBIAN_${name}_PACKAGE_${relation} "${ARG_${relation}}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${summary}\n${about}\n\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(libraries "libopenmi2-${interface} (= ${PROJECT_VERSION})")
set(command "openmi2 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENTS_ALL)
openmi_package(libraries libopenmi2-${interface} libs "OpenMI 2.0 in C++: libraries"
"This package holds the libraries that models and programs use.")
openmi_package(development libopenmi2-dev libdevel "OpenMI 2.0 in C++: headers to write models with"
"This package holds what a model in C++, C or Fortran is built with: headers,
and a package for CMake with the function openmi_add_component."
  DEPENDS "${libraries}, ${command}" RECOMMENDS "cmake, g++" SUGGESTS "gfortran, openmi2-doc")
openmi_package(command openmi2 science "link simulation models, check them, run them"
"This package holds the command openmi and the ready components: series from
files, constants, formulas, linear reservoirs, a recorder. Adaptors map
values between units, times, places and categories. Results are written as
CSV and NetCDF, with a report in HTML."
  DEPENDS "${libraries}"
  SUGGESTS "libopenmi2-dev, openmi2-bmi, openmi2-broker, openmi2-dcp, openmi2-doc, openmi2-dotnet, openmi2-fmi, openmi2-gdal, openmi2-mpi, openmi2-osmp")
if(OPENMI_WITH_BMI)
  openmi_package(bmi openmi2-bmi science "OpenMI 2.0: libraries with the Basic Model Interface"
"This package adds libraries that offer the Basic Model Interface (BMI 2.0) in
C, C++ or Fortran as components, without any code, and the sub-command
openmi bmi."
    DEPENDS "${command}")
endif()
if(TARGET openmi-gdal)
  openmi_package(gdal openmi2-gdal science "OpenMI 2.0: layers of GeoPackages and shapefiles"
"This package adds tables of populations that are layers of a GeoPackage, a
shapefile or a FlatGeobuf, and results as a GeoPackage. GDAL reads and writes
them."
    DEPENDS "${command}")
endif()
if(OPENMI_WITH_MPI)
  openmi_package(mpi openmi2-mpi science "OpenMI 2.0: components that are parallel inside"
"This package adds components that several processes compute together with
MPI, each with a part of the elements."
    DEPENDS "${command}" RECOMMENDS "openmpi-bin" SUGGESTS "python3-mpi4py")
endif()
if(OPENMI_WITH_FMI)
  openmi_package(fmi openmi2-fmi science "OpenMI 2.0: Functional Mock-up Units"
"This package adds FMUs (FMI 1.0, 2.0 and 3.0) as components, compositions and
components as FMUs, system structures (SSP) as compositions, and the
sub-command openmi fmu."
    DEPENDS "${command}")
endif()
if(OPENMI_WITH_DCP)
  openmi_package(dcp openmi2-dcp science "OpenMI 2.0: Distributed Co-Simulation Protocol"
"This package adds slaves of DCP 1.0 on a network as components, compositions
and components as slaves, and the sub-command openmi dcp."
    DEPENDS "${command}")
endif()
if(OPENMI_WITH_OSMP)
  openmi_package(osmp openmi2-osmp science "OpenMI 2.0: models of sensors and traffic"
"This package adds messages of the Open Simulation Interface (OSI) as values,
models that exchange them (OSMP), their traces, and the sub-command
openmi osmp."
    DEPENDS "${command}, openmi2-fmi (= ${PROJECT_VERSION})")
endif()
if(OPENMI_WITH_BROKER)
  openmi_package(broker openmi2-broker science "OpenMI 2.0: streams of messages of RabbitMQ"
"This package adds streams of messages of a RabbitMQ broker, or of their
recordings, as components, and the sub-command openmi broker."
    DEPENDS "${command}")
endif()
if(TARGET openmi-dotnet)
  openmi_package(dotnet openmi2-dotnet science "OpenMI 2.0: components of .NET"
"This package adds assemblies of .NET whose classes implement the interfaces
OpenMI.Standard2 as components, with their adapted outputs. They run in
processes of their own, which host Mono."
    DEPENDS "${command}, mono-runtime, libmono-corlib4.5-cil, libmono-system-core4.0-cil"
    SUGGESTS "mono-mcs, libmono-system-data4.0-cil, libmono-system-windows-forms4.0-cil")
endif()
if(TARGET openmi_python)
  math(EXPR next "${Python_VERSION_MINOR} + 1")
  # Debian's NumPy provides a package named after the binary interface that the module was compiled for.
  list(GET Python_NumPy_INCLUDE_DIRS 0 numpy)
  file(STRINGS "${numpy}/numpy/_numpyconfig.h" numpy REGEX "^#define NPY_ABI_VERSION ")
  string(REGEX REPLACE "^.*0x01([0-9a-fA-F]+).*$" "0x\\1" numpy "${numpy}")
  math(EXPR numpy "${numpy}")
  openmi_package(python python3-openmi2 python "OpenMI 2.0: components in Python, and compositions driven from Python"
"This package holds the Python package openmi. Components are classes in
Python, in compositions beside those in other languages. Compositions are
opened or built, checked, run and stepped; results are NumPy arrays, or
Dataset and DataFrame where xarray and pandas are installed."
    DEPENDS "${command}, python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy, python3-numpy-abi${numpy}"
    SUGGESTS "python3-pandas, python3-xarray")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/cmake/debian/python3/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/python3/prerm")
endif()
openmi_package(documentation openmi2-doc doc "OpenMI 2.0 in C++: manual and examples"
"This package holds the manual (tutorials, how-to pages, reference,
explanation) as a site to read from files, and the sources of the examples.")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
# Of the libraries alone: which package a program that uses them needs, and that the system's list of libraries changes.
# CPack's own list would name the stand-ins of openmi2-fmi too, which are no libraries for others.
get_property(installed GLOBAL PROPERTY OPENMI_LIBRARIES)
set(shlibs)
foreach(library IN LISTS installed)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL SHARED_LIBRARY)
    string(APPEND shlibs "lib${library} ${interface} libopenmi2-${interface} (>= ${PROJECT_VERSION})\n")
  endif()
endforeach()
file(WRITE "${PROJECT_BINARY_DIR}/debian/shlibs" "${shlibs}")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/shlibs;${PROJECT_SOURCE_DIR}/cmake/debian/triggers")

# What only the packages hold; scripts/manual makes the site.
install(DIRECTORY "${PROJECT_BINARY_DIR}/../manual/" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/openmi2-doc/html"
  COMPONENT documentation EXCLUDE_FROM_ALL PATTERN .buildinfo EXCLUDE PATTERN objects.inv EXCLUDE)
install(DIRECTORY examples/ DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/openmi2-doc/examples" COMPONENT documentation EXCLUDE_FROM_ALL)

# What is built for the packages: what is installed, without tests, examples and benchmarks.
get_property(plugins GLOBAL PROPERTY OPENMI_COMPONENTS)
add_custom_target(openmi_installed DEPENDS ${plugins} openmi_runtime openmi_papers)
foreach(library IN LISTS installed)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    add_dependencies(openmi_installed ${library})
  endif()
endforeach()
if(TARGET openmi-dotnet)
  add_dependencies(openmi_installed openmi-dotnet)
endif()
if(TARGET openmi_python)
  add_dependencies(openmi_installed openmi_python)
endif()
include(CPack)
