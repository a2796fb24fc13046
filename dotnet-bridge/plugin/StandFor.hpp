#pragma once

#include <cstdint>

#include "openmi/sdk/CastByType.hpp"

namespace openmi::dotnet {

/// An object of the plug-in that .NET knows by a number in place of its address: a component may raise an event, or
/// ask, when the object is gone.
class StandFor {
 public:
  StandFor();
  StandFor(const StandFor&) = delete;
  StandFor& operator=(const StandFor&) = delete;
  virtual ~StandFor();

  /// The number, as the border takes it.
  const void* Key() const { return reinterpret_cast<const void*>(key_); }

  /// The object with a number; null: it is gone, or is another.
  template <class Kind>
  static Kind* At(const void* key) {
    static thread_local CastByType<Kind, StandFor> as_kind;
    StandFor* const found = Find(key);
    return found != nullptr ? as_kind(*found) : nullptr;
  }

 private:
  static StandFor* Find(const void* key);
  std::uintptr_t key_;
};

}  // namespace openmi::dotnet
