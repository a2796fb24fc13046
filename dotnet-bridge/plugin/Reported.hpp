#pragma once

#include <cstdint>

#include "dotnet-bridge/plugin/Mono.hpp"

namespace openmi::dotnet {

/// What a call of a component has brought beside its result. It holds until .NET is called again, so that what is asked
/// for after each step needs no call of its own.
template <class T>
class Reported {
 public:
  void Set(T value) {
    value_ = value;
    at_ = InsideCall::Count();
  }
  /// Null: it does not hold any more.
  const T* Get() const { return at_ == InsideCall::Count() ? &value_ : nullptr; }

 private:
  T value_{};
  std::uint64_t at_ = 0;
};

}  // namespace openmi::dotnet
