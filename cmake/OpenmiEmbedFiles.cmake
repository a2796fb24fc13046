# cmake -DOUTPUT=<source> -DFUNCTION=<name> -DFOLDER=<folder> -DNAMES=<a,b> -P OpenmiEmbedFiles.cmake
#
# Writes a source that holds files of the folder as string literals, for openmi_embed.
string(REPLACE "," ";" NAMES "${NAMES}")
set(entries "")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}" text)
  if(text MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${FOLDER}/${name}: expected no text )embedded\" in the file, found one; it would end the string literal")
  endif()
  string(APPEND entries "  if (name == \"${name}\") return R\"embedded(${text})embedded\";\n")
endforeach()
file(WRITE "${OUTPUT}" "#include <string_view>

namespace openmi {

std::string_view ${FUNCTION}(std::string_view name);
std::string_view ${FUNCTION}(std::string_view name) {
${entries}  return {};
}

}  // namespace openmi
")
