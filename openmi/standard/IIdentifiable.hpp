#pragma once

#include "openmi/standard/IDescribable.hpp"

namespace openmi {

/// An object with an id.
///
/// The id is unique in its own context, for example among the inputs of one component; it is not unique globally.
///
/// Source: OGC 11-014r3, requirement 2.2 (/req/describable-identifiable/IIdentifiable), table 2.
class IIdentifiable : public virtual IDescribable {
 public:
  /// The id; not empty. It does not change during the life of the object.
  virtual std::string Id() const = 0;
};

}  // namespace openmi
