# Sources compiled in batches: a cold build takes about two thirds of the time, since headers are parsed and templates are
# made once a batch. The scripts that build a fresh clone ask for it; whoever works on the project compiles each file alone
# (the presets), so that an edit costs one small file and a missing #include shows.
option(OPENMI_UNITY "Compile the sources of a target in batches" OFF)

# openmi_unity(<target> <batch>): <batch> C++ sources at once. Files whose names clash are given names of their own or, where
# what they hold would suffer, set_source_files_properties(... SKIP_UNITY_BUILD_INCLUSION ON).
function(openmi_unity target batch)
  if(OPENMI_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    # A source of a batch looks like a header to g++, which warns of unnamed namespaces in the types of headers.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
