# openmi_cache_precompiled(<target>): lets ccache keep what is compiled with precompiled headers.
function(openmi_cache_precompiled target)
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
endfunction()

# ccache, where there is one and nobody asked for another launcher; whoever adds us as a subdirectory decides alone.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(OPENMI_CCACHE ccache)
  mark_as_advanced(OPENMI_CCACHE)
  if(OPENMI_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${OPENMI_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${OPENMI_CCACHE}")
  endif()
endif()
