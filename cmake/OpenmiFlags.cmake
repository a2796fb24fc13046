# Flags of our own targets only; whoever adds us as a subdirectory keeps theirs.
add_library(openmi_flags INTERFACE)
target_compile_features(openmi_flags INTERFACE cxx_std_20)
target_compile_options(openmi_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wno-psabi>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
if(OPENMI_SANITIZE)
  target_compile_options(openmi_flags INTERFACE -fsanitize=${OPENMI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(openmi_flags INTERFACE -fsanitize=${OPENMI_SANITIZE})
endif()
if(OPENMI_COVERAGE)
  target_compile_options(openmi_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(openmi_flags INTERFACE --coverage)
endif()
