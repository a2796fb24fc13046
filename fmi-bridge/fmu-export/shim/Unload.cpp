// The C++ runtime that is linked in keeps memory for exceptions, 72 kB, which nobody would free when an importer
// unloads the FMU, each time again.

namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier): of libstdc++, which no header declares
void __freeres();      // NOLINT(bugprone-reserved-identifier)
}

namespace {

__attribute__((destructor)) void FreeRuntime() {
  __gnu_cxx::__freeres();
}

}  // namespace
