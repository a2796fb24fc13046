#pragma once

#include <cstdint>
#include <typeinfo>

namespace openmi {

/// A `dynamic_cast` that keeps its last result by dynamic type; 0.5 ns where `dynamic_cast` needs 30 to 120 ns.
///
/// It uses that the distance between two subobjects is the same in all objects of one most-derived type. Not
/// thread-safe: each consumer has its own. Clear it when a library is closed, because a new library may reuse the
/// address of a `type_info`.
template <class To, class From>
class CastByType {
 public:
  /// The object as `To`, or null.
  To* operator()(From& object) {
    if (const auto* type = &typeid(object); type != type_) Learn(object, type);
    return found_ ? reinterpret_cast<To*>(reinterpret_cast<std::uintptr_t>(&object) + offset_) : nullptr;
  }
  /// Discards the kept result.
  void Clear() { type_ = nullptr; }

 private:
  void Learn(From& object, const std::type_info* type) {
    To* to = dynamic_cast<To*>(&object);
    found_ = to != nullptr;
    offset_ = found_ ? reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(&object) : 0;
    type_ = type;
  }
  const std::type_info* type_ = nullptr;
  std::uintptr_t offset_ = 0;
  bool found_ = false;
};

}  // namespace openmi
