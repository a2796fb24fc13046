# Run as a script: cmake -DOUTPUT=<file.cpp> -DSCHEMAS=<a.xsd,b.xsd> -P EmbedSchemas.cmake
# Writes a source file that holds the schemas as string literals, so that the product needs no file when it runs.
string(REPLACE "," ";" SCHEMAS "${SCHEMAS}")
set(entries "")
foreach(schema IN LISTS SCHEMAS)
  get_filename_component(name "${schema}" NAME)
  file(READ "${schema}" text)
  if(text MATCHES "\\)xsd\"")
    message(FATAL_ERROR "${schema}: expected no text )xsd\" in a schema, found one; it would end the string literal")
  endif()
  string(APPEND entries "  if (name == \"${name}\") return R\"xsd(${text})xsd\";\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"openmi/omi/Schemas.hpp\"

namespace openmi {

std::string_view EmbeddedSchema(std::string_view name) {
${entries}  return {};
}

}  // namespace openmi
")
