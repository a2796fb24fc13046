// A library of a time to come. Its static object ends the process that loads it: nobody must get that far.
#include <cstdlib>

extern "C" {
extern const char openmi_component_build_v1[];
const char openmi_component_build_v1[] =
    "openmi abi=99 value=40 stdlib=libstdc++ cxx11=0 debug=1 sanitizer=none sdk=7.3.0";
const void* openmi_component_library_v1() {
  return nullptr;
}
}

namespace {
const struct Bomb {
  Bomb() { std::abort(); }
} bomb;
}  // namespace
