# ccache, where there is one and nobody asked for another launcher; whoever adds us as a subdirectory decides alone.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(OPENMI_CCACHE ccache)
  mark_as_advanced(OPENMI_CCACHE)
  if(OPENMI_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${OPENMI_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${OPENMI_CCACHE}")
  endif()
endif()
