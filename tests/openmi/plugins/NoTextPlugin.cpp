// Has the entry point and does not say what it was built with.
extern "C" const void* openmi_component_library_v1() {
  return nullptr;
}
