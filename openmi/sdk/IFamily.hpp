#pragma once

#include <string>

namespace openmi {

/// A component that says itself which family it belongs to.
///
/// A family is what can only be exchanged together: all instances of one library as a rule, which is what a component
/// without this door belongs to (the key is then the real path of its library). A bridge whose components stand for
/// something else implements it: all instances of one FMU, all items of one DCP slave.
class IFamilyKey {
 public:
  virtual ~IFamilyKey() = default;
  /// The key; the same for all members, as long as they live. May be called from Initialized on.
  virtual std::string FamilyKey() const = 0;
};

}  // namespace openmi
