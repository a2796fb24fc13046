#pragma once

#include "openmi/standard/IDescribable.hpp"

namespace openmi {

/// Something with an id that is unique in its own context (among the inputs of one component, say), not globally.
///
/// Source: OGC 11-014r3, requirement 2.2 (/req/describable-identifiable/IIdentifiable), table 2.
class IIdentifiable : public virtual IDescribable {
 public:
  /// The id; not empty, and the same as long as the object lives.
  virtual std::string Id() const = 0;
};

}  // namespace openmi
