#pragma once

#include <string>

namespace openmi {

/// A component that states to which family it belongs.
///
/// Optional interface. A family is a set of components that can only be exchanged together: usually all instances of
/// one library. A component without this interface belongs to the family of its library; the key is then the real path
/// of the library. A bridge implements the interface when its components have other families: all instances of one FMU,
/// all items of one DCP slave.
class IFamilyKey {
 public:
  virtual ~IFamilyKey() = default;
  /// The key; the same for all members during their whole life. May be called from the status Initialized on.
  virtual std::string FamilyKey() const = 0;
};

}  // namespace openmi
