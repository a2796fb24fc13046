// The linked C++ runtime keeps 72 kB of memory for exceptions. Without this it would leak each time an importer unloads
// the FMU.

namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier): of libstdc++, which no header declares
void __freeres();      // NOLINT(bugprone-reserved-identifier)
}

namespace {

__attribute__((destructor)) void FreeRuntime() {
  __gnu_cxx::__freeres();
}

}  // namespace
