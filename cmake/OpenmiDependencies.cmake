# What our libraries are built with. Nothing is downloaded; scripts/packages.txt names the Debian packages.

# openmi_find_library(<target> HEADER <header> LIBRARIES <library>... [SUFFIXES <folder>...]): an imported target for a
# library that has no package file. Our libraries link it privately, so what we install does not name it.
function(openmi_find_library target)
  cmake_parse_arguments(ARG "" "HEADER" "LIBRARIES;SUFFIXES" ${ARGN})
  string(REGEX REPLACE "::.*" "" name "${target}")
  string(TOUPPER "${name}" name)
  find_path(${name}_INCLUDE_DIR "${ARG_HEADER}" PATH_SUFFIXES ${ARG_SUFFIXES} REQUIRED)
  mark_as_advanced(${name}_INCLUDE_DIR)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${${name}_INCLUDE_DIR}")
  foreach(library IN LISTS ARG_LIBRARIES)
    find_library(${name}_${library}_LIBRARY NAMES ${library} REQUIRED)
    mark_as_advanced(${name}_${library}_LIBRARY)
    target_link_libraries(${target} INTERFACE "${${name}_${library}_LIBRARY}")
  endforeach()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(LibXml2 REQUIRED)
find_package(XercesC REQUIRED)
find_package(PROJ REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Qhull REQUIRED CONFIG)
openmi_find_library(UDUNITS2::UDUNITS2 HEADER udunits2.h LIBRARIES udunits2 SUFFIXES udunits2)
openmi_find_library(NetCDF::NetCDF HEADER netcdf.h LIBRARIES netcdf)
openmi_find_library(Nettle::Nettle HEADER nettle/sha2.h LIBRARIES nettle)
openmi_find_library(Zip::Zip HEADER zip.h LIBRARIES zip)
openmi_find_library(MuParser::MuParser HEADER muParser.h LIBRARIES muparser)
openmi_find_library(RabbitMQ::RabbitMQ HEADER amqp.h LIBRARIES rabbitmq)
# As archives, and their functions hidden: FMUs hold other versions of SUNDIALS, and would be given ours in their place.
openmi_find_library(SUNDIALS::CVODE HEADER cvode/cvode.h
  LIBRARIES libsundials_cvode.a libsundials_nvecserial.a libsundials_sunmatrixdense.a libsundials_sunlinsoldense.a
    libsundials_sunlinsolspgmr.a libsundials_sunmatrixband.a libsundials_sunlinsolband.a libsundials_sunnonlinsolfixedpoint.a)
# Only in programs that load no FMUs of other people: the compiler's library reads releases of OSI.
find_package(Protobuf REQUIRED)
find_library(PROTOC_LIBRARY protoc REQUIRED)
add_library(protobuf::protoc_library INTERFACE IMPORTED GLOBAL)
target_link_libraries(protobuf::protoc_library INTERFACE protobuf::libprotobuf "${PROTOC_LIBRARY}")
mark_as_advanced(PROTOC_LIBRARY)
