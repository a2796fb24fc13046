# openmi_embed(<target> <function> <folder> <files>...): puts text files into a library or a program, so that it needs no file
# when it runs. The files are named relative to the folder. The target gets the function
#
#   std::string_view openmi::<function>(std::string_view name);
#
# which returns the text of the file of that name, and an empty text for any other name. Sources that call it declare it.
function(openmi_embed target function folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OpenmiEmbedFiles.cmake")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE paths)
  string(REPLACE ";" "," names "${ARGN}")
  add_custom_command(OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${source}" "-DFUNCTION=${function}" "-DFOLDER=${folder}" "-DNAMES=${names}" -P "${script}"
    DEPENDS ${paths} "${script}"
    VERBATIM)
  # A target of its own: a custom command is only known to the folder that declares it, and the library may be of another.
  add_custom_target(openmi_embedded_${function} DEPENDS "${source}")
  set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES GENERATED TRUE SKIP_UNITY_BUILD_INCLUSION ON)
  add_dependencies(${target} openmi_embedded_${function})
  target_sources(${target} PRIVATE "${source}")
endfunction()
