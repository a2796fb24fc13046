#include "bench/fmi/GetterCount.hpp"

#include <dlfcn.h>

#include <string_view>

#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"

namespace {

bool is_counting = false;

/// What stands for a getter: counts, and calls it. \tparam kKind  tells getters of one form apart
template <class Function, int kKind>
struct Counted;
template <class Status, class... Arguments, int kKind>
struct Counted<Status(Arguments...), kKind> {
  static inline Status (*real)(Arguments...) = nullptr;
  static inline std::uint64_t calls = 0;
  static Status Call(Arguments... arguments) {
    ++calls;
    return real(arguments...);
  }
  static void* Take(void* found) {
    real = reinterpret_cast<decltype(real)>(found);
    return reinterpret_cast<void*>(&Call);
  }
};

struct Getter {
  std::string_view name;
  void* (*take)(void* found);
  std::uint64_t& calls;
};
template <class Function, int kKind = 0>
Getter Of(std::string_view name) {
  return {name, &Counted<Function, kKind>::Take, Counted<Function, kKind>::calls};
}

const Getter kGetters[] = {
    Of<fmi2GetRealTYPE>("fmi2GetReal"),          Of<fmi2GetIntegerTYPE>("fmi2GetInteger"),
    Of<fmi2GetBooleanTYPE, 1>("fmi2GetBoolean"), Of<fmi2GetStringTYPE>("fmi2GetString"),
    Of<fmi3GetFloat32TYPE>("fmi3GetFloat32"),    Of<fmi3GetFloat64TYPE>("fmi3GetFloat64"),
    Of<fmi3GetInt8TYPE>("fmi3GetInt8"),          Of<fmi3GetUInt8TYPE>("fmi3GetUInt8"),
    Of<fmi3GetInt16TYPE>("fmi3GetInt16"),        Of<fmi3GetUInt16TYPE>("fmi3GetUInt16"),
    Of<fmi3GetInt32TYPE>("fmi3GetInt32"),        Of<fmi3GetUInt32TYPE>("fmi3GetUInt32"),
    Of<fmi3GetInt64TYPE>("fmi3GetInt64"),        Of<fmi3GetUInt64TYPE>("fmi3GetUInt64"),
    Of<fmi3GetBooleanTYPE>("fmi3GetBoolean"),    Of<fmi3GetStringTYPE>("fmi3GetString"),
    Of<fmi3GetBinaryTYPE>("fmi3GetBinary"),
};

}  // namespace

// The bridge looks the functions up through the executable's dlsym, which replaces the library's for all.
extern "C" void* dlsym(void* handle, const char* name) noexcept {
  static const auto real = reinterpret_cast<void* (*)(void*, const char*)>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"));
  void* const found = real(handle, name);
  if (!is_counting || found == nullptr) return found;
  for (const Getter& getter : kGetters) {
    if (getter.name == name) return getter.take(found);
  }
  return found;
}

namespace bench {

GetterCount::GetterCount() {
  Reset();
  is_counting = true;
}
GetterCount::~GetterCount() {
  is_counting = false;
}
std::map<std::string, std::uint64_t> GetterCount::Calls() const {
  std::map<std::string, std::uint64_t> calls;
  for (const Getter& getter : kGetters) {
    if (getter.calls > 0) calls.emplace(getter.name, getter.calls);
  }
  return calls;
}
void GetterCount::Reset() {
  for (const Getter& getter : kGetters) getter.calls = 0;
}

}  // namespace bench
