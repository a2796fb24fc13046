# cmake -DLIST=<file> -DROOT=<folder> -DOUTPUT=<header> -P OpenmiHashHeaders.cmake
#
# Writes a header that holds a hash of the headers named in LIST, one a line: of their names below ROOT and of what they
# hold. It is left alone where nothing has changed, so that nothing is compiled again.
file(STRINGS "${LIST}" headers)
list(SORT headers)
set(all "")
foreach(header IN LISTS headers)
  if(header STREQUAL "")
    continue()
  endif()
  file(RELATIVE_PATH name "${ROOT}" "${header}")
  file(SHA256 "${header}" hash)
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
set(text "#pragma once

namespace openmi {

/// Of the public headers that a component is compiled against (cmake/OpenmiHashHeaders.cmake): a part of the build text.
inline constexpr char kHeadersHash[] = \"${hash}\";

}  // namespace openmi
")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
