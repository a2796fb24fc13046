#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace bench {

/// Counts the calls of those functions of an FMU that read values of one type (fmi2GetReal, fmi3GetFloat64, ...) while
/// it lives: of the library that is loaded meanwhile, of which there may be one. Libraries loaded before or after are
/// called without a detour.
class GetterCount {
 public:
  GetterCount();
  ~GetterCount();
  GetterCount(const GetterCount&) = delete;
  GetterCount& operator=(const GetterCount&) = delete;
  /// Calls since the last Reset, by the function's name; those that were not called are left out.
  std::map<std::string, std::uint64_t> Calls() const;
  void Reset();
};

}  // namespace bench
